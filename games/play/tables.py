"""Limits on the number of tables of a user and of an address, and the tables of programs."""

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
from accounts.site.current import address_factor
from games.kit.language import lazy
from games.models import Match, Seat
from games.play.errors import Refused

QUIET = timedelta(hours=2)  # Tables without a move for this long do not count for their address.


class TooManyTables(Refused):
    """The user or the address may have no more tables."""

    status = 429


@contextmanager
def room_for(user: User, code: str | None = None) -> Iterator[None]:
    """Open a transaction in which `user` may take a seat at one more table. Raise TooManyTables if they have too many.

    code: of the table where they want to sit, which does not count if they sit there already; None for a new table.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Makes a double click wait for the first one.
        # Guides don't count: each is closed by the next one, and no list shows them.
        running = Match.objects.filter(status__in=Match.RUNNING, guide=False, seats__user=user, seats__left_at=None)
        if running.exclude(code=code).count() >= settings.TABLES_A_USER:
            sentences = (
                "You are at as many tables as we allow ({limit}). "
                "Finish or leave one of them first: you’ll find them in the lobby."
            )
            raise TooManyTables(lazy(sentences, limit=settings.TABLES_A_USER))
        yield


def demand_room_for_address(address: str, code: str | None = None) -> None:
    """Raise TooManyTables if users who logged in from an address sit at as many tables as we allow for one address.

    address: of a computer, or in IPv6 the first address of its network. code: of the table at which somebody wants to
    sit down, which does not count if another user from there sits at it already; None for a new table. Running matches
    in which nothing has happened for long don't count.
    """
    # The database can only look for addresses by a prefix. In IPv6, other networks may have the same one.
    seats = Seat.objects.filter(left_at=None, user__usersession__ip__startswith=_network_prefix(address))
    playing = Q(status=Match.Status.PLAYING, turn_started_at__gt=timezone.now() - QUIET)
    table_keys: set[int] = set()
    for condition in (Q(status=Match.Status.OPEN), playing):  # Two queries, so that each can use its index.
        tables = Match.objects.filter(condition, Exists(seats.filter(match=OuterRef("pk")))).exclude(code=code)
        table_keys |= set(tables.values_list("pk", flat=True))
    most = settings.TABLES_AN_ADDRESS * address_factor()
    if len(table_keys) >= most:  # Perhaps too many, so now look at the whole addresses.
        rows = seats.filter(match__in=table_keys).values_list("match", "user__usersession__ip")
        table_keys = {match for match, ip in rows if network_of(ip) == address}
    if len(table_keys) >= most:
        sentences = (
            "As many tables as we allow ({limit}) are in use from your network. "
            "Wait until one is finished, or join one of them."
        )
        raise TooManyTables(lazy(sentences, limit=most))


def tables_of_programs(token_hashes: Iterable[str]) -> dict[str, set[str]]:
    """Return the codes of the running matches of programs, by the hash of the program's token.

    Programs are bots that users run themselves. Each logs in with a token, of which we store the hash. Programs that
    may not play at present are left out.
    """
    programs = usable_programs().filter(token_hash__in=token_hashes)
    user_ids = dict(programs.values_list("token_hash", "user"))
    seats = Seat.objects.filter(user__in=user_ids.values(), left_at=None, match__status__in=Match.RUNNING)
    rows = list(seats.values_list("user", "match__code"))
    return {token_hash: {code for user, code in rows if user == user_id} for token_hash, user_id in user_ids.items()}


def _network_prefix(address: str) -> str:
    """Return a text that all addresses of a network begin with, such as "2001:db8:1:2:", to look for them.

    Addresses of other networks may begin with it too. It ends before the first group of zeros, which can be written
    in several ways. address: the first of the network.
    """
    if ":" not in address:  # In IPv4, each computer counts for itself.
        return address
    groups = takewhile(lambda group: group not in ("", "0"), address.split(":"))
    return "".join(f"{group}:" for group in groups)
