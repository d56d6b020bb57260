"""What everybody sees of a table of Bleven: fields and reserves, the pile, the stones at stake."""

from typing import NamedTuple

from games.bleven.rules.state import all_terms
from games.bleven.table.words import outcome, prediction_words, said_words, side_does, stones, worth
from games.kit.drawing import DASH, caption, drawn_seat, past_tricks
from games.kit.markup import BACK, FACES, MINI, NOTHING, Markup
from games.kit.words import CARD_NAMES, plural, signed

ENDED = ("deal", "over")  # the phases in which the last round still lies on the table
GONE = ("left", "out")  # how seats stand that play no more in this round


def felt(table, players):
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
        seat["reserve"] = Markup("".join(MINI[card] for card in shown.reserves[number]))
        seat["reserve_words"] = Markup(", ".join(CARD_NAMES[card] for card in shown.reserves[number]))
        seats.append(seat)

    ended = phase in ENDED
    pot = shown.offered + shown.side_bets
    return {
        "classes": Markup(f"felt clockwise players-{count} phase-{phase}"),
        "players": Markup(count),
        "phase": Markup(phase),
        "ended": ended,
        "contract": _contract(table, shown, names),
        "seats": seats,
        "pile": "" if ended else Markup(table["pile"]),
        "pot": stones(pot) if pot and not ended else "",
        "caption": _caption(table, shown, names),
        "said": [f"{names[words['seat']]} {said_words(words)}" for words in shown.said],
        "tricks": past_tricks(shown.tricks, names),
    }


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


def _place(classes, face, order=NOTHING):
    """The place of a card in a field. order: when it came, for those who watch the cards come."""
    return {"classes": Markup(classes), "order": order, "face": face}


DOWN = _place("slot down", BACK)


def _fields(table, shown):
    """For each seat the places of its field: cards played or laid open, and backs."""
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
        return [_place("slot filled", FACES[card]) for card in opened]
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
                came = Markup(number * len(trick["plays"]) + order)
                places.append(_place(classes, FACES[play["card"]], came))
    backs = max(held, 3) - len(places) if held > 3 else min(held, 3 - len(places))
    return places + [DOWN] * backs


def _tallies(table, shown):
    """For each seat how it stands, as classes and in words."""
    last = table["last_round"]
    if last:
        return [_result_tally(last, seat) for seat in range(table["seats"])]
    return [_tally(table, seat, status) for seat, status in enumerate(table["status"])]


def _tally(table, seat, status):
    if status is None:
        return "", DASH
    if status == "faced":
        return "faced", "under 15"
    if status in GONE:
        return "gone", status
    if seat == table["declarer"]:
        return "declarer", "declarer"
    if seat == table["replier"] and table["answer"]:
        return "", "suspects" if table["answer"] == "suspect" else "deduces"
    if status == "stayed":
        return "", "stays"
    return "", "to act" if seat == table["to_act"] else "waits"


def _result_tally(last, seat):
    gained = signed(last["stones"][seat % 2], plus=True)
    state = "" if last["winner"] is None else "made" if last["winner"] == seat % 2 else "missed"
    if seat in last["left"] or seat in last["out"]:
        state += " gone"
    return state, gained if gained != "0" else "nothing"


# The slip, and the middle of the table


def _contract(table, shown, names):
    slip = {
        "round": Markup(round_words(table, shown.number)),
        "target": Markup(f"to {plural(table['options']['crowns'], 'crown')}"),
        "who": "",
        "prediction": Markup("No prediction yet"),
        "worth": "",
        "bet": "",
        "state": "",
    }
    if shown.prediction is None:
        if shown.declarer is not None:
            slip["who"] = f"{names[shown.declarer]} declares"
        return slip
    slip["who"] = side_does(shown.declarer, names, "predicts", "predict")
    slip["prediction"] = Markup(prediction_words(shown.prediction))
    slip["worth"] = Markup(f"worth {plural(worth(shown.prediction), 'point')}")
    slip["bet"] = Markup(_bet_words(shown))
    slip["state"] = {"suspect": "suspected", "deduce": "deduced", None: ""}[shown.answer]
    return slip


NEAR = 5  # rounds before the last one from which on the table says how many there are


def round_words(table, number):
    """What a round is called: "Round 7"; near the last "Round 56 of 60", and the one that is added then."""
    last = all_terms(table["options"])["rounds"]
    if not last or number <= last - NEAR:
        return f"Round {number}"
    return f"Round {number} of {last}" if number <= last else "Deciding round"


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
    """What the middle of the table says, or None."""
    phase = table["phase"]
    if phase == "over":
        return caption(f"{side_does(table['winner'], names, 'wins', 'win')} the match", classes="winner")
    if phase == "deal":
        last = table["last_round"]
        return caption(outcome(last, names), classes="winner") if last else caption(f"{names[table['dealer']]} deals")
    if shown.tricks:
        won = table["won"][shown.declarer % 2]
        to_come = f"{plural(3 - len(shown.tricks), 'trick')} to come"
        return caption(to_come, f"{won} of {shown.prediction['tricks']}")
    if shown.prediction:
        tricks, _, positions = prediction_words(shown.prediction).partition(", ")
        return caption(positions, tricks.capitalize())
    if phase in ("poll", "predict"):
        return caption(f"{names[table['declarer']]} declares")
    return None
