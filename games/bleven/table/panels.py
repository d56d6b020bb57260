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

    moves: the legal moves; none if others must move first. All panels have the keys of `panel` below: the calls so far
    in words ("auction"), a warning ("note"), a task, and whether to explain the figures on buttons ("legend").
    """
    phase, seat = table["phase"], own_seat(table)
    panel: Panel = {"auction": "", "note": "", "task": "", "legend": False}
    if phase == "discard" and moves:
        return panel | _discard_panel(table)
    # In these phases players change cards, and then stay in the round or leave it. The buttons for that are drawn
    # before the turn comes, closed, so that the player can read what they cost.
    if phase in ("turn", "discard", "poll") and table["status"][seat] == "undecided":
        return panel | _turn_panel(table, moves, names)
    if not moves:
        return panel | {"kind": "wait", "lines": _waiting_lines(table, names)}
    spoken = auction_words(table["said"], names)
    panel |= {
        "auction": capital(spoken) if " · " in spoken else "",  # The sentence above the hand has a single call already.
        "note": _weak_field_note(table, names),
        "legend": True,
    }
    # In each of the other phases the player must do one thing, such as predict tricks or answer a bet.
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
    """Return a button that makes a move, which it sends as JSON.

    kind: the type of the move. label: trusted text. below: lines under the label, as plain text or as Markup. closed:
    whether the move is illegal. input_name: the form field where the player chooses a number of stones, or "". The
    number has the same key in the move.
    """
    stones = f',"{input_name}":{_from_field(input_name)}' if input_name else ""
    move = f'{{"type":"{kind}"{stones}}}'
    # The ids differ, because a page may have buttons for an answer with and without a raise (its key is "plus").
    html_id = f"raise-{kind}" if input_name == "plus" else f"call-{kind}"
    lines = [line if isinstance(line, Markup) else f"<small>{escape(str(line))}</small>" for line in below]
    words = f"<b>{label}</b>" + "".join(lines)
    return call_button(html_id, move, words, CLASSES.get(kind, "call"), closed)


def _predicting_button(kind: str, label: str, has_stones: bool, has_positions: bool) -> Markup:
    """Return a button that makes the prediction which the player has chosen in form fields. It sends JSON.

    kind: the type of the move. has_stones, has_positions: whether there are form fields for these. Without the first,
    the prediction adds no stones to the bet. Positions say which of the tricks will be won.
    """
    # All but the first prediction replace another. The ids differ from those of the same moves without a prediction.
    html_id = "call-predict" if kind == "predict" else f"call-top-{kind}"
    stones_key = "plus" if kind in ANSWERS else "bet"
    stones = _from_field("stones") if has_stones else "0"
    positions = f',"positions":[{_from_field("positions")}]' if has_positions else ""
    move = f'{{"type":"{kind}","{stones_key}":{stones},"tricks":{_from_field("tricks")}{positions}}}'
    return call_button(html_id, move, figure(label), CLASSES["predict"])


def _from_field(name: str) -> str:
    """Return JSON that stands for a value in a move. A script replaces it by the value of the form field `name`."""
    return f'{{"field":"{name}"}}'


def _totals_line(when: str, totals: Sequence[tuple[int, int]], input_name: str = "") -> Markup:
    """Return a line with what the round may bring in one case, in stones: "if right: +3 to +10".

    when: the words for the case. totals: pairs of a total and its change for each stone that the player adds, in
    ascending order. input_name: the form field where the player chooses the added stones, or "".
    """
    are_few = len(totals) < 3  # Two totals are joined by "or". Of more, the line names the lowest and the highest.
    named_totals = totals if are_few else [totals[0], totals[-1]]
    joint = say_in("between two figures", "or" if are_few else "to")
    figures = [_total_figure(total, change, input_name) for total, change in named_totals]
    return Markup(f'<small class="if">{case_line(when, figures, joint)}</small>')


def _fixed_line(when: str, total: int) -> Markup:
    """Return the line of a case with a single total."""
    return _totals_line(when, [(total, 0)])


@lru_cache(4096)
def _total_figure(total: int, change: int, input_name: str = "") -> str:
    """Return a total in stones as markup. If the player can add stones to the bet, a script updates it.

    change: what each added stone changes in the total. input_name: the form field for added stones, or "".
    """
    if not input_name or not change:
        return figure(_stones_signed(total))
    first_total = total + change  # The form field starts at one stone.
    return changing_figure(_stones_signed(first_total), input_name, times=change, add=total)


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
    lose; "alone" if the cards of the player and the partner both do; "" for any case.
    """
    if case == "short":
        return say("if {names} under 15:", names=side_names(1 - side_of(own_seat(table)), names))
    if case == "alone":
        return say("if {names} under 15 too:", names=names[_partner_of(own_seat(table))])
    return _CASE_WORDS[case]


