"""The standings of a club's members, which the database counts from finished matches."""

from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.time_zones import site_day, site_month
from games.catalog import all_games
from games.clubs.models import Club
from games.models import Seat, counting


def counted_seats(club: Club) -> QuerySet[Seat]:
    """Return the seats that count for the standings of a club: those of its members in its finished matches.

    A match counts if at least two people played it. A win against bots alone should not count. Matches with known
    cards, such as guides for newcomers, do not count either.
    """
    other_people = Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(place=OuterRef("place"))
    return Seat.objects.filter(
        Exists(other_people),
        counting("match__"),
        match__club=club,
        finish__isnull=False,  # The place in the final standings. Matches without one are not over.
        user__club_memberships__club=club,
    )


def games_of(club: Club) -> dict[str, int]:
    """Return the number of a club's finished matches by game, in the order of the catalog, without unplayed games."""
    rows = counted_seats(club).order_by().values("match__game").annotate(matches=Count("match", distinct=True))
    counts = {row["match__game"]: row["matches"] for row in rows}
    return {game.slug: counts[game.slug] for game in all_games() if game.slug in counts}


def standings(club: Club, game: str, viewer: User, now: datetime | None = None) -> dict[str, object]:
    """Return the standings of a club's members in a game: this month ("month") and of all time ("all"). One query.

    "begins" and "ends" are the start and the end of the month in the time zone of the site. Lines have "place", "name",
    "matches", "won", "average" (the average place in matches) and "own" (whether it is the viewer's). Most wins are
    first, then the best average. now: None for the present.
    """
    begins, ends = site_month(site_day(now))
    month = Q(match__ended_at__gte=begins, match__ended_at__lt=ends)
    rows = (
        counted_seats(club)
        .filter(match__game=game)
        .order_by()
        .values("user", username=F("user__username"))
        .annotate(
            matches=Count("pk"),
            won=Count("pk", filter=Q(finish=1)),  # The finish is the place in a match.
            average=Avg("finish"),
            month_matches=Count("pk", filter=month),
            month_won=Count("pk", filter=month & Q(finish=1)),
            month_average=Avg("finish", filter=month),
        )
    )
    rows = list(rows)
    tables = {"month": _ranked_lines(rows, "month_", viewer), "all": _ranked_lines(rows, "", viewer)}
    return tables | {"begins": begins, "ends": ends}


def _ranked_lines(rows: list[dict[str, Any]], prefix: str, viewer: User) -> list[dict[str, object]]:
    """Return the members who have played as lines of a table, the best first: most wins, then the best average place.

    rows: the figures of each member. prefix: "month_" or "", before the names of the figures to use.
    """
    played = [row for row in rows if row[prefix + "matches"]]
    played.sort(key=lambda row: (-row[prefix + "won"], row[prefix + "average"], row["username"]))
    figures = [(row[prefix + "won"], row[prefix + "average"]) for row in played]
    return [
        {
            "name": row["username"],
            "own": row["user"] == viewer.pk,
            "matches": row[prefix + "matches"],
            "won": won,
            "average": average,
            "place": 1 + figures.index((won, average)),  # Equal figures share the place of the first of them.
        }
        for row, (won, average) in zip(played, figures, strict=True)
    ]
