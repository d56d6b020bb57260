"""The rule of thumb of Bleven where who believes a prediction wins the bet if it fails (`deduced_miss` `bet`).

So it is when one plays to the letter. To believe is then never worse than to doubt, and costs only the points if the
prediction is right: a declarer can lose the bet, but hardly win it. Nor is a small bet safer than the highest, for the
replier may raise it, or wipe the prediction out by a side bet. So a field is judged by what its best prediction is
worth with all at stake that may be. As long as that is too little one draws on; and who answers a prediction of many
tricks believes it, and raises by all the room. Source: docs/rules/bleven.md, "Answers", "Scoring" and ruling R9.
"""

from math import sumprod

from games.bleven.bot import POINTS, RIGHT, TURNS, choose_turn, read_table
from games.bleven.pairs import FOUR, PairsBot

# Chosen by matches to the letter against simple plans, in other deals than those of docs/research/bots.md.
SURE = 6.0  # stones that the best prediction must be worth to declare as long as one may draw
TWO = TURNS._replace(stays=-4.0, raises=-8.0)  # who stays with two seats raises a prediction of many tricks


class LetterBot(PairsBot):
    """Goes by that in its own turns, in predictions and in answers; else by the rule of thumb, with the same odds."""

    def choose(self, table, moves, rng):
        return self.by_belief(table, moves, rng) or super().choose(table, moves, rng)

    def by_belief(self, table, moves, rng):
        """The move that follows from it, or None where nothing does."""
        phase, position = table["phase"], read_table(table)
        if len(moves) == 1 or position.short or phase not in ("turn", "predict", "reply"):
            return None
        (odds,) = self.odds_of(position, [position.hand], rng)
        if phase == "reply":
            return highest_raise(table, moves) if self.raises(position, odds) else None
        if phase == "predict":
            worth, (tricks, positions) = best_believed(odds, position.most)
            predicted = {"type": phase, "bet": position.most, "tricks": tricks, "positions": list(positions)}
            return predicted if worth > -forfeit(position.players, position.price) else None
        kinds = {move["type"] for move in moves}
        if beyond_ready(odds, position.most, "draw" in kinds) >= 0:
            return {"type": "declare"}
        if "draw" in kinds:
            return {"type": "draw"}
        return {"type": choose_turn(position, kinds - {"declare"}, lambda _: [odds], self.turns)}


def best_believed(odds, most):
    """(what it is worth in stones, the prediction): the best for all that may be at stake, if it is believed."""
    return max(
        (sumprod(odds, points) - (1 - sumprod(odds, RIGHT[prediction[0]])) * most, prediction)
        for prediction, points in POINTS.items()
    )


def beyond_ready(odds, most, may_draw):
    """By how many stones the best prediction is worth more than it must be to declare: nothing, at the last call."""
    return best_believed(odds, most)[0] - (SURE if may_draw else 0.0)


def forfeit(players, price):
    """Stones that a side of so many players loses that goes out of a raise. price: of leaving, for the side."""
    return price + players


def highest_raise(table, moves):
    """The answer that raises by all the room; it believes where that wins as much as to doubt."""
    word = "deduce" if read_table(table).deduced_pays else "suspect"
    alone = [move for move in moves if move["type"] == word and "tricks" not in move]
    return max(alone, key=lambda move: move.get("plus", 0))


def turns_of(seats, deduced_pays):
    """The `Turns` of the hard bot's rule of thumb."""
    if seats == 4:
        return FOUR
    return TWO if deduced_pays else TURNS
