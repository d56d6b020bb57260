"""Bleven as it is drawn: fields and reserves, the pile, the stones at stake."""

from functools import cache
from typing import NamedTuple

from games.bleven.rules.state import CROWN as CROWN_STONES
from games.bleven.table.panels import ENDED, FOLDED, expected_of, hand_of_field, panel_of, sum_of
from games.bleven.table.sheet import result_of, sheet_row, winner_of
from games.bleven.table.words import SENTENCES, outcome, prediction_words, said_words, side_does, stones, worth
from games.kit.drawing import Drawing, drawn_seat, no_link, no_tricks, own_part, past_tricks
from games.kit.markup import BACK, CROWN, FACES, LEADER, MINI, SMALL_FACES, Markup
from games.kit.words import CARD_NAMES, joined, plural, signed


class BlevenDrawing(Drawing):
    """Source: the rules page of Bleven for what is on the table, and our own taste for how."""

    event_sentences = SENTENCES

    def moments_of(self, move):
        """As everywhere, and a prediction wherever a move names the tricks to win."""
        return {move["type"], "predict"} if "tricks" in move else {move["type"]}

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
            seat = drawn_seat(player, number == table["to_act"], number == shown.dealer)
            state, seat["tally"] = tallies[number]
            seat["classes"] = Markup(f"{seat['classes']} {state}")
            total = table["totals"][number % 2]
            seat["total"], seat["stones"] = Markup(total), stones(total, crowns=True)
            seat["field"] = fields[number]
            seat["reserve"] = [MINI[card] for card in shown.reserves[number]]
            seat["reserve_words"] = ", ".join(CARD_NAMES[card] for card in shown.reserves[number])
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
            "said": [f"{names[words['seat']]} {said_words(words)}" for words in shown.said],
            "tricks": past_tricks(shown.tricks, names),
        }

    # One seat's own part

    def mine(self, table, moves, players):
        phase, seat = table["phase"], table["seat"]
        names = [player["name"] for player in players]
        stage = "Final result" if phase == "over" else f"Round {table['round']}"
        mine = own_part(stage, table, moves, players, expected_of(table, moves, names))
        mine |= {"sum": None, "panel": None}
        if table["hand"]:
            mine["hand"] = hand_of_field(table, moves)
        if seat is not None and phase not in ENDED:
            mine["sum"] = sum_of(table)
            mine["panel"] = panel_of(table, moves, names)
        if table["last_round"]:
            mine["result"] = result_of(table, names)
        return mine

    # The sheet

    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link):
        names = [player["name"] for player in players]
        target, totals = score_sheet["target"], [side["total"] for side in score_sheet["sides"]]
        rows = score_sheet["rounds"]
        over = max(totals) >= target
        best = winner_of(rows, target) if over else max((0, 1), key=totals.__getitem__)
        level = not over and totals[0] == totals[1]
        before = [0, 0]
        drawn = []
        for row in rows:
            drawn.append(sheet_row(row, before, names, link))
            before = row["totals"]
        return {
            "caption": f"to {plural(target // CROWN_STONES, 'crown')} ({target} stones)",
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

    def move_words(self, move, players, seat=None):
        if move["type"] == "deal":
            return "The cards are dealt"
        return f"{players[seat]['name']} {said_words(move)}"


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
                if latest:
                    classes += " finished"
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
    slip["who"] = f"{side_does(shown.declarer, names, 'predicts', 'predict')}"
    slip["prediction"] = prediction_words(shown.prediction)
    slip["worth"] = f"worth {plural(worth(shown.prediction), 'point')}"
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
        return "winner", "", f"{side_does(table['winner'], names, 'wins', 'win')} the match"
    if phase == "deal":
        last = table["last_round"]
        return ("winner", "", outcome(last, names)) if last else ("", "", f"{names[table['dealer']]} deals")
    if shown.tricks:
        won = table["won"][shown.declarer % 2]
        return "", f"{won} of {shown.prediction['tricks']}", f"{plural(3 - len(shown.tricks), 'trick')} to come"
    if shown.prediction:
        tricks, _, positions = prediction_words(shown.prediction).partition(", ")
        return "", tricks.capitalize(), positions
    if phase in ("poll", "predict"):
        return "", "", f"{names[table['declarer']]} declares"
    return None
