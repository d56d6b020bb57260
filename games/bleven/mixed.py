"""The mixed players of Bleven, which sample their moves from a table of weights.

A seat that always makes the same move with the same field gives the field away. A seat that never bluffs is never
called. So declaring, staying, predicting and answering follow a strategy solved offline. It holds the weights of the
choices for each class of fields. The folder `solved` has a strategy for each of several stakes and prices of giving up.
Other matches are played by that of the most similar one. The rule of thumb handles the rest, such as side bets.
"""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from math import log
from pathlib import Path
from random import Random
from typing import NamedTuple, TypedDict

from games.bleven.bot import BlevenBot, estimates, odds_of, read_table
from games.bleven.classes import (
    LETTERS,
    SEATS,
    Call,
    answers,
    bet_sizes,
    certain_tricks,
    class_of,
    epoch_of,
    most_similar,
    name_of,
    nearest,
    openings,
    turn_of,
)
from games.bleven.hard import HARD_RULE
from games.bleven.rules.shapes import Table
from games.bleven.simulation import NONE, Offer, PlainMove, RoundOptions, World, as_move, read_world, set_of
from games.kit.contract import Bot, Move

type Mix = tuple[list[Call], list[int]]  # what to choose from, and the weights

PHASES = ("turn", "poll", "predict", "reply", "raise")  # The phases that the strategy covers.
# A strategy was solved for each pair of these: the most stones at stake in a round, and the price of giving it up.
SOLVED_STAKES = (4, 10, 30)
SOLVED_COSTS = (1, 4)


class MixedBot:
    """A bot that plays some phases by the solved strategy, and the others by a rule of thumb.

    Where believing can win the bet and nothing is solved, it plays the same phases by the rule of the hard bot.
    """

    def __init__(self, name: str, phases: tuple[str, ...], rule: Bot[Table]) -> None:
        self.name = name
        self.phases = phases
        self.rule = rule

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        rule = self.rule
        if table["phase"] in self.phases:
            move = solved_move(read_world(table), rng)
            if move and as_move(move) in moves:
                return as_move(move)
        options = RoundOptions.of(table["seats"], table["options"])
        if options.believer_wins_bet and table["phase"] in (*self.phases, "discard"):
            rule = HARD_RULE
        return rule.choose(table, moves, rng)


class LenientBot:
    """A bot that plays by the rule of thumb, but also makes predictions, answers and bets slightly below the best."""

    def __init__(self, name: str, tolerance: float) -> None:
        self.name = name
        self.tolerance = tolerance  # in stones

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        if len(moves) == 1 or table["phase"] in ("turn", "discard", "poll"):
            return BlevenBot().choose(table, moves, rng)
        situation = read_table(table)
        (odds,) = odds_of(situation, [situation.hand], rng)
        values = estimates(situation.world, odds, moves)
        enough = max(values) - self.tolerance
        return rng.choice([move for move, value in zip(moves, values, strict=True) if value >= enough])


def is_solved(options: RoundOptions) -> bool:
    """Return whether a strategy was solved for options like these.

    Where believing can win the bet, players draw for as long as they may. The strategy only knows five draws.
    """
    draws_for_long = options.believer_wins_bet and options.may_draw_on
    return options.seats == SEATS and not draws_for_long


def solved_move(world: World, rng: Random) -> PlainMove | None:
    """Sample a move of the seat to act from the strategy that was computed offline.

    Return None where it says nothing. The move may be illegal: a draw from an empty pile, for instance.
    """
    calls, weights = _solved_mix(world) or ((), ())
    moves = [_as_plain_move(world, call) for call in calls]
    # Some options forbid a call. The weights of the others then decide.
    legal = [(move, weight) for move, weight in zip(moves, weights, strict=True) if move]
    if len(legal) <= 1:
        return legal[0][0] if legal else None
    return rng.choices([move for move, _ in legal], [weight for _, weight in legal])[0]


