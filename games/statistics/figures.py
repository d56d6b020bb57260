"""The stored running figures of members. They are updated whenever the facts of a match are stored.

They are rebuilt from the facts of all matches where an update is not enough: if a user has none yet, if facts changed,
if the match ended before one that is counted already, or if the game now counts something else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.db.models import FilteredRelation, Q, QuerySet

from accounts.models import User
from accounts.sorting import by_name
from accounts.time_zones import site_day
from games.catalog import all_games, get_game
from games.deal_index.making import Facts as MatchFacts
from games.deal_index.models import SeatFacts
from games.kit.game import Game
from games.models import Match, Seat, counting
from games.statistics.counting import at_another_place, games_played
from games.statistics.models import PlayerFigures
from games.statistics.running import Facts, Other, Part, Running, definition_hash, merge_facts
from games.tallies.lists import confirmed_seats

ONLINE, AT_TABLE = "online", "table"  # where matches were played
CHUNK = 5_000  # Rows per read.


def figures_of(user: User, game: Game, where: str = ONLINE) -> Running:
    """Return the figures of a user's matches at a game. This takes one query, unless they must be rebuilt.

    where: ONLINE, AT_TABLE for matches at real tables, whose deals are not counted, or "both".
    """
    if where == ONLINE:
        return _running(PlayerFigures.objects.filter(user=user, game=game.slug).first(), user, game)
    running = Running(game) if where == AT_TABLE else figures_of(user, game)
    for part in _parts_at_tables(user, game):
        running.add(part)
    return running


def _parts_at_tables(user: User, game: Game) -> Iterator[Part]:
    """Yield the user's confirmed results in finished tallies. Their keys are negative: they are no matches."""
    seats = confirmed_seats(user, game.slug).order_by("tally__ended_at", "tally")
    for own in seats.select_related("tally").prefetch_related("tally__players"):
        tally, players = own.tally, list(own.tally.players.all())
        others = [
            Other(player.user_id, _are_partners(own.team, player.team), player.finish)
            for player in players
            if player.user_id and player.confirmed_at and player != own
        ]
        # Partners have the same score, so the best of those with another place is the second.
        behind = [player.score for player in players if player.finish != 1]
        tied = len([player for player in players if player.finish == 1 and player.team is None]) > 1
        margin = 0 if tied or not behind else max(player.score for player in players) - max(behind)
        yield Part(-tally.pk, month_of(tally.ended_at), len(players), own.finish, own.score, margin, others, ())


def _running(row: PlayerFigures | None, user: User, game: Game) -> Running:
    """Return the stored figures of a user at a game. If they are missing (None) or outdated, rebuild them first."""
    if row is None or not _is_current(row, game):
        row = _rebuild(user, game)
    return Running(game, row.figures)


def partners(user: User, limit: int = 100) -> list[tuple[str, int, int]]:
    """Return the partners of a user in all games, as (name, matches, matches won), most matches first.

    Guests and deleted users are left out. limit: the largest number of partners.
    """
    rows = {row.game: row for row in PlayerFigures.objects.filter(user=user)}
    games_with_partners = {game.slug: game for game in all_games() if game.statistics and game.newest.partners_at}
    played: Counter[int] = Counter()  # By the key of the partner.
    won: Counter[int] = Counter()
    for slug in games_with_partners.keys() & games_played(user):
        running = _running(rows.get(slug), user, games_with_partners[slug])
        for partner, counts in running.people(together=True).items():
            played[partner] += counts["played"]
            won[partner] += counts["won"]
    # Some may be guests or deleted, so look up more names than needed.
    most = sorted(played, key=lambda partner: -played[partner])[: 2 * limit]
    names = User.objects.filter(pk__in=most, is_guest=False).values_list("username", "pk")
    # Sorting keeps the order of names among partners with as many matches.
    lines = by_name(((name, played[partner], won[partner]) for name, partner in names), itemgetter(0))
    return sorted(lines, key=itemgetter(1), reverse=True)[:limit]


def _is_current(row: PlayerFigures, game: Game) -> bool:
    """Return whether stored figures need no rebuild: they miss no match, and the game still counts the same things."""
    return not row.stale and row.definition == definition_hash(game)


