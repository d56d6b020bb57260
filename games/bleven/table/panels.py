"""The panels by which a seat of Bleven says what it does, or reads what it waits for.

A panel is a dict of its "kind", which says how it is laid out, and of what is in it.
"""

import json

from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import all_terms
from games.bleven.table import stakes
from games.bleven.table.felt import GONE
from games.bleven.table.words import (
    ORDINALS,
    auction_words,
    prediction_words,
    said_words,
    side_does,
    stone_words,
)
from games.kit.markup import Markup
from games.kit.words import plural

# What predictions are worth, by the number of tricks and positions that are right: for a script, as JSON
WORTHS = Markup(json.dumps([plural(triangular(count), "point") for count in range(7)], separators=(",", ":")))


def panel_of(table, moves, names):
    """What a seat may say now, or what it waits for."""
    phase = table["phase"]
    panel = {"auction": "", "note": ""}
    if phase in ("turn", "discard", "poll") and table["status"][table["seat"]] == "undecided":
        return panel | _turn_panel(table, moves, names)
    if not moves:
        return panel | {"kind": "wait", "lines": _waiting(table, names)}
    return panel | _PANELS[phase](table, moves, names) | {"auction": auction_words(table["said"], names)}


def _waiting(table, names):
    seat, status = table["seat"], table["status"][table["seat"]]
    if status in GONE:
        return ["You have left this round." if status == "left" else "You are out of this round."]
    if status == "faced":
        return ["Your field is under 15: it lies open, and your partner plays alone."]
    if table["prediction"] is None:
        return ["You are the declarer." if seat == table["declarer"] else "You stay, with this field."]
    lines = [f"{side_does(table['declarer'], names, 'predicts', 'predict')} {prediction_words(table['prediction'])}."]
    if table["said"]:
        words = table["said"][-1]
        lines.append(f"{names[words['seat']]} {said_words(words)}.")
    return lines


# What panels are made of


def _call(kind, label, small="", closed=False, away=False, raises=False, outcomes=()):
    """A button. away: it ends the round for the seat. raises: with stones to be chosen.

    outcomes: what it leads to, as by `stakes.of_answer`.
    """
    return {
        "kind": Markup(kind),
        "id": Markup(f"raise-{kind}" if raises else f"call-{kind}"),
        "classes": Markup("call away" if away else "call"),
        "closed": closed,
        "raises": raises,
        "label": Markup(label),
        "small": small,
        "right": None,
        "wrong": None,
        "anyway": None,
    } | dict(outcomes)


def _out(table, names):
    return _call("out", "Out", stakes.of_going_out(table, names), away=True)


def _stepper(label, least, most):
    """A field for a number of stones, which begins with the least."""
    return {"label": label, "least": str(least), "most": str(most), "start": str(least)}


def _prediction(table, calls, key, stones, tricks, start, positions=True):
    """The fields of a prediction, with what it would be worth, and the buttons that make it.

    calls: for each button its id, the type of its move, and what it says. key: under which the move has the stones.
    stones: a stepper, or None where none may be added. tricks: their possible numbers, and `start` the one chosen at
    first. positions: whether they can be named.
    """
    return {
        "calls": [{"id": Markup(name), "kind": Markup(kind), "label": Markup(label)} for name, kind, label in calls],
        "key": Markup(key),
        "stones": stones,
        "tricks": [{"number": Markup(number), "start": number == start} for number in tricks],
        "positions": [{"number": Markup(place), "words": ORDINALS[place]} for place in ORDINALS] if positions else [],
        "worths": WORTHS,
        "base": "",  # stones that are at stake already
        "unless": "" if table["options"]["deduced_miss"] == "bet" else " if suspected",
    }


def _instead(table, moves, label, calls, key, positions=False):
    """As `_prediction`, of one that takes the place of that which stands; None where no such move may be made.

    calls: pairs of a type of move and what its button says.
    """
    possible = [move for move in moves if "tricks" in move]
    if not possible:
        return None
    numbers, stones = sorted({move["tricks"] for move in possible}), sorted({move[key] for move in possible})
    stepper = _stepper(label, stones[0], stones[-1]) if stones[-1] else None
    calls = [(f"call-top-{kind}", kind, label) for kind, label in calls]
    prediction = _prediction(table, calls, key, stepper, numbers, numbers[0], positions)
    return prediction | {"base": Markup(table["bet"]["offered"])}


