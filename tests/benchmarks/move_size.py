"""How many bytes a stored move takes with its indexes: on PostgreSQL, in a database of its own.

    .venv/bin/python tests/benchmarks/move_size.py

Fills the table with copies of the moves of matches that bots played, a thousand matches at a time, move by move as they
come from tables: as it was before `games.0024`, through that migration, whose seconds are told, and anew. The database
is dropped.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

SERVER = "postgres://postgres@127.0.0.1:5432"
NAME = "valat_move_size"
AT_ONCE = 1000  # matches that are played
BEFORE, AFTER = "0023", "0024"  # migrations


def main(count):
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    _play()
    call_command("migrate", "games", BEFORE, verbosity=0)
    print(json.dumps({"before": _filled(count)}), flush=True)
    begun = time.monotonic()
    call_command("migrate", "games", AFTER, verbosity=0)
    print(json.dumps({"migrated": _sizes(), "seconds": round(time.monotonic() - begun, 1)}), flush=True)
    print(json.dumps({"anew": _filled(count)}), flush=True)
    connection.close()


def _play():
    from games.catalog import all_games
    from games.play import opening
    from tests.matches import play_on

    for game in all_games():
        for _ in range(4):
            seats = game.newest.default_seats
            play_on(opening.open_table(None, game.slug, seats=seats, bots=seats, speed="untimed"))


def _filled(count):
    """The sizes with so many copies, and nothing else."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the matches of the copies need not be there
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS played AS SELECT * FROM games_move")
        cursor.execute("TRUNCATE games_move")
        cursor.execute(
            "INSERT INTO games_move (match_id, index, seat, move, actor, played_at)"
            " SELECT 1000000 + copy * 1000 + match_id, index, seat, move, actor, played_at"
            " FROM played, generate_series(0, %s / (SELECT count(*) FROM played)) copy"
            " ORDER BY copy / (%s / (SELECT count(DISTINCT match_id) FROM played)), index, copy",
            [count, AT_ONCE],
        )
        cursor.execute("SET session_replication_role = origin")
    return _sizes()


def _sizes():
    """{"moves", and bytes of each: "all", "table", and each index by its name}."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), pg_total_relation_size('games_move'), pg_relation_size('games_move') FROM games_move"
        )
        moves, everything, table = cursor.fetchone()
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index"
            " WHERE indrelid = 'games_move'::regclass"
        )
        sizes = {"all": everything, "table": table} | dict(cursor.fetchall())
    return {"moves": moves} | {name: round(size / moves, 1) for name, size in sizes.items()}


if __name__ == "__main__":
    import psycopg

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=1_000_000)
    given = parser.parse_args()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"{SERVER}/{NAME}",
        "DATABASE_POOL": "0",
        "DEBUG": "off",
        "SECRET_KEY": "benchmark",
        "REDIS_URL": "",
    }
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME}")
        server.execute(f"CREATE DATABASE {NAME}")
        try:
            main(given.moves)
        finally:
            server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
