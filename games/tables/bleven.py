"""Bleven as it is drawn: fields and reserves, the pot in stones, the panels to predict and to answer, the sheet."""

from functools import cache
from typing import NamedTuple

from games.rules.bleven.position import CROWN as CROWN_STONES
from games.rules.bleven.position import ENOUGH, VALUE, field_sum
from games.rules.bleven.scoring import triangular
from games.rules.bleven.shown import BLACK
from games.tables.base import (
    CROWN,
    LEADER,
    Drawing,
    joined,
    past_tricks,
    plural,
    row_of,
    seat_of,
    signed,
    waited_for,
)
from games.tables.cards import BACK, FACES, MINI, NAMES, NOTHING, SMALL_FACES, Markup

ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}
ENDED = ("deal", "over")  # the phases in which the last round still lies on the table
FOLDED = ("left", "out")


class BlevenDrawing(Drawing):
    """Source: the rules page of Bleven for what is on the table, and our own taste for how."""

    slug = "bleven"
    name = "Bleven"
    moments = ("leave", "predict", "deduce", "suspect", "in", "out", "end")

    def trump_of(self, table):
        return None

    def open_hands(self, tables, players):
        return [
            {
                "classes": f"seat-{seat}",
                "name": players[seat]["name"],
                "suits": [[SMALL_FACES[card] for card in table["hand"]]],
            }
            for seat, table in enumerate(tables)
        ]

    # The felt

    def felt(self, table, players):
        names = [player["name"] for player in players]
        shown = _shown(table)
        phase, count = table["phase"], table["seats"]
        tallies, fields = _tallies(table, shown), _fields(table, shown)
        seats = []
        for number, player in enumerate(players):
            seat = seat_of(player, number == table["to_act"], number == shown.dealer)
            state, seat["tally"] = tallies[number]
            seat["classes"] = Markup(f"{seat['classes']} {state}")
            total = table["totals"][number % 2]
            seat["total"], seat["stones"] = Markup(total), stones(total, crowns=True)
            seat["field"] = fields[number]
            seat["reserve"] = [MINI[card] for card in shown.reserves[number]]
            seat["reserve_words"] = ", ".join(NAMES[card] for card in shown.reserves[number])
            seats.append(seat)
        pot = shown.offered + shown.side_bets
        return {
            "classes": Markup(f"felt clockwise players-{count} phase-{phase}"),
            "players": str(count),
            "phase": phase,
            "contract": _contract(table, shown, names),
            "seats": seats,
            "pile": "" if phase in ENDED else str(table["pile"]),
            "pot": stones(pot) if pot and phase not in ENDED else "",
            "caption": _caption(table, shown, names),
            "said": [f"{names[words['seat']]} {_said_words(words)}" for words in shown.said],
            "tricks": past_tricks(shown.tricks, names),
        }

    # One seat's own part

    def mine(self, table, moves, players):
        phase, seat = table["phase"], table["seat"]
        names = [player["name"] for player in players]
        mine = {
            "turn": "1" if moves else "",
            "sentence": _sentence(table, moves, names),
            "title": f"{_title(table, moves)} – {self.name}",
            "hand": None,
            "sum": None,
            "panel": None,
            "result": None,
            "seated": seat is not None,
            "stand_in": seat is not None and players[seat]["stand_in"],
            "waited_for": joined(waited_for(players)) if seat is not None and players[seat]["ready"] else "",
        }
        if table["hand"]:
            mine["hand"] = _hand(table, moves)
        if seat is not None and phase not in ENDED:
            mine["sum"] = _sum(table)
            mine["panel"] = _panel(table, moves, names)
        if table["last_round"]:
            mine["result"] = _result(table, names)
        return mine

    # The sheet

    def sheet(self, score_sheet, players):
        names = [player["name"] for player in players]
        target, totals = score_sheet["target"], [side["total"] for side in score_sheet["sides"]]
        rows = score_sheet["rounds"]
        over = max(totals) >= target
        best = _winner(rows, target) if over else max((0, 1), key=totals.__getitem__)
        level = not over and totals[0] == totals[1]
        before = [0, 0]
        drawn = []
        for row in rows:
            drawn.append(_sheet_row(row, before, names))
            before = row["totals"]
        return {
            "caption": f"{self.name}, to {plural(target // CROWN_STONES, 'crown')} ({target} stones)",
            "sides": [joined([names[seat] for seat in side["seats"]]) for side in score_sheet["sides"]],
            "rows": drawn,
            "totals": [
                {
                    "total": str(side["total"]),
                    "stones": stones(side["total"], crowns=True),
                    "crown": (CROWN if over else LEADER) if side["side"] == best and not level else "",
                }
                for side in score_sheet["sides"]
            ],
            "over": over,
        }

    # Words

    def sentences(self, events, players):
        names = [player["name"] for player in players]
        return [sentence for event in events for sentence in _SENTENCES[event["type"]](event, names)]

    def move_words(self, move, players, seat=None):
        if move["type"] == "deal":
            return "The cards are dealt"
        return f"{players[seat]['name']} {_said_words(move)}"


