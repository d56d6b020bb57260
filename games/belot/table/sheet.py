"""Draw the score sheet, with the computation of every figure."""

from collections.abc import Callable, Iterator

from games.belot.rules.pack import BELOT, points_factor
from games.belot.rules.scoring import VALAT, bidder_half, division, is_divided_as_one, last_trick_points
from games.belot.rules.types import ScoreSheet, SheetRow
from games.belot.table import words
from games.belot.table.terms import SIGNS, TIMES, Sides
from games.kit.drawing import ANY_READER, Players, SheetReader, TemplateData, draw_totals
from games.kit.words import Names, with_sign

type Step = tuple[str, str]  # words and a figure


def sheet(score_sheet: ScoreSheet, players: Players, reader: SheetReader = ANY_READER) -> TemplateData:
    names = Names([player["name"] for player in players], reader.viewer)
    sides, target = Sides(score_sheet["sides"], names), score_sheet["target"]
    totals, rows = score_sheet["totals"], score_sheet["rows"]
    best = max(totals)
    over = bool(rows) and best >= target and totals.count(best) == 1 and rows[-1]["valat"] is None
    return {
        "caption": words.sheet_to(target),
        "sides": [{"name": sides.heads[side], "mates": sides.mates[side]} for side in sides.order],
        "rows": [
            {**_draw_row(row, sides, names, reader.link), "changed": reader.changes.get(number, "")}
            for number, row in enumerate(rows, 1)
        ],
        "empty": words.ALL_PASSED_OUT if reader.is_over else words.NOTHING_SCORED_YET,
        "classes": f"sheet belot-sheet sides-{len(sides.order)}",
        "columns": str(3 + 2 * len(sides.order)),
        "hangs": any(row["hanging"] for row in rows),
        "hanging": str(score_sheet["hanging"] or ""),
        "totals": [
            total
            | {
                "value": str(max(0, totals[side])),
                "left": words.needs(target - totals[side]) if totals[side] < target and not over else "",
            }
            for side, total in zip(sides.order, draw_totals(totals, sides.order, bool(rows), over), strict=True)
        ],
        "target": str(target),
        "over": over,
    }


def _draw_row(row: SheetRow, sides: Sides, names: Names, link: Callable[..., str]) -> TemplateData:
    return {
        "number": str(row["deal"]),
        "classes": "scored",
        "sign": SIGNS[row["contract"]],
        "contract": words.contract_by(row, names),
        "times": TIMES[row["level"]],
        "bidder": names.of(row["bidder"]),
        "cells": [_draw_cell(row, side, sides) for side in sides.order],
        "hanging": str(row["hanging"] or ""),
        "url": link(row["deal"]),
    }


def _draw_cell(row: SheetRow, side: int, sides: Sides) -> TemplateData:
    """Return the data of a cell of the score sheet: what one side scores for a deal, and how that was computed.

    A mark is "number" for a score, "dash" if the side lost its points, or "hanging" if they wait for the winners of the
    next deal. With the option "kirtik" a side may also pay a penalty. It is part of the number. After another mark it
    is written in brackets.
    """
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
        "steps": _score_steps(row, side, sides),
    }


def _score_steps(row: SheetRow, side: int, sides: Sides) -> list[dict[str, str]]:
    """Explain the score of a side, one step of the computation per line, as dicts of words and a figure.

    First come the points of the deal, then the match points. pot: match points left from earlier deals. kirtik: a
    penalty, as a negative number, or 0.
    """
    pot, kirtik = row["pot"][side], row["kirtik"][side]
    steps = [*_points_steps(row, side), (words.needed(row, sides), ""), *_match_points_steps(row, side)]
    if pot:
        steps.append((words.FROM_EARLIER_DEALS, with_sign(pot, plus=True)))
    if row["valat"] == side:  # It has taken all tricks.
        steps.append((words.EVERY_TRICK, with_sign(VALAT, plus=True)))
    if kirtik:
        steps.append((words.KIRTIK, with_sign(kirtik)))
    score = words.mark_of(row, side)
    if kirtik and row["marks"][side] != "number":
        score = f"{score} ({with_sign(kirtik)})"
    steps.append((words.SCORE, score))
    classes: dict[str, str] = {words.POINTS: "sum", words.SCORE: "sum written"}
    return [{"words": step, "figure": figure, "classes": classes.get(step, "")} for step, figure in steps]


def _points_steps(row: SheetRow, side: int) -> Iterator[Step]:
    """Yield the steps from the cards of a side to its points, as pairs of words and a figure.

    Extras follow: the last trick, declarations (sequences and squares), and belots (kings with queens of trumps).
    """
    yield words.cards_in(row["tricks"][side]), str(row["cards"][side])
    last, declarations, belots = last_trick_points(row, side), row["declarations"][side], row["belots"][side]
    if last:
        yield words.LAST_TRICK, with_sign(last, plus=True)
    if declarations:
        yield words.DECLARATIONS, with_sign(declarations, plus=True)
    if belots:
        yield words.belots(belots // BELOT), with_sign(belots, plus=True)  # their number, and their points
    if points_factor(row["contract"]) == 2:
        yield words.NO_TRUMPS_DOUBLE, "×2"
    yield words.POINTS, str(row["points"][side])


def _match_points_steps(row: SheetRow, side: int) -> Iterator[Step]:
    """Yield the steps from points to match points, as pairs of words and a figure.

    There are none if the side lost its points. The points are divided by ten, and multiplied by the level: 2, 4 or 8 if
    the contract was doubled. Points that are level "hang": they wait for the winners of the next deal.
    """
    share = division(row, side)
    if not share:
        return
    (points, tens), level = share, row["level"]
    half = bidder_half(row, side)
    if half:  # One of two defenders gets it if the bidder has lost.
        yield words.half_of_bidders(row), with_sign(half, plus=True)
    elif is_divided_as_one(row):
        yield words.ALL_POINTS, str(points)
    does_hang = _hangs(row, side)
    yield words.rounding(row, side, share), words.hangs(tens) if does_hang and level == 1 else str(tens)
    if level > 1:
        mp = words.hangs(tens * level) if does_hang else str(tens * level)
        yield words.TIMES_WORDS[level], f"×{level} = {mp}"


def _hangs(row: SheetRow, side: int) -> bool:
    return row["marks"][side] == "hanging"
