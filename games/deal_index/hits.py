"""What a list says about each deal that a search has found."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from accounts.models import User
from games.catalog import get_game
from games.deal_index.models import SeatFacts
from games.deal_index.sheets import DEAL_PREFIX
from games.kit.facts import HAND
from games.kit.language import say
from games.kit.words import CARD_NAMES, with_sign
from games.play.snapshot import SeatSnapshot

WHO = ("bidder", "declarer")  # Facts of deals whose value is the number of a seat.

type Deals = Sequence[tuple[int, list[int] | None]]  # the key of each match, and the numbers of its matching deals


class Hit(NamedTuple):
    """A deal that a search has found. words: its contract, its result and who bid it. points, score: the owner's."""

    number: int
    words: str
    points: str
    score: str
    cards: list[str]


def hits_of(owner: User, deals: Mapping[str, list[int]], *, with_cards: bool) -> dict[str, list[Hit]]:
    """Return the deals that a search has found, by the code of the match, the last first. One query.

    owner: of the list. with_cards: whether the reader is the owner. Others would see cards that they may want to play
    in a challenge.
    """
    condition = Q(pk__in=[])  # This is never true. The loop adds alternatives.
    for code, numbers in deals.items():
        condition |= Q(deal__match__code=code, deal__number__in=numbers)
    rows = SeatFacts.objects.filter(condition).select_related("deal__match", "seat__user")
    seats_by_deal: dict[int, list[SeatFacts]] = {}
    for row in rows.order_by("-deal__number", "seat__number"):
        seats_by_deal.setdefault(row.deal_id, []).append(row)
    hits: dict[str, list[Hit]] = {}
    for seats in seats_by_deal.values():
        own = next((row for row in seats if row.seat.user_id == owner.pk), None)
        if own:
            cards = sorted(own.facts.get(HAND.fact, "").split(), key=list(CARD_NAMES).index) if with_cards else []
            hit = Hit(own.deal.number, _words(own, seats), with_sign(own.points), with_sign(own.score), cards)
            hits.setdefault(own.deal.match.code, []).append(hit)
    return hits


def _words(own: SeatFacts, seats: Sequence[SeatFacts]) -> str:
    """Return the facts of a deal that are on its sheet, and who bid. own: of the owner's seat. seats: of all seats."""
    words = []
    facts = {f"{DEAL_PREFIX}{key}": value for key, value in own.deal.facts.items()} | own.facts
    for column in get_game(own.deal.match.game).sheet_columns:
        value = facts.get(column.fact)
        if column.words:
            words.append(str(column.words.get(value, "")))
        elif value is not None:
            words.append(say("{option}: {value}", option=column.head, value=value))
    bidders = {own.deal.facts.get(name) for name in WHO} - {None}
    words += [SeatSnapshot.from_seat(row.seat).name for row in seats if row.seat.number in bidders]
    return ", ".join(filter(None, words))