# What is on the table: the round in progress, or the one just ended, which stays until the next deal


class _Shown(NamedTuple):
    number: int
    dealer: int
    declarer: int | None
    prediction: dict | None
    replier: int | None
    answer: str | None
    offered: int
    accepted: int
    side_bets: int
    tricks: list
    reserves: list
    said: list


def _shown(table):
    last = table["last_round"]
    if last:
        bets = (last["offered"], last["bet"], last["side_bets"])
        number = last["round"]
    else:
        last, number, bet = table, table["round"], table["bet"]
        bets = (bet["offered"], bet["accepted"], bet["side_bets"])
    one = [last[key] for key in ("dealer", "declarer", "prediction", "replier", "answer")]
    return _Shown(number, *one, *bets, last["tricks"], last["reserves"], last["said"])


def _side(seat, names):
    """The names of the side of a seat, or of a side, joined."""
    return joined(names[seat % 2 :: 2])


def _do(seat, names, one, many):
    """ "Ana wins", "Ana and Vera win": the side of a seat and what it does."""
    return f"{_side(seat, names)} {one if len(names) == 2 else many}"


def _worth(prediction):
    """The points of a prediction of which all comes true."""
    return triangular(prediction["tricks"] + len(prediction["positions"]))


def _tricks_words(prediction):
    """ "no trick", "2 tricks, with the 1st and 3rd"."""
    tricks, positions = prediction["tricks"], prediction["positions"]
    words = plural(tricks, "trick") if tricks else "no trick"
    return f"{words}, with the {joined([ORDINALS[place] for place in positions])}" if positions else words


def _stone_words(number):
    return plural(number, "stone")


@cache
def stones(number, crowns=False):
    """A heap of stones as markup: black ones of 5 and white ones of 1. crowns: each 30 of them as a crown."""
    count, rest = divmod(number, CROWN_STONES) if crowns else (0, number)
    black, white = divmod(rest, BLACK)
    marks = '<i class="crown-stone"></i>' * count + '<i class="black"></i>' * black + '<i class="white"></i>' * white
    if not marks:
        return NOTHING
    label = (
        _stone_words(number) if not count else joined([plural(count, "crown"), *([_stone_words(rest)] if rest else [])])
    )
    return Markup(f'<span class="stones" role="img" aria-label="{label}">{marks}</span>')


# Fields


@cache
def _place(classes, order, face):
    """The place of a card in a field. order: when it came, for those who watch the cards come."""
    if order is None:
        return Markup(f'<li class="{classes}">{face}</li>')
    return Markup(f'<li class="{classes}" data-order="{order}">{face}</li>')


def _fields(table, shown):
    """For each seat the places of its field as markup: cards played or laid open, and backs."""
    seats, last = table["seats"], table["last_round"]
    counts = table["hand_counts"]
    if last:
        open_fields = [last["shown"][seat] if seat in last["faced"] else None for seat in range(seats)]
    else:
        open_fields = table["faced"]
    return [_field(seat, open_fields[seat], 3 if last else counts[seat], shown.tricks) for seat in range(seats)]


