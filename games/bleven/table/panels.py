"""What a seat of Bleven is asked: the sentence above its cards, its cards and their sum, the panels to answer by."""

from itertools import combinations

from games.bleven.rules.pack import VALUE, field_sum
from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import ENOUGH
from games.bleven.table.words import (
    ORDINALS,
    auction_words,
    outcome,
    prediction_words,
    said_words,
    side_does,
    side_names,
    stone_words,
)
from games.kit.hands import drawn_row
from games.kit.markup import NOTHING, Markup, filled
from games.kit.words import joined, plural

ENDED = ("deal", "over")  # the phases in which the last round still lies on the table
FOLDED = ("left", "out")

# What is expected of a seat


DOING = {
    "discard": "to discard",
    "poll": "to stay or leave",
    "predict": "to predict",
    "reply": "to answer",
    "raise": "to answer the raise",
    "side_bet": "to bet or pass",
    "side_reply": "to answer the side bet",
}


def expected_of(table, moves, names):
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if phase == "over":
        return _end_sentence(table, names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[actor]} is {DOING.get(phase, 'to act')}."
    offered = table["bet"]["offered"]
    if phase == "turn":
        if {"type": "draw"} not in moves:
            return "Five discards: stay with this field, or leave the round."
        return "Your turn. Draw, or declare." if {"type": "declare"} in moves else "Your turn. Draw a card."
    if phase == "discard":
        return "Discard one of your four cards."
    if phase == "poll":
        return f"{names[table['declarer']]} declares. Do you stay?"
    if phase == "predict":
        return (
            "You are the declarer. What will your side win?"
            if table["seats"] > 2
            else "You declare: what will you win?"
        )
    if phase == "reply":
        return f"{names[table['declarer']]} predicts {prediction_words(table['prediction'])}. Your answer?"
    if phase == "raise":
        return f"{names[table['replier']]} raises the bet to {offered}. Your answer?"
    if phase == "side_bet":
        return "A side bet before the next trick?"
    return f"{names[table['side_offer']['seat']]} bets {stone_words(table['side_offer']['bet'])} more. Are you in?"


def _scored_sentence(table, names):
    last, seat = table["last_round"], table["seat"]
    if not last:
        return f"{names[table['dealer']]} is about to deal."
    ended = outcome(last, names)
    if seat is None or last["winner"] is None:
        return f"{ended}."
    mine = last["stones"][seat % 2]
    whose = "You" if table["seats"] == 2 else "Your side"
    gets = "get" if table["seats"] == 2 else "gets"
    return f"{ended}. {whose} {gets} {stone_words(mine) if mine else 'nothing'}."


def _end_sentence(table, names):
    seat, winner = table["seat"], table["winner"]
    total = stone_words(table["totals"][winner])
    if seat is not None and seat % 2 == winner:
        partner = [name for other, name in enumerate(names) if other % 2 == winner and other != seat]
        return f"{joined(['You', *partner])} win with {total}."
    return f"{side_does(winner, names, 'wins', 'win')} with {total}."


# The hand


def hand_of_field(table, moves):
    hand = table["hand"]
    if table["phase"] != "discard" or not moves:
        return drawn_row(hand)
    total = field_sum(hand)
    notes = {card: f"leaves {total - VALUE[card]}" for card in hand}
    return drawn_row(hand, "discard", notes, table["drawn"])


def own_sum(table):
    """The sum of the seat's field, cards played included."""
    seat = table["seat"]
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    return field_sum([*table["hand"], *played])


def sum_of(table):
    """The sum of the own field against 15; None where it is not this seat's any more."""
    seat = table["seat"]
    if table["status"][seat] not in ("undecided", "stayed"):
        return None
    if len(table["hand"]) > 3:
        return {"classes": "field-sum", "number": str(field_sum(table["hand"])), "words": "in four cards"}
    total = own_sum(table)
    if total >= ENOUGH:
        return {"classes": "field-sum enough", "number": str(total), "words": "15 or more"}
    return {"classes": "field-sum short", "number": str(total), "words": f"{ENOUGH - total} short of 15"}


# The panels


def panel_of(table, moves, names):
    """What a seat may say now, or what it waits for."""
    phase = table["phase"]
    if phase in ("turn", "discard", "poll") and table["status"][table["seat"]] == "undecided":
        return _turn_panel(table, moves, names)
    if not moves:
        return {"kind": "wait", "lines": _waiting(table, names)}
    return _PANELS[phase](table, moves, names) | {"auction": auction_words(table["said"], names)}


def _waiting(table, names):
    seat, status = table["seat"], table["status"][table["seat"]]
    if status in FOLDED:
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


def _call(kind, label, small, open_, classes="call"):
    return {
        "kind": kind,
        "id": f"call-{kind}",
        "value": Markup(f'{{"type":"{kind}"}}'),
        "classes": classes,
        "state": NOTHING if open_ else Markup(' aria-disabled="true"'),
        "label": label,
        "small": small,
    }


