"""A move takes fewer bytes: the table of moves is made anew with its columns in a better order, every move packed.

A process of the version before stores its moves as it did, in the column `move`, and reads those of its kind; of a match
with others it says that its record can't be read. A later migration may take that column away.

On PostgreSQL players play on meanwhile. What they store goes into both tables, while the moves of one match after the
other are copied; then the new one takes the place of the old in one short moment. Whenever it was stopped, run it again:
it goes on. While it is undone, in the same way, no process of the newer version may run: its moves would be refused.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from django.db import migrations, models, transaction

import games.models.fields
from games.kit.packing import pack, unpack

MATCHES = 100  # whose moves are copied in one transaction

LETTERS = {"bot": "b", "chance": "d", "claimed": "c", "player": "p", "stand-in": "s"}
WORDS = {letter: word for word, letter in LETTERS.items()}

HAS_PACKED = """
    SELECT EXISTS (
        SELECT 1 FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'games_move' AND column_name = 'packed'
    )
"""
PACKED = """
    CREATE TABLE games_move_anew (
        played_at timestamptz NOT NULL,
        match_id integer NOT NULL
            CONSTRAINT games_move_match_id_fk_games_match_id REFERENCES games_match DEFERRABLE INITIALLY DEFERRED,
        index integer NOT NULL CONSTRAINT games_move_index_check CHECK (index >= 0),
        seat smallint CONSTRAINT games_move_seat_check CHECK (seat >= 0),
        actor varchar(8) NOT NULL,
        packed bytea,
        move jsonb,
        CONSTRAINT games_move_anew_pkey PRIMARY KEY (match_id, index),
        CONSTRAINT move_seat_unless_chance CHECK ((seat IS NULL) = (actor IN ('d', 'chance'))),
        CONSTRAINT move_is_there CHECK (packed IS NOT NULL OR move IS NOT NULL)
    );
"""
PLAIN = """
    CREATE TABLE games_move_anew (
        id bigint,
        index integer NOT NULL CONSTRAINT games_move_index_check CHECK (index >= 0),
        seat smallint CONSTRAINT games_move_seat_check CHECK (seat >= 0),
        move jsonb NOT NULL,
        actor varchar(8) NOT NULL,
        played_at timestamptz NOT NULL,
        match_id bigint NOT NULL
            CONSTRAINT games_move_match_id_fk_games_match_id REFERENCES games_match DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT games_move_anew_pkey PRIMARY KEY (match_id, index),
        CONSTRAINT move_seat_unless_chance CHECK ((seat IS NULL) = (actor = 'chance'))
    );
"""
# From here on every transaction writes both. Moves are never changed.
MIRROR = """
    CREATE FUNCTION games_move_mirror() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO games_move_anew (match_id, index, seat, move, actor, played_at)
            VALUES (NEW.match_id, NEW.index, NEW.seat, NEW.move, NEW.actor, NEW.played_at);
        ELSE
            DELETE FROM games_move_anew WHERE match_id = OLD.match_id AND index = OLD.index;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER games_move_mirror AFTER INSERT OR DELETE ON games_move
        FOR EACH ROW EXECUTE FUNCTION games_move_mirror();
"""
NEXT = "SELECT id FROM games_match WHERE id > %s ORDER BY id LIMIT %s FOR KEY SHARE"  # nobody deletes them meanwhile
LEFT = """
    SELECT match_id, index, seat, played_at, actor, {columns} FROM games_move old
    WHERE match_id = ANY (%s) AND NOT EXISTS (
        SELECT 1 FROM games_move_anew new WHERE new.match_id = old.match_id AND new.index = old.index
    ) ORDER BY match_id, index
"""
# First the table of matches, as those who play do.
SWAP = """
    LOCK TABLE games_match, games_move IN ACCESS EXCLUSIVE MODE;
    DROP TABLE games_move;
    DROP FUNCTION games_move_mirror();
    ALTER TABLE games_move_anew RENAME TO games_move;
    ALTER INDEX games_move_anew_pkey RENAME TO games_move_pkey;
"""

SQLITE_PACKED = """
    CREATE TABLE "games_move_anew" (
        "played_at" datetime NOT NULL,
        "match_id" bigint NOT NULL REFERENCES "games_match" ("id") DEFERRABLE INITIALLY DEFERRED,
        "index" integer unsigned NOT NULL CHECK ("index" >= 0),
        "seat" smallint unsigned NULL CHECK ("seat" >= 0),
        "actor" varchar(8) NOT NULL,
        "packed" BLOB NULL,
        "move" text NULL CHECK ((JSON_VALID("move") OR "move" IS NULL)),
        PRIMARY KEY ("match_id", "index"),
        CONSTRAINT "move_seat_unless_chance" CHECK (("seat" IS NULL) = ("actor" IN ('d', 'chance'))),
        CONSTRAINT "move_is_there" CHECK (("packed" IS NOT NULL OR "move" IS NOT NULL))
    )
