"""The sensible Whist player: takes the trick with its cheapest winner, else throws its lowest card."""

from games.kit.cards import RANKS, suit
from games.kit.tricks import winning_place


class WhistBot:
    name = "sensible-1"

    def choose(self, table, moves, rng):
        trump, trick = suit(table["turned"]), [play["card"] for play in table["trick"]["plays"]]
        cheapest_first = sorted(moves, key=lambda move: (suit(move["card"]) == trump, RANKS.index(move["card"][0])))
        winners = [move for move in cheapest_first if winning_place([*trick, move["card"]], trump) == len(trick)]
        return (winners or cheapest_first)[0]
