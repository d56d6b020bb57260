"""Explain a bot's move: find the question that the bot had, so that it can answer it again and show its reasons.

An explanation must not reveal hidden cards. In a running match a move can be explained only once its deal is scored,
and only if everybody has seen all cards that the bot knew.
"""

from typing import NamedTuple

from games.bot_process import Answer, Question
from games.catalog import LEVELS, get_bot, get_game, usual_bot
from games.history.folding import Step
from games.history.odd_plays import BOTS
from games.history.replay import Replay
from games.kit import coach, contract
from games.kit.coach import Thought
from games.kit.language import lazy, say
from games.kit.search import Level, Searcher
from games.models import Match, Move
from games.play.due import question_at
from games.play.errors import NotAllowed, Refused

HIDDEN = lazy("You can see what this bot knew once the match is over: some of its cards are still secret.")


class BotMove(NamedTuple):
    """A bot's move with the question that it answered."""

    question: Question
    move: contract.Move
    level: Level | None
    level_name: str  # "hard bot", or "bot".

    def explain(self, answer: Answer) -> dict[str, object]:
        """Return the reasons for the bot's move as a dict for templates.

        answer: the bot's answer now, when we have asked it the same question again. "same" in the result says whether
        it has chosen the same move as in the match.
        """
        question = self.question
        assert answer.choice is not None
        move_now = question.moves[answer.choice]
        thought = Thought(question.table, question.moves, move_now, answer.options(question), answer.learned)
        game_coach = get_game(question.game).coach  # The words of the game for reasons.
        assert game_coach is not None
        explanation = coach.explain(game_coach, thought, self.level)
        return {**explanation, "same": move_now == self.move}


def find_bot_move(replay: Replay, index: int | None) -> BotMove:
    """Return the bot's move at this index, with the question that asks the bot for it again.

    Raises Refused if there is no such move, and NotAllowed if its reasons would reveal cards in a running match.
    """
    if index is None or index > replay.last:
        raise Refused(lazy("This match has no such move. Choose one in the replay."))
    step = replay.steps[index]
    _demand_explainable(replay, step)
    assert step.seat is not None
    match = replay.match
    own_bot = replay.snapshot.seats[step.seat].bot if step.actor == Move.Actor.BOT else ""
    name = own_bot or usual_bot(match.game)  # The usual bot of the game moves for absent people.
    state_before = replay.steps[index - 1].state
    question = question_at(replay.rules, state_before, name, match.seed, index)
    bot = get_bot(match.game, name)
    level_words = LEVELS.get(name)
    return BotMove(
        question._replace(weigh=True),  # The answer also has the moves that the bot has compared.
        step.move,
        level=bot.level if isinstance(bot, Searcher) else None,
        level_name=str(level_words.bot) if level_words else say("bot"),
    )


def _demand_explainable(replay: Replay, step: Step) -> None:
    """Raise Refused or NotAllowed unless this is a move by a bot whose reasons the user may see."""
    game = get_game(replay.match.game)
    if not replay.over and (why := _why_not_explainable(replay, step, _unseen_cards(replay, step.deal))):
        raise NotAllowed(why)
    if step.actor not in BOTS:
        raise Refused(lazy("That wasn’t a bot’s move. Choose a move by a bot."))
    if game.coach is None:
        raise Refused(lazy("The bots of {game} can’t say yet why they move as they do.", game=game.name))


def explainable_moves(replay: Replay, number: int) -> list[int]:
    """Return the indexes of the bots' moves in a deal whose reasons the user may see.

    number: of the deal, from 1. In a finished match these are all moves by bots. In a running match the deal must be
    scored, and the reasons must not reveal hidden cards.
    """
    if get_game(replay.match.game).coach is None:  # The bots of this game can't give reasons.
        return []
    deal = replay.deals[number - 1]
    indexes = [index for index in replay.bot_moves if deal.first <= index <= deal.last]
    if replay.over or not indexes:
        return indexes
    unseen = _unseen_cards(replay, number)
    return [index for index in indexes if not _why_not_explainable(replay, replay.steps[index], unseen)]


def explainable_in_last_deal(match: Match, user_id: int | None) -> list[dict[str, object]]:
    """Return the bots' moves in the latest scored deal whose reasons the user may see, grouped by trick.

    Each group has a "heading", and "moves" with "index" and "words". user_id: None for a visitor. Raises Unreadable.
    """
    replay = Replay(match, user_id)
    scored_deals = [step.deal for step in replay.steps if replay.is_scored(step)]
    indexes = explainable_moves(replay, scored_deals[-1]) if scored_deals else []
    return [
        {"heading": heading, "moves": [{"index": index, "words": replay.words(index)} for index in moves]}
        for heading, moves in replay.by_trick(indexes)
    ]


def _why_not_explainable(replay: Replay, step: Step, unseen: set[str]) -> str:
    """Return why the user may not see the reasons for a move of a running match, as a sentence; "" if they may.

    The reasons reveal the bot's hand at that time, so all its cards must have been shown later in the deal. unseen: the
    cards of the deal that were never shown.
    """
    deal = replay.deals[step.deal - 1]
    if not any(map(replay.is_scored, replay.steps[deal.start : deal.last + 1])):
        return lazy("You can ask why a bot moved as it did once the {deal} has been scored.", deal=replay.deal_word)
    if step.seat is None:
        return ""  # A shuffle reveals nothing, and `find_bot_move` refuses it.
    state_before = replay.steps[step.index - 1].state
    hidden_from = replay.rules.hidden_from
    own_cards = hidden_from(state_before, None) - hidden_from(state_before, step.seat)  # None is a spectator.
    return HIDDEN if own_cards & unseen else ""


def _unseen_cards(replay: Replay, number: int) -> set[str]:
    """Return the cards that a spectator could see at no time of a deal. number: of the deal, from 1."""
    deal = replay.deals[number - 1]
    states = (step.state for step in replay.steps[deal.start : deal.last + 1])
    return set.intersection(*(replay.rules.hidden_from(state, None) for state in states))  # None is a spectator.
