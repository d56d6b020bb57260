"""How many bytes a stored move takes with its indexes: on PostgreSQL, in a database of its own.

    .venv/bin/python tests/benchmarks/move_size.py

Fills the table with copies of the moves of matches that bots played, a thousand matches at a time, move by move as they
come from tables: as they were before `games.0025`, through that migration, whose seconds are told, and anew. The
database is dropped.
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
BEFORE, AFTER = "0024", "0025"  # migrations
COPY = "1000000 + copy * 1000 + {}"  # the key of a copied match


def main(count):
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    _play()
    with connection.cursor() as cursor:  # a table that was migrated back and forth is larger than one that was not
        _keep(cursor)
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    call_command("migrate", "games", BEFORE, verbosity=0)
    with connection.cursor() as cursor:
        _fill_matches(cursor, count)
    print(json.dumps({"before": _filled("unpacked", count)}), flush=True)
    begun = time.monotonic()
    call_command("migrate", "games", AFTER, verbosity=0)
    print(json.dumps({"migrated": _sizes(), "seconds": round(time.monotonic() - begun, 1)}), flush=True)
    print(json.dumps({"anew": _filled("packed", count)}), flush=True)
    connection.close()


def _play():
    from games.catalog import all_games
    from tests import opening
    from tests.matches import play_on

    for game in all_games():
        for _ in range(4):
            seats = game.newest.default_seats
            play_on(opening.open_table(None, game.slug, seats=seats, bots=seats, speed="untimed"))


def _keep(cursor):
    """What was played, in a schema of its own: the moves as the old and as the new version store them."""
    from games.models import Move

    cursor.execute("CREATE SCHEMA kept")
    cursor.execute("CREATE TABLE kept.match AS SELECT * FROM games_match")
    cursor.execute("CREATE TABLE kept.packed AS SELECT match_id, index, seat, packed, actor, played_at FROM games_move")
    cursor.execute("CREATE TABLE kept.unpacked (LIKE kept.packed)")
    cursor.execute("ALTER TABLE kept.unpacked RENAME packed TO move")
    cursor.execute("ALTER TABLE kept.unpacked ALTER move TYPE jsonb USING NULL")
    cursor.executemany(
        "INSERT INTO kept.unpacked VALUES (%s, %s, %s, %s, %s, %s)",
        [
            (move.match_id, move.index, move.seat, json.dumps(move.move), move.actor, move.played_at)
            for move in Move.objects.all()
        ],
    )


def _fill_matches(cursor, count):
    """A row for each match whose moves are copied."""
    cursor.execute(
        "SELECT column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = 'games_match'"
    )
    own = {
        "id": COPY.format("id"),
        "code": "copy || '-' || id",
        "seed_hash": "copy || '-' || id",
        "rematch_of_id": "NULL",
    }
    columns = {f'"{name}"': own.get(name, f'"{name}"') for (name,) in cursor.fetchall()}
    cursor.execute(
        f"INSERT INTO games_match ({', '.join(columns)}) SELECT {', '.join(columns.values())}"
        " FROM kept.match, generate_series(0, %s / (SELECT count(*) FROM kept.packed)) copy",
        [count],
    )


def _filled(kind, count):
    """The sizes with so many copies of kept moves, and nothing else."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # nobody need look whether each has its match
        cursor.execute("TRUNCATE games_move")
        column = "packed" if kind == "packed" else "move"
        cursor.execute(
            f"INSERT INTO games_move (match_id, index, seat, {column}, actor, played_at)"
            f" SELECT {COPY.format('match_id')}, index, seat, {column}, actor, played_at"
            f" FROM kept.{kind}, generate_series(0, %s / (SELECT count(*) FROM kept.{kind})) copy"
            f" ORDER BY copy / (%s / (SELECT count(*) FROM kept.match)), index, copy",
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
