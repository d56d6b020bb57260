"""How long bots take to answer where many tables have one, played at people's pace by a clock and its processes.

    .venv/bin/python tests/benchmarks/bot_tables.py [--tables 100] [--bots 1] [--level hard] [--game oh-hell]
        [--seconds 120] [--processes 2]

Each table has so many bots, and people who take 2 to 6 seconds a move. Prints one JSON object:

- answers: how many there were; answer_ms: from the moment a bot's turn was found due to its answer, waiting included.
- thought_ms: CPU time of a thought. late_ms: by how much a bot's move was stored later than it was to be made.
- cores: of CPU time a second, what thinking took, and what clock, writer and the people took.
- load: the machine's load average before, so that one knows what else ran.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import time

from own_site import new_site


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--level", default="hard")
    parser.add_argument("--game", default="oh-hell")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    with new_site(BOT_PROCESSES=str(arguments.processes)):
        codes = [open_table(arguments, number) for number in range(arguments.tables)]
        print(json.dumps(asyncio.run(play(arguments, codes)), indent=1))


def open_table(arguments, number):
    """A table that has begun, at which all people are there. Returns its code."""
    from accounts.models import User
    from games.catalog import get_rules
    from games.models import Seat
    from games.play import seating
    from tests import opening

    seats = get_rules(arguments.game).default_seats
    people = [User.objects.create(username=f"P{number}-{place}") for place in range(seats - arguments.bots)]
    levels = [arguments.level] * arguments.bots
    opened = opening.open_table(people[0], arguments.game, bots=arguments.bots, levels=levels, speed="untimed")
    for person in people[1:]:
        opened = seating.sit_down(person, opened.code)
    Seat.objects.filter(match__code=opened.code, user__isnull=False).update(connected=True)
    return opened.code


async def play(arguments, codes):
    from games.live import clock
    from games.play import due
    from games.play.thinkers import Thinkers

    answers, thoughts, late = [], [], []
    ask, when = Thinkers.answer, due.move_time

    async def timed(self, *question, **named):
        began = time.perf_counter()
        answered = await ask(self, *question, **named)
        answers.append(time.perf_counter() - began)
        thoughts.append(answered.seconds)
        return answered

    def noted(turn, answered):
        planned = when(turn, answered)
        late.append((turn.request.code, turn.request.seen_count, planned))
        return planned

    Thinkers.answer, due.move_time = timed, noted
    load = os.getloadavg()[0]
    tasks = [asyncio.create_task(clock.run()), *(asyncio.create_task(people(code)) for code in codes)]
    await asyncio.sleep(10)  # until all play
    for figures in (answers, thoughts, late):
        figures.clear()
    began, used = time.perf_counter(), time.process_time()
    await asyncio.sleep(arguments.seconds)
    wall, used = time.perf_counter() - began, time.process_time() - used
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        **vars(arguments),
        "load": round(load, 2),
        "answers": len(answers),
        "answer_ms": spread(answers),
        "thought_ms": spread(thoughts),
        "late_ms": spread(await asyncio.to_thread(lateness, late)),
        "cores": {"thinking": round(sum(thoughts) / wall, 3), "site": round(used / wall, 3)},
    }


def lateness(planned):
    """Seconds by which moves were stored later than planned."""
    from games.models import Move

    stored = {
        (code, index): at
        for code, index, at in Move.objects.values_list("match__code", "index", "played_at").iterator()
    }
    return [(stored[code, seen] - at).total_seconds() for code, seen, at in planned if (code, seen) in stored]


def spread(seconds):
    """Milliseconds: the median, the 95th percentile and the most."""
    found = {
        "median": statistics.median(seconds),
        "95 %": statistics.quantiles(seconds, n=20)[-1],
        "most": max(seconds),
    }
    return {name: round(1000 * value, 1) for name, value in found.items()}


async def people(code):
    """Play for the people of a table, at random and at their pace."""
    from games.catalog import CHANCE
    from games.live.writer import writer
    from games.play import memory
    from games.play.requests import MoveRequest, ReadyRequest

    rng = random.Random(code)
    while (snapshot := memory.recent(code)) and (seat := snapshot.to_act) is not None:
        if seat == CHANCE:
            await asyncio.sleep(rng.uniform(2, 6))
            requests = [ReadyRequest(code, each.user_id) for each in snapshot.seats if each.user_id]
        elif snapshot.seats[seat].bot:
            await asyncio.sleep(0.1)
            continue
        else:
            await asyncio.sleep(rng.uniform(2, 6))
            moves = snapshot.rules.legal_moves(snapshot.state)
            requests = [MoveRequest(code, seat, rng.choice(moves), snapshot.move_count)]
        await asyncio.gather(*(writer().play(request) for request in requests), return_exceptions=True)


if __name__ == "__main__":
    main()
