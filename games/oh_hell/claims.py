"""Claims of Oh Hell: the knowledge of a seat, and whether the rivals' tricks still matter to any score."""

from games.kit.card_sets import ALL as EVERY_CARD
from games.kit.card_sets import HIGHER, NUMBER, OF_SUIT, SUIT, to_set
from games.kit.cards import SUITS
from games.kit.claims import Claims
from games.kit.proofs import ALL, Cards, Position, drop_impossible
from games.kit.tricks import cards_played, find_voids, winning_place
from games.oh_hell.rules import points_of

OF_SUIT_BY_CARD = tuple(OF_SUIT[suit] for suit in SUIT)


def duties(led, best, spared):
    """Return the set of cards to follow suit with. Source: "Play"."""
    return (OF_SUIT_BY_CARD[led],)


class OhHellClaims(Claims):
    def is_open(self, table):
        return table["phase"] == "play"

    def position(self, table):
        seats, me, trump = table["seats"], table["seat"], table["trump"]
        tricks = [*table["tricks"], table["trick"]]
        played = [play["card"] for trick in tricks for play in trick["plays"]]
        visible = to_set([table["turned"], *table["hand"], *played])
        voids = find_voids(seats, [(trick["leader"], cards_played(trick)) for trick in tricks])
        barred = tuple(sum(OF_SUIT[SUITS.index(suit)] for suit in suits) for suits in voids)
        unseen, barred = drop_impossible(EVERY_CARD & ~visible, barred, me)
        trick, leader = cards_played(table["trick"]), table["trick"]["leader"]
        place = winning_place(trick, trump) if trick else 0
        return Position(
            cards=Cards(OF_SUIT_BY_CARD, HIGHER, OF_SUIT[SUITS.index(trump)], EVERY_CARD, duties),
            me=me,
            seats=seats,
            partners=False,
            seat=table["to_act"],
            own=to_set(table["hand"]),
            unseen=unseen,
            barred=barred,
            led=NUMBER[trick[0]] if trick else None,
            best=NUMBER[trick[place]] if trick else 0,
            best_seat=(leader + place) % seats,
            trick_size=len(trick),
        )

    def is_fixed(self, table, kind, tables=None):
        if kind == ALL:
            return True
        left, style = self.position(table).remaining, table["options"]["scoring_style"]
        others = [seat for seat in range(table["seats"]) if seat != table["seat"]]

        def scores(seat):
            return {points_of(style, table["bids"][seat], table["taken"][seat] + more) for more in range(left + 1)}

        return all(len(scores(seat)) == 1 for seat in others)

    def worth(self, table):
        return (0,) * len(SUIT)

    def scores(self, table, ending, tables):
        style = table["options"]["scoring_style"]
        taken = [tricks + more for tricks, more in zip(table["taken"], ending.tricks, strict=True)]
        return {tuple(points_of(style, bid, took) for bid, took in zip(table["bids"], taken, strict=True))}

    def numbers(self, table, cards):
        return [NUMBER[card] for card in cards]

    def own_move(self, moves, card):
        return {"type": "play", "card": card}

    def other_move(self, moves):
        return moves[0]


CLAIMS = OhHellClaims()
