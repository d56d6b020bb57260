"""The panels of a seat of Bleven: its calls, or a note about the player it waits for.

A panel is a dict with its "kind", which selects the layout, and its contents. Each button shows the total of the whole
round after the call: see `stakes`. The kit renders buttons instead of templates, because every seat gets new ones after
every move.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape

from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import ANSWERS, FIELD_SIZE, FULL_RESERVE, MIN_SUM, complete_options, seats_of, side_of
from games.bleven.table import stakes
from games.bleven.table.felt import GONE
from games.bleven.table.stakes import Situation, Totals, own_seat
from games.bleven.table.words import (
    ORDINALS,
    added_stones,
    auction_words,
    declaring_side,
    describe_move,
    prediction_words,
    side_names,
    side_seats,
    stone_words,
)
from games.kit.contract import Move, Seat
from games.kit.language import cache_by_language, lazy, lazy_in, say, say_count, say_in
from games.kit.markup import (
    Markup,
    as_markup,
    call_button,
    case_line,
    cells,
    changing_figure,
    figure,
    side_by_side,
)
from games.kit.words import Names, capital, sentence_of, with_sign

type Status = tuple[str | None, ...]  # by seat
type Reader = tuple[tuple[str, ...], Seat]  # the names of all players, and the seat of the reader
type Calls = Iterable[tuple[str, str]]  # for each button, the type of its move and its label
type Stepper = dict[str, str]
type Panel = dict[str, object]  # also a part of one

# The points by the number of right tricks and positions: as JSON for a script, and as a table.
WORTHS = [triangular(count) for count in range(2 * FIELD_SIZE + 1)]
WORTHS_JSON = Markup(json.dumps(WORTHS, separators=(",", ":")))
WORTHS_COUNTED, WORTHS_DRAWN = cells(range(1, len(WORTHS))), cells(WORTHS[1:])


def panel_of(table: Table, moves: list[Move], names: Names) -> Panel:
    """Return the panel with the calls of a seat, or with the reason why it waits."""
    phase, seat = table["phase"], own_seat(table)
    panel: Panel = {"auction": "", "note": "", "task": "", "legend": False}
    if phase == "discard" and moves:
        return panel | _discard_panel(table)
    if phase in ("turn", "discard", "poll") and table["status"][seat] == "undecided":
        return panel | _turn_panel(table, moves, names)
    if not moves:
        return panel | {"kind": "wait", "lines": _waiting_lines(table, names)}
    spoken = auction_words(table["said"], names)
    panel |= {
        "auction": capital(spoken) if " · " in spoken else "",
        "note": _weak_field_note(table, names),
        "legend": True,
    }
    return panel | _PANELS[phase](table, stakes.situation_of(table), moves, names)


def _waiting_lines(table: Table, names: Names) -> list[str]:
    """Return the sentences for a seat that has nothing to do: its part in the round, and the last call."""
    seat = own_seat(table)
    status = table["status"][seat]
    if status in GONE:
        return [say("You have left this round." if status == "left" else "You are out of this round.")]
    if status == "faced":
        return [say("Your field is under 15: everybody sees it, and your partner plays alone.")]
    if table["prediction"] is None:
        return [say("You are the declarer." if seat == table["declarer"] else "You stay, with this field.")]
    yours, one = "You predict {prediction}.", "{names} predicts {prediction}."
    many, prediction = "{names} predict {prediction}.", prediction_words(table["prediction"])
    lines = [names.say_of_all(side_seats(declaring_side(table), names), yours, one, many, prediction=prediction)]
    if table["said"]:
        move = table["said"][-1]
        lines.append(sentence_of(describe_move(move, move["seat"], names)))
    return lines


def _weak_field_note(table: Table, names: Names) -> str:
    """Return a note about a field below 15, or ""."""
    if stakes.own_sum(table) >= MIN_SUM:
        return ""
    if table["seats"] == 2:
        return say("Under 15: you win only if {name} goes out.", name=names[1 - own_seat(table)])
    partner = _partner_of(own_seat(table))
    if table["status"][partner] in GONE:
        return say("Under 15 and alone: you win only if they go out.")
    return say("Under 15: your field is laid open, and {name} plays alone.", name=names[partner])


def _partner_of(seat: Seat) -> Seat:
    """Return the partner of a seat. Only tables with four seats have partners."""
    return (seat + 2) % 4


# Parts of panels


CLASSES = {"leave": "call away", "out": "call away", "side_bet": "call go", "predict": "call go"}


def button(kind: str, label: str, *below: str, closed: bool = False, field: str = "") -> Markup:
    """Return a button.

    kind: the type of its move. label: trusted text. below: text, or lines as Markup. closed: whether the move is
    illegal. field: the name of the field for the stones, if the player chooses them.
    """
    stones = f',"{field}":{{"field":"{field}"}}' if field else ""
    name = f"raise-{kind}" if field == "plus" else f"call-{kind}"
    smaller = [each if isinstance(each, Markup) else f"<small>{escape(str(each))}</small>" for each in below]
    words = f"<b>{label}</b>" + "".join(smaller)
    return call_button(name, f'{{"type":"{kind}"{stones}}}', words, CLASSES.get(kind, "call"), closed)


def _predicting_button(kind: str, label: str, stones: bool, positions: bool) -> Markup:
    """Return a button that makes the prediction in the fields.

    stones, positions: whether the player chooses them. Without a choice the prediction adds no stones.
    """
    name, key = f"call-{'' if kind == 'predict' else 'top-'}{kind}", "plus" if kind in ANSWERS else "bet"
    added = '{"field":"stones"}' if stones else "0"
    named = ',"positions":[{"field":"positions"}]' if positions else ""
    move = f'{{"type":"{kind}","{key}":{added},"tricks":{{"field":"tricks"}}{named}}}'
    return call_button(name, move, figure(label), CLASSES["predict"])


def _totals_line(when: str, totals: Sequence[tuple[int, int]], field: str = "") -> Markup:
    """Return the line of one case. totals: as in `stakes.Totals`. field: the field for added stones, if any."""
    ends = totals if len(totals) < 3 else [totals[0], totals[-1]]
    joint = say_in("between two figures", "or" if len(totals) < 3 else "to")
    line = case_line(when, [_total_figure(total, more, field) for total, more in ends], joint)
    return Markup(f'<small class="if">{line}</small>')


def _fixed_line(when: str, total: int) -> Markup:
    """Return the line of a case with a single total."""
    return _totals_line(when, [(total, 0)])


@lru_cache(4096)
def _total_figure(total: int, more: int, field: str = "") -> str:
    """Return a total in stones, which a script updates from a field. The field starts at one stone."""
    if not (field and more):
        return figure(_stones_signed(total))
    return changing_figure(_stones_signed(total + more), field, more, total)


def _stones_signed(total: int) -> Markup:
    """Return a total with its sign."""
    return as_markup(with_sign(total, plus=True))


def _totals_lines(table: Table, names: Names, outcomes: Iterable[Totals], field: str = "") -> list[Markup]:
    """Return a line for each of the Totals. field: as for `_totals_line`."""
    return [_totals_line(_case_words(case, table, names), totals, field) for case, totals in outcomes]


_CASE_WORDS = {"": lazy("in any case:"), "right": lazy("if right:"), "wrong": lazy("if wrong:")}


def _case_words(case: str, table: Table, names: Names) -> str:
    """Return the words before the totals of a case. case: as in `stakes.Totals`."""
    if case == "short":
        return say("if {names} under 15:", names=side_names(1 - side_of(own_seat(table)), names))
    if case == "alone":
        return say("if {names} under 15 too:", names=names[_partner_of(own_seat(table))])
    return _CASE_WORDS[case]


def _out_button(table: Table, situation: Situation, names: Names) -> Markup:
    """Return the button that gives the round up. With a partner still in, the partner answers instead."""
    partner = _partner_of(own_seat(table))
    total = stakes.total_if_lost(situation, "out")
    if table["seats"] == 4 and table["status"][partner] == "stayed":
        answers = say("{name} answers instead", name=names[partner])
        return button("out", OUT, answers, _fixed_line(say("out too:"), total))
    return button("out", OUT, say("give the round up"), _fixed_line("", total))


def _stepper(label: str, least: int, most: int) -> Stepper:
    """Return a field for a number of stones. It starts at the least."""
    return {"label": label, "least": str(least), "most": str(most), "start": str(least)}


def _prediction_fields(
    situation: Situation, calls: Calls, stones: Stepper | None, tricks: Iterable[int], start: int
) -> Panel:
    """Return the fields of a prediction, its totals and its buttons.

    Positions are possible until the first trick. calls: a pair of the move type and the label for each button. stones:
    a stepper, or None if no stones may be added. tricks: the possible numbers. start: the number selected at first.
    """
    positions = not situation.state.tricks
    buttons = [_predicting_button(*call, bool(stones), positions) for call in calls]
    return {
        "calls": Markup("".join(buttons)),
        "stones": stones,
        "tricks": [{"number": Markup(number), "start": number == start} for number in tricks],
        "positions": [{"number": Markup(place), "words": ORDINALS[place]} for place in ORDINALS] if positions else [],
        "worths": WORTHS_DRAWN,
        "worths_counted": WORTHS_COUNTED,
        "points": WORTHS_JSON,
        "counted": Markup("tricks positions" if positions else "tricks"),
        "totals": _prediction_totals(situation, start, int(stones["start"]) if stones else 0),
    }


def _prediction_totals(situation: Situation, tricks: int, stones: int) -> Sequence[Panel]:
    """Return the totals of a prediction, a line if it is believed and one if it is doubted.

    tricks, stones: the values selected at first.
    """
    answers = {answer: dict(stakes.of_predicting(situation, answer, tricks)) for answer in ANSWERS}
    points, lines = triangular(tricks), []
    for case, when in _PREDICTED_CASE_WORDS.items():
        fixed = points if case == "right" else 0  # A script adds the points of the selection.
        figures = [
            {"words": _stones_signed(total + more * stones), "times": Markup(more), "add": Markup(total - fixed)}
            for total, more in (outcomes[case][0] for outcomes in answers.values() if case in outcomes)
        ]
        if figures:
            lines.append({"when": when, "figures": figures, "right": case == "right"})
    return lines


_PREDICTED_CASE_WORDS = {
    "": lazy("In any case"),
    "right": lazy("If it is right"),
    "wrong": lazy("If it is wrong"),
}


def _replacing_prediction(situation: Situation, moves: list[Move], label: str, calls: Calls) -> Panel | None:
    """Return the `_prediction_fields` for a prediction that replaces the present one. None if no such move is legal."""
    predicting = [move for move in moves if "tricks" in move]
    if not predicting:
        return None
    numbers = sorted({move["tricks"] for move in predicting})
    stones = sorted({added_stones(move) for move in predicting})
    stepper = _stepper(label, stones[0], stones[-1]) if stones[-1] else None
    return _prediction_fields(situation, calls, stepper, numbers, numbers[0])


# Labels that several panels share

DEDUCE = lazy_in("button", "Deduce")
SUSPECT = lazy_in("button", "Suspect")
IN = lazy_in("button", "In")
OUT = lazy_in("button", "Out")
RAISE = lazy_in("button", "Raise")
PREDICT = lazy_in("button", "Predict")
PREDICT_INSTEAD = lazy_in("button", "Predict instead")
BET = lazy_in("button", "Bet")
ADD = lazy_in("number of stones", "Add")


# A panel for each phase


def _discard_panel(table: Table) -> Panel:
    lines = [
        say("Below each card is the sum that the other three have. With {enough} you may declare.", enough=MIN_SUM)
    ]
    return {"kind": "discard", "task": say("Tap the card to discard"), "lines": lines}


def _turn_panel(table: Table, moves: list[Move], names: Names) -> Panel:
    kinds, status = tuple([move["type"] for move in moves]), tuple(table["status"])
    seat = own_seat(table)
    discards, reader = len(table["reserves"][seat]), (tuple(names), seat)
    return {
        "kind": "turn",
        "note": _weak_field_note(table, names) if "stay" in kinds else "",
        "legend": bool(moves),
        "calls": _turn_calls(stakes.situation_of(table), status, discards, kinds, reader),
    }


@cache_by_language(4096)  # Most stay the same while other seats draw and discard.
def _turn_calls(situation: Situation, status: Status, discards: int, kinds: tuple[str, ...], reader: Reader) -> Markup:
    """Return the buttons of a turn. kinds: the types of the legal moves."""
    names, partner, deciding = Names(*reader), _partner_of(reader[1]), "stay" in kinds
    draw, stay = say_in("button", "Draw"), say_in("button", "Stay")
    declare, leave = say_in("button", "Declare"), say_in("button", "Leave")
    return side_by_side(
        button("draw", draw, _discard_words(discards), closed="draw" not in kinds),
        button("stay", stay, say("keep this field"), _stay_line(situation, status, partner), closed=not deciding),
        button("declare", declare, *_declare_lines(situation, status, names), closed="declare" not in kinds),
        button("leave", leave, _leave_line(situation, status, partner, names), closed="leave" not in kinds),
    )


def _discard_words(number: int) -> str:
    if not number:
        return say("then discard one")
    if number < FULL_RESERVE:
        return say("{done} of {most} done", done=number, most=FULL_RESERVE)
    return say_count(number, "{number} discarded", "{number} discarded")


def _stay_line(situation: Situation, status: Status, partner: Seat) -> Markup:
    """Return the line about staying: the certain cost of going out later."""
    both = len(status) == 4 and status[partner] not in GONE
    return _fixed_line(say("both out later:" if both else "out later:"), stakes.total_if_lost(situation, "out"))


def _leave_line(situation: Situation, status: Status, partner: Seat, names: Names) -> Markup:
    total = stakes.total_if_lost(situation, "left")
    if len(status) == 4 and status[partner] != "left":
        return _fixed_line(say("if {name} leaves too:", name=names[partner]), total)
    return _fixed_line("", total)


def _declare_lines(situation: Situation, status: Status, names: Names) -> list[str]:
    """Return the lines about declaring: the condition, and the gain if all opponents leave."""
    condition, opponents = say("with 15 or more"), seats_of(1 - situation.own, len(status))
    undecided = [seat for seat in opponents if status[seat] == "undecided"]
    if not undecided or any(status[seat] == "stayed" for seat in opponents):
        return [condition]
    when = say("if both leave:") if len(undecided) > 1 else say("if {name} leaves:", name=names[undecided[0]])
    return [condition, _fixed_line(when, stakes.total_if_won(situation, "left"))]


def _predict_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    stones = _stepper(say_in("number of stones", "Bet"), 1, table["options"]["max_bet"])
    return {
        "kind": "predict",
        "prediction": _prediction_fields(situation, [("predict", PREDICT)], stones, range(4), start=2),
    }


def _reply_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    most = max((move["plus"] for move in moves if "plus" in move and "tricks" not in move), default=0)
    words = [("suspect", say_in("button", "Suspect, predict")), ("deduce", say_in("button", "Deduce, predict"))]
    instead = _replacing_prediction(situation, moves, ADD, words)
    ways = [("answer", say_in("button", "Answer"))]
    ways += [("raise", RAISE)] if most else []
    ways += [("top", PREDICT_INSTEAD)] if instead else []
    believed, doubted = stakes.of_answer(situation, "deduce"), stakes.of_answer(situation, "suspect")
    return {
        "kind": "reply",
        "ways": ways if len(ways) > 1 else [],
        "calls": side_by_side(
            button("deduce", DEDUCE, say("I believe it"), *_totals_lines(table, names, believed)),
            button("suspect", SUSPECT, say("I doubt it"), *_totals_lines(table, names, doubted)),
            _out_button(table, situation, names),
        ),
        "raise": _raise_fields(table, names, most, believed, doubted) if most else None,
        "instead": instead,
    }


@cache_by_language()  # One entry for each bet.
def _bets_in_words(offered: int, most: int) -> str:
    """Return the bet in words with 0 to `most` added stones, as JSON."""
    return json.dumps([stone_words(offered + more) for more in range(most + 1)], ensure_ascii=False)


def _raise_fields(
    table: Table, names: Names, most: int, believed: Iterable[Totals], doubted: Iterable[Totals]
) -> Panel:
    deduce, suspect = say_in("button", "Deduce, raise"), say_in("button", "Suspect, raise")
    return {
        "stones": _stepper(ADD, 1, most),
        "words": _bets_in_words(table["bet"]["offered"], most),
        "calls": side_by_side(
            button("deduce", deduce, *_totals_lines(table, names, believed, "plus"), field="plus"),
            button("suspect", suspect, *_totals_lines(table, names, doubted, "plus"), field="plus"),
        ),
    }


def _raise_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    kind = moves[0]["type"]
    bet = say("the bet is {stones}", stones=table["bet"]["offered"])
    lines = _totals_lines(table, names, stakes.of_answer(situation, table["answer"]))
    accept = button(kind, IN if kind == "in" else say_in("button", "Accept"), bet, *lines)
    return {"kind": "calls", "calls": side_by_side(accept, _out_button(table, situation, names))}


def _side_bet_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    most = max((move["bet"] for move in moves if "bet" in move and "tricks" not in move), default=0)
    ours = declaring_side(table) == situation.own
    instead = _replacing_prediction(situation, moves, say_in("number of stones", "Bet"), [("side_bet", PREDICT)])
    raised = ours and complete_options(table["options"])["side_changes"] == "closed"
    heading = say_in("button", "Raise the prediction") if raised else PREDICT_INSTEAD
    betting, aim = stakes.of_betting(situation), say("that it comes true" if ours else "that it fails")
    return {
        "kind": "side_bet",
        "ways": [("answer", say_in("button", "Bet stones")), ("top", heading)] if instead and most else [],
        "stones": _stepper(say_in("number of stones", "Bet"), 1, most) if most else None,
        "bet": button("side_bet", BET, aim, *_totals_lines(table, names, betting, "bet"), field="bet"),
        "instead": instead,
        "passing": button("pass", say_in("button", "Pass"), *_totals_lines(table, names, betting)),
    }


def _side_reply_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    assert table["side_offer"] is not None
    offered = table["side_offer"]["bet"]
    more = say("{stones} more at stake", stones=stone_words(offered))
    join = button("in", IN, more, *_totals_lines(table, names, stakes.of_side_bet(situation, offered)))
    return {"kind": "calls", "calls": side_by_side(join, _out_button(table, situation, names))}


_PANELS: dict[str, Callable[[Table, Situation, list[Move], Names], Panel]] = {
    "predict": _predict_panel,
    "reply": _reply_panel,
    "raise": _raise_panel,
    "side_bet": _side_bet_panel,
    "side_reply": _side_reply_panel,
}
