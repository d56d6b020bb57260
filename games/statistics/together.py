"""Results of two users with and against each other, and of one pair against another."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q

from accounts.models import User
from games.catalog import game_name
from games.kit.language import say
from games.kit.words import join_words
from games.models import Seat
from games.play.snapshot import SeatSnapshot, Snapshot
from games.statistics.counting import beside, finished
from games.statistics.tables import Bar, bars_of, words

type Side = Sequence[SeatSnapshot]


class ResultLine(TypedDict):
    """The results of two users, or of two pairs, at a game.

    ahead, behind: matches in which the first finished before or after the other. percent, bar: the share won by
    partners, and the share of "ahead" for opponents.
    """

    game: str
    slug: str
    played: int
    won: int
    ahead: int
    behind: int
    percent: NotRequired[str]
    bar: NotRequired[Bar]


class Comparison(TypedDict):
    """A link to a comparison of two sides. path: the names in the address."""

    path: str
    words: str


def of_two(user: User, other: User) -> dict[str, list[ResultLine]]:
    """Return the results of two users by game as "partners" and as "opponents", in one query."""
    rows = (
        finished(user)
        .annotate(other=FilteredRelation("match__seats"))
        .filter(other__user=other)
        .annotate(together=beside("other"))
        .values("match__game", "together")
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(finish=1)),
            ahead=Count("pk", filter=Q(finish__lt=F("other__finish"))),
            behind=Count("pk", filter=Q(finish__gt=F("other__finish"))),
        )
        .order_by("-played", "match__game")
    )
    lines: dict[str, list[ResultLine]] = {"partners": [], "opponents": []}
    for row in rows:
        lines["partners" if row["together"] else "opponents"].append(_line(row))
    _draw(lines["partners"], "won")
    _draw(lines["opponents"], "ahead")
    return lines


def of_pairs(pair: Sequence[User], others: Iterable[User]) -> dict[str, list[ResultLine]]:
    """Return the results of two partners against another pair by game, as "pairs"."""
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    against = seats.exclude(team=None).filter(~Q(team=OuterRef("team")))
    rows = (
        finished(pair[0])
        .filter(
            Exists(seats.filter(user=pair[1], team=OuterRef("team"))),
            *(Exists(against.filter(user=other)) for other in others),
        )
        .values("match__game")
        .annotate(played=Count("pk"), ahead=Count("pk", filter=Q(finish=1)))
        .order_by("-played", "match__game")
    )
    lines = [_line(row | {"behind": row["played"] - row["ahead"], "won": row["ahead"]}) for row in rows]
    _draw(lines, "ahead")
    return {"pairs": lines}


def met_before(snapshot: Snapshot, user_id: int | None) -> list[Comparison]:
    """Return links to comparisons of the sides of a finished match that have met in another match.

    With two sides these are compared, with more sides
    the user's own with each other one. Only sides of members count. It takes at most two queries.
    """
    sides: dict[int | None, list[SeatSnapshot]] = {}
    for seat in snapshot.seats:
        sides.setdefault(seat.number if seat.team is None else -1 - seat.team, []).append(seat)
    mine = next((side for side in sides.values() if any(seat.user_id == user_id for seat in side)), None)
    every = [side for side in sides.values() if all(seat.kind == "user" for seat in side)]
    if len(sides) == 2:
        pairs = [(every[0], every[1])] if len(every) == 2 else []
    else:
        pairs = [(mine, side) for side in every if side is not mine] if user_id and mine in every else []
    if not pairs:
        return []
    met = _sides_met(snapshot, *pairs[0]) if len(pairs[0][0]) > 1 else _people_met(snapshot, pairs)
    return [
        {
            "path": "/".join(seat.name for side in pair for seat in side),
            "words": say("{one} against {other}", one=_names(pair[0]), other=_names(pair[1])),
        }
        for pair in pairs
        if pair[1][0].user_id in met
    ]


def _names(side: Side) -> str:
    return join_words([seat.name for seat in side])


def _sides_met(snapshot: Snapshot, pair: Side, others: Side) -> set[int | None]:
    """Return the keys of the second pair's users if both pairs have met in another match, else an empty set."""
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    rows = finished(pair[0].user_id).filter(
        Exists(seats.filter(user=pair[1].user_id, team=OuterRef("team"))),
        *(Exists(seats.filter(user=other.user_id).exclude(team=OuterRef("team"))) for other in others),
    )
    return {other.user_id for other in others} if rows.exclude(match=snapshot.pk).exists() else set()


def _people_met(snapshot: Snapshot, pairs: Sequence[tuple[Side, Side]]) -> set[int | None]:
    """Return the keys of the users who have finished another match with the first user."""
    own = finished(pairs[0][0][0].user_id).exclude(match=snapshot.pk)
    others = Seat.objects.filter(match__in=own.values("match"), user__in=[pair[1][0].user_id for pair in pairs])
    return set(others.values_list("user", flat=True))


def _line(row: Mapping[str, Any]) -> ResultLine:
    return {
        "game": game_name(row["match__game"]),
        "slug": row["match__game"],
        "played": row["played"],
        "won": row["won"],
        "ahead": row["ahead"],
        "behind": row["behind"],
    }


def _draw(lines: list[ResultLine], figure: Literal["won", "ahead"]) -> None:
    """Add the bars of a figure to the lines."""
    shares = [line[figure] / line["played"] for line in lines]
    for line, share, bar in zip(lines, shares, bars_of(shares, whole=True), strict=True):
        line["percent"], line["bar"] = words("share", share), bar
