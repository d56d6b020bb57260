"""Team matches: two teams of four play the same cards at two tables, crosswise.

At table 0 the first team has the even seats, at table 1 the odd ones. So each team has held all the cards, and what is
left of the difference at both tables is what it has played better.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from accounts.people.blocks import has_blocked, is_apart
from accounts.sanctions import why_suspended
from games.catalog import find_rules
from games.challenges.beginning import Company, begin
from games.challenges.challenges import start_of
from games.challenges.knowing import how_known
from games.challenges.models import Challenge, TeamMatch, TeamSeat, TeamTable
from games.challenges.settling import settle_tables
from games.kit.language import lazy, lazy_count
from games.models import Match
from games.play.errors import NotAllowed, Refused
from games.play.snapshot import Snapshot

TABLES = 2
PLAYERS = 4  # at a table
MOST_WAITING = 5  # team matches that somebody waits in at once


def may_be_played(challenge: Challenge) -> bool:
    """Whether the cards of a challenge are for two pairs."""
    rules = find_rules(challenge.game, challenge.rules_version)
    return rules is not None and len(challenge.bots) == PLAYERS and PLAYERS in rules.partners_at


def make(user: User, challenge: Challenge) -> TeamMatch:
    """A team match with the cards of a challenge, at which `user` sits at the first table. Raises Refused."""
    if not may_be_played(challenge):
        raise Refused(lazy("Team matches are for four players in pairs."))
    with transaction.atomic():
        made = TeamMatch.objects.create(challenge=challenge, made_by=user)
        join(user, made.code, team=0, table=0)
    return made


def join(user: User, code: str, *, team: int, table: int) -> TeamMatch:
    """Give a user a seat of a team at a table, in place of any other that they have there. Raises Refused."""
    if team not in (0, 1) or table not in range(TABLES):
        raise Refused(lazy("Choose a team and a table."))
    with _waiting(code) as asked:
        if why := why_suspended(user.pk):
            raise NotAllowed(why)
        others = asked.seats.exclude(user=user)
        players = list(others.values_list("user", flat=True))
        if has_blocked(user.pk, players):
            raise Refused(lazy("Somebody you have blocked is in this team match. Join another one, or unblock them."))
        if user.team_seats.filter(team_match__tables=None).exclude(team_match=asked).count() >= MOST_WAITING:
            one = "You wait in {number} team match already. Leave it first."
            many = "You wait in {number} team matches already. Leave one of them first."
            raise Refused(lazy_count(MOST_WAITING, one, many))
        taken = set(others.filter(table=table).values_list("number", flat=True))
        free = [number for number in seats_of(team, table) if number not in taken]
        if not free or is_apart(user.pk, players):  # for a blocked user every seat is taken
            raise Refused(lazy("Both seats of that team at that table are taken. Choose another team or table."))
        asked.seats.filter(user=user).delete()
        knew = how_known(user, asked.challenge)
        TeamSeat.objects.create(team_match=asked, user=user, team=team, table=table, number=free[0], knew=knew)
    return asked


def leave(user: User, code: str) -> TeamMatch:
    """Free the seat of a user in a team match that has not begun. Raises Refused."""
    with _waiting(code) as asked:
        if not asked.seats.filter(user=user).delete()[0]:
            raise Refused(lazy("You have no seat in this team match. Join it first."))
    return asked


def start(user: User, code: str) -> list[Snapshot]:
    """Begin at both tables, with bots in the seats that are free. Whoever has a seat may. Returns their Snapshots.

    Raises Refused.
    """
    with _waiting(code) as asked:
        seats = [seat for seat in asked.seats.select_related("user") if not why_suspended(seat.user_id)]
        if user.pk not in {seat.user_id for seat in seats}:
            raise NotAllowed(lazy("Only its players can start the team match. Take a seat first."))
        for seat in seats:
            if not seat.knew and (knew := how_known(seat.user, asked.challenge)):
                TeamSeat.objects.filter(pk=seat.pk).update(knew=knew)
        begun = [_begin(user, asked, table, seats) for table in range(TABLES)]
        for table, snapshot in enumerate(begun):
            TeamTable.objects.create(team_match=asked, match_id=snapshot.pk, number=table)
    return begun


def seats_of(team: int, table: int) -> tuple[int, int]:
    """The seats of a team at a table, as the rules number them."""
    first = (team + table) % 2
    return first, first + 2


class Line(NamedTuple):
    """What one table of a team match came to. points: of the first team and of the second."""

    match: Match
    points: tuple[float, float]


def results(asked: TeamMatch) -> list[Line] | None:
    """What both tables came to, once both are over and that is reckoned; None before."""
    settle_tables(asked)
    tables = list(asked.tables.select_related("match").order_by("number"))
    if len(tables) < TABLES or any(table.points is None for table in tables):
        return None
    return [
        Line(table.match, tuple(table.points[seats_of(team, table.number)[0]] for team in (0, 1))) for table in tables
    ]


@contextmanager
def _waiting(code: str) -> Iterator[TeamMatch]:
    """A transaction that holds the row of a team match that has not begun. Raises Refused where it has."""
    with transaction.atomic():
        asked = TeamMatch.objects.select_for_update().filter(code=code).first()
        if asked is None:
            raise Refused(lazy("There is no such team match. Check the link."))
        if asked.tables.exists():
            raise Refused(lazy("This team match has already begun. Start another one."))
        yield asked


def _begin(user: User, asked: TeamMatch, table: int, seats: list[TeamSeat]) -> Snapshot:
    challenge = asked.challenge
    people = {seat.number: seat.user for seat in seats if seat.table == table}
    start = start_of(challenge)._replace(names=())
    company = Company(user, people, challenge.bots)
    return begin(start, company, Match.Aside.CHALLENGE, one_deal=challenge.deal is not None)
