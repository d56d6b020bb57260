"""Processes that bots think in: in whose turn, and what becomes of a question where one ends or hangs."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from datetime import timedelta
from random import Random

import pytest
from asgiref.sync import sync_to_async

from games.bot_process import NICENESS, Answer, Decision, Question, judge_decision, think
from games.catalog import CHANCE, YARDSTICK, get_bot, get_rules
from games.kit.arena import play_match
from games.live.clock import Clock
from games.live.threads import DatabaseThread
from games.models import Claim, Match, Move, Seat
from games.play import due, memory, seating, store
from games.play import thinkers as module
from games.play.claims import sure_claim
from games.play.pace import BOT_THOUGHT
from games.play.thinkers import Busy, Thinkers, ask, shared_with_threads
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.whole

RULES = get_rules("oh-hell")


def question(bot="hard", moves=20):
    """A bot's choice of a card, some moves into a match of four."""
    states = play_match(RULES, RULES.clean_options(4, {}), [get_bot("oh-hell", YARDSTICK)] * 4, Random(1), Random(1))
    for _ in range(moves):
        state = next(states)
    while RULES.to_act(state) == CHANCE or len(RULES.legal_moves(state)) < 3:
        state = next(states)
    seat = RULES.to_act(state)
    return Question("oh-hell", bot, RULES.view(state, seat), RULES.legal_moves(state), "seed")


@pytest.fixture
async def thinkers():
    """One process."""
    kept = Thinkers(1)
    yield kept
    await kept.close()


class Scribe:
    """A mind that notes what it is asked, and says nothing until it is told to go on."""

    def __init__(self):
        self.asked = []
        self.go_on = asyncio.Event()

    async def answer(self, question):
        self.asked.append(question)
        await self.go_on.wait()
        return Answer(0)

    async def close(self):
        pass


@pytest.fixture
async def scribe(monkeypatch):
    kept = Scribe()
    monkeypatch.setattr(module, "ThreadMind", lambda: kept)
    return kept


def process_of(thinkers):
    return thinkers._minds[0]._process


async def started(thinkers):
    """The process, once there is one."""
    while process_of(thinkers) is None:
        await asyncio.sleep(0.01)
    return process_of(thinkers)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def ended(pid, limit=5.0):
    async with asyncio.timeout(limit):
        while is_running(pid):
            await asyncio.sleep(0.02)


def thinking_process():
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "games.bot_process"], stdin=pipe, stdout=pipe, stderr=pipe)


def test_a_process_whose_asker_was_killed_ends_without_a_traceback():
    process = thinking_process()
    process.stdout.close()  # before it says that it is ready

    process.wait(60)

    assert process.stderr.read() == b""


def test_half_a_question_is_no_traceback():
    process = thinking_process()

    _, said = process.communicate(pickle.dumps(question())[:-20], timeout=60)

    assert (process.returncode, said) == (0, b"")


def test_where_bots_think_there_is_no_django():
    script = "import sys, games.bot_process; sys.exit('django' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


async def test_a_process_answers_as_the_bot_does_here(thinkers):
    asked = question()

    found = await thinkers.answer(asked)

    assert found[:2] == think(asked)[:2]
    assert asked.moves[found.choice] == get_bot("oh-hell", "hard").choose(asked.table, asked.moves, Random("seed"))
    own = os.getpriority(os.PRIO_PROCESS, 0)  # tests may be niced themselves
    assert os.getpriority(os.PRIO_PROCESS, process_of(thinkers).pid) == own + NICENESS


async def test_a_question_is_asked_again_where_its_process_is_killed(thinkers):
    await thinkers.answer(question())
    first = process_of(thinkers)
    os.kill(first.pid, signal.SIGSTOP)  # so that it is killed while it is asked
    waiting = asyncio.create_task(thinkers.answer(question()))
    await asyncio.sleep(0.1)

    first.kill()
    found = await waiting

    assert found[:2] == think(question())[:2]
    assert process_of(thinkers).pid != first.pid


async def test_a_process_that_hangs_is_replaced(thinkers, monkeypatch):
    await thinkers.answer(question())
    hanging = process_of(thinkers).pid
    os.kill(hanging, signal.SIGSTOP)
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 0.5)
    waiting = asyncio.create_task(thinkers.answer(question()))
    await asyncio.sleep(0.2)
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 60.0)  # the next one has all the time that it wants

    found = await waiting

    assert found[:2] == think(question())[:2]
    await ended(hanging)


async def test_where_no_process_can_start_there_is_no_answer(monkeypatch):
    monkeypatch.setattr(module.sys, "executable", "/nowhere/python")
    thinkers = Thinkers(1)

    found = await thinkers.answer(question())

    assert found.choice is None
    assert "FileNotFoundError" in found.error
    await thinkers.close()