# A panel for each phase


def _turn_panel(table, moves, names):
    kinds = {move["type"] for move in moves}
    discards = len(table["reserves"][table["seat"]])
    done = f"{discards} of 5 done" if 0 < discards < 5 else f"{discards} discarded" if discards else "then discard one"
    leaving = stakes.of_leaving(table, names)
    return {
        "kind": "turn",
        "calls": [
            _call("draw", "Draw", done, closed="draw" not in kinds),
            _call("stay", "Stay", "keep this field", closed="stay" not in kinds),
            _call("declare", "Declare", "with 15 or more", closed="declare" not in kinds),
            _call("leave", "Leave", leaving, closed="leave" not in kinds, away=True),
        ],
    }


def _predict_panel(table, moves, names):
    stones = _stepper("Bet", 1, table["options"]["max_bet"])
    calls = [("call-predict", "predict", "Predict")]
    return {"kind": "predict", "prediction": _prediction(table, calls, "bet", stones, range(4), start=2)}


def _reply_panel(table, moves, names):
    most = max((move["plus"] for move in moves if "plus" in move and "tricks" not in move), default=0)
    words = [("suspect", "Suspect, predict"), ("deduce", "Deduce, predict")]
    instead = _instead(table, moves, "Add", words, "plus", positions=not table["tricks"])
    ways = [("answer", "Answer")]
    ways += [("raise", "Raise")] if most else []
    ways += [("top", "Predict instead")] if instead else []
    return {
        "kind": "reply",
        "note": stakes.note(table, names),
        "ways": ways,
        "calls": [
            _call("deduce", "Deduce", "I believe it", outcomes=stakes.of_answer(table, names, suspected=False)),
            _call("suspect", "Suspect", "I doubt it", outcomes=stakes.of_answer(table, names, suspected=True)),
            _out(table, names),
        ],
        "raise": _raise(table, names, most) if most else None,
        "instead": instead,
    }


def _raise(table, names, most):
    believed = stakes.of_answer(table, names, suspected=False, raised=True)
    doubted = stakes.of_answer(table, names, suspected=True, raised=True)
    return {
        "stones": _stepper("Add", 1, most),
        "base": Markup(table["bet"]["offered"]),
        "calls": [
            _call("deduce", "Deduce, raise", raises=True, outcomes=believed),
            _call("suspect", "Suspect, raise", raises=True, outcomes=doubted),
        ],
    }


def _raise_panel(table, moves, names):
    kind = moves[0]["type"]
    outcomes = stakes.of_answer(table, names, table["answer"] == "suspect")
    bet = f"the bet is {table['bet']['offered']}"
    accept = _call(kind, "In" if kind == "in" else "Accept", bet, outcomes=outcomes)
    return {"kind": "calls", "note": stakes.note(table, names), "calls": [accept, _out(table, names)]}


def _side_bet_panel(table, moves, names):
    most = max((move["bet"] for move in moves if "bet" in move and "tricks" not in move), default=0)
    ours = table["declarer"] % 2 == table["seat"] % 2
    instead = _instead(table, moves, "Bet", [("side_bet", "Predict")], "bet")
    raised = ours and all_terms(table["options"])["side_changes"] == "closed"
    heading = "Raise the prediction" if raised else "Predict instead"
    if instead and not most:
        instead["label"] = heading
    return {
        "kind": "side_bet",
        "note": stakes.note(table, names),
        "ways": [("answer", "Bet stones"), ("top", heading)] if instead and most else [],
        "stones": _stepper("Bet", 1, most) if most else None,
        "on": "that the prediction comes true" if ours else "that the prediction fails",
        "instead": instead,
    }


def _side_reply_panel(table, moves, names):
    more = f"{stone_words(table['side_offer']['bet'])} more at stake"
    join = _call("in", "In", more, outcomes=stakes.of_side_bet(table, names))
    return {"kind": "calls", "note": stakes.note(table, names), "calls": [join, _out(table, names)]}


_PANELS = {
    "predict": _predict_panel,
    "reply": _reply_panel,
    "raise": _raise_panel,
    "side_bet": _side_bet_panel,
    "side_reply": _side_reply_panel,
}
