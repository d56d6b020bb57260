"""The exports of the games for accounts: matches, odd plays and vacations of a user."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from accounts.export import Export
from accounts.models import User
from games.history.records import export_match
from games.kit.language import lazy
from games.models import Match, OddPlay, Seat, Vacation
from games.play.snapshot import SeatSnapshot

BATCH = 20  # the number of matches read at a time

DESCRIPTION = lazy(
    "Your matches, newest first, one JSON document per line. A finished match is complete, with every shuffle and "
    "every move, and can be imported by any Valat site. A match that isn’t over holds only what everybody may know, so "
    "that no cards are given away."
)


def match_documents(user: User) -> Iterator[Mapping[str, object]]:
    """Yield a document for each match of a user, the newest first. Reads a few matches at a time, to save memory."""
    keys = list(Seat.objects.filter(user=user).order_by("-match_id").values_list("match_id", flat=True))
    for start in range(0, len(keys), BATCH):
        for match in Match.objects.filter(pk__in=keys[start : start + BATCH]).order_by("-pk"):
            yield match_document(match, user.pk)


def match_document(match: Match, reader: int | None = None) -> Mapping[str, object]:
    """Return a finished match as a complete record, and only the public facts of any other match.

    reader: the key of the user who reads it.
    """
    if match.status == Match.Status.OVER:
        return export_match(match, reader)
    seats = match.seats.select_related("user").order_by("place")
    return {
        "code": match.code,
        "game": match.game,
        "options": match.options,
        "speed": match.speed,
        "status": match.status,
        "guide": match.guide,
        "aside": match.aside,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "players": [SeatSnapshot.from_seat(seat).name for seat in seats],
    }


def is_player(since: datetime) -> Exists:
    """Return the condition, for a query of users, that a user has a match to export.

    A match that was closed unfinished before `since` does not count.
    """
    closed_before = Q(match__status=Match.Status.CLOSED, match__ended_at__lt=since)
    return Exists(Seat.objects.filter(~closed_before, user=OuterRef("pk")))


MATCHES = Export(
    name="matches",
    description=DESCRIPTION,
    count=lambda user: user.seats.filter(match__guide=False).count(),  # First deals with notes can be repeated.
    documents=match_documents,
    is_owner=is_player,
)
ODD_PLAYS = Export(
    name="odd_plays",
    description=lazy("Bots’ moves that you reported as odd, newest first, one JSON document per line."),
    count=lambda user: user.odd_plays.count(),
    documents=lambda user: user.odd_plays.order_by("-pk").values("match__code", "index", "note", "noted_at"),
    is_owner=lambda since: Exists(OddPlay.objects.filter(user=OuterRef("pk"))),
)
VACATIONS = Export(
    name="vacations",
    description=lazy(
        "Your latest vacation: until when, and how many days you have taken in its year, as a JSON document."
    ),
    count=lambda user: Vacation.objects.filter(user=user).count(),
    documents=lambda user: Vacation.objects.filter(user=user).values("until", "year", "days"),
    is_owner=lambda since: Exists(Vacation.objects.filter(user=OuterRef("pk"), until__gte=since)),
)
EXPORTS = [MATCHES, ODD_PLAYS, VACATIONS]