async def test_processes_end_when_they_are_closed(thinkers):
    pid = (await started(thinkers)).pid

    await thinkers.close()

    await ended(pid)


async def test_processes_end_when_nobody_is_left_to_ask():
    script = (
        "import subprocess, sys; print(subprocess.Popen([sys.executable, '-m', 'games.bot_process'], stdin=-1).pid)"
    )
    found = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], capture_output=True, check=True)

    await ended(int(found.stdout), limit=30.0)


async def test_many_tables_of_one_host_delay_nobody_else(scribe):
    thinkers = Thinkers(0)
    tables = [("Ana", number) for number in range(20)] + [("Boris", 0), ("Vera", 0), ("Ana", 20), ("Boris", 1)]
    waiting = [asyncio.create_task(thinkers.answer(table, owner=table[0])) for table in tables]
    scribe.go_on.set()

    await asyncio.gather(*waiting)

    assert scribe.asked[:5] == [("Ana", 0), ("Boris", 0), ("Vera", 0), ("Ana", 1), ("Boris", 1)]
    assert scribe.asked[5:] == [("Ana", number) for number in range(2, 21)]
    await thinkers.close()


async def test_what_nobody_wants_to_know_any_more_is_not_asked(scribe):
    thinkers = Thinkers(0)
    scribe.go_on.set()

    assert await thinkers.answer("stale", is_wanted=lambda: False) is None
    assert await thinkers.answer("fresh") == Answer(0)
    assert scribe.asked == ["fresh"]
    await thinkers.close()


# The clock and its bots


async def overdue(user):
    """A table of a user at which a bot is to move, and should have moved."""
    opened = await sync_to_async(opening.open_table)(
        user, "oh-hell", seats=3, bots=2, seed="03" * 32, shuffle_code="bots-first"
    )
    assert opened.seats[opened.to_act].bot
    await Match.objects.filter(code=opened.code).aupdate(wake_at="2020-01-01T00:00Z")
    memory.forget()
    return opened


@pytest.mark.django_db(transaction=True)
async def test_the_clock_goes_on_while_a_bot_thinks(ana, boris, scribe, clock):
    thought_about = await overdue(ana)
    assert await clock.sweep() == 1
    deadline = await sync_to_async(opening.open_table)(boris, "oh-hell", seats=3)
    await Match.objects.filter(code=deadline.code).aupdate(wake_at="2020-01-01T00:00Z")

    assert await clock.sweep() == 0  # of the one it thinks already, the other is closed

    assert (await Match.objects.aget(code=deadline.code)).status == "closed"
    assert len(scribe.asked) == 1
    scribe.go_on.set()
    await clock.settle()
    assert await Move.objects.filter(match__code=thought_about.code, actor="bot").acount() == 1


@pytest.mark.django_db(transaction=True)
async def test_a_bot_that_is_sure_claims_without_thinking(scribe, clock):
    found = await sync_to_async(sure_bot)()
    await Match.objects.filter(code=found.code).aupdate(wake_at="2020-01-01T00:00Z")
    memory.forget()

    assert await clock.sweep() == 1
    await clock.settle()

    claim = await Claim.objects.aget()
    assert (claim.seat, claim.kind, claim.index) == (found.to_act, "all", found.move_count)
    assert (await Match.objects.aget()).move_count == found.move_count + claim.moves
    assert scribe.asked == []


def sure_bot():
    """A match of Belot among bots, one of which is to act and is sure of the rest."""

    def is_sure(snapshot):
        if snapshot.to_act in (None, CHANCE):
            return False
        return sure_claim(snapshot, due.question_of(snapshot).table) is not None

    return play_on(opening.open_table(None, "belot", seats=4, bots=4, speed="untimed", seed="ab" * 32), until=is_sure)


@pytest.mark.django_db(transaction=True)
async def test_of_many_clocks_one_thinks(ana, scribe, monkeypatch):
    monkeypatch.setattr("games.live.clock.there_may_be_others", lambda: True)
    clocks = [Clock(DatabaseThread(f"clock {number}"), Thinkers(0)) for number in range(3)]
    await overdue(ana)

    assert sorted([await clock.sweep() for clock in clocks]) == [0, 0, 1]
    scribe.go_on.set()
    for clock in clocks:
        await clock.settle()
        await clock.close()
        clock.thread.close()

    assert len(scribe.asked) == 1


