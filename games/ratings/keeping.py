"""Ratings kept: every rated match that has ended is rated once, in the order in which they ended.

What is stored follows from the record alone. A match that comes late, because its end was stored after that of one
that ended after it, takes the later ones of its board with it, so that all comes out as if it had been in time.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games.models import Match, Seat
from games.play.pace import find_speed
from games.ratings.models import Board, Pace, RatedMatch, RatedPlayer, Rating, RatingChange
from games.ratings.strength import UNKNOWN, Result, Strength, rated

BATCH = 100  # matches rated at a time


class Key(NamedTuple):
    """Of a match, by which the matches of a board are rated in order."""

    ended_at: datetime
    match: int


def pace_of(speed: str) -> Pace:
    """The pace of a speed, by its slug."""
    return Pace.SLOW if find_speed(speed).is_slow else Pace.LIVE


def pending():
    """The rated matches that have ended and are not rated yet, less those that are damaged, which hold up none."""
    damaged = Exists(Seat.objects.filter(Q(finish=None) | Q(number=None), match=OuterRef("pk")))
    return Match.objects.filter(~damaged, status=Match.Status.OVER, rated=True, rating=None)


def rate_pending(within: timedelta | None = None) -> int:
    """Rate some of the matches that have ended. Returns how many there were.

    within: only those that ended so lately, which costs the same however many there are.
    """
    waiting = pending() if within is None else pending().filter(ended_at__gt=timezone.now() - within)
    found = list(waiting.order_by("ended_at", "pk")[:BATCH])
    by_board: dict[tuple[str, str], list[Match]] = {}
    for match in found:
        by_board.setdefault((match.game, pace_of(match.speed)), []).append(match)
    for (game, pace), matches in by_board.items():
        with transaction.atomic():
            board = _locked(game, pace)
            missing = pending().filter(pk__in=[match.pk for match in matches])  # another process may have been at it
            _rate_from(board, [Key(match.ended_at, match.pk) for match in missing])
    return len(found)


def recompute() -> int:
    """Make all ratings again from the record. Returns how many matches were rated."""
    while rate_pending():
        pass
    made = 0
    for board in Board.objects.order_by("pk"):
        with transaction.atomic():
            made += _rate_from(_locked(board.game, board.pace), [], everything=True)
    return made


def _locked(game: str, pace: str) -> Board:
    """The board, locked until the transaction ends."""
    Board.objects.get_or_create(game=game, pace=pace)
    return Board.objects.select_for_update().get(game=game, pace=pace)


def _rate_from(board: Board, keys: list[Key], *, everything: bool = False) -> int:
    """Rate the matches of these keys, and anew all of the board that ended after the first, or every one."""
    if not keys and not everything:
        return 0
    later = board.rated_matches.all() if everything else board.rated_matches.filter(_after(min(keys)))
    keys = sorted([*keys, *(Key(*row) for row in later.values_list("ended_at", "match"))])
    players = _taken_back(board, later)
    for start in range(0, len(keys), BATCH):
        numbers = [key.match for key in keys[start : start + BATCH]]
        matches = Match.objects.in_bulk(numbers)
        _rate(board, [matches[number] for number in numbers], players)
    return len(keys)


def _after(key: Key) -> Q:
    return Q(ended_at__gt=key.ended_at) | Q(ended_at=key.ended_at, match__gt=key.match)


def _taken_back(board: Board, later) -> dict[int, int]:
    """Undo these last matches of a board. Returns who, by rated player, sat where in them, by seat."""
    changes = RatingChange.objects.filter(rated__in=later)
    players = dict(changes.values_list("seat", "player"))
    firsts: dict[int, tuple[Strength, int]] = {}  # by player: what they were before, and how many matches go
    in_order = changes.order_by("rated__ended_at", "rated__match")
    for player, *before in in_order.values_list("player", "mu_before", "sigma_before"):
        strength, count = firsts.get(player, (Strength(*before), 0))
        firsts[player] = strength, count + 1
    for player, (strength, count) in firsts.items():
        ratings = Rating.objects.filter(board=board, player=player)
        ratings.update(mu=strength.mu, sigma=strength.sigma, matches=F("matches") - count)
    Rating.objects.filter(board=board, matches=0).delete()
    later.delete()
    return players


def _rate(board: Board, matches: list[Match], players: dict[int, int]) -> None:
    """Rate matches of a board, one after the other. players: as `_taken_back` returns them; others are found."""
    seats: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in Seat.objects.filter(match__in=matches).order_by("number"):
        seats[seat.match_id].append(seat)
    _find_players([seat for rows in seats.values() for seat in rows], players)
    known = {
        rating.player_id: rating for rating in Rating.objects.filter(board=board, player__in=set(players.values()))
    }
    changes = []
    for match in matches:
        for seat, before, after in _changes(seats[match.pk], players, known):
            player = players[seat.pk]
            rating = known.setdefault(player, Rating(board=board, player_id=player))
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
    old = [rating for rating in known.values() if rating.pk is not None]
    Rating.objects.bulk_update(old, ["mu", "sigma", "matches"], batch_size=200)
    Rating.objects.bulk_create([rating for rating in known.values() if rating.pk is None])


def _changes(seats: list[Seat], players: dict[int, int], known: dict[int, Rating]):
    """(seat, Strength before, Strength after) of everybody who sat at a match."""
    ratings = [known.get(players[seat.pk]) for seat in seats]
    before = [Strength(rating.mu, rating.sigma) if rating else UNKNOWN for rating in ratings]
    results = [
        Result(seat.team if seat.team is not None else seat.number, seat.finish, seat.left_at is not None)
        for seat in seats
    ]
    return list(zip(seats, before, rated(before, results), strict=True))


def _find_players(seats: Iterable[Seat], players: dict[int, int]) -> None:
    """Add to `players` who sat at these seats. An account that is gone leaves somebody of whom nothing is known."""
    new = [seat for seat in seats if seat.pk not in players]
    users = {seat.user_id for seat in new if seat.user_id is not None}
    RatedPlayer.objects.bulk_create([RatedPlayer(user_id=user) for user in sorted(users)], ignore_conflicts=True)
    by_user = dict(RatedPlayer.objects.filter(user__in=users).values_list("user", "pk"))
    for seat in new:
        players[seat.pk] = by_user[seat.user_id] if seat.user_id in by_user else RatedPlayer.objects.create().pk
