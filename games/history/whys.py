"""Why a bot moved as it did: what it was asked then, to be thought over again.

Only of what hides nothing any more: of a match that goes on, the moves of deals that have been scored, and of those
only where all cards that the bot knew have been seen by everybody since.
"""

from typing import Any, NamedTuple

from games.bot_process import Answer, Question
from games.catalog import LEVELS, get_bot, get_game, usual_bot
from games.history.folding import Step
from games.history.odd_plays import BOTS
from games.history.replay import Replay
from games.kit import coach
from games.kit.coach import Thought
from games.kit.language import lazy, say
from games.kit.search import Level, Searcher
from games.models import Match, Move
from games.play.due import question_at
from games.play.errors import NotAllowed, Refused

HIDDEN = lazy("You can see what this bot knew once the match is over: some of its cards are still secret.")


class Why(NamedTuple):
    """A bot's move, and what the bot was asked for it."""

    question: Question
    move: dict[str, Any]  # the one that it made then
    level: Level | None
    level_name: str  # "hard bot", or "bot"

    def told(self, answer: Answer) -> dict[str, Any]:
        """As `coach.why`, of what a bot answers to the question, with "same": whether it makes that move again."""
        move = self.question.moves[answer.place]
        thought = Thought(self.question.table, self.question.moves, move, answer.options(self.question), answer.learned)
        told = coach.why(get_game(self.question.game).coach, thought, self.level)
        return told | {"same": move == self.move}


def why_of(replay: Replay, index: int | None) -> Why:
    """The Why of a move. Raises Refused, or NotAllowed where that would tell of hidden cards."""
    match, rules = replay.match, replay.rules
    game = get_game(match.game)
    if index is None or index > replay.last:
        raise Refused(lazy("This match has no such move. Choose one in the replay."))
    step = replay.steps[index]
    if not replay.over and (objection := _objection(replay, step, _unseen(replay, step.deal))):
        raise NotAllowed(objection)
    if step.actor not in BOTS:
        raise Refused(lazy("That wasn’t a bot’s move. Choose a move by a bot."))
    if game.coach is None:
        raise Refused(lazy("The bots of {game} can’t say yet why they move as they do.", game=game.name))
    seat = replay.snapshot.seats[step.seat]
    name = (seat.bot if step.actor == Move.Actor.BOT else "") or usual_bot(match.game)
    question = question_at(rules, replay.steps[index - 1].state, name, match.seed, index)
    bot = get_bot(match.game, name)
    words = LEVELS.get(name)
    return Why(
        question._replace(weigh=True),
        step.move,
        bot.level if isinstance(bot, Searcher) else None,
        str(words.bot) if words else say("bot"),
    )


def explained_moves(replay: Replay, number: int) -> list[int]:
    """The indexes of the moves of a deal, by its number, of which it may be asked why; none where there is no coach."""
    if get_game(replay.match.game).coach is None:
        return []
    deal = replay.deals[number - 1]
    made = [index for index in replay.bot_moves if deal.first <= index <= deal.last]
    if replay.over or not made:
        return made
    unseen = _unseen(replay, number)
    return [index for index in made if not _objection(replay, replay.steps[index], unseen)]


def explained_of_last_deal(match: Match, user_id: int | None) -> list[dict[str, Any]]:
    """The moves of bots in the deal that was scored last: [{"heading", "moves": [{"index", "words"}]}], by tricks.

    Raises Unreadable.
    """
    replay = Replay(match, user_id)
    scored = [step.deal for step in replay.steps if replay.is_scored(step)]
    explained = explained_moves(replay, scored[-1]) if scored else ()
    return [
        {"heading": heading, "moves": [{"index": index, "words": replay.words(index)} for index in of_trick]}
        for heading, of_trick in replay.by_trick(explained)
    ]


def _objection(replay: Replay, step: Step, unseen: set[str]) -> str:
    """Why nothing is told of a move while the match goes on; "" if everybody has seen all that its seat knew.

    unseen: of its deal, as `_unseen` says.
    """
    deal = replay.deals[step.deal - 1]
    if not any(map(replay.is_scored, replay.steps[deal.start : deal.last + 1])):
        return lazy("You can ask why a bot moved as it did once the {deal} has been scored.", deal=replay.deal_word)
    if step.seat is None:
        return ""  # a shuffle, which nobody has thought about
    before = replay.steps[step.index - 1].state
    known_alone = replay.rules.hidden_from(before, None) - replay.rules.hidden_from(before, step.seat)
    return HIDDEN if known_alone & unseen else ""


def _unseen(replay: Replay, number: int) -> set[str]:
    """The cards that a spectator has seen at no time of a deal."""
    deal = replay.deals[number - 1]
    states = (step.state for step in replay.steps[deal.start : deal.last + 1])
    return set.intersection(*(replay.rules.hidden_from(state, None) for state in states))