"""
SQLITE_PLAIN = """
    CREATE TABLE "games_move_anew" (
        "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
        "index" integer unsigned NOT NULL CHECK ("index" >= 0),
        "seat" smallint unsigned NULL CHECK ("seat" >= 0),
        "move" text NOT NULL CHECK ((JSON_VALID("move") OR "move" IS NULL)),
        "actor" varchar(8) NOT NULL,
        "played_at" datetime NOT NULL,
        "match_id" bigint NOT NULL REFERENCES "games_match" ("id") DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT "move_index_once" UNIQUE ("match_id", "index"),
        CONSTRAINT "move_seat_unless_chance" CHECK (("seat" IS NULL) = ("actor" = 'chance'))
    )
"""


@lru_cache(10_000)  # most moves are made again and again
def _packed(packed, move):
    """What the new table has of a move, of what the old one has in both columns."""
    return packed or pack(json.loads(move))


@lru_cache(10_000)
def _plain(packed, move):
    """The same on the way back. Raises Damaged where it can't be read: then look at it before you go back."""
    return move if packed is None else json.dumps(unpack(packed))


class Way(NamedTuple):
    """How the rows of one table become those of the other."""

    actors: dict[str, str]  # as they shall be written, by how they are; those that are missing stay
    columns: str  # of which its move is made
    column: str  # into which it goes
    move: Callable


def forwards(apps, schema_editor):
    way = Way(LETTERS, "NULL, move", "packed", _packed)
    _make_anew(schema_editor.connection, PACKED, SQLITE_PACKED, way)


def backwards(apps, schema_editor):
    way = Way(WORDS, "packed, move", "move", _plain)
    _make_anew(schema_editor.connection, PLAIN, SQLITE_PLAIN, way)


def _make_anew(connection, on_postgresql, on_sqlite, way):
    if connection.vendor == "postgresql":
        _on_postgresql(connection, on_postgresql, way)
    else:
        _on_sqlite(connection, on_sqlite, way)


def _on_postgresql(connection, table, way):
    with connection.cursor() as cursor:
        cursor.execute(HAS_PACKED)
        if cursor.fetchone()[0] == (way.column == "packed"):
            return  # ended before it was noted as done
        cursor.execute("SELECT to_regclass('games_move_anew') IS NOT NULL")
        if not cursor.fetchone()[0]:
            with transaction.atomic(connection.alias):
                cursor.execute(table + MIRROR)
        last = 0
        while last is not None:
            with transaction.atomic(connection.alias):
                last = _copy_next(cursor, last, way)
        if not connection.in_atomic_block:
            cursor.execute("VACUUM (ANALYZE) games_move_anew")  # so that nobody plans by what it was while it was empty
        with transaction.atomic(connection.alias):
            cursor.execute(SWAP)


def _copy_next(cursor, last, way):
    """Copy the moves of some matches, those after a key. Returns the last of their keys, None where there is none."""
    cursor.execute(NEXT, [last, MATCHES])
    keys = [key for (key,) in cursor.fetchall()]
    if keys:
        cursor.execute(LEFT.format(columns=way.columns), [keys])
        rows = cursor.fetchall()
        columns = f"match_id, index, seat, played_at, actor, {way.column}"
        with cursor.copy(f"COPY games_move_anew ({columns}) FROM STDIN") as copy:
            for *row, actor, packed, move in rows:
                copy.write_row((*row, way.actors.get(actor, actor), way.move(packed, move)))
    return keys[-1] if keys else None


def _on_sqlite(connection, table, way):
    connection.ensure_connection()
    connection.connection.create_function("actor_anew", 1, lambda actor: way.actors.get(actor, actor))
    connection.connection.create_function("move_anew", 2, lambda packed, move: way.move(packed, move))
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute(table)
        cursor.execute(
            f'INSERT INTO games_move_anew (match_id, "index", seat, played_at, actor, {way.column})'
            f' SELECT match_id, "index", seat, played_at, actor_anew(actor), move_anew({way.columns})'
            ' FROM games_move ORDER BY match_id, "index"'
        )
        cursor.execute("DROP TABLE games_move")
        cursor.execute("ALTER TABLE games_move_anew RENAME TO games_move")


class Migration(migrations.Migration):
    atomic = False
    breaks_running_processes = True

    dependencies = [
        ("games", "0024_moves_by_match_and_index"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(forwards, backwards)],
            state_operations=[
                migrations.AddField(
                    "move",
                    "unpacked",
                    models.JSONField(db_column="move", help_text="Of a row of an older version only.", null=True),
                ),
                migrations.AlterField(
                    "move",
                    "actor",
                    games.models.fields.Letter(
                        choices=[
                            ("player", "Player"),
                            ("bot", "Bot"),
                            ("stand-in", "Stand In"),
                            ("claimed", "Claimed"),
                            ("chance", "Chance"),
                        ],
                        letters=LETTERS,
                        max_length=8,
                    ),
                ),
                migrations.AlterField(
                    "move",
                    "move",
                    games.models.fields.PackedMove(
                        db_column="packed", help_text="As the game's rules page writes it.", null=True
                    ),
                ),
                migrations.AddConstraint(
                    "move",
                    models.CheckConstraint(
                        condition=models.Q(("move__isnull", False), ("unpacked__isnull", False), _connector="OR"),
                        name="move_is_there",
                    ),
                ),
            ],
        ),
    ]