def _field(seat, opened, held, tricks):
    """held: how many cards the seat holds face down, less those it has played where a round has ended."""
    if opened:
        return [_place("slot filled", None, FACES[card]) for card in opened]
    places = []
    for number, trick in enumerate(tricks):
        for order, play in enumerate(trick["plays"]):
            if play["seat"] == seat:
                latest = number == len(tricks) - 1
                won = trick["winner"] == seat
                classes = "slot filled"
                if latest and order == 0:
                    classes += " lead"
                if won:
                    classes += " won winner" if latest else " won"
                places.append(_place(classes, number * len(trick["plays"]) + order, FACES[play["card"]]))
    backs = max(held, 3) - len(places) if held > 3 else min(held, 3 - len(places))
    return places + [_place("slot down", None, BACK)] * backs


def _tallies(table, shown):
    """For each seat how it stands, as classes and in words."""
    last = table["last_round"]
    if last:
        return [_result_tally(last, seat) for seat in range(table["seats"])]
    return [_tally(table, seat, status) for seat, status in enumerate(table["status"])]


def _tally(table, seat, status):
    if status is None:
        return "", "–"
    if status == "faced":
        return "faced", "under 15"
    if status in FOLDED:
        return "folded", status
    if seat == table["declarer"]:
        return "declarer", "declarer"
    if seat == table["replier"] and table["answer"]:
        return "", "suspects" if table["answer"] == "suspect" else "deduces"
    if status == "stayed":
        return "", "stays"
    return "", "to act" if seat == table["to_act"] else "waits"


def _result_tally(last, seat):
    folded = seat in last["left"] or seat in last["out"]
    gained = signed(last["stones"][seat % 2], plus=True)
    state = "" if last["winner"] is None else "made" if last["winner"] == seat % 2 else "missed"
    if folded:
        state += " folded"
    return state, gained if gained != "0" else "nothing"


# The slip, and the middle of the table


def _contract(table, shown, names):
    slip = {
        "round": f"Round {shown.number}",
        "target": f"to {plural(table['options']['crowns'], 'crown')}",
        "who": "",
        "prediction": "No prediction yet",
        "short": "",
        "worth": "",
        "bet": "",
        "state": "",
    }
    if shown.prediction is None:
        if shown.declarer is not None:
            slip["who"] = f"{names[shown.declarer]} declares"
        return slip
    slip["who"] = f"{_do(shown.declarer, names, 'predicts', 'predict')}"
    slip["prediction"] = _tricks_words(shown.prediction)
    slip["worth"] = f"worth {plural(_worth(shown.prediction), 'point')}"
    slip["bet"] = _bet_words(shown)
    slip["state"] = {"suspect": "suspected", "deduce": "deduced", None: ""}[shown.answer]
    return slip


def _bet_words(shown):
    words = f"Bet {shown.accepted or shown.offered}"
    if shown.accepted and shown.offered > shown.accepted:
        words += f", {shown.offered - shown.accepted} more offered"
    elif not shown.accepted:
        words += ", not agreed yet" if shown.answer is None else " offered"
    if shown.side_bets:
        words += f", side bets {shown.side_bets}"
    return words


def _caption(table, shown, names):
    """What the middle of the table says: (class, large words, small words), or None."""
    phase = table["phase"]
    if phase == "over":
        return "winner", "", f"{_do(table['winner'], names, 'wins', 'win')} the match"
    if phase == "deal":
        last = table["last_round"]
        return ("winner", "", _outcome(last, names)) if last else ("", "", f"{names[table['dealer']]} deals")
    if shown.tricks:
        won = table["won"][shown.declarer % 2]
        return "", f"{won} of {shown.prediction['tricks']}", f"{plural(3 - len(shown.tricks), 'trick')} to come"
    if shown.prediction:
        tricks, _, positions = _tricks_words(shown.prediction).partition(", ")
        return "", tricks.capitalize(), positions
    if phase in ("poll", "predict"):
        return "", "", f"{names[table['declarer']]} declares"
    return None


