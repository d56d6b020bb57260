"""Tables of figures, with bars that show one of them: dicts for templates."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, TypedDict

from django.contrib.humanize.templatetags.humanize import intcomma

from games.kit.facts import Breakdown, Figure, Tally, of_unit
from games.kit.language import say
from games.kit.words import tenths
from games.statistics.running import ResultLine

MONTHS = 24  # The latest months, which are drawn and listed.


class Bar(TypedDict):
    """A bar in a drawing 100 wide. below: whether its value is negative."""

    x: float
    width: float
    below: bool


class FiguresLine(TypedDict):
    head: str
    cells: list[str]
    bar: Bar


class FiguresTable(TypedDict):
    """drawn: the head of the figure that the bars show."""

    title: str
    head: str
    heads: list[str]
    drawn: str
    lines: list[FiguresLine]
    note: str


class ResultsTable(TypedDict):
    months: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    columns: dict[str, object]
    played: int
    won: int


def breakdown_table(breakdown: Breakdown, tallies: Sequence[Tally]) -> FiguresTable | None:
    """Return the table of a breakdown, or None if no line has deals."""
    figures = breakdown.figures
    lines = [(line.head, [tally for tally in tallies if line.holds(tally.facts)]) for line in breakdown.lines]
    rows = [(head, [figure_of(figure, group) for figure in figures]) for head, group in lines if group]
    if not rows:
        return None
    table = figures_table(breakdown.title, breakdown.head, figures, rows, breakdown.drawn)
    return {**table, "note": breakdown.note}


def figures_table(
    title: str, head: str, figures: Sequence[Figure], rows: Sequence[tuple[str, list[float]]], drawn: int
) -> FiguresTable:
    """Return a table of rows [(head, [value of each figure])]. drawn: the index of the figure shown as bars."""
    bars = bars_of([values[drawn] for _, values in rows], whole=figures[drawn].kind == "share")
    return {
        "title": title,
        "head": head,
        "heads": [figure.head for figure in figures],
        "drawn": figures[drawn].head,
        "lines": [
            {
                "head": name,
                "cells": [words(figure.kind, value) for figure, value in zip(figures, line, strict=True)],
                "bar": bar,
            }
            for (name, line), bar in zip(rows, bars, strict=True)
        ],
        "note": "",
    }


def figure_of(figure: Figure, tallies: Sequence[Tally]) -> float:
    """Return the value of a Figure: a number, a share from 0 to 1, or a mean. There must be at least one deal."""
    deals = sum(tally.deals for tally in tallies)
    if figure.kind == "mean":
        return sum(tally.sums[figure.fact] for tally in tallies) / deals
    counted = sum(tally.deals for tally in tallies if figure.holds(tally.facts))
    return counted / deals if figure.kind == "share" else counted


def words(kind: str, value: float) -> str:
    """Format a figure for display: "1,234", "63%", "−2.5"."""
    if kind == "number":
        return str(intcomma(value))
    if kind == "share":
        return say("{percent}%", percent=round(100 * value))
    return tenths(value)


def bars_of(values: Sequence[float], *, whole: bool = False) -> list[Bar]:
    """Return the bar of each value. whole: the values are shares of 1."""
    low, high = min(0, *values, 0), 1 if whole else max(0, *values, 0)
    scale = 100 / (high - low) if high > low else 0
    return [
        {"x": round((min(value, 0) - low) * scale, 2), "width": round(abs(value) * scale, 2), "below": value < 0}
        for value in values
    ]


def results_tables(results: Sequence[ResultLine]) -> ResultsTable | None:
    """Return the tables of results by month and by seats, or None without results."""
    if not results:
        return None
    months = [_counted(month, rows) for month, rows in groupby(results, itemgetter("month"))]
    by_seats = sorted(results, key=itemgetter("seats"))
    seats = [_counted(count, rows) for count, rows in groupby(by_seats, itemgetter("seats"))]
    for line, bar in zip(seats, bars_of([line["share"] for line in seats], whole=True), strict=True):
        line |= {"bar": bar, "head": of_unit(line["head"], "player")}
    return {
        "months": months[-MONTHS:],
        "seats": seats,
        "columns": columns_of(_without_gaps(months)[-MONTHS:]),
        "played": sum(line["played"] for line in seats),
        "won": sum(line["won"] for line in seats),
    }


def _counted(head: object, results: Iterable[ResultLine]) -> dict[str, Any]:
    rows = list(results)
    played = sum(row["matches"] for row in rows)
    won = sum(row["matches"] for row in rows if row["finish"] == 1)
    mean = sum(row["matches"] * row["finish"] for row in rows) / played
    share = won / played
    return {
        "head": head,
        "played": played,
        "won": won,
        "share": share,
        "percent": words("share", share),
        "place": words("mean", mean),
    }


def _without_gaps(months: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Insert lines for the months without matches."""
    lines = months[:1]
    for line in months[1:]:
        while (following := _month_after(lines[-1]["head"])) < line["head"]:
            lines.append({"head": following, "played": 0, "won": 0})
        lines.append(line)
    return lines


def _month_after(month: date) -> date:
    return month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)


WIDTH, HEIGHT, FOOT, LABEL = 400, 150, 18, 44  # Sizes of the months chart, in SVG units.


def columns_of(months: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return the months chart: {"width", "height", "base", "top", "most", "columns"}, with wins at the bottom."""
    most = max(line["played"] for line in months)
    step = WIDTH / max(len(months), 6)
    base = HEIGHT - FOOT
    scale = (base - FOOT) / most
    every = -(-len(months) // 6)  # There is room for six labels.
    columns = [
        {
            "x": round(place * step + step * 0.12, 1),
            "middle": round(max((place + 0.5) * step, LABEL / 2), 1),
            "width": round(step * 0.76, 1),
            "played_y": round(base - line["played"] * scale, 1),
            "played": round(line["played"] * scale, 1),
            "won_y": round(base - line["won"] * scale, 1),
            "won": round(line["won"] * scale, 1),
            "month": line["head"] if place % every == 0 else None,
        }
        for place, line in enumerate(months)
    ]
    return {"width": WIDTH, "height": HEIGHT, "base": base, "top": FOOT, "most": most, "columns": columns}


def people_table(people: Iterable[dict[str, Any]], address_of: Callable[[str], str]) -> list[dict[str, Any]]:
    """Add formatted shares and an address to lines {"name", "played", "won", "ahead"}. address_of: takes a name."""
    return [
        line
        | {"url": address_of(line["name"]), "won_percent": words("share", line["won"] / line["played"])}
        | {"ahead_percent": words("share", line["ahead"] / line["played"])}
        for line in people
    ]
