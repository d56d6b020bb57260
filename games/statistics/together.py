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
from games.statistics.counting import finished, is_partner
from games.statistics.tables import Bar, bars_of, format_figure

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


def results_of_two(user: User, other: User) -> dict[str, list[ResultLine]]:
    """Return the results of two users in the matches that they have finished together, by game.

    There are lines for "partners" and for "opponents". "ahead" counts how often the first user had the better place.
    This takes one query.
    """
    rows = (
        finished(user)
        .annotate(other=FilteredRelation("match__seats"))
        .filter(other__user=other)
        .annotate(together=is_partner("other"))
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
        lines["partners" if row["together"] else "opponents"].append(_result_line(row))
    _add_bars(lines["partners"], "won")
    _add_bars(lines["opponents"], "ahead")
    return lines


def results_of_pairs(pair: Sequence[User], others: Iterable[User]) -> dict[str, list[ResultLine]]:
    """Return the results of two partners against another pair, by game, as {"pairs": lines}.

    others: the users of the other pair.
    """
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    opposing_seats = seats.exclude(team=None).filter(~Q(team=OuterRef("team")))
    rows = (
        finished(pair[0])
        .filter(
            Exists(seats.filter(user=pair[1], team=OuterRef("team"))),
            *(Exists(opposing_seats.filter(user=other)) for other in others),
        )
        .values("match__game")
        .annotate(played=Count("pk"), ahead=Count("pk", filter=Q(finish=1)))
        .order_by("-played", "match__game")
    )
    # With two sides, the pair is either ahead and has won, or behind.
    lines = [_result_line(row | {"behind": row["played"] - row["ahead"], "won": row["ahead"]}) for row in rows]
    _add_bars(lines, "ahead")
    return {"pairs": lines}


def met_before(snapshot: Snapshot, user_id: int | None) -> list[Comparison]:
    """Return links to the common results of sides of a finished match that have met in another match, too.

    A side is a player, or two partners. Two sides are compared with each other. With more sides, the reader's own is
    compared with each of the others. Sides with guests or bots are left out. This takes at most two queries.

    user_id: the key of the reader, or None for a visitor.
    """
    sides: dict[int | None, list[SeatSnapshot]] = {}  # By seat, or by team with a negative key.
    for seat in snapshot.seats:
        sides.setdefault(seat.number if seat.team is None else -1 - seat.team, []).append(seat)
    own_side = next((side for side in sides.values() if any(seat.user_id == user_id for seat in side)), None)
    member_sides = [side for side in sides.values() if all(seat.kind == "user" for seat in side)]
    pairs = []
    if len(sides) == 2 and len(member_sides) == 2:
        pairs = [(member_sides[0], member_sides[1])]
    elif len(sides) > 2 and user_id and own_side in member_sides:
        pairs = [(own_side, side) for side in member_sides if side is not own_side]
    if not pairs:
        return []
    are_partners = len(pairs[0][0]) > 1
    user_ids = _opponents_met(snapshot, *pairs[0]) if are_partners else _people_met(snapshot, pairs)
    return [
        {
            "path": "/".join(seat.name for side in pair for seat in side),
            "words": say("{one} against {other}", one=_side_names(pair[0]), other=_side_names(pair[1])),
        }
        for pair in pairs
        if pair[1][0].user_id in user_ids
    ]


def _side_names(side: Side) -> str:
    return join_words([seat.name for seat in side])


def _opponents_met(snapshot: Snapshot, pair: Side, others: Side) -> set[int | None]:
    """Return the keys of the second pair's users if both pairs have met in another match, else an empty set.

    snapshot: of the present match.
    """
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    rows = finished(pair[0].user_id).filter(
        Exists(seats.filter(user=pair[1].user_id, team=OuterRef("team"))),
        *(Exists(seats.filter(user=other.user_id).exclude(team=OuterRef("team"))) for other in others),
    )
    return {other.user_id for other in others} if rows.exclude(match=snapshot.pk).exists() else set()


def _people_met(snapshot: Snapshot, pairs: Sequence[tuple[Side, Side]]) -> set[int | None]:
    """Return the keys of the users who have finished another match with the first user.

    snapshot: of the present match. pairs: each the side of the first user, and the side of another user.
    """
    own = finished(pairs[0][0][0].user_id).exclude(match=snapshot.pk)
    others = Seat.objects.filter(match__in=own.values("match"), user__in=[pair[1][0].user_id for pair in pairs])
    return set(others.values_list("user", flat=True))


def _result_line(row: Mapping[str, Any]) -> ResultLine:
    return {
        "game": game_name(row["match__game"]),
        "slug": row["match__game"],
        "played": row["played"],
        "won": row["won"],
        "ahead": row["ahead"],
        "behind": row["behind"],
    }


def _add_bars(lines: list[ResultLine], figure: Literal["won", "ahead"]) -> None:
    """Add the share of matches won or finished ahead to each line, as "percent" and as "bar"."""
    shares = [line[figure] / line["played"] for line in lines]
    for line, share, bar in zip(lines, shares, bars_of(shares, whole=True), strict=True):
        line["percent"], line["bar"] = format_figure("share", share), bar
