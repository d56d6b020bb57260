"""The sheet of Belot, We and They, and how every figure on it came about."""

from games.belot.rules.pack import BELOT, times
from games.belot.rules.scoring import VALAT, division, half_of, is_together, last_ten
from games.belot.table import words
from games.belot.table.terms import SIGNS, TIMES, Sides
from games.kit.drawing import ANYBODY, draw_totals
from games.kit.words import Names, with_sign


def sheet(score_sheet, players, reader=ANYBODY):
    names = Names([player["name"] for player in players], reader.viewer)
    sides, target = Sides(score_sheet["sides"], names), score_sheet["target"]
    totals, rows = score_sheet["totals"], score_sheet["rows"]
    best = max(totals)
    over = bool(rows) and best >= target and totals.count(best) == 1 and rows[-1]["valat"] is None
    return {
        "caption": words.sheet_to(target),
        "sides": [{"name": sides.heads[side], "mates": sides.mates[side]} for side in sides.order],
        "rows": [_row(row, sides, names, reader.link) for row in rows],
        "classes": f"sheet belot-sheet sides-{len(sides.order)}",
        "columns": str(3 + 2 * len(sides.order)),
        "hangs": any(row["hanging"] for row in rows),
        "hanging": str(score_sheet["hanging"] or ""),
        "totals": [
            drawn
            | {
                "value": str(max(0, totals[side])),
                "left": words.needs(target - totals[side]) if totals[side] < target and not over else "",
            }
            for side, drawn in zip(sides.order, draw_totals(totals, sides.order, rows, over), strict=True)
        ],
        "target": str(target),
        "over": over,
    }


def _row(row, sides, names, link):
    return {
        "number": str(row["deal"]),
        "classes": "scored",
        "sign": SIGNS[row["contract"]],
        "contract": words.contract_by(row, names.of(row["bidder"])),
        "times": TIMES[row["level"]],
        "bidder": names.of(row["bidder"]),
        "cells": [_cell(row, side, sides) for side in sides.order],
        "hanging": str(row["hanging"] or ""),
        "url": link(row["deal"]),
    }


def _cell(row, side, sides):
    """What one side scores for a deal, in words too, its running total, and how that came about."""
    mark, kirtik = row["marks"][side], row["kirtik"][side]
    return {
        "id": f"{row['deal']}-{side}",
        "classes": mark,
        "sign": words.mark_of(row, side),
        "kirtik": f"({with_sign(kirtik)})" if kirtik and mark != "number" else "",
        "words": words.mark_words(row, side),
        "valat": row["valat"] == side,
        "total": with_sign(row["totals"][side]),
        "heading": words.deal_of(row, sides.heads[side]),
        "steps": _workings(row, side, sides),
    }


def _workings(row, side, sides):
    """How a figure came about, a step a line."""
    pot, kirtik = row["pot"][side], row["kirtik"][side]
    steps = [*_points(row, side), (words.needed(row, sides), ""), *_match_points(row, side, sides)]
    if pot:
        steps.append((words.FROM_EARLIER_DEALS, with_sign(pot, plus=True)))
    if row["valat"] == side:
        steps.append((words.EVERY_TRICK, with_sign(VALAT, plus=True)))
    if kirtik:
        steps.append((words.KIRTIK, with_sign(kirtik)))
    score = words.mark_of(row, side)
    if kirtik and row["marks"][side] != "number":
        score = f"{score} ({with_sign(kirtik)})"
    steps.append((words.SCORE, score))
    classes = {words.POINTS: "sum", words.SCORE: "sum written"}
    return [{"words": step, "figure": figure, "classes": classes.get(step, "")} for step, figure in steps]


def _points(row, side):
    """From cards to points."""
    yield words.cards_in(row["tricks"][side]), str(row["cards"][side])
    last, declarations, belots = last_ten(row, side), row["declarations"][side], row["belots"][side]
    if last:
        yield words.LAST_TRICK, with_sign(last, plus=True)
    if declarations:
        yield words.DECLARATIONS, with_sign(declarations, plus=True)
    if belots:
        yield words.belots(belots // BELOT), with_sign(belots, plus=True)
    if times(row["contract"]) == 2:
        yield words.NO_TRUMPS_DOUBLE, "×2"
    yield words.POINTS, str(row["points"][side])


def _match_points(row, side, sides):
    """From the points that a side may score, or that hang, to its match points."""
    found = division(row, side)
    if not found:
        return
    points, tens, level = *found, row["level"]
    half = half_of(row, side)
    if half:
        yield words.half_of_bidders(row), with_sign(half, plus=True)
    elif is_together(row):
        yield words.ALL_POINTS, str(points)
    yield words.divided(row, side), words.hangs(tens) if _hangs(row, side) and level == 1 else str(tens)
    if level > 1:
        mp = words.hangs(tens * level) if _hangs(row, side) else str(tens * level)
        yield words.TIMES_WORDS[level], f"×{level} = {mp}"


def _hangs(row, side):
    return row["marks"][side] == "hanging"
