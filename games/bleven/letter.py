"""The rule of thumb of Bleven with `deduced_miss` `bet`: a believer wins the bet if the prediction fails.

The preset "letter" has this option. To believe is then never worse than to doubt, and costs only the points if the
prediction is right. A declarer can lose the bet but hardly win it. A small bet is no safer than the highest: the
replier may raise it or change the prediction by a side bet. So the bot judges a field by its best prediction at the
highest stakes, and draws until that is good enough. It believes predictions of many tricks and raises to the limit.
Rules: docs/rules/bleven.md, "Answers", "Scoring" and ruling R9.
"""

from math import sumprod
from random import Random

from games.bleven.bot import POINTS, RIGHT, THRESHOLDS, Odds, Thresholds, choose_turn, read_table
from games.bleven.pairs import FOUR, PairsBot
from games.bleven.rules.shapes import Table
from games.bleven.simulation import PLACES, Terms, as_move, set_of
from games.kit.contract import Move

# These values come from matches with the preset "letter" against simple plans. docs/research/bots.md uses other deals.
SURE = 6.0  # The stones that the best prediction must be worth to declare with draws left.
TWO = THRESHOLDS._replace(stay=-4.0, raise_=-8.0)  # With two seats a seat that stays raises long predictions.


class LetterBot(PairsBot):
    """A bot that uses this rule for its turns, predictions and answers, and else the rule of thumb of `PairsBot`."""

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        return self.by_belief(table, moves, rng) or super().choose(table, moves, rng)

    def by_belief(self, table: Table, moves: list[Move], rng: Random) -> Move | None:
        """Return the move by this rule, or None where it does not apply."""
        phase, situation = table["phase"], read_table(table)
        if len(moves) == 1 or situation.is_short or phase not in ("turn", "predict", "reply"):
            return None
        (odds,) = self.odds_of(situation, [situation.hand], rng)
        if phase == "reply":
            return highest_raise(table, moves) if self.raises(situation, odds) else None
        terms = situation.world.terms
        if phase == "predict":
            worth, prediction = best_believed(odds, terms.limit)
            return as_move(("predict", terms.limit, *prediction)) if worth > -terms.price_of_going_out else None
        kinds = {move["type"] for move in moves}
        if beyond_ready(odds, terms.limit, "draw" in kinds) >= 0:
            return {"type": "declare"}
        if "draw" in kinds:
            return {"type": "draw"}
        return {"type": choose_turn(situation, kinds - {"declare"}, lambda _: [odds], self.thresholds)}


def best_believed(odds: Odds, limit: int) -> tuple[float, tuple[int, int]]:
    """Return the best prediction at the highest stakes if it is believed, after its value in stones."""
    value, tricks, places = max(
        (sumprod(odds, points) - (1 - sumprod(odds, RIGHT[tricks])) * limit, tricks, PLACES[positions])
        for (tricks, positions), points in POINTS.items()
    )
    return value, (tricks, set_of(places))


def beyond_ready(odds: Odds, limit: int, may_draw: bool) -> float:
    """Return by how many stones the best prediction is above the threshold. At the last call the threshold is 0."""
    return best_believed(odds, limit)[0] - (SURE if may_draw else 0.0)


def highest_raise(table: Table, moves: list[Move]) -> Move:
    """Return the answer that raises to the limit. It believes where that wins as much as doubting."""
    word = "deduce" if Terms.of(table["seats"], table["options"]).deduced_pays else "suspect"
    answers = [move for move in moves if move["type"] == word and "tricks" not in move]
    return max(answers, key=lambda move: move.get("plus", 0))


def thresholds_of(terms: Terms) -> Thresholds:
    """Return the thresholds of the hard bot's rule of thumb."""
    if terms.seats == 4:
        return FOUR
    return TWO if terms.deduced_pays else THRESHOLDS
