"""Who may see the cards of a match, and who has: noted when they watch it, look at it later, or play on from it."""

from collections.abc import Iterator

from games.challenges.models import SeenMatch, TeamTable, Variation
from games.kit.language import lazy
from games.models import Match, Seat
from games.play import access, store
from games.play.snapshot import Snapshot

OTHER_TABLE_PLAYS = lazy("You can see this table once the other table of the team match has finished, too.")


def why_hidden(user_id: int | None, match: Match | Snapshot, cookie: str = "") -> str:
    """Why a user (None: nobody known) may not see a match, as a sentence; "" where they may.

    All ways to its cards ask here. While it is played its company decides (`games.play.access`, with the cookie); what
    has ended is for all, but not where the same cards are played at the other table of a team match: who asks may be
    about to play them there, or know somebody who is. Whoever had a seat at the first has seen them.
    """
    if match.status in Match.RUNNING:
        snapshot = match if isinstance(match, Snapshot) else store.read(match.code)
        return access.why_hidden(user_id, snapshot, cookie)
    if not match.aside:
        return ""
    begun = TeamTable.objects.filter(match__in=list(line_of(match)))
    played = begun.filter(team_match__tables__match__status__in=Match.RUNNING).values_list("match", flat=True)
    if not played or (user_id and Seat.objects.filter(match__in=played, user=user_id).exists()):
        return ""
    return OTHER_TABLE_PLAYS


def note(user_id: int | None, match: Match | Snapshot) -> None:
    """Note that a user (None: nobody known) looks at a match; once is enough. Who sat there is known.

    Of a variation that is noted of the match that it was made of, too. A table where nobody has a card yet is none.
    """
    if user_id is None or match.status == Match.Status.OPEN:
        return
    if isinstance(match, Snapshot) and match.seat_of(user_id):
        return
    how = SeenMatch.How.WATCHED if match.status == Match.Status.PLAYING else SeenMatch.How.REPLAYED
    for key in line_of(match):
        if SeenMatch.objects.filter(user=user_id, match=key, how=how).exists():
            continue
        if not Seat.objects.filter(user=user_id, match=key).exists():
            SeenMatch.objects.bulk_create([SeenMatch(user_id=user_id, match_id=key, how=how)], ignore_conflicts=True)


def line_of(match: Match | Snapshot) -> Iterator[int]:
    """Yield the key of a match; of a variation also that of the match that it was made of, and so on."""
    yield match.pk
    if match.aside == Match.Aside.VARIATION:
        made = Variation.objects.filter(match=match.pk).select_related("original").first()
        if made and made.original:
            yield from line_of(made.original)