def _out_button(table: Table, situation: Situation, names: Names) -> Markup:
    """Return the button that gives the round up ("out"), with its cost in stones.

    situation: what the player knows that affects the payments.
    """
    partner = _partner_of(own_seat(table))
    total = stakes.total_if_lost(situation, "out")
    has_partner_in = table["seats"] == 4 and table["status"][partner] == "stayed"
    if has_partner_in:  # The partner answers instead. Only if the partner goes out too, their side loses the round.
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
    its label. stones: the field for stones, or None if none may be added. tricks: the numbers of tricks to choose from.
    start: the number selected at first.
    """
    has_positions = not situation.state.tricks  # Only before the first trick may one say which tricks will be won.
    positions = [{"number": Markup(place), "words": ORDINALS[place]} for place in ORDINALS] if has_positions else []
    buttons = [_predicting_button(kind, label, bool(stones), has_positions) for kind, label in calls]
    return {
        "calls": Markup("".join(buttons)),
        "stones": stones,
        "tricks": [{"number": Markup(number), "start": number == start} for number in tricks],
        "positions": positions,
        # The points for each count of right tricks and positions: two rows of a table, and JSON for the script.
        "worths_counted": WORTHS_COUNTED,
        "worths": WORTHS_DRAWN,
        "points": WORTHS_JSON,
        "counted": Markup("tricks positions" if has_positions else "tricks"),  # the fields that the script counts
        "totals": _prediction_totals(situation, start, int(stones["start"]) if stones else 0),
    }


def _prediction_totals(situation: Situation, tricks: int, stones: int) -> Sequence[Panel]:
    """Return the data of the lines below the form fields of a prediction: "If it is right: +3 or +7".

    Each line is for one case. It has a figure if the opponents believe the prediction, and one if they doubt it, unless
    the case does not occur then. tricks, stones: the values selected at first. When the player selects others, a script
    sets each figure to "add" + "times" x stones. In the line "right" it adds the points of the prediction too.
    """
    # By answer of the opponents and by case, pairs of a total and its change for each stone. Here the prediction names
    # no positions, so every case has a single pair.
    measured = max(tricks, 1)  # No tricks gain no points, so "right" and "wrong" would be one case; more are not.
    answers = [dict(stakes.of_predicting(situation, answer, measured)) for answer in ANSWERS]
    lines = []
    for case, when in _PREDICTED_CASE_WORDS.items():
        is_right = case == "right"
        measured_points, points = (triangular(measured), triangular(tricks)) if is_right else (0, 0)
        figures = []
        for total, change in [totals_by_case[case][0] for totals_by_case in answers if case in totals_by_case]:
            fixed_part = total - measured_points
            words = _stones_signed(fixed_part + points + change * stones)
            figures.append({"words": words, "times": Markup(change), "add": Markup(fixed_part)})
        if figures:
            lines.append({"when": when, "figures": figures, "right": is_right})
    return lines


_PREDICTED_CASE_WORDS = {
    "": lazy("In any case"),
    "right": lazy("If it is right"),
    "wrong": lazy("If it is wrong"),
}


def _replacing_prediction(situation: Situation, moves: list[Move], label: str, calls: Calls) -> Panel | None:
    """Return the data of the form fields for a prediction that replaces the present one. None if no such move is legal.

    situation: what the player knows that affects the payments. moves: the legal moves. label: the name of the field for
    stones. calls: for each button a pair of its type of move and its label.
    """
    predictions = [move for move in moves if "tricks" in move]
    if not predictions:
        return None
    tricks = sorted({move["tricks"] for move in predictions})
    stones = [added_stones(move) for move in predictions]
    least, most = min(stones), max(stones)
    stones_field = _stepper(label, least, most) if most else None  # If no stones can be added, there is no field.
    return _prediction_fields(situation, calls, stones_field, tricks, start=tricks[0])


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
    sentence = "Below each card is the sum that the other three have. With {enough} you may declare."
    return {"kind": "discard", "task": say("Tap the card to discard"), "lines": [say(sentence, enough=MIN_SUM)]}


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
    """Return the buttons of a turn: draw, stay, declare and leave. Illegal ones are closed, that is, look inactive.

    situation: what the player knows that affects the payments. status: of each seat in the round. discards: how many
    the player has made. kinds: the types of the legal moves. reader: the names of all players and the player's seat.
    """
    names, partner = Names(*reader), _partner_of(seat=reader[1])
    draw, stay = say_in("button", "Draw"), say_in("button", "Stay")
    declare, leave = say_in("button", "Declare"), say_in("button", "Leave")
    may_stay = "stay" in kinds
    return side_by_side(
        button("draw", draw, _discard_words(discards), closed="draw" not in kinds),
        button("stay", stay, say("keep this field"), _stay_line(situation, status, partner), closed=not may_stay),
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
    """Return the line about leaving the round: its cost in stones. A pair loses them only if both partners leave.

    situation: what the player knows that affects the payments. status: of each seat in the round.
    """
    total = stakes.total_if_lost(situation, "left")
    needs_partner_to_leave = len(status) == 4 and status[partner] != "left"
    when = say("if {name} leaves too:", name=names[partner]) if needs_partner_to_leave else ""
    return _fixed_line(when, total)


def _declare_lines(situation: Situation, status: Status, names: Names) -> list[str]:
    """Return the lines about declaring: the condition, and what it brings if all opponents then leave the round.

    To declare is to end the changing of cards. The other players then stay in the round or leave it. situation: what
    the player knows that affects the payments. status: of each seat in the round.
    """
    condition = say("with 15 or more")
    opponents = seats_of(1 - situation.own, len(status))
    undecided = [seat for seat in opponents if status[seat] == "undecided"]
    # An opponent who has said "stay" can leave no more.
    may_all_leave = undecided and not any(status[seat] == "stayed" for seat in opponents)
    if not may_all_leave:
        return [condition]
    when = say("if both leave:") if len(undecided) > 1 else say("if {name} leaves:", name=names[undecided[0]])
    return [condition, _fixed_line(when, stakes.total_if_won(situation, "left"))]


def _predict_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where the declarer predicts the tricks of their side and bets on it.

    All functions in `_PANELS` take the same arguments. situation: what the player knows that affects the payments.
    """
    stones = _stepper(say_in("number of stones", "Bet"), 1, table["options"]["max_bet"])
    return {
        "kind": "predict",
        # A round has as many tricks as a player has cards.
        "prediction": _prediction_fields(situation, [("predict", PREDICT)], stones, range(FIELD_SIZE + 1), start=2),
    }


