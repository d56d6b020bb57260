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
    """Update the ratings of players by a batch of finished matches, the oldest first. Return the number of matches.

    within: look only at matches that ended in this time up to now. This is fast if there are many matches. With None,
    look at all.

    Each game has ratings of its own, and so has each pace: live, or days for each move. A game at one pace is a board.
    """
    unrated = pending() if within is None else pending().filter(ended_at__gt=timezone.now() - within)
    batch = list(unrated.order_by("ended_at", "pk")[:BATCH_SIZE])
    matches_by_board: dict[tuple[str, str], list[Match]] = {}
    for match in batch:
        matches_by_board.setdefault((match.game, pace_of(match.speed)), []).append(match)
    for (game, pace), matches in matches_by_board.items():
        with transaction.atomic():
            board = _lock_board(game, pace)
            # Another process may have rated some of them before we locked the board.
            missing = pending().filter(pk__in=[match.pk for match in matches])
            _rate_from(board, [MatchKey(match.ended_at, match.pk) for match in missing])
    return len(batch)


def recompute() -> int:
    """Compute the ratings of all players again from the stored matches. Return the number of rated matches.

    A board is a game at one pace, live or slow. It has ratings of its own.
    """
    while rate_pending():  # First rate all matches that have not been rated, batch by batch.
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
    """Rate new matches of a board, and rate again all matches that ended after the first of them. Return their number.

    A board is a game at one pace, live or slow. A match changes the ratings that earlier matches have left. So if a
    new match ended before others that have been rated, we undo these and rate all in the order of their ends.

    keys: of the new matches; they sort by the end. everything: rate all matches of the board again.
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
    """Undo the rating changes by the last matches of a board. Return the primary key of each seat's player, by seat.

    We need the players to rate the matches again: the seat of a deleted account has no user to find its player by.

    later: the matches to undo. They must include all matches from some time on.
    """
    changes = RatingChange.objects.filter(rated__in=later)
    players = dict(changes.values_list("seat", "player"))
    earlier: dict[int, tuple[Strength, int]] = {}  # By player: the strength before these matches, and their number.
    by_end = changes.order_by("rated__ended_at", "rated__match")
    for player, mu_before, sigma_before in by_end.values_list("player", "mu_before", "sigma_before"):
        # The oldest change of a player has the strength before all of them.
        strength, count = earlier.get(player, (Strength(mu_before, sigma_before), 0))
        earlier[player] = strength, count + 1
    for player, (strength, count) in earlier.items():
        ratings = Rating.objects.filter(board=board, player=player)
        ratings.update(mu=strength.mu, sigma=strength.sigma, matches=F("matches") - count)
    Rating.objects.filter(board=board, matches=0).delete()
    later.delete()
    return players


def _rate_batch(board: Board, matches: list[Match], players: dict[int, int]) -> None:
    """Rate matches of a board (a game at one pace), one after the other, and store all changes in a few queries.

    players: the primary key of each seat's rated player, by the key of the seat. Missing ones are added.
    """
    seats_by_match: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in Seat.objects.filter(match__in=matches).order_by("number"):
        seats_by_match[seat.match_id].append(seat)
    _add_missing_players([seat for seats in seats_by_match.values() for seat in seats], players)
    ratings = {
        rating.player_id: rating for rating in Rating.objects.filter(board=board, player__in=set(players.values()))
    }
    changes = []
    for match in matches:
        for seat, before, after in _strength_changes(seats_by_match[match.pk], players, ratings):
            player = players[seat.pk]
            rating = ratings.setdefault(player, Rating(board=board, player_id=player))
            # The next match starts from these values. They are stored after the last match.
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
    Rating.objects.bulk_create([rating for rating in ratings.values() if rating.pk is None])  # Of new players.


def _strength_changes(
    seats: list[Seat], players: dict[int, int], ratings: dict[int, Rating]
) -> list[tuple[Seat, Strength, Strength]]:
    """Return the seats of a match, each with the estimated strength of its player before and after the match.

    players: the primary key of each seat's player, by the key of the seat. ratings: the ratings before the match, by
    the key of the player. A new player has none.
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
    """Add to the dict `players` the rated player of each seat that it lacks.

    Keys and values are primary keys. A user gets a rated player with their first match. The seat of a deleted account
    gets a new one, because we no longer know who played it.
    """
    missing = [seat for seat in seats if seat.pk not in players]
    users = {seat.user_id for seat in missing if seat.user_id is not None}
    RatedPlayer.objects.bulk_create([RatedPlayer(user_id=user) for user in sorted(users)], ignore_conflicts=True)
    by_user = dict(RatedPlayer.objects.filter(user__in=users).values_list("user", "pk"))
    for seat in missing:
        players[seat.pk] = by_user[seat.user_id] if seat.user_id in by_user else RatedPlayer.objects.create().pk
