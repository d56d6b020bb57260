"""The sheet of Belot, We and You, and how every figure on it came about."""

from games.belot.rules.scoring import LIMITS, VALAT, shared_out, winners_of
from games.belot.table.terms import (
    CONTRACT_WORDS,
    LEVEL_WORDS,
    SIGNS,
    TIMES,
    contract_words,
    labels,
    own_first,
    side_names,
)
from games.kit.markup import CROWN, LEADER
from games.kit.words import plural, signed


def sheet(score_sheet, players, viewer, link):
    names = [player["name"] for player in players]
    sides, target = score_sheet["sides"], score_sheet["target"]
    order = own_first(sides, viewer)
    heads = labels(sides, names, viewer)
    mates = side_names(sides, names)
    totals, rows = score_sheet["totals"], score_sheet["rows"]
    best = max(totals)
    over = bool(rows) and best >= target and totals.count(best) == 1 and rows[-1]["valat"] is None
    hung = [0, *[row["hanging"] for row in rows]]  # before each deal
    return {
        "caption": f"to {target}",
        "sides": [{"name": heads[side], "mates": mates[side] if heads[side] != mates[side] else ""} for side in order],
        "rows": [_row(row, before, order, heads, mates, names, link) for row, before in zip(rows, hung, strict=False)],
        "columns": str(3 + 2 * len(order)),
        "hanging": str(score_sheet["hanging"] or ""),
        "totals": [
            {
                "total": signed(totals[side]),
                "value": str(max(0, totals[side])),
                "left": f"needs {target - totals[side]}" if totals[side] < target and not over else "",
                "crown": (CROWN if over else LEADER) if rows and totals[side] == best else "",
            }
            for side in order
        ],
        "target": str(target),
        "over": over,
    }


def _row(row, hung_before, order, heads, mates, names, link):
    return {
        "number": str(row["deal"]),
        "classes": "scored",
        "sign": SIGNS[row["contract"]],
        "contract": contract_words(row),
        "times": TIMES[row["level"]],
        "bidder": names[row["bidder"]],
        "cells": [_cell(row, side, hung_before, heads[side], mates) for side in order],
        "hanging": str(row["hanging"] or ""),
        "url": link(row["deal"]),
    }


def _cell(row, side, hung_before, head, mates):
    """What one side writes for a deal, in words too, its running total, and how that came about."""
    mark, mp, kirtik = row["marks"][side], signed(row["mp"][side]), row["kirtik"][side]
    sign, words = {
        "number": (mp, ""),
        "dash": ("–", "inside, nothing written" if row["outcome"] == "inside" else "lost, nothing written"),
        "hanging": ("hang", "level, its points hang"),
    }[mark]
    return {
        "id": f"{row['deal']}-{side}",
        "classes": mark,
        "sign": sign,
        "kirtik": f"({signed(kirtik)})" if kirtik and mark != "number" else "",
        "words": words,
        "valat": row["valat"] == side,
        "total": signed(row["totals"][side]),
        "heading": f"Deal {row['deal']}, {head}",
        "steps": _workings(row, side, row["hanging"] - hung_before, mates),
    }


# How a figure came about, a step a line: pairs of words and a figure


def _workings(row, side, hung, mates):
    bidding = row["bidder"] % len(mates)
    written = row["mp"][side] - row["pot"][side] - row["kirtik"][side] - (VALAT if row["valat"] == side else 0)
    steps = _points(row, side)
    steps += _outcome(row, side, bidding, mates)
    if row["marks"][side] == "number":
        steps += _rounding(row, side, bidding, written, mates)
    elif row["marks"][side] == "hanging":
        steps += _hanging(row, side, bidding, hung)
    if row["pot"][side]:
        steps.append(("Hanging from earlier deals", signed(row["pot"][side], plus=True)))
    if row["valat"] == side:
        steps.append(("Valat, all tricks", signed(VALAT, plus=True)))
    if row["kirtik"][side]:
        steps.append(("Kirtik", signed(row["kirtik"][side])))
    total = {"number": signed(row["mp"][side]), "dash": "–", "hanging": "hang"}[row["marks"][side]]
    if row["kirtik"][side] and row["marks"][side] != "number":
        total = f"{total} ({signed(row['kirtik'][side])})"
    return [
        {"words": words, "figure": figure, "classes": "sum" if words == "Points" else ""} for words, figure in steps
    ] + [{"words": "Written", "figure": total, "classes": "sum written"}]