def _turn_panel(table, moves, names):
    seat, seats = table["seat"], table["seats"]
    kinds = {move["type"] for move in moves}
    discards = len(table["reserves"][seat])
    cost = seats // 2
    to_whom = "the other side" if seats == 4 else names[1 - seat]
    partner_gone = seats == 4 and table["status"][(seat + 2) % 4] == "left"
    gives = f"gives {to_whom} {stone_words(cost)}"
    leaves = gives if seats == 2 or partner_gone else f"if both do: {gives}"
    return {
        "kind": "turn",
        "calls": [
            _call("draw", "Draw", f"{discards} of 5 done" if discards else "then discard one", "draw" in kinds),
            _call("stay", "Stay", "keep this field", "stay" in kinds),
            _call("declare", "Declare", "with 15 or more", "declare" in kinds),
            _call("leave", "Leave", leaves, "leave" in kinds, "call away"),
        ],
    }


def _numbers(table, words, least, most, start=None):
    return {"label": words, "least": str(least), "most": str(most), "start": str(least if start is None else start)}


def _tricks_field(least, most, start, positions):
    """Radio buttons for the number of tricks, and boxes for their positions where there are any."""
    return {
        "numbers": [{"number": str(number), "start": number == start} for number in range(least, most + 1)],
        "positions": [{"number": str(place), "words": ORDINALS[place]} for place in ORDINALS] if positions else [],
        "worths": [plural(triangular(count), "point") for count in range(7)],
    }


def _unless(table):
    """When the bet is lost with the prediction."""
    return "" if table["options"]["deduced_miss"] == "bet" else " if suspected"


def _predict_panel(table, moves, names):
    most = table["options"]["max_bet"]
    return {
        "kind": "predict",
        "unless": _unless(table),
        "bet": _numbers(table, "Bet", 1, most),
        "tricks": _tricks_field(0, 3, 2, positions=True),
    }


def _out_words(table, names):
    """What it means for the seat to go out."""
    seat, seats = table["seat"], table["seats"]
    partner = (seat + 2) % seats
    if seats == 4 and table["status"][partner] == "stayed":
        return f"{names[partner]} answers instead"
    bet = table["bet"]
    lost = seats + bet["accepted"] + bet["side_bets"]  # 1 stone a player for the round, 1 for going out
    return f"gives {stone_words(lost)}"


def _possible_points(prediction, right):
    """The points that the declaring side may have, ascending, over all tricks it might win."""
    tricks, positions = prediction["tricks"], set(prediction["positions"])
    outcomes = [set(won) for count in range(4) for won in combinations(ORDINALS, count) if (count == tricks) == right]
    return sorted({triangular(tricks * right + len(won & positions)) for won in outcomes})


def _points_words(points):
    """ "6 points", "3 or 6 points", and nothing for none."""
    return f"{' or '.join(map(str, points))} {'point' if points == [1] else 'points'}" if points != [0] else ""


def _to(whom, *shares):
    """ "6 points and 4 stones to Ana", "4 stones to you", "nothing"."""
    shares = [share for share in shares if share]
    return (
        filled("{} to {}", Markup(" and ".join(filled("{}", share) for share in shares)), whom) if shares else "nothing"
    )


def _can_win(table):
    """Whether the own field lets the own side win this round still: with two seats, or alone, it takes 15."""
    seat, seats = table["seat"], table["seats"]
    return own_sum(table) >= ENOUGH or (seats == 4 and table["status"][(seat + 2) % seats] == "stayed")


def _note(table, names):
    """What a field under 15 means for the answer."""
    if own_sum(table) >= ENOUGH:
        return ""
    if not _can_win(table):
        return "Under 15: you can't win this round."
    return f"Under 15: your field will lie open, and {names[(table['seat'] + 2) % 4]} plays alone."


def _sides_in_words(table, names):
    """What the declaring side and the other one are called to the seat: "Ana" and "you"."""
    us = "you" if table["seats"] == 2 else "us"
    ours = table["declarer"] % 2 == table["seat"] % 2
    declaring = table["declarer"] % 2
    return (us, side_names(1 - declaring, names)) if ours else (side_names(declaring, names), us)