def add_match(sender: object, *, match: Match, facts: MatchFacts, anew: bool, **_: object) -> None:
    """Add a finished match to the statistics of its players, in the transaction that stores its facts.

    The figures of a player depend on the order of their matches, for example the longest run. If this match can't
    simply be added at the end, mark the figures as stale: they are rebuilt when somebody reads them.

    facts: the stored data of the match and its deals. anew: whether the match had other facts before.
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
        if row.stale:  # The rebuild will include this match.
            continue
        # Matches are counted in the order of their ends.
        comes_late = row.last_ended_at and (match.ended_at, match.pk) < (row.last_ended_at, row.last_match)
        if anew or comes_late or not _is_current(row, game):
            row.stale = True
        else:
            running = Running(game, row.figures)
            running.add(_part_in_match(match, facts, seats[row.user_id], seats))
            row.figures = running.as_json()
            row.last_ended_at, row.last_match = match.ended_at, match.pk
        row.save()


def _part_in_match(match: Match, facts: MatchFacts, seat: Seat, seats: Mapping[int, Seat]) -> Part:
    """Return all that the statistics of one player need of a finished match: result, other players and deals.

    facts: the stored data of the match and its deals. seat: the player's. seats: of all users in the match, by the key
    of the user.
    """
    others = [
        Other(user, _are_partners(seat.team, other.team), other.finish)
        for user, other in seats.items()
        if other is not seat
    ]
    deals = [(number, merge_facts(deal.seats[seat.number], deal.deal)) for number, deal in facts.deals.items()]
    month = month_of(match.ended_at)
    return Part(match.pk, month, match.seat_count, seat.finish, seat.score, facts.margin, others, deals)


def _are_partners(team: int | None, other_team: int | None) -> bool:
    """Return whether two players of a match are in the same team. Games without partners have no teams (None)."""
    return team is not None and team == other_team


def month_of(moment: datetime) -> date:
    """Return the first day of a moment's month in the site's time zone, so that it is the same for all readers."""
    return site_day(moment).replace(day=1)


def drop_match(sender: object, *, instance: Match, **_: object) -> None:
    """Mark the figures of the players as stale, because a match is being deleted."""
    users = Seat.objects.filter(match=instance, user__isnull=False).values("user")
    PlayerFigures.objects.filter(user__in=users, game=instance.game).update(stale=True)


def recount(sender: object, *, guest: User, user: User, **_: object) -> None:
    """Mark figures as stale, because matches of a guest become the user's. Receives `guest_moving`.

    The figures of the guest's fellow players name the guest, too.
    """
    players = Seat.objects.filter(match__seats__user=guest, user__isnull=False).values("user")
    PlayerFigures.objects.filter(Q(user=user) | Q(user__in=players)).update(stale=True)


@transaction.atomic
def _rebuild(user: User, game: Game) -> PlayerFigures:
    """Compute the figures of a user at a game from the facts of all their matches. Store and return them.

    Facts are the stored data of each deal. The lock makes a match that ends meanwhile wait in `add_match`.
    """
    PlayerFigures.objects.bulk_create([PlayerFigures(user=user, game=game.slug)], ignore_conflicts=True)
    row = PlayerFigures.objects.select_for_update().get(user=user, game=game.slug)
    if _is_current(row, game):
        return row  # Another process has just rebuilt it.
    running = Running(game)
    row.last_ended_at, row.last_match = None, None
    for part, ended_at in _all_parts(user, game):
        running.add(part)
        row.last_ended_at, row.last_match = ended_at, part.match
    row.figures, row.definition, row.stale = running.as_json(), definition_hash(game), False
    row.save()
    return row


def _all_parts(user: User, game: Game) -> Iterator[tuple[Part, datetime]]:
    """Yield what the statistics need of each finished match of a user at a game, with the time when the match ended.

    One query reads all matches and another all their deals, both in the order of the ends. So a single pass over the
    two joins them. Matches without facts (the stored data of their deals) are left out.
    """
    own_seats = Seat.objects.filter(counting("match__"), user=user, finish__isnull=False, match__game=game.slug)
    matches = list(
        own_seats.filter(match__facts__isnull=False)
        .order_by("match__ended_at", "match")
        .values_list("match", "match__ended_at", "match__seat_count", "finish", "score", "match__facts__margin")
    )
    others = _others_by_match(own_seats)
    rows = SeatFacts.objects.filter(seat__in=own_seats).order_by("seat__match__ended_at", "seat__match", "deal__number")
    columns = ("seat__match", "deal__number", "points", "score", "facts", "deal__facts")
    rows = rows.values_list(*columns).iterator(chunk_size=CHUNK)
    deals_by_match = groupby(rows, itemgetter(0))  # Pairs of a match and its rows, one match after the other.
    next_match, its_deals = next(deals_by_match, (None, ()))  # None after the last one.
    for match, ended_at, seats, finish, score, margin in matches:
        deals = []
        if match == next_match:  # A match may have no deals.
            deals = [_deal_with_facts(*row) for row in its_deals]
            next_match, its_deals = next(deals_by_match, (None, ()))
        part = Part(match, month_of(ended_at), seats, finish, score, margin, others.get(match, ()), deals)
        yield part, ended_at


def _others_by_match(own_seats: QuerySet[Seat]) -> dict[int, list[Other]]:
    """Return the other users in the matches of these seats, by the key of the match. own_seats: of one user."""
    pairs = own_seats.annotate(other=FilteredRelation("match__seats"))
    pairs = pairs.filter(at_another_place("other", "place"), other__user__isnull=False, other__finish__isnull=False)
    columns = ("match", "team", "other__user", "other__team", "other__finish")
    others: dict[int, list[Other]] = {}
    for match, team, user, other_team, finish in pairs.values_list(*columns):
        others.setdefault(match, []).append(Other(user, _are_partners(team, other_team), finish))
    return others


def _deal_with_facts(
    _: int, number: int, points: float, score: float, of_seat: Facts, of_deal: Facts
) -> tuple[int, Facts]:
    """Return the number of a deal and all its facts, from a row of the query in `_all_parts`."""
    return number, merge_facts({"points": points, "score": score, **of_seat}, of_deal)