def _outcome(last, names):
    """How a round ended, in a few words without a full stop."""
    winner = last["winner"]
    match last["result"]:
        case "void":
            return "Nobody has 15: nobody is paid"
        case "left":
            return f"{_do(1 - winner, names, 'leaves', 'leave')} the round"
        case "out":
            return f"{_do(1 - winner, names, 'is', 'are')} out"
        case "under15":
            return f"{_do(1 - winner, names, 'has', 'have')} less than 15"
    return "The prediction is right" if last["right"] else "The prediction fails"


# What is expected of a seat


def _title(table, moves):
    if moves:
        return "● Your turn"
    return "Final result" if table["phase"] == "over" else f"Round {table['round']}"


DOING = {
    "discard": "to discard",
    "poll": "to stay or leave",
    "predict": "to predict",
    "reply": "to answer",
    "raise": "to answer the raise",
    "side_bet": "to bet or pass",
    "side_reply": "to answer the side bet",
}


def _sentence(table, moves, names):
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
        return f"{names[table['declarer']]} predicts {_tricks_words(table['prediction'])}. Your answer?"
    if phase == "raise":
        return f"{names[table['replier']]} raises the bet to {offered}. Your answer?"
    if phase == "side_bet":
        return "A side bet before the next trick?"
    return f"{names[table['side_offer']['seat']]} bets {_stone_words(table['side_offer']['bet'])} more. Are you in?"


def _scored_sentence(table, names):
    last, seat = table["last_round"], table["seat"]
    if not last:
        return f"{names[table['dealer']]} is about to deal."
    outcome = _outcome(last, names)
    if seat is None or last["winner"] is None:
        return f"{outcome}."
    mine = last["stones"][seat % 2]
    whose = "You" if table["seats"] == 2 else "Your side"
    gets = "get" if table["seats"] == 2 else "gets"
    return f"{outcome}. {whose} {gets} {_stone_words(mine) if mine else 'nothing'}."


def _end_sentence(table, names):
    seat, winner = table["seat"], table["winner"]
    total = _stone_words(table["totals"][winner])
    if seat is not None and seat % 2 == winner:
        partner = [name for other, name in enumerate(names) if other % 2 == winner and other != seat]
        return f"{joined(['You', *partner])} win with {total}."
    return f"{_do(winner, names, 'wins', 'win')} with {total}."


# The hand


def _hand(table, moves):
    hand = table["hand"]
    if table["phase"] != "discard" or not moves:
        return row_of(hand)
    total = field_sum(hand)
    notes = {card: f"leaves {total - VALUE[card]}" for card in hand}
    return row_of(hand, "discard", notes, table["drawn"])


def _sum(table):
    """The sum of the own field against 15; None where it is not this seat's any more."""
    seat = table["seat"]
    if table["status"][seat] not in ("undecided", "stayed"):
        return None
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    if len(table["hand"]) > 3:
        return {"classes": "field-sum", "number": str(field_sum(table["hand"])), "words": "in four cards"}
    total = field_sum([*table["hand"], *played])
    if total >= ENOUGH:
        return {"classes": "field-sum enough", "number": str(total), "words": "15 or more"}
    return {"classes": "field-sum short", "number": str(total), "words": f"{ENOUGH - total} short of 15"}


# The panels


def _panel(table, moves, names):
    """What a seat may say now, or what it waits for."""
    phase = table["phase"]
    if phase in ("turn", "discard", "poll") and table["status"][table["seat"]] == "undecided":
        return _turn_panel(table, moves)
    if not moves:
        return {"kind": "wait", "lines": _waiting(table, names)}
    return _PANELS[phase](table, moves, names)


def _waiting(table, names):
    seat, status = table["seat"], table["status"][table["seat"]]
    if status in FOLDED:
        return ["You have left this round." if status == "left" else "You are out of this round."]
    if status == "faced":
        return ["Your field is under 15: it lies open, and your partner plays alone."]
    if table["prediction"] is None:
        return ["You are the declarer." if seat == table["declarer"] else "You stay, with this field."]
    lines = [f"{_do(table['declarer'], names, 'predicts', 'predict')} {_tricks_words(table['prediction'])}."]
    if table["said"]:
        words = table["said"][-1]
        lines.append(f"{names[words['seat']]} {_said_words(words)}.")
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


