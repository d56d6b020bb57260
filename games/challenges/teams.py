"""Team matches: two teams of four play the same cards at two tables, crosswise.

At table 0 the first team has the even seats, at table 1 the odd ones. So each team holds every card once. The sum of
the differences at both tables shows which team has played better.
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
PLAYERS = 4  # At one table.
MOST_WAITING = 5  # Team matches in which a user may wait at once.


def may_be_played(challenge: Challenge) -> bool:
    """Return whether the cards of a challenge can be played as a team match: by four players in two pairs."""
    rules = find_rules(challenge.game, challenge.rules_version)
    return rules is not None and len(challenge.bots) == PLAYERS and PLAYERS in rules.partners_at


def make(user: User, challenge: Challenge) -> TeamMatch:
    """Create a team match, in which two teams of four play the same cards at two tables. Raise Refused.

    challenge: has the cards. user: gets a seat of the first team at the first table.
    """
    if not may_be_played(challenge):
        raise Refused(lazy("Team matches are for four players in pairs. Choose a challenge for two pairs."))
    with transaction.atomic():
        team_match = TeamMatch.objects.create(challenge=challenge, made_by=user)
        join(user, team_match.code, team=0, table=0)
    return team_match


def join(user: User, code: str, *, team: int | None, table: int | None) -> TeamMatch:
    """Give a user a seat of a team (0 or 1) at a table (0 or 1) of a team match, and return the match. Raise Refused.

    This frees the seat that they had before. code: of the team match. Store with the seat whether the user knows the
    cards, for example because they have watched somebody play them.
    """
    if team not in (0, 1) or table is None or table not in range(TABLES):
        raise Refused(lazy("Choose a team and a table."))
    with _locked_before_start(code) as team_match:
        if why := why_suspended(user.pk):
            raise NotAllowed(why)
        other_seats = team_match.seats.exclude(user=user)
        players = list(other_seats.values_list("user", flat=True))
        if has_blocked(user.pk, players):
            raise Refused(lazy("Somebody you have blocked is in this team match. Join another one, or unblock them."))
        other_waiting = user.team_seats.filter(team_match__tables=None).exclude(team_match=team_match)  # Not begun yet.
        if other_waiting.count() >= MOST_WAITING:
            one = "You wait in {number} team match already. Leave it first."
            many = "You wait in {number} team matches already. Leave one of them first."
            raise Refused(lazy_count(MOST_WAITING, one, many))
        occupied = set(other_seats.filter(table=table).values_list("number", flat=True))
        free = [number for number in seats_of(team, table) if number not in occupied]
        if not free or is_apart(user.pk, players):  # A blocked user finds every seat taken.
            raise Refused(lazy("Both seats of that team at that table are taken. Choose another team or table."))
        team_match.seats.filter(user=user).delete()
        knew = how_known(user, team_match.challenge)
        TeamSeat.objects.create(team_match=team_match, user=user, team=team, table=table, number=free[0], knew=knew)
    return team_match


def leave(user: User, code: str) -> TeamMatch:
    """Free the seat of a user in a team match, and return the match. Raise Refused if it has begun.

    code: of the team match.
    """
    with _locked_before_start(code) as team_match:
        if not team_match.seats.filter(user=user).delete()[0]:
            raise Refused(lazy("You have no seat in this team match. Join it first."))
    return team_match


def start(user: User, code: str) -> list[Snapshot]:
    """Begin the matches at both tables of a team match, with bots in the free seats. Return their states.

    Any user with a seat may do this. Raise Refused. code: of the team match.
    """
    with _locked_before_start(code) as team_match:
        # Suspended players lose their seats to bots.
        seats = [seat for seat in team_match.seats.select_related("user") if not why_suspended(seat.user_id)]
        if user.pk not in {seat.user_id for seat in seats}:
            raise NotAllowed(lazy("Only its players can start the team match. Take a seat first."))
        for seat in seats:  # They may have seen the cards since they took the seat.
            if not seat.knew and (knew := how_known(seat.user, team_match.challenge)):
                TeamSeat.objects.filter(pk=seat.pk).update(knew=knew)
        snapshots = [_begin_table(user, team_match, table, seats) for table in range(TABLES)]
        for table, snapshot in enumerate(snapshots):
            TeamTable.objects.create(team_match=team_match, match_id=snapshot.pk, number=table)
    return snapshots


def seats_of(team: int, table: int) -> tuple[int, int]:
    """Return the numbers of the two seats of a team at a table. Teams and tables are numbered 0 and 1.

    A table has seats 0 to 3, and partners sit opposite each other. At table 1 the teams change seats, so that each
    team holds every card once.
    """
    first = (team + table) % 2  # Seats 0 and 2 for team 0 at table 0, and for team 1 at table 1.
    return first, first + 2


class Line(NamedTuple):
    """The result of one table of a team match. points: of the first team and of the second."""

    match: Match
    points: tuple[float, float]


def results(team_match: TeamMatch) -> list[Line] | None:
    """Return for each table of a team match its match and the points of both teams. None until both have finished.

    Partners have the same points, so look at the first seat of a team only.
    """
    settle_tables(team_match)
    tables = list(team_match.tables.select_related("match").order_by("number"))
    if len(tables) < TABLES or any(table.points is None for table in tables):
        return None
    lines = []
    for table in tables:
        first_seats = [seats_of(team, table.number)[0] for team in (0, 1)]
        lines.append(Line(table.match, tuple(table.points[seat] for seat in first_seats)))
    return lines


@contextmanager
def _locked_before_start(code: str) -> Iterator[TeamMatch]:
    """Lock a team match in a transaction, so that nobody else can join or start it. Raise Refused if it has begun."""
    with transaction.atomic():
        team_match = TeamMatch.objects.select_for_update().filter(code=code).first()
        if team_match is None:
            raise Refused(lazy("There is no such team match. Check the link."))
        if team_match.tables.exists():
            raise Refused(lazy("This team match has already begun. Start another one."))
        yield team_match


def _begin_table(user: User, team_match: TeamMatch, table: int, seats: list[TeamSeat]) -> Snapshot:
    challenge = team_match.challenge
    people = {seat.number: seat.user for seat in seats if seat.table == table}
    start = start_of(challenge)._replace(names=())
    company = Company(user, people, challenge.bots)
    return begin(start, company, Match.Aside.CHALLENGE, one_deal=challenge.deal is not None)
