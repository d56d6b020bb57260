"""How long a socket lives after its right has ended in another process.

    python tests/benchmarks/right_ends.py [--rounds 20]

Needs PostgreSQL and Redis. Two processes, uvicorn and daphne: in the one somebody logs out or ends a friendship by a
form, in the other their socket at a table is closed. Each way is measured with Redis and while Redis is away, when
nothing tells the other process. Prints a JSON line each: seconds from the answer to the form until the close.

On two cores with a load of 18: with Redis a median of 0.01 to 0.04 and 0.08 at most, without it 0.34 to 0.54 and 0.87.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.faults.stage import Site, Stage, close_code, table_of, two_processes


async def log_out(stage):
    await stage.post(stage.sessions["ana"], "/accounts/logout/")


async def unfriend(stage):
    await stage.post(stage.sessions["ana"], f"/accounts/people/{stage.names['boris']}/unfriend/")


WAYS = {"log-out": (log_out, "ana", "open"), "friendship": (unfriend, "boris", "friends")}


async def seconds_of(site, act, who, table):
    """Return the seconds from the answer until the close; 0 where the close came first."""
    async with Stage.at(site) as stage, stage.match_socket(who, table) as socket:
        await table_of(socket)
        closing = asyncio.create_task(_moment_of_close(socket))
        await act(stage)
        answered = time.perf_counter()
        return max(await closing - answered, 0)


async def _moment_of_close(socket):
    await close_code(socket)
    return time.perf_counter()


def measure(site, rounds, **what):
    """Print the figures of every way at a site."""
    for way, arguments in WAYS.items():
        seconds = [asyncio.run(seconds_of(site, *arguments)) for _ in range(rounds)]
        figures = {"median": statistics.median(seconds), "longest": max(seconds)}
        print(json.dumps({"right": way} | what | {name: round(each, 3) for name, each in figures.items()}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, two_processes(Path(folder)) as (interpreter, uvicorn, daphne, redis):
        sites = {
            "daphne": Site(interpreter, uvicorn, daphne),
            "uvicorn": Site(interpreter, daphne, uvicorn),
        }
        for server, site in sites.items():
            measure(site, rounds, server=server, redis=True)
        redis.kill()
        for server, site in sites.items():
            measure(site, rounds, server=server, redis=False)


if __name__ == "__main__":
    main()
