"""Where bots think: in processes of their own, so that no page, move or deadline waits for them.

The questions of each owner of tables wait in one queue, and the queues take turns: many tables of one player delay
nobody else's. A process that ends or hangs is replaced, and its question is asked again.

Threads of pages call `ask` and wait. If the clock runs in this process, its thinkers answer. Otherwise the first
question starts a thinking process for pages.
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

from games.bot_process import NICENESS, Answer, Decision, Judgement, Question, think
from games.kit.language import lazy
from games.play import metrics
from games.play.errors import Refused

log = logging.getLogger("valat.thinkers")

# All in seconds.
ANSWER_TIMEOUT = 8.0  # A process that takes longer for an answer is taken to hang.
JUDGE_TIMEOUT = 45.0  # The same for judgements, from a process that lets all others go first.
START_TIMEOUT = 30.0  # Processes start slowly on a busy machine.
SLOW = 2.0  # Longer waits for an answer, time in the queue included, are logged.
PAGE_TIMEOUT = 10.0  # A page waits this long for an answer, time in the queue included.

FAILURES = (OSError, EOFError, TimeoutError)
TRIES = 2


class ProcessMind:
    """A process of `games.bot_process`, which answers one question at a time. It ends with this process.

    Its methods raise one of FAILURES if the process ends or takes too long.
    """

    def __init__(self, niceness: int = NICENESS) -> None:
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process where bots think, unless it runs, and wait until it is ready."""
        if self._process is None:
            command = (sys.executable, "-m", "games.bot_process", str(self._niceness))
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *command, cwd=settings.BASE_DIR, stdin=pipe, stdout=pipe
            )
            await self._exchange(b"", START_TIMEOUT)  # It writes a first line when it is ready.

    async def answer(self, question: Question) -> Answer:
        await self.start()
        return Answer(*json.loads(await self._exchange(pickle.dumps(question), ANSWER_TIMEOUT)))

    async def judge(self, decision: Decision) -> Judgement:
        await self.start()
        return Judgement(*json.loads(await self._exchange(pickle.dumps(decision), JUDGE_TIMEOUT)))

    async def _exchange(self, message: bytes, timeout: float) -> bytes:
        """Send a message to the process. Return the next line that it writes.

        timeout: in seconds. If there is no line, or the wait is cancelled, end the process and raise the error.
        """
        assert self._process is not None
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            async with asyncio.timeout(timeout):
                stdin.write(message)
                await stdin.drain()
                line = await stdout.readline()
            if not line:
                raise EOFError("The process has ended.")
        except BaseException:  # Even if cancelled: its next line would be taken for the answer to another question.
            await self.close()
            raise
        return line

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class ThreadMind:
    """A bot that thinks in a thread of this process, for tests and for sites without thinking processes."""

    async def answer(self, question: Question) -> Answer:
        return await asyncio.to_thread(think, question)

    async def close(self) -> None:
        pass


type Mind = ProcessMind | ThreadMind


class PendingQuestion(NamedTuple):
    """A question in a queue."""

    question: Question
    is_wanted: Callable[[], bool]
    outcome: "asyncio.Future[Answer | None]"
    since: float  # by time.perf_counter


