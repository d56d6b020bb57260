"""Moves of bots that people found odd, as positions for tests."""

from collections.abc import Iterator
from typing import Any

from games.history.folding import steps_of
from games.models import OddPlay
from games.play.versions import Unreadable, rules_of


def documents() -> Iterator[dict[str, Any]]:
    """What has been noted, oldest first: each a position as the bot saw it, what it did, and what was said of that.

    Keys: "match", "index", "game", "version", "bot" ("" where it stood in for somebody), "view", "moves", "move",
    "note", "noted_at" (ISO 8601). Of a match that can't be read here nothing comes.
    """
    for odd in OddPlay.objects.select_related("match").order_by("pk").iterator(chunk_size=100):
        try:
            rules = rules_of(odd.match)
            steps = steps_of(odd.match, rules)
        except Unreadable:
            continue
        before, step = steps[odd.index - 1].state, steps[odd.index]
        seat = odd.match.seats.get(number=step.seat)
        yield {
            "match": odd.match.code,
            "index": odd.index,
            "game": odd.match.game,
            "version": rules.version,
            "bot": seat.bot,
            "view": rules.view(before, step.seat),
            "moves": rules.legal_moves(before),
            "move": step.move,
            "note": odd.note,
            "noted_at": odd.noted_at.isoformat(),
        }
