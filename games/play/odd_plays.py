"""Moves of bots that people find odd, noted for who works on the bots."""

from accounts.models import User
from games.kit.language import lazily
from games.models import Match, Move, OddPlay
from games.play.errors import Refused

BOTS = (Move.Actor.BOT, Move.Actor.STAND_IN)


def demand_bot_move(match: Match, index: int | None) -> None:
    """Raises Refused unless the match is over and the move at that index was a bot's."""
    if match.status != Match.Status.OVER:
        raise Refused(lazily("You can report a bot’s move once the match is over."))
    if index is None or not match.moves.filter(index=index, actor__in=BOTS).exists():
        raise Refused(lazily("That wasn’t a bot’s move."))


def note_odd_play(user: User, match: Match, index: int, note: str) -> None:
    """Note what `user` found odd about a bot's move; noted again, only the words change. Raises Refused."""
    demand_bot_move(match, index)
    OddPlay.objects.update_or_create(user=user, match=match, index=index, defaults={"note": note})
