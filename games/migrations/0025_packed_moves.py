"""A move takes fewer bytes: the table of moves is made anew with its columns in a better order, every move packed.

A process of the version before stores its moves as it did, in the column `move`, and reads those of its kind; of a match
with others it says that its record can't be read. A later migration may take that column away.

On PostgreSQL players play on meanwhile. What they store goes into both tables, while the moves of one match after the
other are copied; then the new one takes the place of the old in one short moment. Whenever it was stopped, run it again:
it goes on. While it is undone, in the same way, no process of the newer version may run: its moves would be refused.
"""

import json

from django.db import migrations, models, transaction

import games.models.fields
from games.kit.packing import pack, unpack

MATCHES = 100  # whose moves are copied in one transaction

LETTERS = {"bot": "b", "chance": "d", "claimed": "c", "player": "p", "stand-in": "s"}
WORDS = {letter: word for word, letter in LETTERS.items()}

THERE = """
    SELECT count(*) FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = %s AND column_name = 'packed'
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
    SELECT match_id, index, seat, actor, played_at, {move} FROM games_move old
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


def _packed(actor, packed, move):
    """A move as it is from now on: its actor, packed, and nothing. Of the three as they were."""
    return LETTERS.get(actor, actor), packed or pack(json.loads(move)), None


def _plain(actor, packed, move):
    """A move as it was. Raises Damaged where it can't be read: then look at it before you go back."""
    return WORDS.get(actor, actor), None, move if packed is None else json.dumps(unpack(packed))


def forwards(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor == "postgresql":
        _on_postgresql(connection, PACKED, _packed)
    else:
        _on_sqlite(connection, SQLITE_PACKED, _packed)


def backwards(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor == "postgresql":
        _on_postgresql(connection, PLAIN, _plain)
    else:
        _on_sqlite(connection, SQLITE_PLAIN, _plain)


def _on_postgresql(connection, table, kind):
    shorter = kind is _packed

    def has_packed(name):
        cursor.execute(THERE, [name])
        return cursor.fetchone() == (1,)

    with connection.cursor() as cursor:
        if has_packed("games_move") == shorter:
            return  # ended before it was noted as done
        cursor.execute("SELECT to_regclass('games_move_anew') IS NOT NULL")
        if not cursor.fetchone()[0]:
            with transaction.atomic(connection.alias):
                cursor.execute(table + MIRROR)
        last = 0
        while last is not None:
            with transaction.atomic(connection.alias):
                last = _copy_next(cursor, last, kind)
        if not connection.in_atomic_block:
            cursor.execute("VACUUM (ANALYZE) games_move_anew")  # so that nobody plans by what it was while it was empty
        with transaction.atomic(connection.alias):
            cursor.execute(SWAP)


def _copy_next(cursor, last, kind):
    """Copy the moves of some matches, those after a key. Returns the last of their keys, None where there is none."""
    cursor.execute(NEXT, [last, MATCHES])
    keys = [key for (key,) in cursor.fetchall()]
    shorter = kind is _packed
    if keys:
        cursor.execute(LEFT.format(move="NULL, move" if shorter else "packed, move"), [keys])
        rows = cursor.fetchall()
        column = 1 if shorter else 2  # of what kind makes
        statement = f"COPY games_move_anew (match_id, index, seat, played_at, actor, {'packed' if shorter else 'move'}) FROM STDIN"
        with cursor.copy(statement) as copy:
            for match, index, seat, actor, played_at, packed, move in rows:
                made = kind(actor, packed, move)
                copy.write_row((match, index, seat, played_at, made[0], made[column]))
    return keys[-1] if keys else None


def _on_sqlite(connection, table, kind):
    shorter = kind is _packed
    connection.ensure_connection()
    for number, name in enumerate(("short_actor", "packed_move", "plain_move")):
        connection.connection.create_function(
            name, 3, lambda *row, number=number: kind(*row)[number], deterministic=True
        )
    packed, target, made = ("NULL", "packed", "packed_move") if shorter else ("packed", "move", "plain_move")
    row = f"actor, {packed}, move"
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute(table)
        cursor.execute(
            f'INSERT INTO games_move_anew (match_id, "index", seat, played_at, actor, {target})'
            f' SELECT match_id, "index", seat, played_at, short_actor({row}), {made}({row}) FROM games_move'
            ' ORDER BY match_id, "index"'
        )
        cursor.execute("DROP TABLE games_move")
        cursor.execute("ALTER TABLE games_move_anew RENAME TO games_move")


class Migration(migrations.Migration):
    atomic = False

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
