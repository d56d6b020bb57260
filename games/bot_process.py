"""Questions to bots for a move, and their answers; decisions of finished matches, and their judgements.

Run as a program, it answers questions and judges decisions from its standard input. The site's bots think in such
processes, which `games.play.thinkers` starts. It needs no Django. Its argument is the niceness of the process, by
default NICENESS.
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

NICENESS = 5  # Of 19. Requests for pages go before thoughts of bots.


class Question(NamedTuple):
    """A question to a bot, with everything that it may know."""

    game: str
    bot: str
    table: Table  # the view of its seat
    moves: list[Move]  # the legal ones
    seed: str  # of its random numbers
    weigh: bool = False  # return the options as well; the move is the same


class Answer(NamedTuple):
    """A bot's answer to a question."""

    choice: int | None  # the index of the move in `Question.moves`; None if the bot failed
    closeness: float | None = None  # how hard the choice was, from 0 to 1; None if the bot can't tell
    seconds: float = 0.0  # of CPU time
    error: str = ""  # the traceback of a failure
    option_rows: Sequence[Sequence[Any]] = ()  # if `weigh`: `Option`s, with the index of the move instead of the move
    learned: bool = False  # if `weigh`: whether the bot has learned this move, not searched for it

    def options(self, question: Question) -> list[Option]:
        """Return the moves that the bot has compared, with their estimates. Empty if there was only one legal move.

        If it has tried moves, the move of the game's rule of thumb comes first.
        """
        return [Option(question.moves[index], *figures) for index, *figures in self.option_rows]


def think(question: Question) -> Answer:
    """Let a bot choose a move in this process. If the bot fails, the answer is the traceback.

    A bot that searches can also say how close the choice was, or (`weigh`) which moves it has compared.
    """
    began = thread_time()
    try:
        bot = get_bot(question.game, question.bot)
        rng, closeness, learned = Random(question.seed), None, False
        options: list[Option] = []
        if isinstance(bot, Searcher) and question.weigh:
            move, options, learned = bot.weigh(question.table, question.moves, rng)
        elif isinstance(bot, Searcher):
            move, closeness = bot.decide(question.table, question.moves, rng)
        else:
            move = bot.choose(question.table, question.moves, rng)
        rows = [[question.moves.index(option.move), *option[1:]] for option in options]
        return Answer(question.moves.index(move), closeness, thread_time() - began, option_rows=rows, learned=learned)
    except Exception:
        return Answer(None, None, thread_time() - began, traceback.format_exc())


def rule_move(question: Question) -> Move:
    """Return the move of the game's rule of thumb, which takes no time; a random legal move if that fails too."""
    choice = think(question._replace(bot=YARDSTICK)).choice
    return Random(question.seed).choice(question.moves) if choice is None else question.moves[choice]


class Decision(NamedTuple):
    """A move of a finished match to judge, with the position before it, hidden cards included."""

    game: str
    version: int  # of its rules
    position: Position
    move: Move
    seed: str
    play_outs: int
    is_last: bool = True  # whether the verdict is final even if the play-outs are too few to be sure


class Judgement(NamedTuple):
    """The result of judging a Decision."""

    verdict: Sequence[Any] | None  # a `Verdict` with its Options as plain lists; None if there was nothing to decide
    seconds: float = 0.0  # of CPU time
    error: str = ""  # the traceback of a failure

    def as_verdict(self) -> Verdict | None:
        return None if self.verdict is None else Verdict.of_lists(*self.verdict)


def judge_decision(decision: Decision) -> Judgement:
    """Judge a move of a finished match in this process. If that fails, the judgement is the traceback."""
    began = thread_time()
    try:
        rules = get_rules(decision.game, decision.version)
        state = rules.load(decision.position)
        analyst = get_game(decision.game).analyst
        assert analyst
        turn = Turn(rules, state, decision.move)
        verdict = judge(analyst, turn, decision.seed, decision.play_outs, is_last=decision.is_last)
        return Judgement(verdict, thread_time() - began)
    except Exception:
        return Judgement(None, thread_time() - began, traceback.format_exc())


def answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    """Read pickled questions to bots, and decisions to judge, until the input ends. Write a line of JSON for each.

    An empty line comes first. It tells the site that the process is ready.
    """
    answers.write(b"\n")
    answers.flush()
    while True:
        try:
            question = pickle.load(questions)
        except (EOFError, pickle.UnpicklingError):  # The other end has closed the pipe, or was killed while writing.
            return
        result = judge_decision(question) if isinstance(question, Decision) else think(question)
        answers.write(json.dumps(result).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all processes. This one ends with its input.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # End without a traceback when nobody reads the answers.
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Printed text goes to the log, not among the answers.
    # The classes of pickled objects belong to the imported module, not to __main__.
    importlib.import_module("games.bot_process").answer_all(sys.stdin.buffer, answers)
