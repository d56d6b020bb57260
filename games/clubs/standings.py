"""The standings of a club's members, which the database counts from finished matches and tallies."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from accounts.models import User
from accounts.time_zones import site_day, site_month
from games.catalog import all_games
from games.clubs.models import Club
from games.models import Seat, counting
from games.tallies.models import CONFIRMED, TallyPlayer


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


def counted_results(club: Club) -> QuerySet[TallyPlayer]:
    """Return the results of members in the club's finished tallies that have two confirmed people."""
    confirmed = TallyPlayer.objects.filter(CONFIRMED)
    others = confirmed.filter(tally=OuterRef("tally")).exclude(seat=OuterRef("seat"))
    return confirmed.filter(Exists(others), tally__club=club, finish__isnull=False, user__club_memberships__club=club)


def games_of(club: Club) -> dict[str, int]:
    """Return the number of a club's finished matches by game, in the order of the catalog, without unplayed games."""
    counts: Counter[str] = Counter()
    for results, where in ((counted_seats(club), "match"), (counted_results(club), "tally")):
        rows = results.order_by().values_list(f"{where}__game").annotate(Count(where, distinct=True))
        counts.update(dict(rows))
    return {game.slug: counts[game.slug] for game in all_games() if game.slug in counts}


def standings(club: Club, game: str, viewer: User, now: datetime | None = None) -> dict[str, object]:
    """Return the standings of a club's members in a game: this month ("month") and of all time ("all"). Two queries.

    "begins" and "ends" are the start and the end of the month in the time zone of the site. Lines have "place", "name",
    "matches", "won", "average" (the average place in matches) and "own" (whether it is the viewer's). Most wins are
    first, then the best average. now: None for the present.
    """
    begins, ends = site_month(site_day(now))
    sums: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for results, where in ((counted_seats(club), "match"), (counted_results(club), "tally")):
        month = Q(**{f"{where}__ended_at__gte": begins, f"{where}__ended_at__lt": ends})
        counted = (
            results.filter(**{f"{where}__game": game})
            .order_by()
            .values("user", username=F("user__username"))
            .annotate(
                matches=Count("pk"),
                won=Count("pk", filter=Q(finish=1)),  # The finish is the place in a match.
                places=Sum("finish"),
                month_matches=Count("pk", filter=month),
                month_won=Count("pk", filter=month & Q(finish=1)),
                month_places=Sum("finish", filter=month, default=0),
            )
        )
        for row in counted:
            sums[row.pop("user"), row.pop("username")].update(row)
    rows = [{"user": user, "username": name, **figures} for (user, name), figures in sums.items()]
    tables = {"month": _ranked_lines(rows, "month_", viewer), "all": _ranked_lines(rows, "", viewer)}
    return tables | {"begins": begins, "ends": ends}


def _ranked_lines(rows: list[dict[str, Any]], prefix: str, viewer: User) -> list[dict[str, object]]:
    """Return the members who have played as lines of a table, the best first: most wins, then the best average place.

    rows: the figures of each member. prefix: "month_" or "", before the names of the figures to use.
    """
    played = [row for row in rows if row[prefix + "matches"]]
    for row in played:
        row[prefix + "average"] = row[prefix + "places"] / row[prefix + "matches"]
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
