"""One web process beside many, for `live_speed.py --processes`: with affinity, and with each table's sockets spread.

All of them in one run, one after the other, `--rounds` times; the medians are told. "of_one" compares with one process.
CPU is in milliseconds a move, of all web processes together, of this program (the players), of PostgreSQL and of Redis.
"redis_kb" is what Redis takes in and gives out a move, "commits" and "rows" what PostgreSQL counts a move.
"""

import asyncio
import os
import resource
import statistics
import time
from pathlib import Path

import psycopg
import redis
from live_speed import Server, Table, measure, prepare, report, server_command

COUNTED = ("xact_commit", "tup_inserted", "tup_updated")
FIRST_PORT = 8711  # not those of a live_speed.py that runs beside it
STATISTICS_COME = 1.5  # seconds until PostgreSQL has counted what was done


class Servers:
    """Many server processes as one."""

    def __init__(self, arguments, env, count):
        self._servers = [Server(server_command(arguments, FIRST_PORT + n), env, FIRST_PORT + n) for n in range(count)]

    def cpu(self):
        return sum(server.cpu() for server in self._servers)

    def memory(self):
        return sum(server.memory() for server in self._servers)

    def queries(self):
        return sum(server.queries() for server in self._servers)

    def stop(self):
        for server in self._servers:
            server.stop()


class Carriers:
    """What this program, PostgreSQL and Redis have used and carried so far: a dict, to be subtracted."""

    def __init__(self, database, url):
        self._name = database.rsplit("/", 1)[1]
        self._database = psycopg.connect(database, autocommit=True)
        self._redis = redis.Redis.from_url(url)

    def used(self):
        own = resource.getrusage(resource.RUSAGE_SELF)
        info = self._redis.info()
        sql = f"SELECT {', '.join(COUNTED)} FROM pg_stat_database WHERE datname = current_database()"
        time.sleep(STATISTICS_COME)
        (counts,) = self._database.execute(sql).fetchall()
        return {
            "players_cpu_ms": 1000 * (own.ru_utime + own.ru_stime),
            "postgresql_cpu_ms": 1000 * self._backends(),
            "redis_cpu_ms": 1000 * (info["used_cpu_user"] + info["used_cpu_sys"]),
            "redis_kb_in": info["total_net_input_bytes"] / 1000,
            "redis_kb_out": info["total_net_output_bytes"] / 1000,
            "redis_commands": info["total_commands_processed"],
            "commits": counts[0],
            "rows_inserted": counts[1],
            "rows_updated": counts[2],
        }

    def _backends(self):
        """Seconds of CPU of the processes that serve this database."""
        ticks = 0
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if f" {self._name} " in (folder / "cmdline").read_text() + " ":
                    fields = (folder / "stat").read_text().rsplit(")")[-1].split()
                    ticks += (int(fields[11]) + int(fields[12])) * ("postgres" in (folder / "comm").read_text())
            except OSError:
                continue
        return ticks / os.sysconf("SC_CLK_TCK")


def ways(count):
    """By what is told of it: how many processes, and at which of them the four sockets of a table are."""
    return {
        "one process": (1, lambda table: [0] * 4),
        f"{count} processes, affinity": (count, lambda table: [table % count] * 4),
        f"{count} processes, spread": (count, lambda table: [(table + place) % count for place in range(4)]),
    }


def compare(arguments, env):
    """Report every way for every number of tables."""
    carriers = Carriers(arguments.database, arguments.redis)
    for tables in arguments.tables:
        rounds = {what: [] for what in ways(arguments.processes)}
        for _ in range(arguments.rounds):
            for what, (count, places) in ways(arguments.processes).items():
                rounds[what].append(_run(arguments, env, carriers, tables, count, places))
        for what, found in rounds.items():
            medians = {key: statistics.median(figures[key] for figures in found) for key in found[0]}
            for key in ("moves_per_second", "cpu_ms"):
                pairs = zip(found, rounds["one process"], strict=True)
                medians[f"{key}_of_one"] = statistics.median(figures[key] / one[key] for figures, one in pairs)
            report(what, tables, {key: round(value, 3) for key, value in medians.items()})


def _run(arguments, env, carriers, tables, count, places):
    prepared = prepare(env, arguments.game, tables, 3)
    servers, used = Servers(arguments, env, count), []
    ports = [[FIRST_PORT + place for place in places(table)] for table in range(tables)]
    players = [Table(*each, sockets) for each, sockets in zip(prepared, ports, strict=True)]
    try:
        figures = asyncio.run(measure(servers, players, arguments.seconds, watch=lambda: used.append(carriers.used())))
    finally:
        servers.stop()
    before, after = used
    return figures | {key: (after[key] - before[key]) / figures["moves"] for key in before}