def solved_shares(table: Table) -> list[tuple[Move, float]]:
    """Return the moves that the solved strategy makes with the cards of the seat to act, and how often it makes each.

    Shares are from 0 to 1. The list is empty for decisions that were not computed offline.
    """
    world = read_world(table)
    moves = [(_as_plain_move(world, call), share) for call, share in call_shares(world)]
    return [(as_move(move), share) for move, share in moves if move]


def call_shares(world: World) -> list[tuple[Call, float]]:
    """Return the calls that the solved strategy makes with the cards of the seat to act, and how often it makes each.

    A call is the type of a move, "raise", or a bet with a prediction. Shares are from 0 to 1.
    """
    calls, weights = _solved_mix(world) or ((), ())
    return [(call, weight / sum(weights)) for call, weight in zip(calls, weights, strict=True)]


def _solved_mix(world: World) -> Mix | None:
    """Return the calls that the solved strategy makes in this position, and how often it makes each, as weights.

    A call is a move without its details. The strategy mixes calls at random, so that they do not give the cards away.
    It knows the cards only by their class. Return None after the first trick and elsewhere where nothing is solved.
    """
    if world.trick_count or world.phase not in PHASES or not is_solved(world.options):
        return None
    turn = turn_of(world)
    mixes = strategy(world.phase, world.predictions, turn, world.options)
    if not mixes:
        return None
    calls, weights = mixes[_class_of(world.fields[world.seat])]
    if world.phase == "turn" and world.is_full and not world.options.may_draw_on:
        # The strategy only declares or draws. With five discards one may not draw any more.
        if world.is_short(world.seat):  # Cards below 15 are left to the rule of thumb.
            return None
        instead = "leave" if turn % SEATS else "stay"  # The first seat passes the turn, the second gives up.
        calls = [instead if call == "draw" else call for call in calls]
    return calls, weights


_class_of = cache(class_of)


def _as_plain_move(world: World, call: Call) -> PlainMove | None:
    """Return a call of the solved strategy as a move of the simulation, or None if it would be illegal here.

    A call is the type of a move, "raise" (raise to the limit, see `raising_answer`), or a bet with a prediction. A
    move is a tuple: its type, the stones, the number of predicted tricks or NONE, and the set of those named one by
    one.
    """
    if not isinstance(call, str):  # A bet with a prediction.
        return _as_prediction(world, call)
    if call == "raise":
        return raising_answer(world.options), world.room, NONE, 0
    return call, 0, NONE, 0


def raising_answer(options: RoundOptions) -> str:
    """Return the answer of the solved strategy when it raises: "suspect" doubts a prediction, "deduce" believes it.

    Where a believer wins the bet of a failed prediction, to believe is never worse.
    """
    return "deduce" if options.believer_wins_bet else "suspect"


def _as_prediction(world: World, offer: Offer) -> PlainMove | None:
    """Return a bet with a prediction of the solved strategy as a move, or None if it would be illegal here.

    The strategy knows only groups of similar cards. So if the seat is certain which tricks it wins, the move names
    them. offer: the bet, and a prediction: the number of tricks, and those named one by one.
    """
    bet, (tricks, places) = offer
    certain = certain_tricks(world.fields[world.seat])
    if certain is not None and len(certain) == tricks:
        places = certain
    positions = set_of(places)
    if world.phase == "predict":
        return "predict", bet, tricks, positions
    # As an answer to another prediction it adds stones to the bet on the table, at least one and at most all that are
    # left. The strategy knows only a few rounded bets.
    stones = min(max(bet - world.offered, 1), world.room)
    if stones not in world.counter_stones() or (tricks, positions) not in world.counters():
        return None
    return "suspect", stones, tricks, positions


class Stakes(NamedTuple):
    """What a round may cost. A strategy depends on it."""

    most: int  # stones at stake in a round, by its bets
    leave_cost: int  # the price of giving the round up, in stones
    miss: str  # what a player who believed a failed prediction gets: "nothing" or "bet"


