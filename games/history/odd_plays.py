"""Moves of bots that players have reported as odd. The developers of the bots read them; positions become tests."""

from collections.abc import Iterator

from accounts.models import User
from games.history.folding import steps_of
from games.kit.language import lazy
from games.models import Match, Move, OddPlay
from games.play.errors import Refused
from games.play.versions import Unreadable, rules_of

BOTS = (Move.Actor.BOT, Move.Actor.STAND_IN)


def require_bot_move(match: Match, index: int | None) -> int:
    """Return the index of a move. Raises Refused unless the match is over and a bot made that move."""
    if match.status != Match.Status.OVER:
        raise Refused(lazy("You can report a bot’s move once the match is over."))
    if index is None or not match.moves.filter(index=index, actor__in=BOTS).exists():
        raise Refused(lazy("That wasn’t a bot’s move. Choose a move by a bot."))
    return index


def report_odd_play(user: User, match: Match, index: int, note: str) -> None:
    """Store a user's note about a bot's move, in place of an earlier one. Raises Refused."""
    require_bot_move(match, index)
    OddPlay.objects.update_or_create(user=user, match=match, index=index, defaults={"note": note})


def documents() -> Iterator[dict[str, object]]:
    """Yield all reports of odd moves by bots as JSON documents, oldest first. Matches that can't be read are left out.

    "view" is the table as the bot saw it, "moves" are the legal moves and "move" is the bot's. "bot" is empty if a bot
    moved for an absent person. "version" is that of the rules, and "noted_at" is in ISO 8601.
    """
    for report in OddPlay.objects.select_related("match").order_by("pk").iterator(chunk_size=100):
        try:
            rules = rules_of(report.match)
            steps = steps_of(report.match, rules)
        except Unreadable:
            continue
        state_before, step = steps[report.index - 1].state, steps[report.index]
        seat = report.match.seats.get(number=step.seat)
        yield {
            "match": report.match.code,
            "index": report.index,
            "game": report.match.game,
            "version": rules.version,
            "bot": seat.bot,
            "view": rules.view(state_before, step.seat),
            "moves": rules.legal_moves(state_before),
            "move": step.move,
            "note": report.note,
            "noted_at": report.noted_at.isoformat(),
        }
