"""The rule of thumb of the hard bot of Bleven, for all that is not solved.

Its odds account for drawing. With four seats it leaves when a declarer's field is better, and doubts predictions of two
or three tricks with a raise to the limit.

With `deduced_miss` `bet`, as in the preset "letter", a believer wins the bet if the prediction fails. To believe is
then never worse than to doubt, and costs only the points if the prediction is right. A declarer can lose the bet but
hardly win it. A small bet is no safer than the highest: the replier may raise it or change the prediction by a side
bet. So the bot judges a field by its best prediction at the highest stakes, and draws until that is good enough. It
believes predictions of many tricks and raises to the limit.
Rules: docs/rules/bleven.md, "Answers", "Scoring" and ruling R9.
"""

from collections.abc import Sequence
from random import Random

from games.bleven import pairs
from games.bleven.bot import (
    THRESHOLDS,
    BlevenBot,
    Odds,
    Situation,
    Thresholds,
    best_believed,
    highest_raise,
    raises,
    read_table,
)
from games.bleven.rules.shapes import Table
from games.bleven.simulation import Field, PlainMove, Terms, as_move
from games.kit.contract import Move

# These values come from matches against simple plans. docs/research/bots.md uses other deals.
FOUR = THRESHOLDS._replace(stay=-1.0, stay_with_partner=-1.0, raise_=-4.0)
BELIEVED = 6.0
BY_TERMS = {  # by the number of seats, and whether believing can win the bet
    (2, False): THRESHOLDS,
    (4, False): FOUR,
    (2, True): THRESHOLDS._replace(stay=-4.0, raise_=-8.0, believed=BELIEVED),  # A seat that stays raises.
    (4, True): FOUR._replace(believed=BELIEVED),
}


class HardRule(BlevenBot):
    """The rule for two and four seats and all options."""

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        return self._by_belief(table, moves, rng) or super().choose(table, moves, rng)

    def odds_of(self, situation: Situation, fields: Sequence[Field], rng: Random) -> list[Odds]:
        return pairs.odds_of(situation, fields, rng, self.worlds)

    def thresholds(self, terms: Terms) -> Thresholds:
        return thresholds_of(terms)

    def _by_belief(self, table: Table, moves: list[Move], rng: Random) -> Move | None:
        """Return a prediction, or a raise that believes, if believing can win the bet and this pays."""
        situation = read_table(table)
        world, terms = situation.world, situation.world.terms
        if not terms.deduced_pays or len(moves) == 1 or situation.is_short or world.phase not in ("predict", "reply"):
            return None
        (odds,) = self.odds_of(situation, [situation.hand], rng)
        if world.phase == "reply":
            return highest_raise("deduce", moves) if raises(world, odds, thresholds_of(terms)) else None
        prediction = prediction_by_belief(terms, odds)
        return as_move(prediction) if prediction else None


def thresholds_of(terms: Terms) -> Thresholds:
    return BY_TERMS[terms.seats, terms.deduced_pays]


def prediction_by_belief(terms: Terms, odds: Odds) -> PlainMove | None:
    """Return the best prediction at the highest stakes, or None if going out costs less."""
    value, prediction = best_believed(odds, terms.limit)
    return ("predict", terms.limit, *prediction) if value > -terms.price_of_going_out else None


HARD_RULE = HardRule("rule of hard", worlds=200)
