"""Where bots think: in processes of their own, so that no page, no move and no deadline waits for a thought.

Whoever has tables waits in one line, and the lines take turns: many tables of one player delay nobody else's. A process
that ends, or says nothing, is replaced and its question asked again.

Threads of pages ask by `ask`, and wait: where the clock runs in this process its thinkers are asked, and questions wait
in one line with those of its tables; elsewhere one process more begins with the first question.
"""

import asyncio
import json
import logging
import pickle
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from django.conf import settings

from games.bot_process import NICENESS, Answer, Decision, Judgement, Question, answer
from games.kit.language import lazy
from games.play import metrics
from games.play.errors import Refused

log = logging.getLogger("valat.thinkers")

SILENCE = 8.0  # seconds without an answer, after which a process is taken to hang,
LONG_SILENCE = 45.0  # of a process that lets all others go first,
START_LIMIT = 30.0  # and until it is ready: it starts slowly where much else does
FAILURES = (OSError, EOFError, TimeoutError)
SLOW = 2.0  # seconds, waiting included, from which on the host is told
TRIES = 2
PATIENCE = 10.0  # seconds that a page waits for an answer, others before it included


class OwnMind:
    """A process of `games.bot_process`. It ends when nobody is left to ask it anything.

    It answers one question after the other, and raises one of FAILURES where it can't, or takes too long.
    """

    def __init__(self, niceness: int = NICENESS) -> None:
        """niceness: to all other processes, of 19."""
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process if there is none, and wait until it is ready. Raises one of FAILURES."""
        if self._process is None:
            command = (sys.executable, "-m", "games.bot_process", str(self._niceness))
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *command, cwd=settings.BASE_DIR, stdin=pipe, stdout=pipe
            )
            await self._said(b"", START_LIMIT)

    async def answer(self, question: Question) -> Answer:
        await self.start()
        return Answer(*json.loads(await self._said(pickle.dumps(question), SILENCE)))

    async def judge(self, decision: Decision) -> Judgement:
        """What a decision was worth. Raises one of FAILURES."""
        await self.start()
        return Judgement(*json.loads(await self._said(pickle.dumps(decision), LONG_SILENCE)))

    async def _said(self, written: bytes, limit: float) -> bytes:
        """The line that the process says next, within so many seconds. Raises one of FAILURES."""
        assert self._process is not None
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        try:
            async with asyncio.timeout(limit):
                asked.write(written)
                await asked.drain()
                line = await answers.readline()
            if not line:
                raise EOFError("The process has ended.")
        except BaseException:  # cancelled too: what it says next would be taken for the answer to another question
            await self.close()
            raise
        return line

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class SharedMind:
    """Thinks in a thread of this process, for tests and for where there can be no other process."""

    async def answer(self, question: Question) -> Answer:
        return await asyncio.to_thread(answer, question)

    async def close(self) -> None:
        pass


type Mind = OwnMind | SharedMind


class Asked(NamedTuple):
    """A question that waits."""

    question: Question
    is_wanted: Callable[[], bool]
    outcome: "asyncio.Future[Answer | None]"
    since: float


class Thinkers:
    """The minds of one process, and the questions that wait for them. Everything here runs in one event loop."""

    def __init__(self, size: int):
        """size: how many processes; 0 to think in a thread of this one."""
        self._lines: OrderedDict[Hashable, deque[Asked]] = OrderedDict()  # by owner, whose turn is next first
        self._some = asyncio.Semaphore(0)  # how many wait
        self._minds: list[Mind] = [OwnMind() for _ in range(size)] or [SharedMind()]
        self._tasks = [asyncio.create_task(self._work(mind)) for mind in self._minds]
        metrics.BOTS_WAITING.set_function(lambda: sum(map(len, list(self._lines.values()))))

    async def answer(
        self, question: Question, *, owner: Hashable = None, is_wanted: Callable[[], bool] = lambda: True
    ) -> Answer | None:
        """The answer to a question, in its turn; one without a place where every process has failed.

        owner: in whose line it waits. is_wanted: asked when it is its turn; if it no longer is, the answer is None.
        """
        outcome: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(owner, deque()).append(Asked(question, is_wanted, outcome, time.perf_counter()))
        self._some.release()
        return await outcome

    async def close(self) -> None:
        """End all processes. Nobody is given an answer any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(mind.close() for mind in self._minds))

    async def _work(self, mind: Mind) -> None:
        if isinstance(mind, OwnMind):
            with suppress(*FAILURES):  # the first question tries again
                await mind.start()  # now, so that the first question does not wait for it
        while True:
            await self._some.acquire()
            asked = self._next()
            if asked.outcome.cancelled():
                continue
            answered = await _answered(mind, asked) if asked.is_wanted() else None
            if not asked.outcome.done():
                asked.outcome.set_result(answered)

    def _next(self) -> Asked:
        """The question whose turn it is; its line goes behind all others."""
        owner, line = self._lines.popitem(last=False)
        asked = line.popleft()
        if line:
            self._lines[owner] = line
        return asked


async def _answered(mind: Mind, asked: Asked) -> Answer:
    error = ""
    for _ in range(TRIES):
        try:
            answered = await mind.answer(asked.question)
        except FAILURES as failure:
            error = f"A thinking process failed: {failure!r}"
            log.error("%s (%s, %s)", error, asked.question.game, asked.question.bot)
            metrics.ERRORS.labels("thinkers").inc()
        else:
            took = time.perf_counter() - asked.since
            metrics.BOT_SECONDS.observe(took)
            metrics.BOT_CPU_SECONDS.inc(answered.seconds)
            if took > SLOW:
                log.warning("A bot took over %.0f seconds, waiting included: BOT_PROCESSES may be too few.", SLOW)
            return answered
    return Answer(None, error=error)


# Asked by pages

Office = tuple[asyncio.AbstractEventLoop, Thinkers]

_lent: Office | None = None
_own: Office | None = None
_lock = threading.Lock()


class Busy(Refused):
    """There is no answer now."""

    status = 503


@contextmanager
def lent(thinkers: Thinkers) -> Iterator[None]:
    """Let these thinkers, of the running event loop, be asked by all threads of this process meanwhile."""
    global _lent
    _lent = asyncio.get_running_loop(), thinkers
    try:
        yield
    finally:
        _lent = None


def ask(question: Question, owner: Hashable) -> Answer:
    """The answer to a question, in its turn. Never to be called from an event loop: it waits.

    owner: in whose line it waits. Raises Busy where there is none.
    """
    loop, thinkers = _lent or _own_thinkers()
    waiting = asyncio.run_coroutine_threadsafe(thinkers.answer(question, owner=owner), loop)
    try:
        answer = waiting.result(PATIENCE)
    except TimeoutError:
        waiting.cancel()
        raise Busy(lazy("The coach is busy right now. Ask again in a moment.")) from None
    if answer is None or answer.place is None:
        raise Busy(lazy("The coach couldn’t answer. Ask again in a moment."))
    return answer


def _own_thinkers() -> Office:
    global _own
    with _lock:
        if _own is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="coach", daemon=True).start()
            _own = loop, asyncio.run_coroutine_threadsafe(_started(), loop).result()
        return _own


async def _started() -> Thinkers:
    return Thinkers(min(settings.BOT_PROCESSES, 1))
