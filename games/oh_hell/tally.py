"""Hands of Oh Hell at a real table: trumps, bids in turn, tricks in turn; the last seat's tricks follow."""

from collections.abc import Mapping, Sequence

from games.kit.contract import Seat, Sheet
from games.kit.language import Lazy, lazy, say_count
from games.kit.markup import SUIT_SIGNS
from games.kit.tallies import Body, Field, Names, Option, Scorer, number_of
from games.kit.words import SUIT_TITLES
from games.oh_hell.rules import State, hook_after, score_hand

HOOK = "The bids must not add up to {cards}. The dealer bids another number."
TOO_MANY = "That makes {taken} tricks, but the hand has only {cards}. Check who took how many."


class OhHellScorer(Scorer[State]):
    def fields(self, state: State, answers: Body, names: Names) -> list[Field]:
        *others, dealer = _in_turn(state)
        cards = state.deal.cards
        bids = [answers.get(f"bid{seat}") for seat in others]
        others_bids = [bid for bid in bids if isinstance(bid, int)]
        hook = hook_after(cards, tuple(others_bids)) if len(others_bids) == len(others) else None
        suits = [Option(suit, SUIT_SIGNS[suit], SUIT_TITLES[suit]) for suit in "CDHS"]
        trumps = Option("", "–", lazy("Not noted")), *suits
        fields = [Field("trump", lazy("Trumps"), trumps, early=True, default="")]
        for seat in (*others, dealer):
            closed = {hook: lazy(HOOK, cards=cards)} if seat == dealer else {}
            options = _numbers(cards, closed)
            group = lazy("Bids") if seat == others[0] else ""
            fields.append(Field(f"bid{seat}", names[seat], options, early=True, group=group))
        if f"bid{dealer}" not in answers:
            return fields
        left = cards
        for seat in others:
            closed = {
                number: lazy(TOO_MANY, taken=cards - left + number, cards=cards)
                for number in range(left + 1, cards + 1)
            }
            group = lazy("Tricks taken") if seat == others[0] else ""
            fields.append(Field(f"took{seat}", names[seat], _numbers(cards, closed), group=group))
            left -= number_of(answers, f"took{seat}")
        if left >= 0 and all(f"took{seat}" in answers for seat in others):
            fields.append(Field("", names[dealer], note=say_count(left, "{number} trick", "{number} tricks")))
        return fields

    def add(self, state: State, body: Body) -> State:
        *others, dealer = _in_turn(state)
        seats = len(others) + 1
        bids = [number_of(body, f"bid{seat}") for seat in range(seats)]
        tricks = [number_of(body, f"took{seat}") for seat in range(seats)]
        tricks[dealer] = state.deal.cards - sum(tricks)
        return score_hand(state.deal, "", tuple(bids), tuple(tricks))

    def totals(self, state: State) -> Sequence[float]:
        return state.deal.totals

    def heading(self, state: State) -> str:
        return say_count(state.deal.cards, "{number} card each", "{number} cards each")

    def sheet(self, state: State, bodies: Sequence[Body]) -> Sheet:
        sheet = self.rules.score_sheet(state)
        for row, body in zip(sheet["hands"], bodies, strict=False):
            row |= {"turned": None, "trump": body["trump"] or None}
        return sheet


SCORER = OhHellScorer


def _in_turn(state: State) -> list[Seat]:
    """Return the seats in the order of their bids. The dealer is the last."""
    dealer, seats = state.deal.dealer, state.deal.match.seats
    return [(dealer + 1 + step) % seats for step in range(seats)]


def _numbers(most: int, closed: Mapping[int | None, Lazy]) -> tuple[Option, ...]:
    """Return the numbers from 0. closed: why some are forbidden."""
    return tuple([Option(number, str(number), closed=closed.get(number, "")) for number in range(most + 1)])