def _reply_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player answers a prediction.

    The player believes it (deduce) or doubts it (suspect). Either answer may also raise the bet, or predict more
    instead. The player may give the round up, too. situation: what the player knows that affects the payments.
    """
    most = _most_stones(moves, "plus")
    calls = [("suspect", say_in("button", "Suspect, predict")), ("deduce", say_in("button", "Deduce, predict"))]
    instead = _replacing_prediction(situation, moves, ADD, calls)
    ways = [("answer", say_in("button", "Answer"))]  # The player picks a way first, and then sees its buttons.
    ways += [("raise", RAISE)] if most else []
    ways += [("top", PREDICT_INSTEAD)] if instead else []
    believed, doubted = stakes.of_answer(situation, "deduce"), stakes.of_answer(situation, "suspect")
    return {
        "kind": "reply",
        "ways": ways if len(ways) > 1 else [],  # A single way needs no choice.
        "calls": side_by_side(
            button("deduce", DEDUCE, say("I believe it"), *_totals_lines(table, names, believed)),
            button("suspect", SUSPECT, say("I doubt it"), *_totals_lines(table, names, doubted)),
            _out_button(table, situation, names),
        ),
        "raise": _raise_fields(table, names, most, believed, doubted) if most else None,
        "instead": instead,  # the form fields of a new prediction, or None
    }


def _most_stones(moves: list[Move], key: str) -> int:
    """Return the most stones that a move may add to the bet on the prediction as it stands. key: of the stones."""
    return max((move[key] for move in moves if key in move and "tricks" not in move), default=0)


@cache_by_language()  # One entry for each bet.
def _bets_in_words(offered: int, most: int) -> str:
    """Return the bet in words with 0 to `most` added stones, as JSON."""
    return json.dumps([stone_words(offered + more) for more in range(most + 1)], ensure_ascii=False)


def _raise_fields(
    table: Table, names: Names, most: int, believed: Iterable[Totals], doubted: Iterable[Totals]
) -> Panel:
    """Return the data of the form field and buttons that raise the bet on a prediction.

    A player who believes the prediction (deduce) or doubts it (suspect) may add stones to the bet. most: the most that
    may be added. believed, doubted: what the round may bring after each answer.
    """
    deduce, suspect = say_in("button", "Deduce, raise"), say_in("button", "Suspect, raise")
    return {
        "stones": _stepper(ADD, 1, most),
        "words": _bets_in_words(table["bet"]["offered"], most),  # A script shows the words for the chosen number.
        "calls": side_by_side(
            button("deduce", deduce, *_totals_lines(table, names, believed, "plus"), input_name="plus"),
            button("suspect", suspect, *_totals_lines(table, names, doubted, "plus"), input_name="plus"),
        ),
    }


def _raise_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player accepts a raise of the bet or gives the round up.

    situation: what the player knows that affects the payments.
    """
    kind = moves[0]["type"]  # The move that accepts comes first: "accept" or, after a trick, "in".
    bet = say("the bet is {stones}", stones=table["bet"]["offered"])
    lines = _totals_lines(table, names, stakes.of_answer(situation, table["answer"]))
    accept = button(kind, IN if kind == "in" else say_in("button", "Accept"), bet, *lines)
    return {"kind": "calls", "calls": side_by_side(accept, _out_button(table, situation, names))}


def _side_bet_panel(table: Table, situation: Situation, moves: list[Move], names: Names) -> Panel:
    """Return the data of the panel where a player may bet between two tricks: on the prediction, or on a new one.

    The side that made the prediction bets that it comes true, the other that it fails. situation: what the player knows
    that affects the payments.
    """
    most = _most_stones(moves, "bet")
    is_own_prediction = declaring_side(table) == situation.own
    stones_label = say_in("number of stones", "Bet")
    instead = _replacing_prediction(situation, moves, stones_label, [("side_bet", PREDICT)])
    # By this option a side can only raise its own prediction.
    only_higher = is_own_prediction and complete_options(table["options"])["side_changes"] == "closed"
    heading = say_in("button", "Raise the prediction") if only_higher else PREDICT_INSTEAD
    aim = say("that it comes true" if is_own_prediction else "that it fails")
    betting = stakes.of_betting(situation)  # Without added stones these are the totals of a pass.
    return {
        "kind": "side_bet",
        # The player picks a way first, if there are two.
        "ways": [("answer", say_in("button", "Bet stones")), ("top", heading)] if instead and most else [],
        "stones": _stepper(stones_label, 1, most) if most else None,
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
