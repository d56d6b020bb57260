"""Results of two users with and against each other, and of one pair against another."""

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q

from games.catalog import game_name
from games.kit.language import say
from games.kit.words import join_words
from games.models import Seat
from games.statistics.counting import beside, finished
from games.statistics.tables import bars_of, words


def of_two(user, other):
    """Return {"partners", "opponents"}: the results of two users by game, in one query.

    Each line is {"game", "slug", "played", "won", "ahead", "behind", "percent", "bar"}. "ahead" and "behind" count the
    matches in which the first user finished before or after the other. For partners "bar" shows "won", for opponents
    "ahead".
    """
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
    lines = {"partners": [], "opponents": []}
    for row in rows:
        lines["partners" if row["together"] else "opponents"].append(_line(row))
    for kind, figure in (("partners", "won"), ("opponents", "ahead")):
        _draw(lines[kind], figure)
    return lines


def of_pairs(pair, others):
    """Return {"pairs": lines as in `of_two`}: the results of two partners against another pair."""
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


def met_before(snapshot, user_id):
    """Return links to comparisons of the sides of a finished match that have met in another match.

    Each is {"path", "words"}: the names in the address, and a text. With two sides these are compared, with more sides
    the user's own with each other one. Only sides of members count. It takes at most two queries.
    """
    sides = {}
    for seat in snapshot.seats:
        sides.setdefault(seat.number if seat.team is None else -1 - seat.team, []).append(seat)
    mine = next((side for side in sides.values() if any(seat.user_id == user_id for seat in side)), None)
    every = [side for side in sides.values() if all(seat.kind == "user" for seat in side)]
    if len(sides) == 2:
        pairs = [tuple(every)] if len(every) == 2 else []
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


def _names(side):
    return join_words([seat.name for seat in side])


def _sides_met(snapshot, pair, others):
    """Return the keys of the second pair's users if both pairs have met in another match, else an empty set."""
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    rows = finished(pair[0].user_id).filter(
        Exists(seats.filter(user=pair[1].user_id, team=OuterRef("team"))),
        *(Exists(seats.filter(user=other.user_id).exclude(team=OuterRef("team"))) for other in others),
    )
    return {other.user_id for other in others} if rows.exclude(match=snapshot.pk).exists() else set()


def _people_met(snapshot, pairs):
    """Return the keys of the users who have finished another match with the first user."""
    own = finished(pairs[0][0][0].user_id).exclude(match=snapshot.pk)
    others = Seat.objects.filter(match__in=own.values("match"), user__in=[pair[1][0].user_id for pair in pairs])
    return set(others.values_list("user", flat=True))


def _line(row):
    counts = {key: row[key] for key in ("played", "won", "ahead", "behind")}
    return {"game": game_name(row["match__game"]), "slug": row["match__game"], **counts}


def _draw(lines, figure):
    shares = [line[figure] / line["played"] for line in lines]
    for line, share, bar in zip(lines, shares, bars_of(shares, whole=True), strict=True):
        line |= {"percent": words("share", share), "bar": bar}
