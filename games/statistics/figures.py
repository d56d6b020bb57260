"""The stored running figures of members. They are updated whenever the facts of a match are stored.

They are rebuilt from the facts of all matches where an update is not enough: if a user has none yet, if facts changed,
if the match ended before one that is counted already, or if the game now counts something else.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.db.models import FilteredRelation

from accounts.models import User
from accounts.time_zones import site_day
from games.catalog import all_games, get_game
from games.deal_index.making import Facts as MatchFacts
from games.deal_index.models import SeatFacts
from games.kit.game import Game
from games.models import Match, Seat, counting
from games.statistics.counting import at_another_place, games_played
from games.statistics.models import PlayerFigures
from games.statistics.running import Facts, Other, Part, Running, definition_hash, merge_facts

CHUNK = 5_000  # Rows per read.


def figures_of(user: User, game: Game) -> Running:
    """Return the figures of a user's matches at a game. This takes one query, unless they must be rebuilt."""
    row = PlayerFigures.objects.filter(user=user, game=game.slug).first()
    if row is None or not _is_current(row, game):
        row = _rebuild(user, game)
    return Running(game, row.figures)


def partners(user: User, limit: int = 100) -> list[tuple[str, int, int]]:
    """Return the partners of a user in all games, as (name, matches, matches won), most matches first.

    Guests and deleted users are left out. limit: the largest number of partners.
    """
    rows = {row.game: row for row in PlayerFigures.objects.filter(user=user)}
    games = {game.slug: game for game in all_games() if game.statistics and game.newest.partners_at}
    totals: dict[int, tuple[int, int]] = {}
    for slug in games.keys() & games_played(user):
        game, row = games[slug], rows.get(slug)
        if row is None or not _is_current(row, game):
            row = _rebuild(user, game)
        for partner, counts in Running(game, row.figures).people(together=True).items():
            played, won = totals.get(partner, (0, 0))
            totals[partner] = played + counts["played"], won + counts["won"]
    # Some may be guests or deleted, so look up more names than needed.
    most = sorted(totals, key=lambda partner: -totals[partner][0])[: 2 * limit]
    names = User.objects.filter(pk__in=most, is_guest=False).values_list("username", "pk")
    lines = [(name, *totals[pk]) for name, pk in names]
    return sorted(lines, key=lambda line: (-line[1], line[0]))[:limit]


def _is_current(row: PlayerFigures, game: Game) -> bool:
    """Return whether stored figures need no rebuild: they miss no match, and the game still counts the same things."""
    return not row.stale and row.definition == definition_hash(game)


def add_match(sender: object, *, match: Match, facts: MatchFacts, anew: bool, **_: object) -> None:
    """Add a finished match to the stored figures of its players, in the transaction that stores its facts.

    Figures depend on the order of matches. If they cannot simply be continued, mark them as stale. They are rebuilt
    when somebody reads them.

    facts: of the match and its deals. anew: whether the match had facts before, which have changed.
    """
    game = get_game(match.game)
    if not match.counts or not game.statistics:
        return
    seats = {seat.user_id: seat for seat in match.seats.all() if seat.user_id and seat.finish is not None}
    # The insert and the row locks wait for a concurrent rebuild. Either it sees these facts, or we see its result.
    PlayerFigures.objects.bulk_create(
        [PlayerFigures(user_id=user, game=match.game) for user in sorted(seats)], ignore_conflicts=True
    )
    rows = list(PlayerFigures.objects.select_for_update().filter(user__in=seats, game=match.game).order_by("user"))
    for row in rows:
        if row.stale:
            continue
        key = (match.ended_at, match.pk)  # Matches are counted in this order.
        comes_late = row.last_ended_at and key < (row.last_ended_at, row.last_match)
        if anew or comes_late or not _is_current(row, game):
            row.stale = True
        else:
            running = Running(game, row.figures)
            running.add(_part_in_match(match, facts, seats[row.user_id], seats))
            row.figures, (row.last_ended_at, row.last_match) = running.as_json(), key
        row.save()


