"""The result of the deal that was scored last, for who wants to see it again while the next one is played."""

from typing import Any

from games.catalog import Meaning, get_drawing
from games.history.folding import steps_of
from games.models import Match
from games.play.snapshot import Snapshot


def last_result(snapshot: Snapshot, stored: Match, viewer: int | None) -> dict[str, Any] | None:
    """A seat's own part of the table as it was at that result, as drawings make it; None where no deal is scored yet.

    stored: the match's row. viewer: the seat of who looks, or None. It holds what that seat was shown then, no more.
    Raises Unreadable.
    """
    rules = snapshot.rules
    if rules is None or snapshot.state is None:
        return None
    for step in reversed(steps_of(stored, rules)):
        if any(rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events):
            table = rules.view(step.state, viewer)
            return get_drawing(snapshot.game).mine(table, [], snapshot.players())
    return None
