"""Processes of the site are killed at random while people play. Nothing that they were shown may be lost.

    .venv/bin/python -m tests.faults.kills --count 1000                  # web and clock on PostgreSQL and Redis
    .venv/bin/python -m tests.faults.kills --count 200 --alone           # everything in one process on SQLite

Says how it went as JSON, and fails if anything was lost or does not go on. A seed makes the same choices again, though
not the same moments.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.cluster import Alone, cluster
from tests.faults.crowd import Crowd
from tests.processes import START_LIMIT, running, wait_until

PACE = "0.02"


async def kill_at_random(site, crowd, count, rng):
    """Kill one of a site's processes `count` times, each time after the crowd could play again."""
    for _ in range(count):
        await crowd.makes_moves(3)
        await asyncio.sleep(rng.uniform(0, 0.8))
        victim = rng.choice(site.processes)
        victim.kill()
        victim.start()
        await asyncio.to_thread(wait_until, lambda: any(web.answers() for web in site.webs), START_LIMIT, "pages")
    await crowd.goes_on()


def what_was_lost(ledger, site):
    """What does not hold after people have played, as sentences."""
    problems = [*ledger.lost(site.database.moves(), site.database.codes()), *ledger.contradictions]
    try:
        site.installation.command("replay_check")
    except AssertionError as found:
        problems.append(str(found))
    return problems


def campaign(site, count, rng):
    """Let `count` of a site's processes be killed while people play. Returns what was lost, as sentences."""

    async def play():
        async with Crowd(site.webs, rng, tables=8) as crowd:
            await kill_at_random(site, crowd, count, rng)
        return crowd.ledger

    with running(*site.processes):
        begun = time.monotonic()
        try:
            ledger = asyncio.run(play())
        except BaseException:
            print(*(f"{process.name}:\n{process.log()[-3000:]}" for process in site.processes), sep="\n")
            raise
        print(json.dumps({"kills": count, "seconds": round(time.monotonic() - begun)} | ledger.counts()), flush=True)
        return what_was_lost(ledger, site)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--alone", action="store_true", help="one process on SQLite instead of four on PostgreSQL")
    parser.add_argument("--seed", type=int, default=random.getrandbits(32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        problems = (_alone if arguments.alone else _together)(Path(folder), arguments.count, rng)
    print("\n".join(problems) or "Nothing was lost.")
    sys.exit(bool(problems))


def _alone(folder, count, rng):
    return campaign(Alone(folder, PACE=PACE), count, rng)


def _together(folder, count, rng):
    with cluster(folder, PACE=PACE) as site:
        return campaign(site, count, rng)


if __name__ == "__main__":
    main()
