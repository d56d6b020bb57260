"""The rows for searches: one PlayedMatch per finished match and player.

They are stored when a match ends. Their columns about deals follow with the facts of the match.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Count, Q

from accounts.models import User
from games.catalog import all_games, get_game
from games.deal_index import models
from games.deal_index.answered import definition, text_of
from games.kit.facts import DealFacts
from games.models import Match, Seat

BATCH = 50  # Matches per run of `to_answer`.
COLUMNS = [field.name for field in models.PlayedMatch._meta.fields if field.name not in ("id", "user", "match")]


def note_end(sender: object, *, match: int, **_: object) -> None:
    """Store the rows of a match that has just ended. match: its key."""
    keep(Match.objects.get(pk=match))


def keep(match: Match, margin: float | None = None, deals: Mapping[int, DealFacts] | None = None) -> None:
    """Store or replace the rows of a finished match. margin, deals: its facts, None until they are computed."""
    rows = _rows(match, margin, deals)
    models.PlayedMatch.objects.filter(match=match).exclude(user__in=[row.user_id for row in rows]).delete()
    models.PlayedMatch.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "match"], update_fields=COLUMNS
    )


def differs(match: Match, margin: float, deals: Mapping[int, DealFacts]) -> bool:
    """Return whether the stored rows of a match differ from its facts."""
    expected = {row.user_id: [getattr(row, name) for name in COLUMNS] for row in _rows(match, margin, deals)}
    stored = models.PlayedMatch.objects.filter(match=match).values_list("user", *COLUMNS)
    return {user: rest for user, *rest in stored} != expected


def _rows(match: Match, margin: float | None, deals: Mapping[int, DealFacts] | None) -> list[models.PlayedMatch]:
    if not match.counts:
        return []
    seats = list(match.seats.select_related("user"))
    with_bots = any((seat.bot and not seat.left_at) or (seat.user and seat.user.is_program) for seat in seats)
    return [
        models.PlayedMatch(
            user_id=seat.user_id,
            match=match,
            game=match.game,
            seats=match.seat_count,
            speed=match.speed,
            rated=match.rated,
            team=seat.team,
            finish=seat.finish,
            began_at=match.created_at,
            bots=with_bots,
            left=any(other.left_at for other in seats),
            margin=margin,
            deals=None if deals is None else len(deals),
            letters="" if deals is None else text_of(get_game(match.game), deals, roles(seat, seats)),
            questions="" if deals is None else definition(match.game),
        )
        for seat in seats
        if seat.user_id and seat.finish is not None
    ]


def roles(seat: Seat, seats: Iterable[Seat]) -> dict[int, str]:
    """Return the role of each seat, seen from one of them: "=" itself, "+" a partner, "-" an opponent."""
    role_by_seat = {}
    for other in seats:
        together = other.team is not None and other.team == seat.team
        role_by_seat[other.number] = "=" if other is seat else "+" if together else "-"
    return role_by_seat


def results(user: User) -> dict[str, int]:
    """Return {"played", "won"}: how many matches a user has finished, and how many of them they won."""
    finished = models.PlayedMatch.objects.filter(user=user)
    # Count "match", because the index contains it. It does not contain the primary key.
    return finished.aggregate(played=Count("match"), won=Count("match", filter=Q(finish=1)))


def to_answer(but: Collection[int]) -> list[int]:
    """Return the keys of some matches without answers to the current questions. but: keys to leave out."""
    other = [
        Q(game=game.slug) & (Q(questions__lt=definition(game.slug)) | Q(questions__gt=definition(game.slug)))
        for game in all_games()
    ]
    unanswered = models.PlayedMatch.objects.filter(reduce(or_, other), match__facts__isnull=False)
    rows = unanswered.exclude(match__in=but).order_by()
    return list(rows.values_list("match", flat=True).distinct()[:BATCH])


@transaction.atomic
def answer(key: int) -> None:
    """Recompute the answers of a match for the current questions from its stored facts."""
    match = Match.objects.select_for_update(of=("self",)).get(pk=key)
    head = models.MatchFacts.objects.get(match=match)
    keep(match, head.margin, stored_deals(match))


def stored_deals(match: Match) -> dict[int, DealFacts]:
    """Return the stored facts of a match's deals, by number."""
    seats: dict[int, list[dict[str, object]]] = {}
    rows = models.SeatFacts.objects.filter(deal__match=match).order_by("deal__number", "seat__number")
    for number, points, score, facts in rows.values_list("deal__number", "points", "score", "facts"):
        seats.setdefault(number, []).append({"points": points, "score": score} | facts)
    deals = models.DealFacts.objects.filter(match=match).order_by("number").values_list("number", "facts")
    return {number: DealFacts(facts, tuple(seats.get(number, ()))) for number, facts in deals}
