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
    """Return the data of a player's panel: the buttons for its legal moves, or sentences about what it waits for.

    moves: the legal moves; none if others must move first.
    """
    phase, seat = table["phase"], own_seat(table)
    panel: Panel = {"auction": "", "note": "", "task": "", "legend": False}
    if phase == "discard" and moves:
        return panel | _discard_panel(table)
    # The buttons of a turn are drawn before it comes, closed, so that the player can read what they cost.
    if phase in ("turn", "discard", "poll") and table["status"][seat] == "undecided":
        return panel | _turn_panel(table, moves, names)
    if not moves:
        return panel | {"kind": "wait", "lines": _waiting_lines(table, names)}
    spoken = auction_words(table["said"], names)
    panel |= {
        "auction": capital(spoken) if " · " in spoken else "",  # The question to the player repeats a single call.
        "note": _weak_field_note(table, names),
        "legend": True,
    }
    return panel | _PANELS[phase](table, stakes.situation_of(table), moves, names)


def _waiting_lines(table: Table, names: Names) -> list[str]:
    """Return the sentences for a player who has nothing to do: its part in the round, or the prediction and last call.

    The declarer is the player who predicts how many tricks their side will win.
    """
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
    """Return a warning if the player's three cards add up to less than 15, or "". Such cards win no round."""
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


def button(kind: str, label: str, *below: str, closed: bool = False, input_name: str = "") -> Markup:
    """Return a button that makes a move.

    kind: the type of the move. label: trusted text. below: lines under the label, as plain text or as Markup. closed:
    whether the move is illegal. input_name: the form field where the player chooses a number of stones, or "". The
    number has the same key in the move.
    """
    # A script replaces {"field": name} in a move by the value of that form field.
    stones = f',"{input_name}":{{"field":"{input_name}"}}' if input_name else ""
    name = f"raise-{kind}" if input_name == "plus" else f"call-{kind}"
    smaller = [line if isinstance(line, Markup) else f"<small>{escape(str(line))}</small>" for line in below]
    words = f"<b>{label}</b>" + "".join(smaller)
    return call_button(name, f'{{"type":"{kind}"{stones}}}', words, CLASSES.get(kind, "call"), closed)


def _predicting_button(kind: str, label: str, stones: bool, positions: bool) -> Markup:
    """Return a button that makes the prediction which the player has chosen in form fields.

    kind: the type of the move. stones, positions: whether the player chooses these too. If not, the prediction adds no
    stones to the bet, or names no positions (which of the tricks will be won).
    """
    name, key = f"call-{'' if kind == 'predict' else 'top-'}{kind}", "plus" if kind in ANSWERS else "bet"
    # A script replaces {"field": name} in a move by the value of that form field.
    added = '{"field":"stones"}' if stones else "0"
    named = ',"positions":[{"field":"positions"}]' if positions else ""
    move = f'{{"type":"{kind}","{key}":{added},"tricks":{{"field":"tricks"}}{named}}}'
    return call_button(name, move, figure(label), CLASSES["predict"])


def _totals_line(when: str, totals: Sequence[tuple[int, int]], input_name: str = "") -> Markup:
    """Return a line with what the round may bring in one case, in stones: "if right: +3 to +10".

    when: the words for the case. totals: ascending pairs of a total and its change for each stone that the player adds.
    input_name: the form field where the player chooses the added stones, or "".
    """
    is_list = len(totals) < 3
    ends = totals if is_list else [totals[0], totals[-1]]
    joint = say_in("between two figures", "or" if is_list else "to")
    line = case_line(when, [_total_figure(total, change, input_name) for total, change in ends], joint)
    return Markup(f'<small class="if">{line}</small>')


def _fixed_line(when: str, total: int) -> Markup:
    """Return the line of a case with a single total."""
    return _totals_line(when, [(total, 0)])


@lru_cache(4096)
def _total_figure(total: int, change: int, input_name: str = "") -> str:
    """Return a total in stones as markup. A script updates it when the player adds stones to the bet.

    change: of the total for each stone. input_name: the form field of the stones, which starts at one stone, or "".
    """
    if not (input_name and change):
        return figure(_stones_signed(total))
    return changing_figure(_stones_signed(total + change), input_name, change, total)


