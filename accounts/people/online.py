"""Who is here: whoever asked for a page in the last minutes, or has one open. All processes keep it in the cache."""

import math
import time
from collections.abc import Collection, Iterable

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.cache import cache
from django.utils.decorators import sync_and_async_middleware

from accounts.people.models import Privacy

LASTS = 180  # seconds after the last sign of somebody
SAID_AGAIN_AFTER = 60.0  # seconds in which a process doesn't repeat itself
REMEMBERED = 10_000  # users of whom a process knows when it said so

_said: dict[int, float] = {}  # by user: when this process said that they are here, by its monotonic clock


def note(user_ids: Iterable[int]) -> None:
    """Say that these users are here."""
    if news := _news(user_ids):
        cache.set_many({_key(user_id): 1 for user_id in news}, LASTS)
        if len(_said) > REMEMBERED:
            _said.clear()
        _said.update(dict.fromkeys(news, time.monotonic()))


def _news(user_ids: Iterable[int]) -> list[int]:
    """Those of these users of whom this process hasn't said so in the last minute."""
    now = time.monotonic()
    return [user_id for user_id in user_ids if now - _said.get(user_id, -math.inf) >= SAID_AGAIN_AFTER]


def forget() -> None:
    """Drop what this process knows of having said, for tests."""
    _said.clear()


def here(user_ids: Collection[int]) -> set[int]:
    """Those of these users who are here, for our own use: some of them hide it. One question to the cache."""
    return {int(key.rpartition(":")[2]) for key in cache.get_many([_key(user_id) for user_id in user_ids])}


def online(user_ids: Collection[int]) -> set[int]:
    """Those of these users who are here and don't hide it. One query, and one question to the cache."""
    found = here(user_ids)
    if not found:
        return found
    return found - set(Privacy.objects.filter(user__in=found, hides_presence=True).values_list("user", flat=True))


def hides_presence(user) -> bool:
    return Privacy.objects.filter(user=user, hides_presence=True).exists()


def set_hides_presence(user, hides: bool) -> None:
    Privacy.objects.update_or_create(user=user, defaults={"hides_presence": hides})


def _key(user_id: int) -> str:
    return f"online:{user_id}"


@sync_and_async_middleware
def middleware(get_response):
    """Notes who asks for pages, where the page has looked at who that is."""
    if iscoroutinefunction(get_response):

        async def noting(request):
            response = await get_response(request)
            if news := _news(_user_of(request)):
                await sync_to_async(note)(news)  # the cache may be slow
            return response

    else:

        def noting(request):
            response = get_response(request)
            note(_user_of(request))
            return response

    return noting


def _user_of(request):
    """The key of who has asked, in a list, or none."""
    # Django keeps the user once a view or a template has asked for it; asking here would cost every answer a query.
    user = getattr(request, "_cached_user", None) or getattr(request, "_acached_user", None)
    return [user.pk] if user is not None and user.is_authenticated else []
