"""Hints: who may have one, the question to the bot, and the record of it at the match."""

from games.bot_process import Question
from games.catalog import get_game
from games.kit.language import lazy
from games.models import Match
from games.play.changes import locked
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.snapshot import Snapshot

# Why there are no hints. Constants, because this is checked whenever a table is drawn.
IN_PROGRESS_ONLY = lazy("Hints are only given while a match is in progress. Once it is over, look at the replay.")
GUIDED = lazy("There are no hints here. Follow the guide: it tells you what to look at.")
CHALLENGED = lazy("There are no hints in a challenge: everybody plays these cards without help.")
NOT_ALONE = lazy(
    "Hints are only given when you play against bots alone, and somebody else is at this table. "
    "For hints, open a table with bots."
)


def offers_hints(snapshot: Snapshot) -> bool:
    """Return whether the player of a match may ask for hints on their turns."""
    return _why_no_hints(snapshot) == ""


def _why_no_hints(snapshot: Snapshot) -> str:
    """Return why there are no hints in a match, as a sentence; "" if there are."""
    if snapshot.status != Match.Status.PLAYING or snapshot.obstacle:
        return IN_PROGRESS_ONLY
    game = get_game(snapshot.game)
    if game.coach is None:
        return lazy("There is no coach for {game} yet.", game=game.name)
    if snapshot.guide:
        return GUIDED
    if snapshot.aside == Match.Aside.CHALLENGE:
        return CHALLENGED
    if sum(seat.kind != "bot" for seat in snapshot.seats) != 1:
        return NOT_ALONE
    return ""


def question_for_hint(snapshot: Snapshot, user_id: int | None, seen_count: int | None) -> Question:
    """Return the question that asks a bot for a hint to the user's next move. Raise Refused if they may have none now.

    It holds what the user's seat sees, and no other cards. The same position always gives the same question, and so the
    same hint. seen_count: how many moves the user's page has shown; None if unknown.
    """
    number = snapshot.player_number(user_id)
    if number is None:
        raise NotAllowed(lazy("Hints are only for the players at this table."))
    if why := _why_no_hints(snapshot):
        raise NotAllowed(why)
    if snapshot.to_act != number:
        raise Refused(lazy("It isn’t your turn. Wait for it."))
    if seen_count is not None and seen_count != snapshot.move_count:
        raise StaleMove(lazy("The table has moved on. Look again."))
    rules, coach = snapshot.rules, get_game(snapshot.game).coach
    assert rules is not None
    assert coach is not None
    view, moves = rules.view(snapshot.state, number), rules.legal_moves(snapshot.state)
    # The bot's random choices follow from this seed. It must not depend on the match's seed, which is secret.
    seed = f"{snapshot.code}:{snapshot.move_count}:hint"
    # teacher: the bot that gives the hints. weigh: the answer also has the moves that the bot has compared.
    return Question(snapshot.game, coach.teacher, view, moves, seed, weigh=True)


def note_hint(code: str, index: int, seat: int) -> None:
    """Record once that a hint was given for the move of that index. Raise StaleMove if that move has been played."""
    with locked(code) as match:
        if match.move_count != index or match.status != Match.Status.PLAYING:
            raise StaleMove(lazy("The table has moved on. Look again."))
        hint = {"index": index, "seat": seat}
        if hint not in match.hints:
            match.hints = [*match.hints, hint]
            match.save(update_fields=["hints"])
