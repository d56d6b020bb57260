"""The course of a player's rating at a game as lines, and graphs of such figures as sizes for an SVG template."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypedDict

from accounts.models import User
from games.kit.words import with_sign
from games.ratings.models import RatingChange
from games.ratings.strength import Strength

# Sizes of the graph, in SVG units.
WIDTH, HEIGHT = 400, 200
LEFT, MARGIN = 40, 18  # Room for the points at the left, and for text above and below.
MAX_POINTS = 200  # Drawn. Longer courses leave out some matches.
MAX_LINES = 5  # Across the graph, at round numbers of points.
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # Points between two of these lines.


class ChangeLine(TypedDict):
    """A change of a rating by a match, in points. code: of the match. finish: the player's place in it."""

    code: str
    ended_at: datetime
    finish: int
    before: int
    after: int
    error: int
    gained: str


class Level(NamedTuple):
    """A line across the graph at a number of points. y: its height."""

    points: int
    y: float


class Graph(TypedDict):
    """path: the course, as SVG has it. x, y: its end. begins, ends: when the first and the last match ended."""

    width: int
    height: int
    left: int
    path: str
    x: float
    y: float
    levels: list[Level]
    begins: datetime
    ends: datetime


def rating_course(user: User, game: str, pace: str) -> list[ChangeLine]:
    """Return all changes of a user's rating, the first one first. pace: live, or days for each move."""
    changes = RatingChange.objects.filter(player__user=user, rated__board__game=game, rated__board__pace=pace)
    rows = changes.order_by("rated__ended_at", "rated__match").values_list(
        "rated__match__code", "rated__ended_at", "seat__finish", "mu_before", "sigma_before", "mu", "sigma"
    )
    return [
        _line(code, ended_at, finish, Strength(mu_before, sigma_before), Strength(mu, sigma))
        for code, ended_at, finish, mu_before, sigma_before, mu, sigma in rows
    ]


def _line(code: str, ended_at: datetime, finish: int, before: Strength, after: Strength) -> ChangeLine:
    gained = with_sign(after.points - before.points, plus=True)
    return {
        "code": code,
        "ended_at": ended_at,
        "finish": finish,
        "before": before.points,
        "after": after.points,
        "error": after.error,
        "gained": gained,
    }


def rating_graph(course: Sequence[ChangeLine]) -> Graph:
    """Return a graph of a rating: equal steps for matches, from the rating before the first to that after the last."""
    values = [course[0]["before"], *(line["after"] for line in course)]
    return draw_graph(values, course[0]["ended_at"], course[-1]["ended_at"])


def draw_graph(values: Sequence[int], begins: datetime, ends: datetime) -> Graph:
    """Return a graph of a figure with equal steps for matches. values: at least two.

    begins, ends: when the first and the last match ended.
    """
    values = _thinned(values)
    step = next((step for step in STEPS if _span(values, step) <= step * MAX_LINES), STEPS[-1])
    low = math.floor(min(values) / step) * step
    high = max(math.ceil(max(values) / step) * step, low + step)
    height = (HEIGHT - 2 * MARGIN) / (high - low)

    def y_of(points: int) -> float:
        return round(HEIGHT - MARGIN - (points - low) * height, 1)

    xs = [round(LEFT + index * (WIDTH - LEFT - 4) / (len(values) - 1), 1) for index in range(len(values))]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "path": "M" + "L".join(f"{x} {y_of(points)}" for x, points in zip(xs, values, strict=True)),
        "x": xs[-1],
        "y": y_of(values[-1]),
        "levels": [Level(points, y_of(points)) for points in range(low, high + 1, step)],
        "begins": begins,
        "ends": ends,
    }


def _span(values: Sequence[int], step: int) -> int:
    """Return how far apart the lines below and above all values are."""
    return (math.ceil(max(values) / step) - math.floor(min(values) / step)) * step


def _thinned(values: Sequence[int]) -> Sequence[int]:
    """Return at most MAX_POINTS of some values, evenly chosen, with the first and the last."""
    if len(values) <= MAX_POINTS:
        return values
    return [values[round(index * (len(values) - 1) / (MAX_POINTS - 1))] for index in range(MAX_POINTS)]