def _stones_signed(total: int) -> Markup:
    """Return a total with its sign."""
    return as_markup(with_sign(total, plus=True))


def _totals_lines(table: Table, names: Names, outcomes: Iterable[Totals], input_name: str = "") -> list[Markup]:
    """Return a line for each case. input_name: the form field of the stones that the player adds, or ""."""
    return [_totals_line(_case_words(case, table, names), totals, input_name) for case, totals in outcomes]


_CASE_WORDS = {"": lazy("in any case:"), "right": lazy("if right:"), "wrong": lazy("if wrong:")}


def _case_words(case: str, table: Table, names: Names) -> str:
    """Return the words before the totals of a case, such as "if right:".

    case: "right" or "wrong" for the prediction; "short" if the opponents' cards add up to less than 15, so that they
    lose; "alone" if the cards of both partners do; "" for any case.
    """
    if case == "short":
        return say("if {names} under 15:", names=side_names(1 - side_of(own_seat(table)), names))
    if case == "alone":
        return say("if {names} under 15 too:", names=names[_partner_of(own_seat(table))])
    return _CASE_WORDS[case]


def _out_button(table: Table, situation: Situation, names: Names) -> Markup:
    """Return the button that gives the round up, with its cost in stones. A partner who is still in answers instead.

    situation: what the player knows that affects the payments.
    """
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
    """Return the data of the form fields of a prediction, of what it may bring, and of its buttons.

    situation: what the player knows that affects the payments. calls: for each button a pair of its type of move and
    its label. stones: the field for stones, or None if none may be added. tricks: the possible numbers. start: the
    number selected at first.
    """
    positions = not situation.state.tricks  # Only before the first trick may one say which tricks will be won.
    buttons = [_predicting_button(kind, label, bool(stones), positions) for kind, label in calls]
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
    """Return the data of the lines below the form fields of a prediction: "If it is right: +3 or +7".

    The figures of a line are for opponents who believe the prediction, and for opponents who doubt it. tricks, stones:
    the values selected at first. A script updates the figures to "add" + "times" x stones + points.
    """
    answers = {answer: dict(stakes.of_predicting(situation, answer, tricks)) for answer in ANSWERS}
    points, lines = triangular(tricks), []
    for case, when in _PREDICTED_CASE_WORDS.items():
        points_included = points if case == "right" else 0  # The script adds the points if the line is "right".
        totals = [outcomes[case][0] for outcomes in answers.values() if case in outcomes]
        figures = [
            {
                "words": _stones_signed(total + change * stones),
                "times": Markup(change),
                "add": Markup(total - points_included),
            }
            for total, change in totals
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
    """Return the data of the form fields for a prediction that replaces the present one. None if no such move is legal.

    situation: what the player knows that affects the payments. label: of the field for stones. calls: for each button a
    pair of its type of move and its label.
    """
    predicting = [move for move in moves if "tricks" in move]
    if not predicting:
        return None
    numbers = sorted({move["tricks"] for move in predicting})
    stones = sorted({added_stones(move) for move in predicting})
    stepper = _stepper(label, stones[0], stones[-1]) if stones[-1] else None  # None if 0 is the only choice.
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
    """Return the buttons of a turn: draw, stay, declare and leave. Illegal ones are closed.

    situation: what the player knows that affects the payments. status: of each seat in the round. discards: how many
    the player has made. kinds: the types of the legal moves. reader: the names of all players and the player's seat.
    """
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
    """Return the line about leaving the round: its cost in stones. A pair loses them only if both partners leave."""
    total = stakes.total_if_lost(situation, "left")
    if len(status) == 4 and status[partner] != "left":
        return _fixed_line(say("if {name} leaves too:", name=names[partner]), total)
    return _fixed_line("", total)


def _declare_lines(situation: Situation, status: Status, names: Names) -> list[str]:
    """Return the lines about declaring: the condition, and what it brings if all opponents then leave the round.

    situation: what the player knows that affects the payments. status: of each seat in the round.
    """
    condition, opponents = say("with 15 or more"), seats_of(1 - situation.own, len(status))
    undecided = [seat for seat in opponents if status[seat] == "undecided"]
    # An opponent who has said "stay" can leave no more.
    if not undecided or any(status[seat] == "stayed" for seat in opponents):
        return [condition]
    when = say("if both leave:") if len(undecided) > 1 else say("if {name} leaves:", name=names[undecided[0]])
    return [condition, _fixed_line(when, stakes.total_if_won(situation, "left"))]


def _predict_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where the declarer predicts the tricks of their side and bets on it."""
    stones = _stepper(say_in("number of stones", "Bet"), 1, table["options"]["max_bet"])
    return {
        "kind": "predict",
        "prediction": _prediction_fields(situation, [("predict", PREDICT)], stones, range(4), start=2),
    }


def _reply_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player answers a prediction.

    The player believes it (deduce) or doubts it (suspect), raises the bet, predicts more instead, or gives up.
    situation: what the player knows that affects the payments.
    """
    # The most stones that may be added to the bet on the prediction as it stands.
    most = max((move["plus"] for move in moves if "plus" in move and "tricks" not in move), default=0)
    calls = [("suspect", say_in("button", "Suspect, predict")), ("deduce", say_in("button", "Deduce, predict"))]
    instead = _replacing_prediction(situation, moves, ADD, calls)
    ways = [("answer", say_in("button", "Answer"))]  # The player picks a way first, and then sees its buttons.
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
    """Return the data of the form field and buttons that raise the bet on a prediction.

    most: the most stones that may be added. believed, doubted: what the round may bring after each answer.
    """
    deduce, suspect = say_in("button", "Deduce, raise"), say_in("button", "Suspect, raise")
    return {
        "stones": _stepper(ADD, 1, most),
        "words": _bets_in_words(table["bet"]["offered"], most),
        "calls": side_by_side(
            button("deduce", deduce, *_totals_lines(table, names, believed, "plus"), input_name="plus"),
            button("suspect", suspect, *_totals_lines(table, names, doubted, "plus"), input_name="plus"),
        ),
    }


def _raise_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player accepts a raise of the bet or gives the round up.

    situation: what the player knows that affects the payments.
    """
    kind = moves[0]["type"]  # "accept" or, after a trick, "in"
    bet = say("the bet is {stones}", stones=table["bet"]["offered"])
    lines = _totals_lines(table, names, stakes.of_answer(situation, table["answer"]))
    accept = button(kind, IN if kind == "in" else say_in("button", "Accept"), bet, *lines)
    return {"kind": "calls", "calls": side_by_side(accept, _out_button(table, situation, names))}


def _side_bet_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player may bet between two tricks: on the prediction, or on a new one.

    situation: what the player knows that affects the payments.
    """
    # The most stones that may be bet on the prediction as it stands.
    most = max((move["bet"] for move in moves if "bet" in move and "tricks" not in move), default=0)
    ours = declaring_side(table) == situation.own
    instead = _replacing_prediction(situation, moves, say_in("number of stones", "Bet"), [("side_bet", PREDICT)])
    # By this option a side can only raise its own prediction.
    only_higher = ours and complete_options(table["options"])["side_changes"] == "closed"
    heading = say_in("button", "Raise the prediction") if only_higher else PREDICT_INSTEAD
    aim = say("that it comes true" if ours else "that it fails")
    betting = stakes.of_betting(situation)  # Without added stones these are the totals of a pass.
    return {
        "kind": "side_bet",
        "ways": [("answer", say_in("button", "Bet stones")), ("top", heading)] if instead and most else [],
        "stones": _stepper(say_in("number of stones", "Bet"), 1, most) if most else None,
        "bet": button("side_bet", BET, aim, *_totals_lines(table, names, betting, "bet"), input_name="bet"),
        "instead": instead,
        "passing": button("pass", say_in("button", "Pass"), *_totals_lines(table, names, betting)),
    }


def _side_reply_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player joins an opponent's bet between two tricks, or gives the round up.

    situation: what the player knows that affects the payments.
    """
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
