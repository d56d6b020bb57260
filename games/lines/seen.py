"""Who has seen the cards of a match: noted when they watch it, or open a replay of it."""

from games.lines.models import Seen
from games.models import Match, Seat


def note(user_id: int | None, match: int, how: Seen.How) -> None:
    """Note that a user (None: nobody known) has seen a match, by its key; once is enough. Who sat there is known."""
    if user_id is None or Seen.objects.filter(user=user_id, match=match, how=how).exists():
        return
    if not Seat.objects.filter(user=user_id, match=match).exists():
        Seen.objects.bulk_create([Seen(user_id=user_id, match_id=match, how=how)], ignore_conflicts=True)


def note_watching(user_id: int | None, snapshot) -> None:
    """Note that a user looks at the table of this Snapshot, where they have no seat, while it is played."""
    if snapshot.status == Match.Status.PLAYING and snapshot.seat_of(user_id) is None:
        note(user_id, snapshot.pk, Seen.How.WATCHED)


def note_replay(user_id: int | None, match: Match) -> None:
    """Note that a user looks at a match that is over, with all its cards."""
    if match.status == Match.Status.OVER:
        note(user_id, match.pk, Seen.How.REPLAYED)