def _stakes(table, names, suspected, stones=stone_words):
    """What a call leads to if the prediction turns out right, and if wrong; or in any case.

    stones: makes words of the main bet with so many stones more.
    """
    prediction, bet = table["prediction"], table["bet"]
    offered, side_bets = bet["offered"], bet["side_bets"]
    declaring, other = _sides_in_words(table, names)
    right, wrong = _possible_points(prediction, True), _possible_points(prediction, False)
    some = f"{'up to ' if len(wrong) > 2 else ''}{plural(wrong[-1], 'point')}"
    which = f"if the {ORDINALS[prediction['positions'][0]]} is right" if len(wrong) == 2 else "for positions"
    if not _can_win(table):
        all_stones = stones(offered + side_bets + table["seats"] // 2)
        if declaring in ("you", "us"):
            return {"anyway": _to(other, all_stones)}
        if table["seats"] == 4:
            return {"anyway": _to(declaring, all_stones)}
        failed = _to(declaring, all_stones)
        if wrong[-1]:
            failed = filled("{}, and {} {}", failed, some, which)
        return {"right": _to(declaring, _points_words(right), all_stones), "wrong": failed}
    won = stones(offered + side_bets) if suspected else side_bets and stone_words(side_bets)
    lost = won
    if table["options"]["deduced_miss"] == "bet":
        lost = stones(offered + side_bets)
    failed = _to(other, lost)
    if wrong[-1]:
        failed = filled("{}{} {} to {} {}", failed, "," if lost else ", or", some, declaring, which)
    return {"right": _to(declaring, _points_words(right), won), "wrong": failed}


def _reply_panel(table, moves, names):
    offered = table["bet"]["offered"]
    raises = [move["plus"] for move in moves if "plus" in move and "tricks" not in move]
    tops = [move for move in moves if "tricks" in move]
    panel = {
        "kind": "reply",
        "note": _note(table, names),
        "unless": _unless(table),
        "calls": [
            _call("deduce", "Deduce", "I believe it", True) | _stakes(table, names, suspected=False),
            _call("suspect", "Suspect", "I doubt it", True) | _stakes(table, names, suspected=True),
            _call("out", "Out", _out_words(table, names), True, "call away"),
        ],
        "raise": None,
        "top": None,
    }
    if raises:
        panel["raise"] = _numbers(table, "Add", 1, max(raises)) | {"base": str(offered)}
        panel["raise"]["deduce"] = _stakes(table, names, suspected=False, stones=_raised_stones)
        panel["raise"]["suspect"] = _stakes(table, names, suspected=True, stones=_raised_stones)
    if tops:
        tricks = sorted({move["tricks"] for move in tops})
        pluses = sorted({move["plus"] for move in tops})
        panel["top"] = {
            "bet": _numbers(table, "Add", pluses[0], pluses[-1]),
            "base": str(offered),
            "tricks": _tricks_field(tricks[0], tricks[-1], tricks[0], positions=not table["tricks"]),
            "value": _top_value("suspect", "plus", positions=not table["tricks"]),
        }
    return panel


def _raised_stones(number):
    """So many stones and those of the raise, counted as they are chosen."""
    return filled('<span data-echo="plus" data-add="{}">the stones</span>', number)


def _top_value(kind, stones_key, positions):
    """The move that makes a new prediction, with the fields that its numbers are chosen in."""
    value = f'{{"type":"{kind}","{stones_key}":{{"field":"stones"}},"tricks":{{"field":"tricks"}}'
    return Markup(value + (',"positions":[{"field":"positions"}]}' if positions else "}"))


def _raise_panel(table, moves, names):
    kind = moves[0]["type"]
    accept = _call(kind, "In" if kind == "in" else "Accept", f"the bet is {table['bet']['offered']}", True)
    accept |= _stakes(table, names, table["answer"] == "suspect")
    out = _call("out", "Out", _out_words(table, names), True, "call away")
    return {"kind": "calls", "note": _note(table, names), "calls": [accept, out]}


def _side_bet_panel(table, moves, names):
    room = max((move["bet"] for move in moves if "bet" in move and "tricks" not in move), default=0)
    tops = [move for move in moves if "tricks" in move]
    ours = table["declarer"] % 2 == table["seat"] % 2
    panel = {
        "kind": "side_bet",
        "note": _note(table, names),
        "unless": _unless(table),
        "pass": _call("pass", "Pass", "no side bet", True),
        "bet": _numbers(table, "Bet", 1, room) if room else None,
        "on": "that the prediction comes true" if ours else "that the prediction fails",
        "top": None,
    }
    if tops:
        tricks = sorted({move["tricks"] for move in tops})
        bets = sorted({move["bet"] for move in tops})
        panel["top"] = {
            "bet": _numbers(table, "Bet", bets[0], bets[-1]),
            "tricks": _tricks_field(tricks[0], tricks[-1], tricks[0], positions=False),
            "value": _top_value("side_bet", "bet", positions=False),
            "base": str(table["bet"]["offered"]),
            "heading": "Raise the prediction" if ours else "Predict instead",
        }
    return panel


def _side_reply_panel(table, moves, names):
    offer = table["side_offer"]
    ours = table["declarer"] % 2 == offer["seat"] % 2
    side = side_names(offer["seat"], names)
    join = _call("in", "In", f"{stone_words(offer['bet'])} more at stake", True)
    more = stone_words(offer["bet"])
    if _can_win(table):
        right, wrong = side, "you" if table["seats"] == 2 else "us"
        if not ours:
            right, wrong = wrong, right
        join |= {"right": _to(right, more), "wrong": _to(wrong, more)}
    else:
        join |= {"anyway": _to(side, more)}
    out = _call("out", "Out", _out_words(table, names), True, "call away")
    return {"kind": "calls", "note": _note(table, names), "calls": [join, out]}


_PANELS = {
    "predict": _predict_panel,
    "reply": _reply_panel,
    "raise": _raise_panel,
    "side_bet": _side_bet_panel,
    "side_reply": _side_reply_panel,
}
