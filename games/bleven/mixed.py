"""The mixed players of Bleven, which sample their moves from a table of weights.

A seat that always makes the same move with the same field gives the field away. A seat that never bluffs is never
called. So declaring, staying, predicting and answering follow a strategy solved offline, `mixed.json`. It holds the
weights of the choices for each class of fields. The rule of thumb handles the rest: unusual stakes and side bets.
"""

import json
from functools import cache, lru_cache
from pathlib import Path

from games.bleven.bot import BlevenBot, believed, odds_of, read_table, worth
from games.bleven.classes import (
    LETTERS,
    SEATS,
    SHORT,
    answers,
    class_of,
    epoch_of,
    likest,
    name_of,
    nearest,
    openings,
    turn_of,
)
from games.bleven.rules.pack import POWER
from games.bleven.rules.state import FULL_RESERVE, complete_options

PHASES = ("turn", "poll", "predict", "reply", "raise")  # The phases that the strategy covers.
SOLVED_LIMIT = 10  # The limit of stones at stake that the strategy is solved for.
PRICES = (3, 4, 5)  # The strategy is solved for a price of 4 stones, and is good for these too.


class MixedBot:
    """A bot that plays some phases with two seats by the solved strategy, and the others by the rule of thumb.

    Nothing is solved where believing can win the bet. There it uses another rule of thumb in the same phases.
    """

    def __init__(self, name, phases, in_pairs, to_the_letter):
        self.name = name
        self.phases = phases
        self.in_pairs = in_pairs  # The bot for four seats.
        self.to_the_letter = to_the_letter  # The bots where believing can win the bet, by the number of seats.

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        known = table["phase"] in self.phases or table["phase"] == "discard"
        if known and complete_options(table["options"])["deduced_miss"] == "bet":
            return self.to_the_letter[table["seats"]].choose(table, moves, rng)
        if table["seats"] == 4:
            return self.in_pairs.choose(table, moves, rng)
        if table["phase"] in self.phases and not table["tricks"] and is_solved(table):
            move = solved_move(table, rng)
            if move in moves:
                return move
        return BlevenBot().choose(table, moves, rng)


class LenientBot:
    """A bot that plays by the rule of thumb, but also makes predictions, answers and bets slightly below the best."""

    def __init__(self, name, tolerance):
        self.name = name
        self.tolerance = tolerance  # In stones.

    def choose(self, table, moves, rng):
        if len(moves) == 1 or table["phase"] in ("turn", "discard", "poll"):
            return BlevenBot().choose(table, moves, rng)
        position = read_table(table)
        odds = believed(position, odds_of(position, [position.hand], rng)[0])
        promises = [worth(position, odds, move) for move in moves]
        enough = max(promises) - self.tolerance
        return rng.choice([move for move, promise in zip(moves, promises, strict=True) if promise >= enough])


def is_solved(table):
    """Return whether the strategy was solved for similar options."""
    terms = complete_options(table["options"])
    return is_solved_at(terms["leave_cost"], terms["deduced_miss"] == "bet")


def is_solved_at(leave_cost, deduced_pays):
    """Do the same for two options. deduced_pays: whether a wrong prediction costs the bet even if it was believed."""
    return leave_cost in PRICES and not deduced_pays


def solved_move(table, rng):
    """Sample a move from the strategy, or return None. The move may be illegal: options limit the bets."""
    known = _known(table)
    if not known:
        return None
    choices, weights = known
    return _as_move(table, choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0])


def solved_shares(table):
    """Return [(move, share)] of the strategy with this field; an empty list where nothing is solved."""
    return [(_as_move(table, choice), share) for choice, share in choice_shares(table)]


def choice_shares(table):
    """Return [(choice, share)]. A choice is a type of move, "raise", or a pair of a bet and a prediction."""
    if table["seats"] == 4 or table["phase"] not in PHASES or table["tricks"] or not is_solved(table):
        return []
    choices, weights = _known(table) or ((), ())
    return [(choice, weight / sum(weights)) for choice, weight in zip(choices, weights, strict=True)]


def _known(table):
    """Return (choices, weights) of the strategy for this decision and field, or None where nothing is solved."""
    made, stones = [], 0
    for words in table["said"]:
        if "tricks" in words:
            stones += words.get("bet", words.get("plus", 0))
            made.append((stones, (words["tricks"], tuple(words["positions"]))))
    turn, number = turn_of(table), class_of(tuple([POWER[card] for card in table["hand"]]))
    found = strategy(table["phase"], tuple(made), turn, table["options"]["max_bet"])
    if not found or not _may_not_draw(table):
        return found and found[number]
    if number < SHORT:
        return None
    choices, weights = found[number]
    return [at_last(choice, turn) for choice in choices], weights


def _may_not_draw(table):
    """Return whether it is the turn of a seat with a full reserve."""
    full = len(table["reserves"][table["seat"]]) >= FULL_RESERVE
    return table["phase"] == "turn" and full and complete_options(table["options"])["five"] == "must"


def at_last(choice, turn):
    """Return the meaning of a choice after the last draw, where the first choice passes the turn."""
    if choice == "draw":
        return "leave" if turn % SEATS else "stay"
    return choice


@lru_cache(maxsize=4096)
def strategy(phase, predictions, turn, most):
    """Return {class of fields: (choices, weights)}, or None where nothing is solved.

    predictions: the predictions so far, pairs of the main bet at that time and (tricks, positions). turn: a result of
    `turn_of`. most: the limit of stones at stake.
    """
    known = tuple([(nearest(stones, most), likest(*prediction)) for stones, prediction in predictions])
    if any((bet == most) != (bet == SOLVED_LIMIT) for bet, _ in known):
        return None  # A bet of so many stones has other answers in the table: only the highest bet can't be raised.
    path, _ = _node(phase, known, most)
    found = _solved()["nodes"].get(path)
    return found and _by_class(phase, known, epoch_of(turn, len(found)), most)


@lru_cache(maxsize=1024)  # Enough for one limit of stones: many predictions share a node.
def _by_class(phase, known, epoch, most):
    path, choices = _node(phase, known, most)
    texts = _solved()["nodes"][path][epoch].split(" ")
    return {number: _read(text, choices) for number, text in zip(_solved()["classes"], texts, strict=True)}


def _read(text, choices):
    return [choices[LETTERS.index(letter)] for letter in text[::2]], [int(weight) for weight in text[1::2]] or [1]


@cache
def _solved():
    return json.loads((Path(__file__).parent / "mixed.json").read_text())


def _node(phase, known, most):
    """Return the name of a decision in the table, and its choices in order.

    known: the predictions so far, rounded to those in the table.
    """
    match phase:
        case "turn":
            return phase, ("draw", "declare")
        case "poll":
            return phase, ("leave", "stay")
        case "predict":
            return phase, openings(most)
    path = " ".join([phase, *(name_of(*each) for each in known)])
    return path, ("out", "accept") if phase == "raise" else answers(*known[-1], most)


def _as_move(table, choice):
    if choice == "raise":
        return {"type": "suspect", "plus": table["bet"]["room"]}
    if isinstance(choice, str):
        return {"type": choice}
    bet, (tricks, positions) = choice
    predicted = {"tricks": tricks, "positions": list(positions)}
    if table["phase"] == "predict":
        return {"type": "predict", "bet": bet, **predicted}
    plus = min(max(bet - table["bet"]["offered"], 1), table["bet"]["room"])
    return {"type": "suspect", "plus": plus, **predicted}
