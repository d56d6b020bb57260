"""The mixed players of Bleven, which sample their moves from a table of weights.

A seat that always makes the same move with the same field gives the field away. A seat that never bluffs is never
called. So declaring, staying, predicting and answering follow a strategy solved offline, `mixed.json`. It holds the
weights of the choices for each class of fields. The rule of thumb handles the rest: unusual stakes and side bets.
"""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import TypedDict

from games.bleven.bot import BlevenBot, estimates, odds_of, read_table
from games.bleven.classes import (
    LETTERS,
    SEATS,
    Call,
    answers,
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
from games.bleven.rules.state import FULL_RESERVE
from games.bleven.simulation import NONE, Offer, PlainMove, Terms, World, as_move, read_world, set_of
from games.kit.contract import Bot, Move

type Mix = tuple[list[Call], list[int]]  # what to choose from, and the weights

PHASES = ("turn", "poll", "predict", "reply", "raise")  # The phases that the strategy covers.
SOLVED_LIMIT = 10  # The limit of stones at stake that the strategy is solved for.
PRICES = (3, 4, 5)  # The strategy is solved for a price of 4 stones, and is good for these too.


class MixedBot:
    """A bot that plays some phases by the solved strategy, and the others by a rule of thumb.

    Nothing is solved where believing can win the bet. There it plays the same phases by the rule of the hard bot.
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
        if table["phase"] in (*self.phases, "discard") and Terms.of(table["seats"], table["options"]).deduced_pays:
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


def is_solved(terms: Terms) -> bool:
    """Return whether the strategy was solved for similar options."""
    return terms.seats == SEATS and terms.leave_cost in PRICES and not terms.deduced_pays


def solved_move(world: World, rng: Random) -> PlainMove | None:
    """Sample a move of the seat to act from the strategy. Return None where nothing is solved.

    The move may be illegal: a draw from an empty pile, for instance.
    """
    mix = _solved_mix(world)
    if not mix:
        return None
    calls, weights = mix
    return _as_plain_move(world, calls[0] if len(calls) == 1 else rng.choices(calls, weights)[0])


def solved_shares(table: Table) -> list[tuple[Move, float]]:
    """Return the moves of the strategy with this field and their shares. The list is empty where nothing is solved."""
    world = read_world(table)
    moves = [(_as_plain_move(world, call), share) for call, share in call_shares(world)]
    return [(as_move(move), share) for move, share in moves if move]


def call_shares(world: World) -> list[tuple[Call, float]]:
    """Return the calls of the strategy and their shares, as `solved_shares` does for moves."""
    calls, weights = _solved_mix(world) or ((), ())
    return [(call, weight / sum(weights)) for call, weight in zip(calls, weights, strict=True)]


def _solved_mix(world: World) -> Mix | None:
    """Return the strategy for this decision and field, or None where nothing is solved."""
    if world.trick_count or world.phase not in PHASES or not is_solved(world.terms):
        return None
    turn = turn_of(world)
    mixes = strategy(world.phase, world.history, turn, world.terms.limit)
    if not mixes:
        return None
    calls, weights = mixes[_class_of(world.fields[world.seat])]
    if world.phase == "turn" and not world.terms.may_draw_on and world.discards[world.seat] >= FULL_RESERVE:
        if world.is_short(world.seat):
            return None
        instead = "leave" if turn % SEATS else "stay"  # The first seat passes the turn, the second gives up.
        calls = [instead if call == "draw" else call for call in calls]
    return calls, weights


_class_of = cache(class_of)


def _as_plain_move(world: World, call: Call) -> PlainMove | None:
    """Return a call of the strategy as a move, or None for an illegal counter-prediction."""
    if not isinstance(call, str):
        return _as_prediction(world, call)
    if call == "raise":
        return "suspect", world.room, NONE, 0
    return call, 0, NONE, 0


def _as_prediction(world: World, offer: Offer) -> PlainMove | None:
    bet, (tricks, places) = offer
    certain = certain_tricks(world.fields[world.seat])
    if certain is not None and len(certain) == tricks:
        places = certain  # The strategy may name others: it knows the field by its class only.
    positions = set_of(places)
    if world.phase == "predict":
        return "predict", bet, tricks, positions
    stones = min(max(bet - world.offered, 1), world.room)
    if stones not in world.counter_stones() or (tricks, positions) not in world.counters():
        return None
    return "suspect", stones, tricks, positions


@lru_cache(maxsize=4096)
def strategy(phase: str, history: tuple[Offer, ...], turn: int, limit: int) -> dict[int, Mix] | None:
    """Return the mix of each class of fields, or None where nothing is solved.

    history: the predictions so far. turn: a result of `turn_of`. limit: of the stones at stake.
    """
    offers = tuple([(nearest(stones, limit), most_similar(prediction)) for stones, prediction in history])
    if any((bet == limit) != (bet == SOLVED_LIMIT) for bet, _ in offers):
        return None  # Only the highest bet can't be raised, so the answers in the table do not fit.
    path, _ = _name_and_calls(phase, offers, limit)
    texts = _solution()["nodes"].get(path)
    return _mixes_by_class(phase, offers, epoch_of(turn, len(texts)), limit) if texts else None


@lru_cache(maxsize=1024)  # Enough for one limit of stones: many predictions share a node.
def _mixes_by_class(phase: str, offers: tuple[Offer, ...], epoch: int, limit: int) -> dict[int, Mix]:
    path, calls = _name_and_calls(phase, offers, limit)
    texts = _solution()["nodes"][path][epoch].split(" ")
    return {number: _parse_mix(text, calls) for number, text in zip(_solution()["classes"], texts, strict=True)}


def _parse_mix(text: str, calls: Sequence[Call]) -> Mix:
    """Return the mix of a class from its text: "a3b6" is the first call with 3 of 9 parts, the second with 6."""
    return [calls[LETTERS.index(letter)] for letter in text[::2]], [int(weight) for weight in text[1::2]] or [1]


class Solution(TypedDict):
    """The content of `mixed.json`."""

    classes: list[int]
    nodes: dict[str, list[str]]  # by the name of a decision: a text for each turn, for each epoch, or for all turns


@cache
def _solution() -> Solution:
    solution: Solution = json.loads((Path(__file__).parent / "mixed.json").read_text())
    return solution


def _name_and_calls(phase: str, offers: tuple[Offer, ...], limit: int) -> tuple[str, Sequence[Call]]:
    """Return the name of a decision in the table, and its choices in order.

    offers: the predictions so far, rounded to the ones in the table.
    """
    match phase:
        case "turn":
            return phase, ("draw", "declare")
        case "poll":
            return phase, ("leave", "stay")
        case "predict":
            return phase, openings(limit)
    path = " ".join([phase, *(name_of(*offer) for offer in offers)])
    return path, ("out", "accept") if phase == "raise" else answers(*offers[-1], limit)
