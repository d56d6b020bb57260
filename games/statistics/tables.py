"""Tables of figures, with bars that show one of them: dicts for templates."""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote

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


class Cell(NamedTuple):
    """A figure. query: the search for the matches or deals behind it, "" without one."""

    words: str
    query: str


class FiguresLine(TypedDict):
    head: str
    cells: list[Cell]
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


type QueryOf = Callable[..., str]  # Returns the search for some deals, by conditions on them. "" if there is none.


def breakdown_table(breakdown: Breakdown, tallies: Sequence[Tally], query_of: QueryOf) -> FiguresTable | None:
    """Return a table of a player's deals, or None if no line has deals.

    breakdown: what the table shows. Each of its lines is for the deals that meet a condition (`holds`), and each column
    shows a figure of these deals, such as their number. tallies: how many deals have the same facts.
    """
    figures = breakdown.figures
    groups = [(line, [tally for tally in tallies if line.holds(tally.facts)]) for line in breakdown.lines]
    rows = [
        Row(line.head, [figure_value(figure, group) for figure in figures], partial(query_of, line.holds))
        for line, group in groups
        if group
    ]
    if not rows:
        return None
    table = figures_table(breakdown.title, breakdown.head, figures, rows, breakdown.drawn)
    return {**table, "note": breakdown.note}


class Row(NamedTuple):
    """A row of a table of deals: its name, the values of all figures, and the searches for some of its deals."""

    head: str
    values: list[float]
    query_of: QueryOf


def figures_table(title: str, head: str, figures: Sequence[Figure], rows: Sequence[Row], drawn: int) -> FiguresTable:
    """Return a table of figures for a template, with a bar in each line that shows one of them.

    head: the heading of the first column, which has the names of the rows. figures: the other columns.
    drawn: the index of the figure that the bars show.
    """
    drawn_figure = figures[drawn]
    bars = bars_of([row.values[drawn] for row in rows], whole=drawn_figure.kind == "share")
    return {
        "title": title,
        "head": head,
        "heads": [figure.head for figure in figures],
        "drawn": drawn_figure.head,
        "lines": [
            {
                "head": row.head,
                "cells": [
                    Cell(format_figure(figure.kind, value), _query(row, figure, value))
                    for figure, value in zip(figures, row.values, strict=True)
                ],
                "bar": bar,
            }
            for row, bar in zip(rows, bars, strict=True)
        ],
        "note": "",
    }


def _query(row: Row, figure: Figure, value: float) -> str:
    """Return the search for the deals behind a figure. A mean has all deals of its row, no number or share has none."""
    return row.query_of(figure.holds) if value or figure.kind == "mean" else ""


def figure_value(figure: Figure, tallies: Sequence[Tally]) -> float:
    """Return the value of a figure for some deals: a number of deals, a share from 0 to 1, or the mean of a fact.

    tallies: the deals, counted together where they have the same facts, such as who won. There must be at least one.
    """
    deal_count = sum(tally.deals for tally in tallies)
    if figure.kind == "mean":
        return sum(tally.sums[figure.fact] for tally in tallies) / deal_count
    matching = sum(tally.deals for tally in tallies if figure.holds(tally.facts))
    return matching / deal_count if figure.kind == "share" else matching


def format_figure(kind: str, value: float) -> str:
    """Format a figure for display: "1,234", "63%", "−2.5"."""
    if kind == "number":
        return str(intcomma(value))
    if kind == "share":
        return say("{percent}%", percent=round(100 * value))
    return tenths(value)


def bars_of(values: Sequence[float], *, whole: bool = False) -> list[Bar]:
    """Return a horizontal bar for each value: its left end "x" and its "width", on a common scale from 0 to 100.

    Bars of negative values begin to the left of zero. whole: the values are shares, so a full bar is 1.
    """
    low = min([0, *values])
    high = 1 if whole else max([0, *values])
    scale = 100 / (high - low) if high > low else 0
    return [
        {"x": round((min(value, 0) - low) * scale, 2), "width": round(abs(value) * scale, 2), "below": value < 0}
        for value in values
    ]


