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
    best_prediction_if_believed,
    highest_raise,
    read_table,
    should_raise,
)
from games.bleven.rules.shapes import Table
from games.bleven.simulation import Field, PlainMove, RoundOptions, as_move
from games.kit.contract import Move

# These values come from matches against simple plans. docs/research/bots.md uses other deals.
FOUR_SEATS = THRESHOLDS._replace(stay=-1.0, stay_with_partner=-1.0, raise_=-4.0)
LEAST_VALUE = 6.0  # in stones
# `FOUR_SEATS` serves where leaving costs less than the highest bet, but at least this share of it. Where it costs more,
# nobody should leave. Where it costs next to nothing, nobody folds to a raise with a good prediction.
LEAST_PRICE = 0.2
BY_OPTIONS = {  # by the number of seats, and whether believing can win the bet
    (2, False): THRESHOLDS,
    (4, False): FOUR_SEATS,
    # A seat that stays raises.
    (2, True): THRESHOLDS._replace(stay=-4.0, raise_=-8.0, declare_if_believed=LEAST_VALUE),
    (4, True): FOUR_SEATS._replace(declare_if_believed=LEAST_VALUE),
}


class HardRule(BlevenBot):
    """The rule for two and four seats and all options."""

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        return self._move_if_believers_win(table, moves, rng) or super().choose(table, moves, rng)

    def odds_of(self, situation: Situation, fields: Sequence[Field], rng: Random) -> list[Odds]:
        return pairs.odds_of(situation, fields, rng, self.worlds)

    def thresholds(self, options: RoundOptions) -> Thresholds:
        return thresholds_of(options)

    def _move_if_believers_win(self, table: Table, moves: list[Move], rng: Random) -> Move | None:
        """Return a move for matches where a player who believes a wrong prediction wins the bet. None: use the rule.

        To believe is then safe: it wins the bet if the prediction fails, and otherwise loses only the points. So the
        move is the best prediction for an opponent who believes it, or an answer that believes and raises the bet. It
        is None in other matches and phases, and if no such move pays.
        """
        situation = read_table(table)
        world, options = situation.world, situation.world.options
        has_choice = len(moves) > 1 and world.phase in ("predict", "reply")
        if not options.believer_wins_bet or not has_choice or situation.is_short:
            return None
        (odds,) = self.odds_of(situation, [situation.hand], rng)
        if world.phase == "reply":  # Somebody else has predicted.
            return highest_raise("deduce", moves) if should_raise(world, odds, thresholds_of(options)) else None
        prediction = prediction_by_belief(options, odds)
        return as_move(prediction) if prediction else None


def thresholds_of(options: RoundOptions) -> Thresholds:
    thresholds = BY_OPTIONS[options.seats, options.believer_wins_bet]
    if thresholds is FOUR_SEATS and not LEAST_PRICE <= options.price_of_leaving / options.max_stakes < 1:
        return THRESHOLDS
    return thresholds


def prediction_by_belief(options: RoundOptions, odds: Odds) -> PlainMove | None:
    """Return the best prediction with the highest bet, if the opponent will believe it, as a move.

    Return None if even the best one loses more stones on average than giving up the round does. odds: the chance of
    each set of tricks that the side may win.
    """
    value, prediction = best_prediction_if_believed(odds, options.max_stakes)
    is_better_than_giving_up = value > -options.price_of_going_out
    return ("predict", options.max_stakes, *prediction) if is_better_than_giving_up else None


HARD_RULE = HardRule("rule of hard", worlds=200)
