"""Who does how well at a club's tables, counted by the database from the record."""

from django.db.models import Avg, Count, Exists, F, OuterRef, Q

from accounts.time_zones import site_day, site_month
from games.catalog import all_games
from games.models import Seat, counting


def counted(club):
    """The seats that count: members' at finished matches of the club at which two people sat or more."""
    others = Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(place=OuterRef("place"))
    return Seat.objects.filter(
        Exists(others),
        counting("match__"),
        match__club=club,
        finish__isnull=False,
        user__club_memberships__club=club,
    )


def games_of(club):
    """{slug: matches} of the games that the club has finished matches at, in the order of the catalog. One query."""
    rows = counted(club).order_by().values("match__game").annotate(matches=Count("match", distinct=True))
    found = {row["match__game"]: row["matches"] for row in rows}
    return {game.slug: found[game.slug] for game in all_games() if game.slug in found}


def standings(club, game, viewer, now=None):
    """{"month", "all"}: lines of who has played a game at the club's tables this month, and ever. One query.

    "begins" and "ends" are the moments of the month, which is that of the site's clock.

    [{"place", "name", "matches", "won", "average", "own"}], most matches won first, then by average place; equal
    figures have the same place.
    """
    begins, ends = site_month(site_day(now))
    month = Q(match__ended_at__gte=begins, match__ended_at__lt=ends)
    rows = (
        counted(club)
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
    tables = {"month": _lines(rows, "month_", viewer), "all": _lines(rows, "", viewer)}
    return tables | {"begins": begins, "ends": ends}


def _lines(rows, prefix, viewer):
    lines = [
        {
            "name": row["username"],
            "own": row["user"] == viewer.pk,
            **{figure: row[prefix + figure] for figure in ("matches", "won", "average")},
        }
        for row in rows
        if row[prefix + "matches"]
    ]
    lines.sort(key=lambda line: (-line["won"], line["average"], line["name"]))
    figures = [(line["won"], line["average"]) for line in lines]
    return [line | {"place": 1 + figures.index(own)} for line, own in zip(lines, figures, strict=True)]
