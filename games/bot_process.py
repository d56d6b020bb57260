"""How bots are asked for a move: a question with all that they may know, and its answer. And what moves were worth.

Run as a program it answers question after question from its standard input: the site's bots think in such processes,
and finished matches are analysed in one; `games.play.thinkers` starts them. It needs no Django. Its argument is how
nice the process is to others, NICENESS without one.
"""

import importlib
import json
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import Any, BinaryIO, NamedTuple

from games.catalog import YARDSTICK, get_bot, get_game, get_rules
from games.kit.analysis import Turn, Verdict, judge
from games.kit.contract import Move, Position, Table
from games.kit.search import Option, Searcher

NICENESS = 5  # of 19: a page that is asked for goes before a thought


class Question(NamedTuple):
    """What a bot is asked: its game, its name, the view of its seat, its legal moves, the seed of its chances."""

    game: str
    bot: str
    table: Table
    moves: list[Move]
    seed: str
    weigh: bool = False  # whether to tell what the moves are worth, for who asks why; the move is the same


class Answer(NamedTuple):
    """What became of a question."""

    place: int | None  # of the move among the legal ones; None where the bot failed
    closeness: float | None = None  # how hard the choice was, from 0 to 1; None where the bot can't tell
    seconds: float = 0.0  # of CPU time
    error: str = ""  # why it failed, as a traceback
    weighed: Sequence[Sequence[Any]] = ()  # of a question to weigh: `Option`s, the place of a move in place of it
    learned: bool = False  # of a question to weigh: whether the bot makes the move because it has learned to

    def options(self, question: Question) -> list[Option]:
        """What was weighed, the move of the rule of thumb first where moves were tried; none without a choice."""
        return [Option(question.moves[place], *figures) for place, *figures in self.weighed]


def answer(question: Question) -> Answer:
    """The answer of the bot that a question is for."""
    began = thread_time()
    try:
        bot = get_bot(question.game, question.bot)
        rng, close, learned = Random(question.seed), None, False
        options: list[Option] = []
        if isinstance(bot, Searcher) and question.weigh:
            move, options, learned = bot.weigh(question.table, question.moves, rng)
        elif isinstance(bot, Searcher):
            move, close = bot.thought(question.table, question.moves, rng)
        else:
            move = bot.choose(question.table, question.moves, rng)
        weighed = [[question.moves.index(option.move), *option[1:]] for option in options]
        return Answer(question.moves.index(move), close, thread_time() - began, weighed=weighed, learned=learned)
    except Exception:
        return Answer(None, None, thread_time() - began, traceback.format_exc())


def rule_move(question: Question) -> Move:
    """The move of the game's rule of thumb, which takes no time; any legal one should that fail too."""
    place = answer(question._replace(bot=YARDSTICK)).place
    return Random(question.seed).choice(question.moves) if place is None else question.moves[place]


class Decision(NamedTuple):
    """A move of a finished match, to be judged: the whole position that it was made in, hidden cards and all."""

    game: str
    version: int  # of its rules
    position: Position
    move: Move
    seed: str
    play_outs: int


class Judgement(NamedTuple):
    """What became of a Decision."""

    verdict: Sequence[Any] | None  # a `Verdict` with its Options as plain lists; None where there was nothing to decide
    seconds: float = 0.0  # of CPU time
    error: str = ""  # why it failed, as a traceback

    def as_verdict(self) -> Verdict | None:
        """What there is to say of the decision."""
        return None if self.verdict is None else Verdict.of_lists(*self.verdict)


def judged(decision: Decision) -> Judgement:
    """The judgement of a decision."""
    began = thread_time()
    try:
        rules = get_rules(decision.game, decision.version)
        state = rules.load(decision.position)
        analyst = get_game(decision.game).analyst
        verdict = judge(analyst, Turn(rules, state, decision.move), decision.seed, decision.play_outs)
        return Judgement(verdict, thread_time() - began)
    except Exception:
        return Judgement(None, thread_time() - began, traceback.format_exc())


def answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    """Say that all is ready by an empty line, then answer what comes pickled by a line of JSON each until it ends.

    What comes is a Question or a Decision.
    """
    answers.write(b"\n")
    answers.flush()
    while True:
        try:
            asked = pickle.load(questions)
        except (EOFError, pickle.UnpicklingError):  # nobody asks any more, or was killed in the middle of it
            return
        found = judged(asked) if isinstance(asked, Decision) else answer(asked)
        answers.write(json.dumps(found).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all: this one ends when nobody asks any more
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # it ends without a traceback when nobody reads its answers
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed goes to the log, not among the answers
    # What comes pickled is of the module, not of the program, and is told apart by its class.
    importlib.import_module("games.bot_process").answer_all(sys.stdin.buffer, answers)
