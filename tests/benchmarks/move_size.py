"""Measure how many bytes a stored move takes with its indexes on PostgreSQL, in a database of its own.

    .venv/bin/python tests/benchmarks/move_size.py

Bots play matches, and the table is filled with copies of their moves, a thousand matches at a time, move by move as
they come from tables. The database is dropped.
"""

import argparse
import json

from own_site import SERVER, set_up

NAME = "valat_move_size"
AT_ONCE = 1000  # matches that are played
COPY = "1000000 + copy * 1000 + {}"  # the key of a copied match


def main(count):
    set_up(f"{SERVER}/{NAME}", DATABASE_POOL="0")
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    _play()
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA kept")
        cursor.execute("CREATE TABLE kept.match AS SELECT * FROM games_match")
        cursor.execute("CREATE TABLE kept.move AS SELECT * FROM games_move")
        _fill_matches(cursor, count)
        _fill_moves(cursor, count)
    print(json.dumps(_sizes()), flush=True)
    connection.close()


def _play():
    from games.catalog import all_games
    from tests import opening
    from tests.matches import play_on

    for game in all_games():
        for _ in range(4):
            seats = game.newest.default_seats
            play_on(opening.open_table(None, game.slug, seats=seats, bots=seats, speed="untimed"))


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
        " FROM kept.match, generate_series(0, %s / (SELECT count(*) FROM kept.move)) copy",
        [count],
    )


def _fill_moves(cursor, count):
    """Put that many copies of the kept moves, and nothing else, into the table."""
    cursor.execute("SET session_replication_role = replica")  # Nobody need look whether each has its match.
    cursor.execute("TRUNCATE games_move")
    cursor.execute(
        "INSERT INTO games_move (match_id, index, seat, move, actor, played_at)"
        f" SELECT {COPY.format('match_id')}, index, seat, move, actor, played_at"
        " FROM kept.move, generate_series(0, %s / (SELECT count(*) FROM kept.move)) copy"
        " ORDER BY copy / (%s / (SELECT count(*) FROM kept.match)), index, copy",
        [count, AT_ONCE],
    )
    cursor.execute("SET session_replication_role = origin")


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

    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=1_000_000)
    given = parser.parse_args()
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME}")
        server.execute(f"CREATE DATABASE {NAME}")
        try:
            main(given.moves)
        finally:
            server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
