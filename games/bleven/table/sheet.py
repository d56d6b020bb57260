"""The score sheet of Bleven: a row for each round, with its calculation."""

from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import CROWN
from games.bleven.table.words import (
    ANSWERED,
    LEADER,
    ORDINALS,
    WINNER,
    bet_words,
    counted_words,
    crown_words,
    is_own,
    outcome,
    payment_words,
    prediction_words,
    side_heading,
    side_seats,
    stone_words,
    stones,
    won_places,
    won_words,
)
from games.kit.drawing import ANY_READER
from games.kit.language import lazy_in, say, say_in
from games.kit.words import Names, sentence_of, with_sign


def sheet(score_sheet, players, reader=ANY_READER):
    names, standings = Names([player["name"] for player in players], reader.viewer), reader.standings
    target, totals = score_sheet["target"], [side["total"] for side in score_sheet["sides"]]
    sides = sorted((0, 1), key=lambda side: not is_own(side, names))
    over = bool(standings)
    best = standings[0]["seat"] % 2 if over else max((0, 1), key=totals.__getitem__)
    level = not over and totals[0] == totals[1]
    before = [0, 0]
    drawn = []
    for row in score_sheet["rounds"]:
        drawn.append(_row(row, before, sides, names, reader.link))
        before = row["totals"]
    crowns = crown_words(target // CROWN)
    return {
        "caption": say("to {crowns} ({stones})", crowns=crowns, stones=stone_words(target)),
        "sides": [side_heading(side, names) for side in sides],
        "rows": drawn,
        "totals": [
            {
                "total": stone_words(totals[side]),
                "number": totals[side],
                "stones": stones(totals[side], crowns=True),
                "sign": (WINNER if over else LEADER) if side == best and not level else "",
            }
            for side in sides
        ],
    }


def _row(row, before, sides, names, link):
    number = row["round"]
    places = won_places(row) if row["prediction"] else []
    return {
        "number": str(number),
        "declarer": side_heading(row["declarer"], names) if row["prediction"] else "",
        "prediction": prediction_words(row["prediction"]) if row["prediction"] else say("no prediction"),
        "predicted": link(number, "predict") if row["prediction"] else "",
        "bet": _sheet_bet(row),
        "answer": ANSWERED[row["answer"]],
        "tricks": [_trick_mark(trick, row, places, link) for trick in range(1, len(row["tricks"]) + 1)],
        "result": RESULTS[row["result"] if row["result"] != "played" else "right" if row["right"] else "failed"],
        "state": "right" if row["right"] else "failed" if row["result"] == "played" else "",
        "equation": _equation(row),
        "steps": [{"words": words, "url": link(number, at)} for words, at in _steps(row, before, names)],
        "cells": [
            {
                "gained": with_sign(row["stones"][side], plus=True) if row["stones"][side] else "–",
                "total": str(row["totals"][side]),
                "classes": "won" if row["winner"] == side else "",
                "crown": row["crowns"][side] > before[side] // CROWN,
            }
            for side in sides
        ],
        "url": link(number),
        "end": link(number, "end"),
    }


RESULTS = {
    "right": lazy_in("how a round ended", "right"),
    "failed": lazy_in("how a round ended", "failed"),
    "left": lazy_in("how a round ended", "left"),
    "out": lazy_in("how a round ended", "out"),
    "under15": lazy_in("how a round ended", "under 15"),
    "void": lazy_in("how a round ended", "void"),
}


def _sheet_bet(row):
    if not row["prediction"]:
        return ""
    if not row["bet"]:
        return say("bet {bet} offered", bet=row["offered"])
    sentence = "bet {bet}, side bets {side_bets}" if row["side_bets"] else "bet {bet}"
    return say(sentence, bet=row["bet"], side_bets=row["side_bets"])


def _trick_mark(number, row, places, link):
    """Return (classes, number, words) for a trick: whether the declaring side won it, and had named it."""
    won, named = number in places, number in row["prediction"]["positions"]
    classes = " ".join(filter(None, ["trick-mark", "won" if won else "", "named" if named else ""]))
    if named:
        sentence = "{place} won, as named" if won else "{place} lost, though named"
    else:
        sentence = "{place} won" if won else "{place} lost"
    words = say(sentence, place=ORDINALS[number])
    return {"classes": classes, "number": str(number), "words": words, "url": link(row["round"], f"trick-{number}")}


def _terms(number):
    """Return the points for a number of tricks and positions as a sum: "1 + 2 + 3 = 6"."""
    return f"{' + '.join(map(str, range(1, number + 1)))} = {triangular(number)}" if number > 1 else str(number)


def _equation(row):
    """Return the payments of a round in one short line."""
    if not row["paid"]:
        return say("nothing paid")
    parts = []
    for payment in row["paid"]:
        if payment["for"] == "points" and row["counted"]:
            count = row["counted"]["tricks"] + row["counted"]["positions"]
            parts.append(say(_PAID["points"], stones=_terms(count)))
        else:
            parts.append(say(_PAID[payment["for"]], stones=payment["stones"]))
    return ", ".join(parts)


_PAID = {
    "points": "points {stones}",
    "bet": "bet {stones}",
    "side_bets": "side bets {stones}",
    "round": "round {stones}",
    "out": "out {stones}",
}


def _steps(row, before, names):
    """Return the steps of a round's score: pairs of words and the moment of the round."""
    steps = [(names.say_of(seat, "You leave the round.", "{name} leaves the round."), "leave") for seat in row["left"]]
    if row["prediction"]:
        steps += [(_offer_words(row, names), "predict")]
    if row["answer"]:
        steps += [(_answer_words(row, names), row["answer"])]
    if row["side_bets"]:
        steps += [(say("Side bets agreed: {stones}.", stones=stone_words(row["side_bets"])), "in")]
    steps += [(names.say_of(seat, "You go out.", "{name} goes out."), "out") for seat in row["out"]]
    yours = "You have less than 15 and lay your field open."
    theirs = "{name} has less than 15, and the field is laid open."
    steps += [(names.say_of(seat, yours, theirs), "end") for seat in row["faced"]]
    if row["right"] is not None:
        steps += [(won_words(row, names), "end")]
    if row["result"] in ("under15", "void"):
        steps += [(sentence_of(outcome(row, names)), "end")]
    steps += [(words, "end") for words in (*counted_words(row), *bet_words(row, names))]
    totals = list(before)
    for payment in row["paid"]:
        side, number = payment["side"], payment["stones"]
        steps += [(_sum_words(payment, totals[side], names), "end")]
        totals[side] += number
    return steps


def _offer_words(row, names):
    yours, one = "You bet {stones} on {prediction}.", "{names} bets {stones} on {prediction}."
    many, offered = "{names} bet {stones} on {prediction}.", stone_words(row["offered"])
    prediction = prediction_words(row["prediction"])
    return names.say_of_all(side_seats(row["declarer"], names), yours, one, many, stones=offered, prediction=prediction)


def _answer_words(row, names):
    if row["answer"] == "suspect":
        yours = "You doubt it (suspect); the bet agreed: {bet}."
        theirs = "{name} doubts it (suspect); the bet agreed: {bet}."
    else:
        yours = "You believe it (deduce); the bet agreed: {bet}."
        theirs = "{name} believes it (deduce); the bet agreed: {bet}."
    bet = stone_words(row["bet"]) if row["bet"] else say_in("of a bet", "none")
    return names.say_of(row["replier"], yours, theirs, bet=bet)


def _sum_words(payment, before, names):
    """Return a payment and its sum: "Boris wins the bet of 4 stones. New total: 0 + 4 = 4."."""
    number = payment["stones"]
    total = say("New total: {before} + {number} = {after}.", before=before, number=number, after=before + number)
    return " ".join([payment_words(payment, names), total])
