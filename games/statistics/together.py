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
    """Return the results of two users in the matches that they have finished together.

    There are lists of lines for "partners" and for "opponents", one line for each game. "ahead" and "behind" count how
    often the first user had the better or the worse place. This takes one query.
    """
    rows = (
        finished(user)
        .annotate(other=FilteredRelation("match__seats"))
        .filter(other__user=other)
        .annotate(together=is_partner("other"))
        .values("match__game", "together")  # Group by these.
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
    """Return the results of two partners against another pair, as {"pairs": lines} with one line for each game.

    others: the users of the other pair.
    """
    user, partner = pair
    seats = Seat.objects.filter(match=OuterRef("match_id"))  # All seats of the match.
    opposing_seats = seats.exclude(team=None).filter(~Q(team=OuterRef("team")))
    rows = (
        finished(user)
        .filter(
            Exists(seats.filter(user=partner, team=OuterRef("team"))),
            *(Exists(opposing_seats.filter(user=other)) for other in others),
        )
        .values("match__game")  # Group by this.
        .annotate(played=Count("pk"), ahead=Count("pk", filter=Q(finish=1)))
        .order_by("-played", "match__game")
    )
    # With two sides, the pair is either ahead and has won, or behind.
    lines = [_result_line(row | {"behind": row["played"] - row["ahead"], "won": row["ahead"]}) for row in rows]
    _add_bars(lines, "ahead")
    return {"pairs": lines}


def met_before(snapshot: Snapshot, user_id: int | None) -> list[Comparison]:
    """Return links from a finished match to comparisons of its sides, for sides that have met in another match, too.

    A side is a player, or two partners. This takes at most two queries.

    snapshot: the present state of the match. user_id: the key of the reader, or None for a visitor.
    """
    pairs = _sides_to_compare(snapshot, user_id)
    if not pairs:
        return []
    one_side, first_other = pairs[0]  # The first side is the same in all pairs.
    if len(one_side) > 1:
        user_ids = _opponents_met(snapshot, one_side, first_other)
    else:
        user_ids = _people_met(snapshot, one_side[0].user_id, [other[0].user_id for _, other in pairs])
    return [
        {
            "path": "/".join(seat.name for seat in (*one, *other)),
            "words": say("{one} against {other}", one=_side_names(one), other=_side_names(other)),
        }
        for one, other in pairs
        if other[0].user_id in user_ids
    ]


def _sides_to_compare(snapshot: Snapshot, user_id: int | None) -> list[tuple[Side, Side]]:
    """Return the pairs of sides of a match to compare. Sides with guests or bots are left out.

    Two sides are compared with each other. With more sides, the reader's own is compared with each of the others.
    """
    by_key: dict[int | None, list[SeatSnapshot]] = {}  # By seat, or by team with a negative key.
    for seat in snapshot.seats:
        by_key.setdefault(seat.number if seat.team is None else -1 - seat.team, []).append(seat)
    sides = list(by_key.values())
    own_side = next((side for side in sides if any(seat.user_id == user_id for seat in side)), None)
    member_sides = [side for side in sides if all(seat.kind == "user" for seat in side)]
    if len(sides) == 2 and len(member_sides) == 2:
        return [(member_sides[0], member_sides[1])]
    if len(sides) > 2 and user_id and own_side in member_sides:
        return [(own_side, side) for side in member_sides if side is not own_side]
    return []


def _side_names(side: Side) -> str:
    return join_words([seat.name for seat in side])


def _opponents_met(snapshot: Snapshot, pair: Side, others: Side) -> set[int | None]:
    """Return the keys of the second pair's users if both pairs have met in another match, else an empty set.

    snapshot: of the present match.
    """
    user_id, partner_id = (seat.user_id for seat in pair)
    seats = Seat.objects.filter(match=OuterRef("match_id"))  # All seats of the other match.
    rows = finished(user_id).filter(
        Exists(seats.filter(user=partner_id, team=OuterRef("team"))),
        *(Exists(seats.filter(user=other.user_id).exclude(team=OuterRef("team"))) for other in others),
    )
    return {other.user_id for other in others} if rows.exclude(match=snapshot.pk).exists() else set()


def _people_met(snapshot: Snapshot, user_id: int | None, other_ids: Sequence[int | None]) -> set[int | None]:
    """Return the keys of the others who have finished another match with a user. snapshot: of the present match."""
    earlier = finished(user_id).exclude(match=snapshot.pk)
    seats = Seat.objects.filter(match__in=earlier.values("match"), user__in=other_ids)
    return set(seats.values_list("user", flat=True))


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
    """Add the share of a figure in the matches played to each line, as "percent" and as "bar".

    figure: "won", or "ahead" for the matches that the first side finished before the other.
    """
    shares = [line[figure] / line["played"] for line in lines]
    for line, share, bar in zip(lines, shares, bars_of(shares, whole=True), strict=True):
        line["percent"], line["bar"] = format_figure("share", share), bar