class Thinkers:
    """The minds of one process, and the questions that wait for them. Everything here runs in one event loop."""

    def __init__(self, size: int):
        """size: the number of processes. With 0, bots think in a thread of this process."""
        self._queues: OrderedDict[Hashable, deque[PendingQuestion]] = OrderedDict()  # by owner, in the order of turns
        self._waiting = asyncio.Semaphore(0)  # counts the questions in all queues
        self._minds: list[Mind] = [ProcessMind() for _ in range(size)] or [ThreadMind()]
        self._tasks = [asyncio.create_task(self._work(mind)) for mind in self._minds]
        metrics.BOTS_WAITING.set_function(lambda: sum(map(len, list(self._queues.values()))))

    async def answer(
        self, question: Question, *, owner: Hashable = None, is_wanted: Callable[[], bool] = lambda: True
    ) -> Answer | None:
        """Wait until a question has its turn, let a bot think about it, and return the answer.

        owner: of the queue where it waits, such as a user. The queues take turns, so that one owner's many questions
        don't delay others. is_wanted: called when its turn comes. If it returns False, because nobody needs the answer
        any more, return None. An answer without a choice means that every try has failed.
        """
        outcome: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        pending = PendingQuestion(question, is_wanted, outcome, time.perf_counter())
        self._queues.setdefault(owner, deque()).append(pending)
        self._waiting.release()  # One of the tasks that run `_work` wakes up and takes a question.
        return await outcome

    async def close(self) -> None:
        """End all processes. Pending questions get no answer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(mind.close() for mind in self._minds))

    async def _work(self, mind: Mind) -> None:
        """Answer questions one after the other, until cancelled. One task of each mind runs this.

        mind: a process or thread where bots think.
        """
        if isinstance(mind, ProcessMind):
            with suppress(*FAILURES):  # The first question tries again.
                await mind.start()  # Ahead of the first question, so that it need not wait for this.
        while True:
            await self._waiting.acquire()  # Until there is a question.
            pending = self._take_next()
            if pending.outcome.cancelled():  # Nobody waits for the answer any more.
                continue
            answer = await _answer(mind, pending) if pending.is_wanted() else None
            if not pending.outcome.done():
                pending.outcome.set_result(answer)

    def _take_next(self) -> PendingQuestion:
        """Take the first question of the first queue. That queue becomes the last, so that all owners take turns."""
        owner, queue = self._queues.popitem(last=False)
        pending = queue.popleft()
        if queue:
            self._queues[owner] = queue
        return pending


async def _answer(mind: Mind, pending: PendingQuestion) -> Answer:
    """Return the answer of a mind (a process or thread where bots think) to a question that has waited in a queue.

    Failed tries are repeated, up to TRIES in all. If all fail, return an answer that has only an error.
    """
    error = ""
    for _ in range(TRIES):
        try:
            answer = await mind.answer(pending.question)
        except FAILURES as failure:
            error = f"A thinking process failed: {failure!r}"
            log.error("%s (%s, %s)", error, pending.question.game, pending.question.bot)
            metrics.ERRORS.labels("thinkers").inc()
        else:
            seconds = time.perf_counter() - pending.since
            metrics.BOT_SECONDS.observe(seconds)
            metrics.BOT_CPU_SECONDS.inc(answer.seconds)
            if seconds > SLOW:
                log.warning("A bot took over %.0f seconds, waiting included: BOT_PROCESSES may be too few.", SLOW)
            return answer
    return Answer(None, error=error)


# Questions from the threads of pages.

LoopAndThinkers = tuple[asyncio.AbstractEventLoop, Thinkers]

_shared: LoopAndThinkers | None = None
_own: LoopAndThinkers | None = None
_lock = threading.Lock()


class Busy(Refused):
    """The bots have no time for an answer now."""

    status = 503


@contextmanager
def shared_with_threads(thinkers: Thinkers) -> Iterator[None]:
    """Within the block, let threads use these thinkers by `ask`. Thinkers are the processes where bots think.

    Without this, the first `ask` starts further processes. The thinkers belong to the running event loop, which `ask`
    must know to reach them from another thread.
    """
    global _shared
    _shared = asyncio.get_running_loop(), thinkers
    try:
        yield
    finally:
        _shared = None


def ask(question: Question, owner: Hashable) -> Answer:
    """Ask a bot a question, as for a hint, and wait for the answer. Raise Busy if none comes in time, or the bot fails.

    Blocks the thread, so it must not be called from an event loop. owner: of the queue in which the question waits.
    """
    loop, thinkers = _shared or _own_thinkers()
    future = asyncio.run_coroutine_threadsafe(thinkers.answer(question, owner=owner), loop)
    try:
        answer = future.result(PAGE_TIMEOUT)
    except TimeoutError:
        future.cancel()
        raise Busy(lazy("The coach is busy right now. Ask again in a moment.")) from None
    if answer is None or answer.choice is None:  # Every try has failed.
        raise Busy(lazy("The coach couldn’t answer. Ask again in a moment."))
    return answer


def _own_thinkers() -> LoopAndThinkers:
    """Return the event loop and the thinkers (processes where bots think) that belong to this process.

    They are started with the first question, as many pages never need them. The event loop runs in a thread.
    """
    global _own
    with _lock:
        if _own is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="coach", daemon=True).start()
            _own = loop, asyncio.run_coroutine_threadsafe(_start_thinkers(), loop).result()
        return _own


async def _start_thinkers() -> Thinkers:
    return Thinkers(min(settings.BOT_PROCESSES, 1))
