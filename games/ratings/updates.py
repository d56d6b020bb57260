"""Rate finished matches, each once, in the order of their ends.

Ratings follow from the stored matches alone. The end of a match may be stored after that of a match that ended later.
Then all later matches of its board are rated again, so that the result is the same as without the delay.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Match, Seat
from games.play.pace import find_speed
from games.ratings.models import Board, Pace, RatedMatch, RatedPlayer, Rating, RatingChange
from games.ratings.strength import UNKNOWN, Result, Strength, rate

BATCH_SIZE = 100  # matches


class MatchKey(NamedTuple):
    """The sort key of matches. match: the primary key."""

    ended_at: datetime
    match: int


def pace_of(speed: str) -> Pace:
    """Return the pace of a speed, which is given by its slug."""
    return Pace(Pace.SLOW if find_speed(speed).is_slow else Pace.LIVE)


def pending() -> QuerySet[Match]:
    """Return the finished matches that should be rated and are not yet, without damaged ones, which have no result."""
    is_damaged = Exists(Seat.objects.filter(Q(finish=None) | Q(number=None), match=OuterRef("pk")))
    return Match.objects.filter(~is_damaged, status=Match.Status.OVER, rated=True, rating=None)


def rate_pending(within: timedelta | None = None) -> int:
    """Rate a batch of finished matches, the oldest first. Return their number.

    within: look only at matches that ended in this time up to now. This is fast if there are many matches. With None,
    look at all.
    """
    unrated = pending() if within is None else pending().filter(ended_at__gt=timezone.now() - within)
    batch = list(unrated.order_by("ended_at", "pk")[:BATCH_SIZE])
    by_board: dict[tuple[str, str], list[Match]] = {}
    for match in batch:
        by_board.setdefault((match.game, pace_of(match.speed)), []).append(match)
    for (game, pace), matches in by_board.items():
        with transaction.atomic():
            board = _lock_board(game, pace)
            # Another process may have rated some of them before we locked the board.
            missing = pending().filter(pk__in=[match.pk for match in matches])
            _rate_from(board, [MatchKey(match.ended_at, match.pk) for match in missing])
    return len(batch)


def recompute() -> int:
    """Compute all ratings again from the stored matches. Return the number of rated matches."""
    while rate_pending():  # Rate all matches that have not been rated, batch by batch.
        pass
    count = 0
    for board in Board.objects.order_by("pk"):
        with transaction.atomic():
            count += _rate_from(_lock_board(board.game, board.pace), [], everything=True)
    return count


def _lock_board(game: str, pace: str) -> Board:
    """Return the board of a game and pace, locked so that no other process rates its matches at the same time."""
    Board.objects.get_or_create(game=game, pace=pace)
    return Board.objects.select_for_update().get(game=game, pace=pace)


def _rate_from(board: Board, keys: list[MatchKey], *, everything: bool = False) -> int:
    """Rate new matches of a board, and again all matches that ended after the first of them. Return their number.

    A board is a game at one pace. Ratings depend on the order of matches, so later matches must be rated again.

    keys: of the new matches. everything: rate all matches of the board again.
    """
    if not keys and not everything:
        return 0
    later = board.rated_matches.all() if everything else board.rated_matches.filter(_ended_after(min(keys)))
    keys = sorted([*keys, *(MatchKey(*row) for row in later.values_list("ended_at", "match"))])
    players = _undo_matches(board, later)
    for start in range(0, len(keys), BATCH_SIZE):
        match_ids = [key.match for key in keys[start : start + BATCH_SIZE]]
        matches = Match.objects.in_bulk(match_ids)
        _rate_batch(board, [matches[match_id] for match_id in match_ids], players)
    return len(keys)


def _ended_after(key: MatchKey) -> Q:
    """Return the query condition that a rated match ended after a match. If both ended at once, their keys decide."""
    return Q(ended_at__gt=key.ended_at) | Q(ended_at=key.ended_at, match__gt=key.match)


def _undo_matches(board: Board, later: QuerySet[RatedMatch]) -> dict[int, int]:
    """Undo the rating changes by the last matches of a board. Return the players of their seats, both by primary key.

    They are needed to rate the matches again, because the seat of a deleted account has no user to find its player by.

    later: the matches to undo.
    """
    changes = RatingChange.objects.filter(rated__in=later)
    players = dict(changes.values_list("seat", "player"))
    earlier: dict[int, tuple[Strength, int]] = {}  # By player: the strength before these matches, and their number.
    by_end = changes.order_by("rated__ended_at", "rated__match")
    for player, *before in by_end.values_list("player", "mu_before", "sigma_before"):
        strength, count = earlier.get(player, (Strength(*before), 0))
        earlier[player] = strength, count + 1
    for player, (strength, count) in earlier.items():
        ratings = Rating.objects.filter(board=board, player=player)
        ratings.update(mu=strength.mu, sigma=strength.sigma, matches=F("matches") - count)
    Rating.objects.filter(board=board, matches=0).delete()
    later.delete()
    return players


def _rate_batch(board: Board, matches: list[Match], players: dict[int, int]) -> None:
    """Rate matches of a board (a game at one pace), one after the other, and store all changes in a few queries.

    players: rated players by seat, both by primary key. Missing ones are added.
    """
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in Seat.objects.filter(match__in=matches).order_by("number"):
        seats[seat.match_id].append(seat)
    _add_missing_players([seat for rows in seats.values() for seat in rows], players)
    ratings = {
        rating.player_id: rating for rating in Rating.objects.filter(board=board, player__in=set(players.values()))
    }
    changes = []
    for match in matches:
        for seat, before, after in _strength_changes(seats[match.pk], players, ratings):
            player = players[seat.pk]
            rating = ratings.setdefault(player, Rating(board=board, player_id=player))
            rating.mu, rating.sigma, rating.matches = after.mu, after.sigma, rating.matches + 1
            changes.append(
                RatingChange(
                    rated_id=match.pk,
                    seat=seat,
                    player_id=player,
                    mu_before=before.mu,
                    sigma_before=before.sigma,
                    mu=after.mu,
                    sigma=after.sigma,
                )
            )
    RatedMatch.objects.bulk_create([RatedMatch(match=match, board=board, ended_at=match.ended_at) for match in matches])
    RatingChange.objects.bulk_create(changes)
    existing = [rating for rating in ratings.values() if rating.pk is not None]
    Rating.objects.bulk_update(existing, ["mu", "sigma", "matches"], batch_size=200)
    Rating.objects.bulk_create([rating for rating in ratings.values() if rating.pk is None])


def _strength_changes(
    seats: list[Seat], players: dict[int, int], ratings: dict[int, Rating]
) -> list[tuple[Seat, Strength, Strength]]:
    """Return the seats of a match, each with the estimated strength of its player before and after the match.

    players: by seat, both by primary key. ratings: the present ratings, by player. A new player has none.
    """
    present = [ratings.get(players[seat.pk]) for seat in seats]
    before = [Strength(rating.mu, rating.sigma) if rating else UNKNOWN for rating in present]
    results = [
        Result(
            side=seat.number if seat.team is None else seat.team,  # Without partners each seat is a side.
            place=seat.finish,
            has_left=seat.left_at is not None,
        )
        for seat in seats
    ]
    return list(zip(seats, before, rate(before, results), strict=True))


def _add_missing_players(seats: Iterable[Seat], players: dict[int, int]) -> None:
    """Complete the dict `players` of rated players by seat, both by primary key.

    A user's player is created with the first match. A seat of a deleted account gets a new, unknown player.
    """
    missing = [seat for seat in seats if seat.pk not in players]
    users = {seat.user_id for seat in missing if seat.user_id is not None}
    RatedPlayer.objects.bulk_create([RatedPlayer(user_id=user) for user in sorted(users)], ignore_conflicts=True)
    by_user = dict(RatedPlayer.objects.filter(user__in=users).values_list("user", "pk"))
    for seat in missing:
        players[seat.pk] = by_user[seat.user_id] if seat.user_id in by_user else RatedPlayer.objects.create().pk
