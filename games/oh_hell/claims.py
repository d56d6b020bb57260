"""Claims of Oh Hell: the knowledge of a seat, and whether the rivals' tricks still matter to any score."""

from collections.abc import Hashable, Iterable, Sequence

from games.kit.card_sets import ALL as EVERY_CARD
from games.kit.card_sets import HIGHER, NUMBER, OF_SUIT, SUIT, to_set
from games.kit.cards import SUITS
from games.kit.claims import Claims
from games.kit.contract import Card, Move, Seat
from games.kit.proofs import ALL, Cards, Ending, Position, drop_impossible
from games.kit.tricks import cards_played, find_voids, winning_place
from games.oh_hell.bot import public_cards, seat_of, trump_of
from games.oh_hell.rules import bids_made, points_of
from games.oh_hell.types import View

OF_SUIT_BY_CARD = tuple(OF_SUIT[suit] for suit in SUIT)


def duties(led: int, best: int, partner_wins: bool) -> tuple[int, ...]:
    """Return the cards that follow suit, as the only set of cards that one must play from. Source: "Play"."""
    return (OF_SUIT_BY_CARD[led],)


class OhHellClaims(Claims[View]):
    """The claims of Oh Hell. A seat claims all remaining tricks, or none of them."""

    def is_open(self, table: View) -> bool:
        return table["phase"] == "play"

    def position(self, table: View) -> Position:
        """Return what a player knows during the play, for the proof of a claim. table: the game as this player sees it.

        Sets of cards are ints with a bit for each card. `barred` has, by seat, the cards that it cannot hold, because
        it did not follow suit. `me` is the seat of the player, and `seat` the seat to act.
        """
        seats, me, seat = table["seats"], seat_of(table), table["to_act"]
        assert seat is not None
        tricks = [*table["tricks"], table["trick"]]
        voids = find_voids(seats, [(trick["leader"], cards_played(trick)) for trick in tricks])
        barred = tuple(sum(OF_SUIT[SUITS.index(suit)] for suit in suits) for suits in voids)
        own = to_set(table["hand"])
        unseen, barred = drop_impossible(EVERY_CARD & ~public_cards(table) & ~own, barred, me)
        trick = cards_played(table["trick"])
        place = winning_place(trick, table["trump"]) if trick else 0
        return Position(
            cards=Cards(OF_SUIT_BY_CARD, HIGHER, OF_SUIT[trump_of(table)], EVERY_CARD, duties),
            me=me,
            seats=seats,
            partners=False,
            seat=seat,
            own=own,
            unseen=unseen,
            barred=barred,
            led=NUMBER[trick[0]] if trick else None,
            best=NUMBER[trick[place]] if trick else 0,
            best_seat=table["trick"]["plays"][place]["seat"] if trick else seat,
            trick_size=len(trick),
        )

    def is_fixed(self, table: View, kind: str, tables: list[View] | None = None) -> bool:
        """Return whether a true claim decides all scores, so that the rest of the hand need not be played.

        A claim (that the player takes all remaining tricks, or none) is ALL or NONE, the `kind`. A claim of all decides
        the scores. After a claim of none, it matters who of the others takes the tricks, unless each of them scores the
        same with any number.
        """
        if kind == ALL:
            return True
        left, style, bids = self.position(table).remaining, table["options"]["scoring_style"], bids_made(table["bids"])
        others = [seat for seat in range(table["seats"]) if seat != table["seat"]]

        def possible_points(seat: Seat) -> set[int]:
            return {points_of(style, bids[seat], table["taken"][seat] + more) for more in range(left + 1)}

        return all(len(possible_points(seat)) == 1 for seat in others)

    def worth(self, table: View) -> Sequence[int]:
        return (0,) * len(SUIT)

    def scores(self, table: View, ending: Ending, tables: list[View] | None) -> set[Hashable]:
        style = table["options"]["scoring_style"]
        results = zip(bids_made(table["bids"]), table["taken"], ending.tricks, strict=True)
        return {tuple(points_of(style, bid, tricks + more) for bid, tricks, more in results)}

    def numbers(self, table: View, cards: Iterable[Card]) -> list[int]:
        return [NUMBER[card] for card in cards]

    def own_move(self, moves: list[Move], card: Card) -> Move:
        return {"type": "play", "card": card}

    def other_move(self, moves: list[Move]) -> Move:
        return moves[0]


CLAIMS = OhHellClaims()