def _points(row, side):
    """From cards to points."""
    steps = [(f"Cards in {plural(row['tricks'][side], 'trick')}", str(row["cards"][side]))]
    times = 2 if row["contract"] == "NT" else 1
    parts = row["cards"][side] + row["declarations"][side] + row["belots"][side]
    last = row["points"][side] // times - parts
    if last:
        steps.append(("Last trick", f"+{last}"))
    if row["declarations"][side]:
        steps.append(("Declarations", f"+{row['declarations'][side]}"))
    if row["belots"][side]:
        count = row["belots"][side] // 20
        steps.append(("Belot" if count == 1 else f"{count} belots", f"+{row['belots'][side]}"))
    if times == 2:
        steps.append(("No trumps count double", "×2"))
    return [*steps, ("Points", str(row["points"][side]))]


def _outcome(row, side, bidding, mates):
    """Whether the bid was made, and who therefore writes what."""
    bidders = row["points"][bidding]
    others = sum(row["points"]) - bidders
    against = f"{bidders} against {others}"
    who, contract = mates[bidding], CONTRACT_WORDS[row["contract"]].capitalize()
    doubled = row["level"] > 1
    if row["outcome"] == "made":
        rule = "the winner writes all" if doubled else "every side writes its own"
        return [(f"{contract} by {who}, made with {against}: {rule}", "")]
    if row["outcome"] == "inside":
        rule = "the others write all" if len(mates) == 2 else "the others share all"
        return [(f"{contract} by {who}, inside with {against}: {rule}", "")]
    rule = "all of it hangs" if doubled else f"the points of {who} hang"
    return [(f"{contract} by {who}, level at {against}: {rule}", "")]


def _rounding(row, side, bidding, written, mates):
    """From the points that a side may write to its match points."""
    points, level = row["points"], row["level"]
    alone = (row["outcome"] == "made" and level == 1) or row["outcome"] == "hanging"
    whole = written // level
    if alone:
        return [(_rounded(row, points[side], whole, _own_reason(row, side)), str(whole))]
    steps = []
    if len(mates) == 3 and row["outcome"] == "inside":
        winners = winners_of("inside", points, row["bidder"])
        half = shared_out(points[bidding], winners, len(points))[side]
        amount = points[side] + half
        steps.append((f"A half of the {points[bidding]} points of {mates[bidding]}", f"+{half}"))
        reason = "the higher amount" if whole == amount // 10 else "not the higher amount"
    else:
        amount = sum(points)
        steps.append(("All points of the deal", str(amount)))
        reason = "all points together"
    steps.append((_rounded(row, amount, whole, reason), str(whole)))
    if level > 1:
        steps.append((LEVEL_WORDS[level].capitalize(), f"{TIMES[level]} = {written}"))
    return steps


def _own_reason(row, side):
    if row["outcome"] == "hanging":
        return "the points that do not hang"
    points = row["points"]
    return (
        "the highest amount"
        if points.count(max(points)) == 1 and points[side] == max(points)
        else ("not the highest amount" if points[side] < max(points) else "level with another")
    )


def _hanging(row, side, bidding, hung):
    level = row["level"]
    if level == 1:
        return [(_rounded(row, row["points"][side], hung, "the points that hang"), f"{hung} hang")]
    amount, whole = sum(row["points"]), hung // level
    return [
        ("All points of the deal", str(amount)),
        (_rounded(row, amount, whole, "all points together"), str(whole)),
        (LEVEL_WORDS[level].capitalize(), f"{TIMES[level]} = {hung} hang"),
    ]


def _rounded(row, amount, whole, reason):
    """Why an amount of points becomes so many match points. reason: what tells at the limit."""
    limit, last = LIMITS.get(row["contract"], 6), amount % 10
    way = "up" if whole > amount // 10 else "down"
    kind = {"NT": "in no trumps", "AT": "in all trumps"}.get(row["contract"], "with a trump suit")
    if last == 0:
        return f"{amount} by ten"
    if last != limit:
        than = "under" if last < limit else "over"
        return f"{amount} by ten: {last} is {than} {limit}, so {way} ({kind})"
    return f"{amount} by ten: a {limit} goes either way {kind}, {way} for {reason}"
