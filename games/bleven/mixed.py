"""The mixed players of Bleven: they look up how often to do what, and draw.

A field that always did the same would tell what it is, and who never bluffs is never called. So when to declare, to
stay, what to predict and what to answer comes from a strategy solved offline, `mixed.json`: for each class of fields
the choices with their weights. What it does not know, odd stakes and side bets, is left to the rule of thumb.
"""

import json
from functools import cache
from pathlib import Path

from games.bleven.bot import BlevenBot, believed, odds_of, read_table, worth
from games.bleven.classes import LETTERS, answers, class_of, epoch_of, likest, name_of, nearest, openings, turn_of
from games.bleven.rules.pack import POWER
from games.bleven.rules.state import all_terms

PHASES = ("turn", "poll", "predict", "reply", "raise")  # in which the strategy has something to say
PRICES = (3, 4, 5)  # of giving up, in stones, for which the strategy is good that was solved at 4


class MixedBot:
    """With two seats it plays by the solved strategy in some phases of a round, by the rule of thumb in the others."""

    def __init__(self, name, phases, in_pairs):
        self.name = name
        self.phases = phases
        self.in_pairs = in_pairs  # the bot that plays with four seats

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
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
    terms = all_terms(table["options"])
    return terms["leave_cost"] in PRICES and terms["deduced_miss"] == "nothing"


def solved_move(table, rng):
    """The move that the strategy draws, or None where it has none. It may be illegal: other options have other bets."""
    known = _known(table)
    if not known:
        return None
    choices, weights = known
    return _as_move(table, choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0])


def solved_shares(table):
    """[(a move, how often the strategy makes it)] with such a field; none where it has nothing to say."""
    if table["seats"] == 4 or table["phase"] not in PHASES or table["tricks"] or not is_solved(table):
        return []
    choices, weights = _known(table) or ((), ())
    return [(_as_move(table, choice), weight / sum(weights)) for choice, weight in zip(choices, weights, strict=True)]


def _known(table):
    """(choices, their weights) of the strategy at this decision with this field; None where it has none."""
    path, choices = _node(table)
    found = _solved()["nodes"].get(path)
    if not found:
        return None
    text = found[epoch_of(turn_of(table), len(found))].split(" ")[_place(table["hand"])]
    return [choices[LETTERS.index(letter)] for letter in text[::2]], [int(weight) for weight in text[1::2]] or [1]


@cache
def _solved():
    return json.loads((Path(__file__).parent / "mixed.json").read_text())


@cache
def _places():
    """By class of fields its place in the table, which has none of those that no field is in."""
    return {number: place for place, number in enumerate(_solved()["classes"])}


def _place(hand):
    return _places()[class_of(tuple([POWER[card] for card in hand]))]


def _node(table):
    """What the table calls the decision that is to be made, and its choices in order."""
    most = table["options"]["max_bet"]
    match table["phase"]:
        case "turn":
            return "turn", ("draw", "declare")
        case "poll":
            return "poll", ("leave", "stay")
        case "predict":
            return "predict", openings(most)
    names, bet, known = [], 0, None
    for words in table["said"]:
        if "tricks" in words:
            bet += words.get("bet", words.get("plus", 0))
            known = nearest(bet, most), likest(words["tricks"], tuple(words["positions"]))
            names.append(name_of(*known))
    path = " ".join([table["phase"], *names])
    return path, ("out", "accept") if table["phase"] == "raise" else answers(*known, most)


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
