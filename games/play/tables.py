"""At how many tables somebody may be at once, by user and by address; at which ones the programs of members are."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import takewhile

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.limits import network_of
from accounts.models import User
from accounts.programs import usable_programs
from games.kit.language import lazy
from games.models import Match, Seat
from games.play.errors import Refused

QUIET = timedelta(hours=2)  # tables at which nothing happened for so long burden nobody


class TooManyTables(Refused):
    """There is no room for one more."""

    status = 429


@contextmanager
def room_for(user: User, code: str | None = None) -> Iterator[None]:
    """A transaction in which `user` may take a seat at one more table. Raises TooManyTables.

    code: of the table, where it may be one that they sit at already.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks are counted one after the other
        # A guide is closed by the next one, and in no list to be left from.
        running = Match.objects.filter(status__in=Match.RUNNING, guide=False, seats__user=user, seats__left_at=None)
        if running.exclude(code=code).count() >= settings.TABLES_A_USER:
            sentences = (
                "You are at as many tables as we allow ({limit}). "
                "Finish or leave one of them first: you’ll find them in the lobby."
            )
            raise TooManyTables(lazy(sentences, limit=settings.TABLES_A_USER))
        yield


def demand_room_for_address(address: str, code: str | None = None) -> None:
    """Raises TooManyTables if those who logged in from `address` may have no more tables.

    address: as accounts.limits.address_of gives it. code: as for `room_for`.
    """
    here = Seat.objects.filter(left_at=None, user__usersession__ip__startswith=_beginning(address))
    playing = Q(status=Match.Status.PLAYING, turn_started_at__gt=timezone.now() - QUIET)
    numbers: set[int] = set()
    for running in (Q(status=Match.Status.OPEN), playing):  # apart, so that each is found by its index
        tables = Match.objects.filter(running, Exists(here.filter(match=OuterRef("pk")))).exclude(code=code)
        numbers |= set(tables.values_list("pk", flat=True))
    if len(numbers) >= settings.TABLES_AN_ADDRESS:
        rows = here.filter(match__in=numbers).values_list("match", "user__usersession__ip")
        numbers = {match for match, ip in rows if network_of(ip) == address}
    if len(numbers) >= settings.TABLES_AN_ADDRESS:
        sentences = (
            "As many tables as we allow ({limit}) are in use from your network. "
            "Wait until one is finished, or join one of them."
        )
        raise TooManyTables(lazy(sentences, limit=settings.TABLES_AN_ADDRESS))


def tables_of_programs(token_hashes: Iterable[str]) -> dict[str, set[str]]:
    """The codes of the running matches at which programs have a seat, by their tokens' hash; only of usable ones."""
    programs = usable_programs().filter(token_hash__in=token_hashes)
    user_ids = dict(programs.values_list("token_hash", "user"))
    seats = Seat.objects.filter(user__in=user_ids.values(), left_at=None, match__status__in=Match.RUNNING)
    rows = list(seats.values_list("user", "match__code"))
    return {token_hash: {code for user, code in rows if user == user_id} for token_hash, user_id in user_ids.items()}


def _beginning(address: str) -> str:
    """What the addresses of a network begin with as text, and perhaps others: IPv6 may leave out any zeros."""
    if ":" not in address:
        return address
    groups = takewhile(lambda group: group not in ("", "0"), address.split(":"))
    return "".join(f"{group}:" for group in groups)
