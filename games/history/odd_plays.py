"""Moves of bots that people found odd, noted for who works on the bots, and as positions for tests."""

from collections.abc import Iterator
from typing import Any

from accounts.models import User
from games.history.folding import steps_of
from games.kit.language import lazy
from games.models import Match, Move, OddPlay
from games.play.errors import Refused
from games.play.versions import Unreadable, rules_of

BOTS = (Move.Actor.BOT, Move.Actor.STAND_IN)


def demand_bot_move(match: Match, index: int | None) -> None:
    """Raises Refused unless the match is over and the move at that index was a bot's."""
    if match.status != Match.Status.OVER:
        raise Refused(lazy("You can report a bot’s move once the match is over."))
    if index is None or not match.moves.filter(index=index, actor__in=BOTS).exists():
        raise Refused(lazy("That wasn’t a bot’s move. Choose a move by a bot."))


def note_odd_play(user: User, match: Match, index: int, note: str) -> None:
    """Note what `user` found odd about a bot's move; noted again, only the words change. Raises Refused."""
    demand_bot_move(match, index)
    OddPlay.objects.update_or_create(user=user, match=match, index=index, defaults={"note": note})


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