def _turn_panel(table, moves):
    seat = table["seat"]
    kinds = {move["type"] for move in moves}
    discards = len(table["reserves"][seat])
    cost = table["seats"] // 2
    leaves = f"costs {_stone_words(cost)}" if cost == 1 else "your side loses if both leave"
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


def _predict_panel(table, moves, names):
    most = table["options"]["max_bet"]
    return {
        "kind": "predict",
        "unless": "" if table["options"]["deduced_miss"] == "bet" else " if suspected",
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
    return f"gives {_stone_words(lost)}"


def _to(whom, points, number):
    """ "6 points and 4 stones to Ana", "4 stones to you", "nothing"."""
    words = [plural(points, "point")] if points else []
    if number:
        words.append(_stone_words(number))
    return f"{joined(words)} to {whom}" if words else "nothing"


def _if(right, wrong):
    """What a call leads to if the prediction turns out right, and if wrong."""
    return {"right": right, "wrong": wrong}


def _reply_panel(table, moves, names):
    offered = table["bet"]["offered"]
    us, them = ("you", names[table["declarer"]]) if table["seats"] == 2 else ("us", _side(table["declarer"], names))
    points = _worth(table["prediction"])
    missed = offered if table["options"]["deduced_miss"] == "bet" else 0
    raises = [move["plus"] for move in moves if "plus" in move and "tricks" not in move]
    tops = [move for move in moves if "tricks" in move]
    panel = {
        "kind": "reply",
        "calls": [
            _call("deduce", "Deduce", "I believe it", True) | _if(_to(them, points, 0), _to(us, 0, missed)),
            _call("suspect", "Suspect", "I doubt it", True) | _if(_to(them, points, offered), _to(us, 0, offered)),
            _call("out", "Out", _out_words(table, names), True, "call away"),
        ],
        "raise": None,
        "top": None,
    }
    if raises:
        panel["raise"] = _numbers(table, "Add", 1, max(raises)) | {"base": str(offered)}
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


def _top_value(kind, stones_key, positions):
    """The move that makes a new prediction, with the fields that its numbers are chosen in."""
    value = f'{{"type":"{kind}","{stones_key}":{{"field":"stones"}},"tricks":{{"field":"tricks"}}'
    return Markup(value + (',"positions":[{"field":"positions"}]}' if positions else "}"))


def _raise_panel(table, moves, names):
    kind = moves[0]["type"]
    offered, suspected = table["bet"]["offered"], table["answer"] == "suspect"
    points, them = _worth(table["prediction"]), names[table["replier"]]
    missed = offered if suspected or table["options"]["deduced_miss"] == "bet" else 0
    us = "you" if table["seats"] == 2 else "us"
    if table["seats"] == 4:
        them = _side(table["replier"], names)
    accept = _call(kind, "In" if kind == "in" else "Accept", f"the bet is {offered}", True)
    accept |= _if(_to(us, points, offered * suspected), _to(them, 0, missed))
    return {"kind": "calls", "calls": [accept, _call("out", "Out", _out_words(table, names), True, "call away")]}


def _side_bet_panel(table, moves, names):
    room = max((move["bet"] for move in moves if "bet" in move and "tricks" not in move), default=0)
    tops = [move for move in moves if "tricks" in move]
    ours = table["declarer"] % 2 == table["seat"] % 2
    panel = {
        "kind": "side_bet",
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
            "heading": "Raise the prediction" if ours else "Predict instead",
        }
    return panel


def _side_reply_panel(table, moves, names):
    offer = table["side_offer"]
    ours = table["declarer"] % 2 == offer["seat"] % 2
    side = _side(offer["seat"], names)
    join = _call("in", "In", f"{_stone_words(offer['bet'])} more at stake", True)
    right, wrong = side, "you" if table["seats"] == 2 else "us"
    if not ours:
        right, wrong = wrong, right
    join |= _if(_to(right, 0, offer["bet"]), _to(wrong, 0, offer["bet"]))
    return {"kind": "calls", "calls": [join, _call("out", "Out", _out_words(table, names), True, "call away")]}


_PANELS = {
    "predict": _predict_panel,
    "reply": _reply_panel,
    "raise": _raise_panel,
    "side_bet": _side_bet_panel,
    "side_reply": _side_reply_panel,
}


# The result of a round, and of the match

PAID_FOR = {"points": "Points", "bet": "Bet", "side_bets": "Side bets", "round": "Round", "out": "Out"}


def _result(table, names):
    """A line for each side: what it was paid and its total; the winner first when the match is over."""
    last, over, seat = table["last_round"], table["phase"] == "over", table["seat"]
    columns = list(dict.fromkeys(payment["for"] for payment in last["paid"]))
    lines = []
    for side in (0, 1):
        paid = {payment["for"]: payment["stones"] for payment in last["paid"] if payment["side"] == side}
        won = table["winner"] == side if over else last["winner"] == side
        lines.append(
            {
                "classes": " ".join(
                    filter(None, ["won" if won else "", "me" if seat is not None and seat % 2 == side else ""])
                ),
                "crown": CROWN if over and won else "",
                "name": _side(side, names),
                "paid": [str(paid.get(column, "–")) for column in columns],
                "gained": signed(last["stones"][side], plus=True),
                "total": str(table["totals"][side]),
                "stones": stones(table["totals"][side], crowns=True),
                "won": won,
            }
        )
    if over:
        lines.sort(key=lambda line: not line["won"])
    return {
        "over": over,
        "heading": "Final result" if over else f"Round {last['round']}",
        "played": last["right"] is not None,
        "verdict": _verdict(last, names),
        "columns": [PAID_FOR[column] for column in columns],
        "lines": lines,
    }


def _verdict(row, names):
    """How a round went, in a sentence or two."""
    if not row["prediction"]:
        return f"{_outcome(row, names)}."
    said = f"{_do(row['declarer'], names, 'predicted', 'predicted')} {_tricks_words(row['prediction'])}"
    if row["right"] is None:
        return f"{said}. {_outcome(row, names)}."
    return f"{said} and won {_won_words(_won_places(row))}. {_outcome(row, names)}."


def _won_places(row):
    """The numbers of the tricks that the declaring side won."""
    return [number for number, trick in enumerate(row["tricks"], 1) if trick["side"] == row["declarer"] % 2]


def _won_words(places):
    if not places:
        return "none"
    return f"the {joined([ORDINALS[place] for place in places])}"


# The sheet


def _winner(rows, target):
    """The side that has won the match: the first to reach the target in the order of payment."""
    totals = list(rows[-2]["totals"]) if len(rows) > 1 else [0, 0]
    for payment in rows[-1]["paid"]:
        totals[payment["side"]] += payment["stones"]
        if totals[payment["side"]] >= target:
            return payment["side"]
    return None


def _sheet_row(row, before, names):
    number = str(row["round"])
    places = _won_places(row) if row["prediction"] else []
    return {
        "deal": row["round"],
        "number": number,
        "classes": "scored",
        "dealer": names[row["dealer"]],
        "declarer": _side(row["declarer"], names) if row["prediction"] else "",
        "prediction": _tricks_words(row["prediction"]) if row["prediction"] else "no prediction",
        "bet": _sheet_bet(row),
        "answer": {"suspect": "suspected", "deduce": "deduced", None: ""}[row["answer"]],
        "tricks": [_trick_mark(number, row, places) for number in range(1, len(row["tricks"]) + 1)],
        "result": RESULTS[row["result"]] if row["result"] != "played" else "right" if row["right"] else "failed",
        "state": "right" if row["right"] else "failed" if row["result"] == "played" else "",
        "equation": _equation(row),
        "steps": _steps(row, before, names),
        "cells": [
            {
                "gained": signed(gained, plus=True) if gained else "–",
                "total": str(total),
                "classes": "won" if row["winner"] == side else "",
                "crown": row["crowns"][side] > before[side] // CROWN_STONES,
            }
            for side, (gained, total) in enumerate(zip(row["stones"], row["totals"], strict=True))
        ],
        "url": "",  # the page that shows the sheet knows where its deals are
    }


RESULTS = {"left": "left", "out": "out", "under15": "under 15", "void": "void"}


def _sheet_bet(row):
    if not row["prediction"]:
        return ""
    words = f"bet {row['bet']}" if row["bet"] else f"bet {row['offered']} not agreed"
    return f"{words}, side bets {row['side_bets']}" if row["side_bets"] else words


def _trick_mark(number, row, places):
    """Whether the declaring side won a trick, and whether it had named it: (classes, number, words)."""
    won, named = number in places, number in row["prediction"]["positions"]
    classes = " ".join(filter(None, ["trick-mark", "won" if won else "", "named" if named else ""]))
    words = f"{ORDINALS[number]} {'won' if won else 'lost'}"
    if named:
        words += ", as named" if won else ", though named"
    return {"classes": classes, "number": str(number), "words": words}


def _terms(number):
    """The points for so many tricks and positions with their terms: "1 + 2 + 3 = 6"."""
    return f"{' + '.join(map(str, range(1, number + 1)))} = {triangular(number)}" if number > 1 else str(number)


def _equation(row):
    """A round's payments in one short line."""
    if not row["paid"]:
        return "nothing paid"
    parts = []
    for payment in row["paid"]:
        if payment["for"] == "points" and row["counted"]:
            count = row["counted"]["tricks"] + row["counted"]["positions"]
            parts.append(f"points {_terms(count)}")
        else:
            parts.append(f"{PAID_FOR[payment['for']].lower()} {payment['stones']}")
    return ", ".join(parts)


def _steps(row, before, names):
    """How a round was counted, a step a line: (words, the moment of the replay it leads to)."""
    steps = []
    if row["left"]:
        verb = "leaves" if len(row["left"]) == 1 else "leave"
        steps.append((f"{joined([names[seat] for seat in row['left']])} {verb} the round.", "leave"))
    if row["prediction"]:
        words = f"{_do(row['declarer'], names, 'predicts', 'predict')} {_tricks_words(row['prediction'])}"
        steps.append((f"{words}; the bet offered is {_stone_words(row['offered'])}.", "predict"))
    if row["answer"]:
        says = "suspects" if row["answer"] == "suspect" else "deduces"
        agreed = f"{_stone_words(row['bet'])} agreed" if row["bet"] else "nothing was agreed"
        steps.append((f"{names[row['replier']]} {says} it: {agreed}.", row["answer"]))
    if row["side_bets"]:
        steps.append((f"Side bets of {_stone_words(row['side_bets'])} are agreed.", "in"))
    if row["out"]:
        verb = "goes" if len(row["out"]) == 1 else "go"
        steps.append((f"{joined([names[seat] for seat in row['out']])} {verb} out.", "out"))
    if row["faced"]:
        verb = "lays" if len(row["faced"]) == 1 else "lay"
        steps.append((f"{joined([names[seat] for seat in row['faced']])} {verb} the field open: under 15.", "end"))
    if row["right"] is not None:
        places = _won_places(row)
        steps.append(
            (
                f"{_side(row['declarer'], names)} won {_won_words(places)} trick{'s' * (len(places) > 1)}."
                if places
                else f"{_side(row['declarer'], names)} won no trick.",
                "end",
            )
        )
    if row["counted"]:
        steps.append((_counted_words(row), "end"))
    if row["result"] in ("played", "under15", "void"):
        steps.append((f"{_outcome(row, names)}.", "end"))
    totals = list(before)
    for payment in row["paid"]:
        side, number = payment["side"], payment["stones"]
        words = f"{_do(side, names, 'gets', 'get')} {number} {PAID_WORDS[payment['for']]}"
        steps.append((f"{words}: {totals[side]} + {number} = {totals[side] + number}.", "end"))
        totals[side] += number
    return [{"words": words, "moment": moment} for words, moment in steps]


PAID_WORDS = {
    "points": "for the points",
    "bet": "for the bet",
    "side_bets": "for the side bets",
    "round": "for the round",
    "out": "because the others went out",
}


def _counted_words(row):
    tricks, positions = row["counted"]["tricks"], row["counted"]["positions"]
    count = tricks + positions
    counts = joined(
        [*([plural(tricks, "trick")] if tricks else []), *([plural(positions, "position")] if positions else [])]
    )
    if not count:
        return "Nothing of the prediction counts for points."
    return f"{counts} {'counts' if count == 1 else 'count'}: {_terms(count)} {'point' if count == 1 else 'points'}."


# Sentences


def _said_words(move):
    """What a seat does, from the verb on, without a full stop: "bets 2 stones more"."""
    kind = move["type"]
    match kind:
        case "predict":
            return f"predicts {_tricks_words(move)} and bets {_stone_words(move['bet'])}"
        case "deduce" | "suspect":
            says = f"{kind}s"
            if "tricks" in move:
                prediction = {"positions": []} | move
                return f"{says} and predicts {_tricks_words(prediction)} instead, for {_stone_words(move['plus'])} more"
            return f"{says} and adds {_stone_words(move['plus'])}" if "plus" in move else says
        case "side_bet":
            if "tricks" in move:
                prediction = {"tricks": move["tricks"], "positions": []}
                return f"bets {_stone_words(move['bet'])} more and now predicts {_tricks_words(prediction)}"
            return f"makes a side bet of {_stone_words(move['bet'])}"
        case "discard":
            return f"discards the {NAMES[move['card']]}"
    return _SAID[kind]


_SAID = {
    "draw": "draws a card",
    "stay": "stays",
    "leave": "leaves the round",
    "declare": "declares",
    "out": "goes out",
    "accept": "accepts the raise",
    "in": "is in",
    "pass": "passes",
}


def _round_dealt(event, names):
    yield f"Round {event['round']}. {names[event['dealer']]} deals, {names[event['cutter']]} begins."


def _drew(event, names):
    yield f"{names[event['seat']]} draws a card."


def _discarded(event, names):
    yield f"{names[event['seat']]} discards the {NAMES[event['card']]}."


def _said(event, names):
    yield f"{names[event['seat']]} {_said_words(event['move'])}."


def _must_declare(event, names):
    yield f"Nobody has declared: {names[event['seat']]} must."


def _faced(event, names):
    cards = joined([f"the {NAMES[card]}" for card in event["cards"]])
    yield f"{names[event['seat']]} has less than 15 and lays the field open: {cards}."


def _trick_won(event, names):
    plays = joined([f"{names[play['seat']]} the {NAMES[play['card']]}" for play in event["plays"]])
    yield f"Trick {event['trick']}: {plays}. {names[event['winner']]} wins it."


def _round_scored(event, names):
    yield f"{_outcome(event, names)}."
    for side in (0, 1):
        paid = [
            f"{payment['stones']} {PAID_WORDS[payment['for']]}" for payment in event["paid"] if payment["side"] == side
        ]
        if paid:
            yield f"{_do(side, names, 'gets', 'get')} {joined(paid)}."
    totals = [f"{_side(side, names)} {total}" for side, total in enumerate(event["totals"])]
    yield f"Stones: {', '.join(totals)}."


def _crowned(event, names):
    yield f"{_do(event['side'], names, 'has', 'have')} {plural(event['crowns'], 'crown')}."


def _match_over(event, names):
    winner = event["standings"][0]
    yield f"{_do(winner['seat'], names, 'wins', 'win')} the match with {_stone_words(winner['score'])}."


_SENTENCES = {
    "round_dealt": _round_dealt,
    "drew": _drew,
    "discarded": _discarded,
    "said": _said,
    "must_declare": _must_declare,
    "faced": _faced,
    "trick_won": _trick_won,
    "round_scored": _round_scored,
    "crowned": _crowned,
    "match_over": _match_over,
}
