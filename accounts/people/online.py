"""Users who are online: they have a page open, or requested one in the last minutes. The cache shares this."""

import math
import time
from collections.abc import Collection, Iterable

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts.models import User
from accounts.people.models import Privacy
from config.middleware import GetResponse

TIMEOUT = 180  # seconds
REFRESH_INTERVAL = 60.0  # seconds until a process writes a user to the cache again
MAX_REMEMBERED = 10_000  # users

_written_at: dict[int, float] = {}  # When this process last wrote a user to the cache, on its monotonic clock.


def note(user_ids: Iterable[int]) -> None:
    """Mark these users as online."""
    if stale := _stale(user_ids):
        cache.set_many({_key(user_id): 1 for user_id in stale}, TIMEOUT)
        if len(_written_at) > MAX_REMEMBERED:
            _written_at.clear()
        _written_at.update(dict.fromkeys(stale, time.monotonic()))


def _stale(user_ids: Iterable[int]) -> list[int]:
    """Return the users that this process has not written to the cache in the last minute."""
    now = time.monotonic()
    return [user_id for user_id in user_ids if now - _written_at.get(user_id, -math.inf) >= REFRESH_INTERVAL]


def forget() -> None:
    """Forget which users this process has written, for tests."""
    _written_at.clear()


def here(user_ids: Collection[int]) -> set[int]:
    """Return the users who are online, even if they hide it. One request to the cache."""
    return {int(key.rpartition(":")[2]) for key in cache.get_many([_key(user_id) for user_id in user_ids])}


def online(user_ids: Collection[int]) -> set[int]:
    """Return the users who are online and do not hide it. One query and one request to the cache."""
    present = here(user_ids)
    if not present:
        return present
    return present - set(Privacy.objects.filter(user__in=present, hides_presence=True).values_list("user", flat=True))


def hides_presence(user: User) -> bool:
    return Privacy.objects.filter(user=user, hides_presence=True).exists()


def set_hides_presence(user: User, hides: bool) -> None:
    Privacy.objects.update_or_create(user=user, defaults={"hides_presence": hides})


def _key(user_id: int) -> str:
    return f"online:{user_id}"


@sync_and_async_middleware
def presence_middleware(get_response: GetResponse) -> GetResponse:
    """Mark the user of each request as online, after it is answered. Works for sync and async requests."""
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            response = await get_response(request)
            if stale := _stale(_logged_in_user(request)):  # Most users were marked a moment ago.
                await sync_to_async(note)(stale)  # In a thread, because the cache may be slow.
            return response

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        note(_logged_in_user(request))
        return response

    return answer


def _logged_in_user(request: HttpRequest) -> list[int]:
    """Return a list with the primary key of the user. It is empty for visitors, and if nothing has read the user."""
    # Reading request.user here would cost every request a query, so we look at what Django has cached there.
    user = getattr(request, "_cached_user", None) or getattr(request, "_acached_user", None)
    return [user.pk] if user is not None and user.is_authenticated else []
