"""What is demanded of a site while something is broken, and how it is seen."""

import asyncio
import re
import time
from collections import Counter
from contextlib import contextmanager
from typing import NamedTuple

import httpx

from tests.faults.players import LOST, Player, Table

ANSWER_WITHIN = 5  # seconds, for any page and any message, whatever is broken
LASTS = 3  # seconds at least, of a fault
LINES_A_MINUTE = 40  # of a process's log


class Answer(NamedTuple):
    """How something was answered."""

    what: str
    status: int | str | None  # of a page; what came down a socket, or "lost"; None for nothing
    seconds: float
    text: str

    def __str__(self):
        return f"{self.what}: {self.status} after {self.seconds:.1f} s, {self.sentence[:80]!r}"

    @property
    def sentence(self):
        """What the page says, without its tags."""
        main = re.search(r"<main.*?</main>", self.text, re.DOTALL)
        return " ".join(re.sub(r"<[^>]*>", " ", main[0] if main else self.text).split())


class Expected(NamedTuple):
    """How things may be answered while something is broken: the statuses of Answers."""

    reads: set  # of pages that only read
    writes: set  # of those that write
    moves: set
    others: frozenset = frozenset({"table", "refused", "lost"})  # at other sockets


UNHARMED = Expected({200}, {302}, {"table"})


@contextmanager
def broken(breaks, mends):
    """Something is broken: `breaks` does it, `mends` ends it."""
    try:
        breaks()
        yield
    finally:
        mends()


async def trial(site, crowd, fault, expected):
    """Break something while a crowd plays, mend it. Returns what is wrong with how the site takes it, as sentences.

    fault: a context manager, in which it is broken.
    """
    await crowd.makes_moves(10)
    noise = Noise(site.processes)
    async with Player(site.webs, crowd.ledger) as player:
        code = await player.quick_play()
        problems = await _during(site, player, code, fault, expected)
        try:
            await crowd.goes_on()
        except AssertionError as nothing:
            problems.append(str(nothing))
        problems += _wrong(await _ask_to_read(player, site.webs, code), UNHARMED.reads)
        problems += _wrong(await _ask_to_write(player, site.webs), UNHARMED.writes)
    return [*problems, *noise.complaints()]


async def _during(site, player, code, fault, expected):
    """What is wrong while something is broken, with a page that plays, one that looks on, new ones and forms."""
    async with player.socket(code, site.webs[0]) as playing, player.socket(code, site.webs[-1]) as looking:
        await playing.table_with(lambda table: table.is_my_turn)
        usual = max(answer.seconds for answer in await _ask_to_read(player, site.webs, code))
        limit = ANSWER_WITHIN + 2 * usual  # which is much where other tests run beside this
        began = time.monotonic()
        with fault:
            reads, writes, move, *others = await asyncio.gather(
                _ask_to_read(player, site.webs, code),
                _ask_to_write(player, site.webs),
                _ask_to_play(playing),
                _ask_for_table(looking),
                *(_open_socket(player, web, code, limit) for web in site.webs),
            )
            await asyncio.sleep(began + LASTS - time.monotonic())
    silent = [answer for answer in (*reads, *writes) if answer.status == 503 and not answer.sentence]
    return [
        *_wrong(reads, expected.reads, limit),
        *_wrong(writes, expected.writes, len(site.webs) * limit),  # a player's tables are opened one after the other
        *_wrong([move], expected.moves, limit),
        *_wrong(others, expected.others, limit),
        *(f"No sentence: {answer}" for answer in silent),
    ]


def _wrong(answers, expected, limit=2 * ANSWER_WITHIN):
    late = [answer for answer in answers if answer.status in expected and answer.status and answer.seconds > limit]
    return [str(answer) for answer in answers if answer.status not in expected or answer in late]


async def _ask_to_read(player, webs, code):
    """The Answers of every process to what people look at most, asked for all at once."""
    paths = ["/", "/matches/", f"/matches/{code}/"]
    return await asyncio.gather(*(_ask(player.get, path, web) for web in webs for path in paths))


async def _ask_to_write(player, webs):
    return await asyncio.gather(*(_ask(player.post, "/play/oh-hell/", web) for web in webs))


async def _ask(method, path, web):
    begun = time.monotonic()
    try:
        response = await asyncio.wait_for(method(path, web), 2 * ANSWER_WITHIN)
        status, text = response.status_code, response.text
    except (TimeoutError, httpx.TransportError) as error:
        status, text = None, repr(error)
    return Answer(f"{path} at {web.name}", status, time.monotonic() - begun, text)


async def _ask_to_play(page):
    await page.drain()
    return await _heard("a move", page, page.ask_to_play())


async def _ask_for_table(page):
    await page.drain()
    return await _heard("a look", page, page.send(sync=1))


async def _heard(what, page, sending):
    """The Answer to what is sent to a page's socket."""
    begun = time.monotonic()
    status, text = "lost", ""
    try:
        await sending
        heard = await page.receive(2 * ANSWER_WITHIN)
        status, text = ("table", "") if isinstance(heard, Table) else ("refused", heard["refused"])
    except TimeoutError:
        status = None
    except LOST as error:
        text = repr(error)
    return Answer(f"{what} at {page.web.name}", status, time.monotonic() - begun, text)


async def _open_socket(player, web, code, limit):
    """The Answer to a new socket: the first that comes down it."""
    begun = time.monotonic()
    try:
        async with asyncio.timeout(limit), player.socket(code, web) as page:
            return await _heard("a new socket", page, asyncio.sleep(0))
    except LOST as error:
        status = None if isinstance(error, TimeoutError) else "lost"
        return Answer(f"a new socket at {web.name}", status, time.monotonic() - begun, repr(error))


class Noise:
    """What processes have written to their logs since this was made."""

    def __init__(self, processes):
        self._since = {process: len(process.log()) for process in processes}

    def complaints(self):
        """What is wrong with it: somebody repeats themselves within the minute, or shows tracebacks."""
        complaints = []
        for process, since in self._since.items():
            lines = process.log(since).splitlines()
            tracebacks = sum(line.startswith("Traceback") for line in lines)
            messages = Counter(_message(line) for line in lines if LINE.match(line))
            repeated = {message: count for message, count in messages.items() if count > 1}
            if tracebacks or repeated or len(lines) > LINES_A_MINUTE:
                count = f"{process.name}: {len(lines)} lines, {tracebacks} tracebacks, repeated: {repeated}"
                complaints.append("\n".join([count, *lines] if tracebacks else [count]))
        return complaints


LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ (?=WARNING|ERROR|CRITICAL)(?!WARNING django.request)")


def _message(line):
    """A line of a log without what differs from time to time."""
    text = LINE.sub("", line)
    return re.sub(r"\b[a-z2-9]{8}\b|\d+", "#", text)[:120]
