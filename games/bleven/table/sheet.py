"""The score sheet of Bleven: a row for each round, with its workings."""

from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import CROWN as CROWN_STONES
from games.bleven.table.words import (
    ORDINALS,
    PAID_FOR,
    PAID_WORDS,
    outcome,
    prediction_words,
    side_does,
    side_names,
    stone_words,
    stones,
    won_places,
    won_words,
)
from games.kit.markup import CROWN, LEADER
from games.kit.words import joined, plural, signed


def sheet(score_sheet, players, link, standings):
    """standings: of a match that is over; empty before."""
    names = [player["name"] for player in players]
    target, totals = score_sheet["target"], [side["total"] for side in score_sheet["sides"]]
    rows = score_sheet["rounds"]
    over = bool(standings)
    best = standings[0]["seat"] % 2 if over else max((0, 1), key=totals.__getitem__)
    level = not over and totals[0] == totals[1]
    before = [0, 0]
    drawn = []
    for row in rows:
        drawn.append(_row(row, before, names, link))
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
    }


def _row(row, before, names, link):
    number = row["round"]
    places = won_places(row) if row["prediction"] else []
    return {
        "number": str(number),
        "declarer": side_names(row["declarer"], names) if row["prediction"] else "",
        "prediction": prediction_words(row["prediction"]) if row["prediction"] else "no prediction",
        "predicted": link(number, "predict") if row["prediction"] else "",
        "bet": _sheet_bet(row),
        "answer": {"suspect": "suspected", "deduce": "deduced", None: ""}[row["answer"]],
        "tricks": [_trick_mark(trick, row, places, link) for trick in range(1, len(row["tricks"]) + 1)],
        "result": RESULTS[row["result"]] if row["result"] != "played" else "right" if row["right"] else "failed",
        "state": "right" if row["right"] else "failed" if row["result"] == "played" else "",
        "equation": _equation(row),
        "steps": [{"words": words, "url": link(number, at)} for words, at in _steps(row, before, names)],
        "cells": [
            {
                "gained": signed(gained, plus=True) if gained else "–",
                "total": str(total),
                "classes": "won" if row["winner"] == side else "",
                "crown": row["crowns"][side] > before[side] // CROWN_STONES,
            }
            for side, (gained, total) in enumerate(zip(row["stones"], row["totals"], strict=True))
        ],
        "url": link(number),
        "end": link(number, "end"),
    }


RESULTS = {"left": "left", "out": "out", "under15": "under 15", "void": "void"}


def _sheet_bet(row):
    if not row["prediction"]:
        return ""
    words = f"bet {row['bet']}" if row["bet"] else f"bet {row['offered']} not agreed"
    return f"{words}, side bets {row['side_bets']}" if row["side_bets"] else words


def _trick_mark(number, row, places, link):
    """Whether the declaring side won a trick, and whether it had named it: (classes, number, words)."""
    won, named = number in places, number in row["prediction"]["positions"]
    classes = " ".join(filter(None, ["trick-mark", "won" if won else "", "named" if named else ""]))
    words = f"{ORDINALS[number]} {'won' if won else 'lost'}"
    if named:
        words += ", as named" if won else ", though named"
    return {"classes": classes, "number": str(number), "words": words, "url": link(row["round"], f"trick-{number}")}


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
    """How a round was counted, a step a line: (words, the moment of the round it tells of)."""
    steps = []
    if row["left"]:
        verb = "leaves" if len(row["left"]) == 1 else "leave"
        steps.append((f"{joined([names[seat] for seat in row['left']])} {verb} the round.", "leave"))
    if row["prediction"]:
        words = f"{side_does(row['declarer'], names, 'predicts', 'predict')} {prediction_words(row['prediction'])}"
        steps.append((f"{words}; the bet offered is {stone_words(row['offered'])}.", "predict"))
    if row["answer"]:
        says = "suspects" if row["answer"] == "suspect" else "deduces"
        agreed = f"{stone_words(row['bet'])} agreed" if row["bet"] else "nothing was agreed"
        steps.append((f"{names[row['replier']]} {says} it: {agreed}.", row["answer"]))
    if row["side_bets"]:
        steps.append((f"Side bets of {stone_words(row['side_bets'])} are agreed.", "in"))
    if row["out"]:
        verb = "goes" if len(row["out"]) == 1 else "go"
        steps.append((f"{joined([names[seat] for seat in row['out']])} {verb} out.", "out"))
    if row["faced"]:
        verb = "lays" if len(row["faced"]) == 1 else "lay"
        steps.append((f"{joined([names[seat] for seat in row['faced']])} {verb} the field open: under 15.", "end"))
    if row["right"] is not None:
        places = won_places(row)
        steps.append(
            (
                f"{side_names(row['declarer'], names)} won {won_words(places)} trick{'s' * (len(places) > 1)}."
                if places
                else f"{side_names(row['declarer'], names)} won no trick.",
                "end",
            )
        )
    if row["counted"] and (row["points"] or not any(row["counted"].values())):
        steps.append((_counted_words(row), "end"))
    if row["result"] in ("played", "under15", "void"):
        steps.append((f"{outcome(row, names)}.", "end"))
    totals = list(before)
    for payment in row["paid"]:
        side, number = payment["side"], payment["stones"]
        words = f"{side_does(side, names, 'gets', 'get')} {number} {PAID_WORDS[payment['for']]}"
        steps.append((f"{words}: {totals[side]} + {number} = {totals[side] + number}.", "end"))
        totals[side] += number
    return steps


def _counted_words(row):
    tricks, positions = row["counted"]["tricks"], row["counted"]["positions"]
    count = tricks + positions
    counts = joined(
        [*([plural(tricks, "trick")] if tricks else []), *([plural(positions, "position")] if positions else [])]
    )
    if not count:
        return "Nothing of the prediction counts for points."
    return f"{counts} {'counts' if count == 1 else 'count'}: {_terms(count)} {'point' if count == 1 else 'points'}."
