"""The rule of thumb of Bleven with `deduced_miss` `bet`: a believer wins the bet if the prediction fails.

The preset "letter" has this option. To believe is then never worse than to doubt, and costs only the points if the
prediction is right. A declarer can lose the bet but hardly win it. A small bet is no safer than the highest: the
replier may raise it or change the prediction by a side bet. So the bot judges a field by its best prediction at the
highest stakes, and draws until that is good enough. It believes predictions of many tricks and raises to the limit.
Rules: docs/rules/bleven.md, "Answers", "Scoring" and ruling R9.
"""

from math import sumprod

from games.bleven.bot import POINTS, RIGHT, TURNS, choose_turn, read_table
from games.bleven.pairs import FOUR, PairsBot

# These values come from matches with the preset "letter" against simple plans. docs/research/bots.md uses other deals.
SURE = 6.0  # The stones that the best prediction must be worth to declare with draws left.
TWO = TURNS._replace(stays=-4.0, raises=-8.0)  # With two seats a seat that stays raises long predictions.


class LetterBot(PairsBot):
    """A bot that uses this rule for its turns, predictions and answers, and else the rule of thumb of `PairsBot`."""

    def choose(self, table, moves, rng):
        return self.by_belief(table, moves, rng) or super().choose(table, moves, rng)

    def by_belief(self, table, moves, rng):
        """Return the move by this rule, or None where it does not apply."""
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
    """Return (value in stones, prediction) of the best prediction at the highest stakes, if it is believed."""
    return max(
        (sumprod(odds, points) - (1 - sumprod(odds, RIGHT[prediction[0]])) * most, prediction)
        for prediction, points in POINTS.items()
    )


def beyond_ready(odds, most, may_draw):
    """Return by how many stones the best prediction is above the threshold. At the last call the threshold is 0."""
    return best_believed(odds, most)[0] - (SURE if may_draw else 0.0)


def forfeit(players, price):
    """Return the stones that a side loses by going out of a raise. price: the cost of leaving for the side."""
    return price + players


def highest_raise(table, moves):
    """Return the answer that raises to the limit. It believes where that wins as much as doubting."""
    word = "deduce" if read_table(table).deduced_pays else "suspect"
    alone = [move for move in moves if move["type"] == word and "tricks" not in move]
    return max(alone, key=lambda move: move.get("plus", 0))


def turns_of(seats, deduced_pays):
    """Return the `Turns` of the hard bot's rule of thumb."""
    if seats == 4:
        return FOUR
    return TWO if deduced_pays else TURNS