def _part_in_match(match: Match, facts: MatchFacts, seat: Seat, seats: Mapping[int, Seat]) -> Part:
    """Return the part in a match of the player at a seat, for their statistics.

    facts: of the match and its deals. seats: of all users in the match, by the key of the user.
    """
    others = [
        Other(user, other.team is not None and other.team == seat.team, other.finish)
        for user, other in seats.items()
        if other is not seat
    ]
    deals = [(number, merge_facts(deal.seats[seat.number], deal.deal)) for number, deal in facts.deals.items()]
    month = month_of(match.ended_at)
    return Part(match.pk, month, match.seat_count, seat.finish, seat.score, facts.margin, others, deals)


def month_of(moment: datetime) -> date:
    """Return the first day of a moment's month in the site's time zone, so that it is the same for all readers."""
    return site_day(moment).replace(day=1)


def drop_match(sender: object, *, instance: Match, **_: object) -> None:
    """Mark the figures of the players as stale, because a match is being deleted."""
    users = Seat.objects.filter(match=instance, user__isnull=False).values("user")
    PlayerFigures.objects.filter(user__in=users, game=instance.game).update(stale=True)


@transaction.atomic
def _rebuild(user: User, game: Game) -> PlayerFigures:
    """Compute the figures of a user at a game from the facts of all their matches. Store and return them."""
    PlayerFigures.objects.bulk_create([PlayerFigures(user=user, game=game.slug)], ignore_conflicts=True)
    row = PlayerFigures.objects.select_for_update().get(user=user, game=game.slug)
    if _is_current(row, game):
        return row  # Another process has just rebuilt it.
    running = Running(game)
    last: tuple[datetime | None, int | None] = (None, None)
    for part, ended_at in _all_parts(user, game):
        running.add(part)
        last = ended_at, part.match
    row.figures, row.definition, row.stale = running.as_json(), definition_hash(game), False
    row.last_ended_at, row.last_match = last
    row.save()
    return row


def _all_parts(user: User, game: Game) -> Iterator[tuple[Part, datetime]]:
    """Yield a user's part in each match of a game that has facts, and the end of that match, in the order of the ends.

    A few queries read all matches at once: the matches, their other players, and the deals. The first and the last are
    in the same order, so a single pass joins them.
    """
    own = Seat.objects.filter(counting("match__"), user=user, finish__isnull=False, match__game=game.slug)
    matches = {
        match: columns
        for match, *columns in own.filter(match__facts__isnull=False)
        .order_by("match__ended_at", "match")
        .values_list("match", "match__ended_at", "match__seat_count", "finish", "score", "match__facts__margin")
    }
    others: dict[int, list[Other]] = {}
    pairs = own.annotate(other=FilteredRelation("match__seats"))
    pairs = pairs.filter(at_another_place("other", "place"), other__user__isnull=False, other__finish__isnull=False)
    columns_of_pair = ("match", "team", "other__user", "other__team", "other__finish")
    for match, team, other, other_team, finish in pairs.values_list(*columns_of_pair):
        others.setdefault(match, []).append(Other(other, team is not None and team == other_team, finish))
    rows = SeatFacts.objects.filter(seat__in=own).order_by("seat__match__ended_at", "seat__match", "deal__number")
    columns_of_deal = ("seat__match", "deal__number", "points", "score", "facts", "deal__facts")
    rows = rows.values_list(*columns_of_deal).iterator(chunk_size=CHUNK)
    groups = groupby(rows, itemgetter(0))  # the deals of one match after the other
    next_match, its_deals = next(groups, (None, ()))
    for match, (ended_at, seats, finish, score, margin) in matches.items():
        deals = []
        if match == next_match:  # A match may have no deals.
            deals = [_deal_with_facts(*row) for row in its_deals]
            next_match, its_deals = next(groups, (None, ()))
        part = Part(match, month_of(ended_at), seats, finish, score, margin, others.get(match, ()), deals)
        yield part, ended_at


def _deal_with_facts(
    _: int, number: int, points: float, score: float, of_seat: Facts, of_deal: Facts
) -> tuple[int, Facts]:
    return number, merge_facts({"points": points, "score": score, **of_seat}, of_deal)
