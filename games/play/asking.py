"""Questions to the processes that bots think in, from a thread that waits for the answer: of pages, say.

Where the clock runs in this process its thinkers are asked, and questions wait in one line with those of its tables;
elsewhere one process more begins with the first question.
"""

import asyncio
import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from django.conf import settings

from games.bot_process import Answer, Question
from games.kit.language import lazily
from games.play.errors import Refused
from games.play.thinkers import Thinkers

PATIENCE = 10.0  # seconds that somebody waits for an answer, others before it included


class Busy(Refused):
    """There is no answer now."""

    status = 503


class _Asked:
    """Thinkers, and the event loop that they run in."""

    def __init__(self, loop: asyncio.AbstractEventLoop, thinkers: Thinkers):
        self.loop = loop
        self.thinkers = thinkers


_lent: _Asked | None = None
_own: _Asked | None = None
_lock = threading.Lock()


@contextmanager
def lent(thinkers: Thinkers) -> Iterator[None]:
    """Let these thinkers, of the running event loop, be asked by all threads of this process meanwhile."""
    global _lent
    _lent = _Asked(asyncio.get_running_loop(), thinkers)
    try:
        yield
    finally:
        _lent = None


def ask(question: Question, owner: Hashable) -> Answer:
    """The answer to a question, in its turn. Never to be called from an event loop: it waits.

    owner: in whose line it waits. Raises Busy where there is none.
    """
    asked = _lent or _own_thinkers()
    waiting = asyncio.run_coroutine_threadsafe(asked.thinkers.answer(question, owner=owner), asked.loop)
    try:
        answer = waiting.result(PATIENCE)
    except TimeoutError:
        waiting.cancel()
        raise Busy(lazily("The coach is busy right now. Ask again in a moment.")) from None
    if answer is None or answer.place is None:
        raise Busy(lazily("The coach couldn’t answer. Ask again in a moment."))
    return answer


def _own_thinkers() -> _Asked:
    global _own
    with _lock:
        if _own is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="coach", daemon=True).start()
            _own = _Asked(loop, asyncio.run_coroutine_threadsafe(_started(), loop).result())
        return _own


async def _started() -> Thinkers:
    return Thinkers(min(settings.BOT_PROCESSES, 1))
