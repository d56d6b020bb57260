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
    """Return the seats of members at finished matches of the club with at least two people."""
    others = Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(place=OuterRef("place"))
    return Seat.objects.filter(
        Exists(others),
        counting("match__"),
        match__club=club,
        finish__isnull=False,
        user__club_memberships__club=club,
    )


def games_of(club: Club) -> dict[str, int]:
    """Return the number of finished matches by game, in the order of the catalog. One query."""
    rows = counted_seats(club).order_by().values("match__game").annotate(matches=Count("match", distinct=True))
    counts = {row["match__game"]: row["matches"] for row in rows}
    return {game.slug: counts[game.slug] for game in all_games() if game.slug in counts}


def standings(club: Club, game: str, viewer: User, now: datetime | None = None) -> dict[str, object]:
    """Return the standings of a game this month ("month") and ever ("all"). One query.

    "begins" and "ends" are the moments of the month in the site's time zone. Lines have "place", "name", "matches",
    "won", "average" (place) and "own". Most wins are first, then the best average. Equal figures have the same place.
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
            won=Count("pk", filter=Q(finish=1)),
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
    """Return the rows with matches as lines of a table, the best first.

    prefix: "month_" or "", before the names of the figures in the rows.
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
            "place": 1 + figures.index((won, average)),
        }
        for row, (won, average) in zip(played, figures, strict=True)
    ]
