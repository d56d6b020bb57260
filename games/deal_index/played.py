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
from games.deal_index.answered import encode_match, questions_hash
from games.kit.facts import DealFacts
from games.models import Match, Seat

BATCH = 50  # Matches per run of `matches_to_answer`.
COLUMNS = [field.name for field in models.PlayedMatch._meta.fields if field.name not in ("id", "user", "match")]


def note_end(sender: object, *, match: int, **_: object) -> None:
    """Store the rows that let searches find a match, which has just ended. match: its primary key."""
    store_rows(Match.objects.get(pk=match))


def store_rows(match: Match, margin: float | None = None, deals: Mapping[int, DealFacts] | None = None) -> None:
    """Store or replace the rows of PlayedMatch for a finished match, one for each player. Searches read these.

    margin: the winner's lead. deals: the facts of the scored deals by number. Both are None until they are computed.
    """
    rows = _rows(match, margin, deals)
    models.PlayedMatch.objects.filter(match=match).exclude(user__in=[row.user_id for row in rows]).delete()
    models.PlayedMatch.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "match"], update_fields=COLUMNS
    )


def differs(match: Match, margin: float, deals: Mapping[int, DealFacts]) -> bool:
    """Return whether the stored rows of PlayedMatch for a match differ from the ones that follow from its facts.

    margin: the winner's lead. deals: the facts of the scored deals by number.
    """
    expected = {row.user_id: [getattr(row, name) for name in COLUMNS] for row in _rows(match, margin, deals)}
    stored = models.PlayedMatch.objects.filter(match=match).values_list("user", *COLUMNS)
    return {user: values for user, *values in stored} != expected


def _rows(match: Match, margin: float | None, deals: Mapping[int, DealFacts] | None) -> list[models.PlayedMatch]:
    """Return a new PlayedMatch for each user who has finished a match: a row with all columns that searches read.

    A match that counts for nothing has none. margin: the winner's lead. deals: the facts of the scored deals by
    number. Both are None until they are computed. Until then `letters`, which says what is true of each deal, is "".
    """
    if not match.counts:
        return []
    seats = list(match.seats.select_related("user"))
    # A bot that replaces somebody who left does not count, but the program of a user does.
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
            letters="" if deals is None else encode_match(get_game(match.game), deals, roles(seat, seats)),
            questions="" if deals is None else questions_hash(match.game),
        )
        for seat in seats
        if seat.user_id and seat.finish is not None
    ]


def roles(seat: Seat, seats: Iterable[Seat]) -> dict[int, str]:
    """Return the role of each seat, seen from `seat`: "=" for itself, "+" for a partner, "-" for an opponent."""
    role_by_seat = {}
    for other in seats:
        are_partners = other.team is not None and other.team == seat.team
        role_by_seat[other.number] = "=" if other is seat else "+" if are_partners else "-"
    return role_by_seat


def results(user: User) -> dict[str, int]:
    """Return {"played", "won"}: the number of matches that a user has finished, and how many of them they won."""
    finished = models.PlayedMatch.objects.filter(user=user)
    # Count "match", because the index has this column. It lacks the primary key, so to count that would be slower.
    return finished.aggregate(played=Count("match"), won=Count("match", filter=Q(finish=1)))


def matches_to_answer(but: Collection[int]) -> list[int]:
    """Return the keys of some matches whose stored answers about their deals are out of date. but: keys to leave out.

    Searches read these answers. They are to the questions of the game, which it may change. A hash of the questions is
    stored with them.
    """
    # Two ranges instead of "not equal", because an index can find ranges.
    has_other_hash = [
        Q(game=game.slug) & (Q(questions__lt=questions_hash(game.slug)) | Q(questions__gt=questions_hash(game.slug)))
        for game in all_games()
    ]
    unanswered = models.PlayedMatch.objects.filter(reduce(or_, has_other_hash), match__facts__isnull=False)
    rows = unanswered.exclude(match__in=but).order_by()
    return list(rows.values_list("match", flat=True).distinct()[:BATCH])


@transaction.atomic
def recompute_answers(key: int) -> None:
    """Store again which answers are true of each deal of a match, after its game has changed the questions.

    Searches ask these questions about deals. The answers follow from the stored facts. key: of the match.
    """
    match = Match.objects.select_for_update(of=("self",)).get(pk=key)
    head = models.MatchFacts.objects.get(match=match)
    store_rows(match, head.margin, stored_deals(match))


def stored_deals(match: Match) -> dict[int, DealFacts]:
    """Return the stored facts of the scored deals of a match, by the number of the deal.

    A DealFacts has the facts of the whole deal, such as its trump suit, and those of each seat, such as its points.
    """
    seats: dict[int, list[dict[str, object]]] = {}
    rows = models.SeatFacts.objects.filter(deal__match=match).order_by("deal__number", "seat__number")
    for number, points, score, facts in rows.values_list("deal__number", "points", "score", "facts"):
        seats.setdefault(number, []).append({"points": points, "score": score} | facts)
    deals = models.DealFacts.objects.filter(match=match).order_by("number").values_list("number", "facts")
    return {number: DealFacts(facts, tuple(seats.get(number, ()))) for number, facts in deals}