def most_similar_stakes(options: RoundOptions) -> Stakes:
    """Return the solved stakes that are most similar to the stakes of a match."""
    return Stakes(
        most=min(SOLVED_STAKES, key=lambda most: abs(log(most / options.max_stakes))),
        leave_cost=min(SOLVED_COSTS, key=lambda cost: abs(cost - options.leave_cost)),
        miss="bet" if options.believer_wins_bet else "nothing",
    )


@lru_cache(maxsize=4096)
def strategy(phase: str, predictions: tuple[Offer, ...], turn: int, options: RoundOptions) -> dict[int, Mix] | None:
    """Return the solved strategy of a decision, by class of cards: a list of calls, and how often to make each.

    Return None if the decision is not solved. predictions: all of this round so far, each after its bet in stones.
    turn: the number of the turn of the declaration, or of the present turn.
    """
    # The strategy was solved only for some bets and predictions. Others are rounded to these.
    offers = tuple([(nearest(bet, options.max_stakes), most_similar(prediction)) for bet, prediction in predictions])
    solved = most_similar_stakes(options)
    name = _name_of_decision(phase, offers, options.max_stakes, solved)
    texts = solution(solved)["nodes"].get(name)
    if not texts:
        return None
    calls = tuple(_calls(phase, offers[-1] if offers else None, options.max_stakes))
    return _mixes_by_class(texts[epoch_of(turn, len(texts))], calls, tuple(solution(solved)["classes"]))


@lru_cache(maxsize=1024)  # Enough for one limit of stones: many predictions are rounded to the same ones.
def _mixes_by_class(text: str, calls: tuple[Call, ...], classes: tuple[int, ...]) -> dict[int, Mix]:
    """Return the strategy of a decision by class of cards: a list of calls, and how often to make each.

    text: its entry in a file of `solved`, with a word for each of `classes`. calls: all choices, in the order of the
    letters.
    """
    return {number: _parse_mix(word, calls) for number, word in zip(classes, text.split(" "), strict=True)}


def _parse_mix(word: str, calls: Sequence[Call]) -> Mix:
    """Return the calls and weights in a word of the table: "a3b6" is the first call 3 times in 9, the second 6 times.

    A single letter is a call that is always made. calls: all choices, in the order of the letters.
    """
    letters, digits = word[::2], word[1::2]
    return [calls[LETTERS.index(letter)] for letter in letters], [int(digit) for digit in digits] or [1]


class Solution(TypedDict):
    """The content of a file of `solved`."""

    classes: list[int]  # of fields, in the order of the words of a text
    nodes: dict[str, list[str]]  # by the name of a decision: a text for each turn, for each epoch, or for all turns


@cache
def solution(stakes: Stakes) -> Solution:
    file = Path(__file__).parent / "solved" / f"{stakes.most}-{stakes.leave_cost}-{stakes.miss}.json"
    solution: Solution = json.loads(file.read_text())
    return solution


def _name_of_decision(phase: str, offers: tuple[Offer, ...], max_stakes: int, solved: Stakes) -> str:
    """Return the name of a decision in the table of a solved strategy.

    An answer depends on all predictions so far. The table names them by the bets of the match that was solved. offers:
    these predictions, each after its bet, rounded to one of `bet_sizes(max_stakes)`.
    """
    if phase not in ("reply", "raise"):
        return phase
    solved_bets = dict(zip(bet_sizes(max_stakes), bet_sizes(solved.most), strict=True))
    return " ".join([phase, *(name_of(solved_bets[bet], prediction) for bet, prediction in offers)])


def _calls(phase: str, offer: Offer | None, max_stakes: int) -> Sequence[Call]:
    """Return the choices of a decision, in the order of the table. offer: the last prediction, after its bet."""
    match phase:
        case "turn":
            return "draw", "declare"
        case "poll":  # Somebody else has declared.
            return "leave", "stay"
        case "predict":
            return openings(max_stakes)
        case "raise":
            return "out", "accept"
    assert offer
    return answers(*offer, max_stakes)
