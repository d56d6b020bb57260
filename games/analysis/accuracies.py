"""The accuracy of a player in their analysed matches: how good their decisions were on average."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Case, Count, F, QuerySet, Sum, When

from accounts.models import User
from games.analysis.models import Analysis, Verdict
from games.kit.analysis import ACCURACIES, PERFECT, accuracy
from games.models import Match, counting

LAST_MATCHES = 20
EACH = Case(*[When(mark=mark, then=percent) for mark, percent in ACCURACIES.items()], default=PERFECT)  # of a verdict


class MatchAccuracy(NamedTuple):
    """A player's accuracy in a match, in percent."""

    code: str
    game: str
    ended_at: datetime
    accuracy: int


def accuracies_in(user: User, codes: Collection[str]) -> dict[str, int]:
    """Return a player's accuracy in each of these matches that is analysed, by the code of the match."""
    matches = Match.objects.filter(code__in=codes)
    return {row.code: row.accuracy for row in _accuracies(user, matches)} if codes else {}


def recent_accuracies(user: User) -> list[MatchAccuracy]:
    """Return a player's accuracy in their latest analysed matches, the oldest first. Matches that count only."""
    matches = Match.objects.filter(
        counting(), seats__user=user, seats__left_at=None, analysis__status=Analysis.Status.DONE
    )
    return _accuracies(user, matches.order_by("-pk")[:LAST_MATCHES])


def _accuracies(user: User, matches: QuerySet[Match]) -> list[MatchAccuracy]:
    """Return a player's accuracy in these matches, in one query, the match that ended first at the beginning.

    Matches without an analysis are left out, and those in which the player decided nothing.
    """
    own = Verdict.objects.filter(
        analysis__match__in=matches,
        analysis__status=Analysis.Status.DONE,
        analysis__match__seats__user=user,
        analysis__match__seats__number=F("seat"),
    )
    columns = "analysis__match__code", "analysis__match__game", "analysis__match__ended_at"
    sums = own.values(*columns).annotate(total=Sum(EACH), decisions=Count("pk"))
    rows = sums.order_by("analysis__match__ended_at", "analysis__match").values_list(*columns, "total", "decisions")
    figures = [(code, game, ended_at, accuracy(total, decisions)) for code, game, ended_at, total, decisions in rows]
    return [
        MatchAccuracy(code, game, ended_at, percent) for code, game, ended_at, percent in figures if percent is not None
    ]