def results_tables(results: Sequence[ResultLine]) -> ResultsTable | None:
    """Return a player's results in two tables, by month and by number of players. None without results.

    results: each a month, a number of players ("seats") and a final place, with the number of such matches. They are in
    the order of months. "columns" is a chart of the months. "query" in a line is the filter for its matches.
    """
    if not results:
        return None
    months = [
        _result_line(month, rows) | {"query": f"ended={month:%Y-%m}"}
        for month, rows in groupby(results, itemgetter("month"))
    ]
    by_seats = sorted(results, key=itemgetter("seats"))
    seats = [
        _result_line(count, rows) | {"query": f"seats={count}"}
        for count, rows in groupby(by_seats, itemgetter("seats"))
    ]
    bars = bars_of([line["share"] for line in seats], whole=True)
    for line, bar in zip(seats, bars, strict=True):
        line |= {"bar": bar, "head": of_unit(line["head"], "player")}  # The head was a number: now "3 players".
    return {
        "months": months[-MONTHS:],
        "seats": seats,
        "columns": months_chart(_without_gaps(months)[-MONTHS:]),
        "played": sum(line["played"] for line in seats),
        "won": sum(line["won"] for line in seats),
    }


def _result_line(head: object, results: Iterable[ResultLine]) -> dict[str, Any]:
    """Return a line of a table for some of a player's results: the matches played and won, and the mean place.

    head: the month, or the number of players, that these results have in common.
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
    """Insert lines for the months without matches. The month of a line is its "head". They are in order of time."""
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
MIN_STEPS = 6  # With fewer months, the columns do not become wider.
COLUMN_SHARE, COLUMN_GAP = 0.76, 0.12  # The width of a column and the gap at each side, as shares of its step.


def months_chart(months: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return a bar chart of the matches played and won in each month, as sizes for an SVG template.

    Each month has a column as high as its matches played, and in front of it one as high as its matches won. months:
    lines with "head" (the month), "played" and "won". "most" in the result is the matches of the highest column.
    """
    most = max(line["played"] for line in months)
    step = WIDTH / max(len(months), MIN_STEPS)
    base = HEIGHT - MARGIN  # The lower end of the columns. In SVG, y grows downwards.
    match_height = (base - MARGIN) / most
    label_interval = math.ceil(len(months) / MAX_LABELS)
    columns = [
        {
            "x": round(index * step + step * COLUMN_GAP, 1),
            "middle": round(max((index + 0.5) * step, LABEL_WIDTH / 2), 1),
            "width": round(step * COLUMN_SHARE, 1),
            "played_y": round(base - line["played"] * match_height, 1),
            "played": round(line["played"] * match_height, 1),
            "won_y": round(base - line["won"] * match_height, 1),
            "won": round(line["won"] * match_height, 1),
            "month": line["head"] if index % label_interval == 0 else None,
        }
        for index, line in enumerate(months)
    ]
    return {"width": WIDTH, "height": HEIGHT, "base": base, "top": MARGIN, "most": most, "columns": columns}


def people_table(people: Iterable[dict[str, Any]], address_of: Callable[[str], str]) -> list[dict[str, Any]]:
    """Add addresses and percentages to lines about a player's partners or opponents.

    "url" is the address of a page, "query" the name as addresses have it.

    people: lines with the other's "name", and the numbers of matches "played", "won" and "ahead". "ahead" counts the
    matches where the player had a better place than the other. address_of: a function that returns the address of a
    name.
    """
    return [
        {**line, "url": address_of(line["name"]), "query": quote(line["name"])}
        | {f"{key}_percent": format_figure("share", line[key] / line["played"]) for key in ("won", "ahead")}
        for line in people
    ]
