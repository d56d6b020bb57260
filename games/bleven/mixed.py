"""The mixed players of Bleven: they look up how often to do what, and draw.

A field that always did the same would tell what it is, and who never bluffs is never called. So when to declare, to
stay, what to predict and what to answer comes from a strategy solved offline, `mixed.json`: for each class of fields
the choices with their weights. What it does not know, odd stakes and side bets, is left to the rule of thumb.
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

PHASES = ("turn", "poll", "predict", "reply", "raise")  # in which the strategy has something to say
PRICES = (3, 4, 5)  # of giving up, in stones, for which the strategy is good that was solved at 4


class MixedBot:
    """With two seats it plays by the solved strategy in some phases of a round, by the rule of thumb in the others.

    Where believing wins the bet, nothing is solved: there it plays by the rule of thumb for that in the same phases.
    """

    def __init__(self, name, phases, in_pairs, to_the_letter):
        self.name = name
        self.phases = phases
        self.in_pairs = in_pairs  # the bot that plays with four seats
        self.to_the_letter = to_the_letter  # those that play where believing wins the bet, by the number of seats

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
    """Plays by the rule of thumb, but makes any prediction, answer or bet that promises nearly as much as the best."""

    def __init__(self, name, tolerance):
        self.name = name
        self.tolerance = tolerance  # stones

    def choose(self, table, moves, rng):
        if len(moves) == 1 or table["phase"] in ("turn", "discard", "poll"):
            return BlevenBot().choose(table, moves, rng)
        position = read_table(table)
        odds = believed(position, odds_of(position, [position.hand], rng)[0])
        promises = [worth(position, odds, move) for move in moves]
        enough = max(promises) - self.tolerance
        return rng.choice([move for move, promise in zip(moves, promises, strict=True) if promise >= enough])


def is_solved(table):
    """Whether the strategy was solved for options that are near those of this match."""
    terms = complete_options(table["options"])
    return is_solved_at(terms["leave_cost"], terms["deduced_miss"] == "bet")


def is_solved_at(leave_cost, deduced_pays):
    """The same of two options. deduced_pays: whether a prediction that fails costs the bet though it was believed."""
    return leave_cost in PRICES and not deduced_pays


def solved_move(table, rng):
    """The move that the strategy draws, or None where it has none. It may be illegal: other options have other bets."""
    known = _known(table)
    if not known:
        return None
    choices, weights = known
    return _as_move(table, choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0])


def solved_shares(table):
    """[(a move, how often the strategy makes it)] with such a field; none where it has nothing to say."""
    return [(_as_move(table, choice), share) for choice, share in choice_shares(table)]


def choice_shares(table):
    """The same of what the strategy chooses from: types of moves, "raise", pairs of a bet and a prediction."""
    if table["seats"] == 4 or table["phase"] not in PHASES or table["tricks"] or not is_solved(table):
        return []
    choices, weights = _known(table) or ((), ())
    return [(choice, weight / sum(weights)) for choice, weight in zip(choices, weights, strict=True)]


def _known(table):
    """(choices, their weights) of the strategy at this decision with this field; None where it has none."""
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
    """Whether it is the turn of one whose reserve is full."""
    full = len(table["reserves"][table["seat"]]) >= FULL_RESERVE
    return table["phase"] == "turn" and full and complete_options(table["options"])["five"] == "must"


def at_last(choice, turn):
    """What the strategy means by a choice when one may not draw any more: the first lets the other speak."""
    if choice == "draw":
        return "leave" if turn % SEATS else "stay"
    return choice


@lru_cache(maxsize=4096)
def strategy(phase, predictions, turn, most):
    """By class of fields (choices, their weights), a dict; None where the strategy has nothing to say.

    predictions: those made so far, pairs of the stones in the main bet by then and (tricks, positions). turn: as
    `turn_of` has it. most: stones that can be at stake.
    """
    known = tuple([(nearest(stones, most), likest(*prediction)) for stones, prediction in predictions])
    path, _ = _node(phase, known, most)
    found = _solved()["nodes"].get(path)
    return found and _by_class(phase, known, epoch_of(turn, len(found)), most)


@lru_cache(maxsize=1024)  # more than there are for one number of stones: many predictions come to the same node
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
    """What the table calls the decision that is to be made, and its choices in order.

    known: the predictions, as it has them.
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