@pytest.mark.django_db(transaction=True)
async def test_a_clock_that_stops_leaves_its_turns_to_others_at_once(ana, scribe, monkeypatch, clock):
    monkeypatch.setattr("games.live.clock.there_may_be_others", lambda: True)
    other = Clock(DatabaseThread("other clock"), Thinkers(0))
    await overdue(ana)
    assert await other.sweep() == 1
    assert await clock.sweep() == 0

    await other.close()
    other.thread.close()

    assert await clock.sweep() == 1
    scribe.go_on.set()
    await clock.settle()


@pytest.mark.django_db(transaction=True)
async def test_bots_think_before_they_may_move_and_move_when_they_may(ana, clock):
    opened = await sync_to_async(opening.open_table)(
        ana, "oh-hell", seats=3, bots=2, seed="03" * 32, shuffle_code="bots-first"
    )

    assert await clock.sweep() == 1
    await clock.settle()

    move = await Move.objects.aget(match__code=opened.code, actor="bot")
    assert timedelta() <= move.played_at - opened.wake_at <= timedelta(seconds=BOT_THOUGHT + 2)


@pytest.mark.django_db(transaction=True)
async def test_an_answer_is_dropped_where_the_table_has_moved_on(ana, scribe, clock):
    opened = await overdue(ana)
    await clock.sweep()
    before = await sync_to_async(store.read)(opened.code)
    await sync_to_async(seating.leave_match)(ana, opened.code)

    scribe.go_on.set()
    await clock.settle()

    assert await Move.objects.filter(match__code=opened.code).acount() == before.move_count


@pytest.mark.django_db(transaction=True)
async def test_tables_of_one_host_delay_no_other_and_outlive_the_process_that_thinks(
    ana, boris, monkeypatch, clock, thinkers
):
    turns, next_of = [], Thinkers._take_next

    def noted(thinkers):
        turns.append(next(iter(thinkers._queues)))
        return next_of(thinkers)

    monkeypatch.setattr(Thinkers, "_take_next", noted)
    clock.thinkers = thinkers
    hers = [await overdue(ana) for _ in range(8)]
    his = await overdue(boris)
    await Seat.objects.filter(user__isnull=False).aupdate(connected=True)
    memory.forget()

    assert await clock.sweep() == 9
    os.kill((await started(clock.thinkers)).pid, signal.SIGKILL)
    await clock.settle()

    moved = [code async for code in Move.objects.filter(actor="bot").values_list("match__code", flat=True)]
    assert sorted(moved) == sorted([his.code, *(table.code for table in hers)])
    assert turns.index(boris.pk) == 1  # not behind hers, which were due before


@pytest.mark.django_db(transaction=True)
async def test_where_no_process_answers_the_rule_move_is_played(ana, monkeypatch, clock, thinkers):
    monkeypatch.setattr(module.sys, "executable", "/nowhere/python")
    clock.thinkers = thinkers
    opened = await overdue(ana)
    asked = due.question_of(opened)

    await clock.sweep()
    await clock.settle()

    move = await Move.objects.aget(match__code=opened.code, actor="bot")
    assert move.move == asked.moves[think(asked._replace(bot=YARDSTICK)).choice]


async def test_a_process_judges_decisions_as_this_one_does():
    mind = module.ProcessMind(niceness=15)
    states = play_match(RULES, RULES.clean_options(4, {}), [get_bot("oh-hell", YARDSTICK)] * 4, Random(1), Random(1))
    state = next(each for each in states if RULES.to_act(each) != CHANCE and len(RULES.legal_moves(each)) > 2)
    move = RULES.legal_moves(state)[0]
    decision = Decision("oh-hell", RULES.version, RULES.dump(state), move, "seed", 30)
    try:
        found = await mind.judge(decision)
        chosen = await mind.answer(question())
    finally:
        await mind.close()

    assert found.as_verdict() == judge_decision(decision).as_verdict()
    assert found.error == chosen.error == ""


# Pages that ask


@pytest.fixture
async def of_clock():
    kept = Thinkers(0)
    with shared_with_threads(kept):
        yield kept
    await kept.close()


async def test_the_clocks_thinkers_are_asked_where_it_runs(of_clock, monkeypatch):
    monkeypatch.setattr(module, "_own_thinkers", None)  # not to be started

    found = await asyncio.to_thread(ask, question(), "Ana")

    assert found.choice == think(question()).choice


def test_elsewhere_there_are_thinkers_of_their_own():
    assert ask(question(), "Ana").choice == think(question()).choice


async def test_nobody_waits_for_ever(of_clock, monkeypatch):
    monkeypatch.setattr(module, "PAGE_TIMEOUT", 0.05)
    monkeypatch.setattr(of_clock, "answer", lambda *_, **__: asyncio.sleep(5))

    with pytest.raises(Busy, match="is busy right now"):
        await asyncio.to_thread(ask, question(), "Ana")
