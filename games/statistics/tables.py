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
    """Return a table of a player's deals, or None if no line has deals.

    breakdown: the lines, each for the deals that meet a condition, and the columns. tallies: numbers of deals with the
    same facts.
    """
    figures = breakdown.figures
    groups = [(line.head, [tally for tally in tallies if line.holds(tally.facts)]) for line in breakdown.lines]
    rows = [(head, [figure_value(figure, group) for figure in figures]) for head, group in groups if group]
    if not rows:
        return None
    table = figures_table(breakdown.title, breakdown.head, figures, rows, breakdown.drawn)
    return {**table, "note": breakdown.note}


def figures_table(
    title: str, head: str, figures: Sequence[Figure], rows: Sequence[tuple[str, list[float]]], drawn: int
) -> FiguresTable:
    """Return a table of figures for a template. Bars show one of its columns.

    head: of the column of row names. figures: the other columns. rows: pairs of a name and the values of all figures.
    drawn: the index of the figure that the bars show.
    """
    bars = bars_of([values[drawn] for _, values in rows], whole=figures[drawn].kind == "share")
    return {
        "title": title,
        "head": head,
        "heads": [figure.head for figure in figures],
        "drawn": figures[drawn].head,
        "lines": [
            {
                "head": name,
                "cells": [format_figure(figure.kind, value) for figure, value in zip(figures, line, strict=True)],
                "bar": bar,
            }
            for (name, line), bar in zip(rows, bars, strict=True)
        ],
        "note": "",
    }


def figure_value(figure: Figure, tallies: Sequence[Tally]) -> float:
    """Return the value of a figure for some deals: a number of deals, a share from 0 to 1, or the mean of a fact.

    tallies: numbers of deals with the same facts. There must be at least one deal.
    """
    deals = sum(tally.deals for tally in tallies)
    if figure.kind == "mean":
        return sum(tally.sums[figure.fact] for tally in tallies) / deals
    matching = sum(tally.deals for tally in tallies if figure.holds(tally.facts))
    return matching / deals if figure.kind == "share" else matching


def format_figure(kind: str, value: float) -> str:
    """Format a figure for display: "1,234", "63%", "−2.5"."""
    if kind == "number":
        return str(intcomma(value))
    if kind == "share":
        return say("{percent}%", percent=round(100 * value))
    return tenths(value)


def bars_of(values: Sequence[float], *, whole: bool = False) -> list[Bar]:
    """Return the position and the width of a bar for each value, on a common scale from 0 to 100.

    Bars of negative values begin to the left of zero. whole: the values are shares, so a full bar is 1.
    """
    low, high = min(0, *values, 0), 1 if whole else max(0, *values, 0)  # The second 0 is for an empty list.
    scale = 100 / (high - low) if high > low else 0
    return [
        {"x": round((min(value, 0) - low) * scale, 2), "width": round(abs(value) * scale, 2), "below": value < 0}
        for value in values
    ]


def results_tables(results: Sequence[ResultLine]) -> ResultsTable | None:
    """Return the tables of results by month and by number of players, or None without results.

    results: numbers of matches with the same month, number of players and final place, in the order of months.
    """
    if not results:
        return None
    months = [_result_line(month, rows) for month, rows in groupby(results, itemgetter("month"))]
    by_seats = sorted(results, key=itemgetter("seats"))
    seats = [_result_line(count, rows) for count, rows in groupby(by_seats, itemgetter("seats"))]
    for line, bar in zip(seats, bars_of([line["share"] for line in seats], whole=True), strict=True):
        line |= {"bar": bar, "head": of_unit(line["head"], "player")}
    return {
        "months": months[-MONTHS:],
        "seats": seats,
        "columns": months_chart(_without_gaps(months)[-MONTHS:]),
        "played": sum(line["played"] for line in seats),
        "won": sum(line["won"] for line in seats),
    }


def _result_line(head: object, results: Iterable[ResultLine]) -> dict[str, Any]:
    """Return the sums of some results as a line of a table: matches played and won, and the mean place.

    head: the month or the number of players that they have in common.
    """
    rows = list(results)
    played = sum(row["matches"] for row in rows)
    won = sum(row["matches"] for row in rows if row["finish"] == 1)
    mean_place = sum(row["matches"] * row["finish"] for row in rows) / played
    share = won / played
    return {
        "head": head,
        "played": played,
        "won": won,
        "share": share,
        "percent": format_figure("share", share),
        "place": format_figure("mean", mean_place),
    }


def _without_gaps(months: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Insert lines for the months without matches. The month of a line is its "head". Lines are in order."""
    lines = months[:1]
    for line in months[1:]:
        while (next_month := _month_after(lines[-1]["head"])) < line["head"]:
            lines.append({"head": next_month, "played": 0, "won": 0})
        lines.append(line)
    return lines


def _month_after(month: date) -> date:
    return month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)


# Sizes of the months chart, in SVG units.
WIDTH, HEIGHT = 400, 150
MARGIN = 18  # Above and below the columns, for text.
LABEL_WIDTH = 44
MAX_LABELS = 6


def months_chart(months: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return a chart of the matches played and won by month, as sizes for an SVG template.

    A month is a column of matches played, with the matches won in front of it. months: lines with "head" (the month),
    "played" and "won". The result has "most", the matches of the highest column.
    """
    most = max(line["played"] for line in months)
    step = WIDTH / max(len(months), 6)  # Columns are not too wide if there are few.
    base = HEIGHT - MARGIN
    unit = (base - MARGIN) / most  # The height of one match.
    label_interval = -(-len(months) // MAX_LABELS)  # Rounded up.
    columns = [  # A column takes 76 % of its step. In SVG, y grows downwards.
        {
            "x": round(index * step + step * 0.12, 1),
            "middle": round(max((index + 0.5) * step, LABEL_WIDTH / 2), 1),
            "width": round(step * 0.76, 1),
            "played_y": round(base - line["played"] * unit, 1),
            "played": round(line["played"] * unit, 1),
            "won_y": round(base - line["won"] * unit, 1),
            "won": round(line["won"] * unit, 1),
            "month": line["head"] if index % label_interval == 0 else None,
        }
        for index, line in enumerate(months)
    ]
    return {"width": WIDTH, "height": HEIGHT, "base": base, "top": MARGIN, "most": most, "columns": columns}


def people_table(people: Iterable[dict[str, Any]], address_of: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return lines about people with their addresses, and with the shares of matches that were won or finished ahead.

    people: lines with "name", and the numbers of matches "played", "won" and "ahead". address_of: a function that
    returns the address of a name.
    """
    return [
        line
        | {"url": address_of(line["name"]), "won_percent": format_figure("share", line["won"] / line["played"])}
        | {"ahead_percent": format_figure("share", line["ahead"] / line["played"])}
        for line in people
    ]
