"""The rows that searches go through: one of each finished match for each who played it, see models.PlayedMatch.

They are written with the end of a match, and their deals with its facts.
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

BATCH = 50  # matches whose deals are answered in a row
COLUMNS = [field.name for field in models.PlayedMatch._meta.fields if field.name not in ("id", "user", "match")]


def note_end(sender, *, match: int, **_):
    """Store the rows of a match that is just over, by its key."""
    keep(Match.objects.get(pk=match))


def keep(match: Match, margin: float | None = None, deals: Mapping[int, DealFacts] | None = None) -> None:
    """Store the rows of a finished match, in place of those it has. margin, deals: its facts, None if not known."""
    rows = _rows(match, margin, deals)
    models.PlayedMatch.objects.filter(match=match).exclude(user__in=[row.user_id for row in rows]).delete()
    models.PlayedMatch.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "match"], update_fields=COLUMNS
    )


def differs(match: Match, margin: float, deals: Mapping[int, DealFacts]) -> bool:
    """Whether the rows of a match are other than its facts make them."""
    wanted = {row.user_id: [getattr(row, name) for name in COLUMNS] for row in _rows(match, margin, deals)}
    stored = models.PlayedMatch.objects.filter(match=match).values_list("user", *COLUMNS)
    return {user: rest for user, *rest in stored} != wanted


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
    """What each seat of a match is to one of them."""
    found = {}
    for other in seats:
        together = other.team is not None and other.team == seat.team
        found[other.number] = "=" if other is seat else "+" if together else "-"
    return found


def results(user: User) -> dict[str, int]:
    """{"played", "won"}: how many matches a user has finished, and in how many they came first."""
    finished = models.PlayedMatch.objects.filter(user=user)
    # Of "match", which an index has beside the others, as it has no primary keys.
    return finished.aggregate(played=Count("match"), won=Count("match", filter=Q(finish=1)))


def to_answer(but: Collection[int]) -> list[int]:
    """The keys of some matches whose deals do not answer today's questions, and are not among `but`."""
    other = [
        Q(game=game.slug) & (Q(questions__lt=definition(game.slug)) | Q(questions__gt=definition(game.slug)))
        for game in all_games()
    ]
    unanswered = models.PlayedMatch.objects.filter(reduce(or_, other), match__facts__isnull=False)
    found = unanswered.exclude(match__in=but).order_by()
    return list(found.values_list("match", flat=True).distinct()[:BATCH])


@transaction.atomic
def answer(key: int) -> None:
    """Have the deals of a match answer today's questions, by the facts that it has."""
    match = Match.objects.select_for_update(of=("self",)).get(pk=key)
    head = models.MatchFacts.objects.get(match=match)
    keep(match, head.margin, stored_deals(match))


def stored_deals(match: Match) -> dict[int, DealFacts]:
    """The facts of a match's deals as they are stored, by number."""
    seats: dict[int, list] = {}
    rows = models.SeatFacts.objects.filter(deal__match=match).order_by("deal__number", "seat__number")
    for number, points, score, facts in rows.values_list("deal__number", "points", "score", "facts"):
        seats.setdefault(number, []).append({"points": points, "score": score} | facts)
    deals = models.DealFacts.objects.filter(match=match).order_by("number").values_list("number", "facts")
    return {number: DealFacts(facts, seats.get(number, [])) for number, facts in deals}
