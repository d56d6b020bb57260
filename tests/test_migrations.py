"""Processes from before an update run beside new ones once the database is migrated: docs/hosting.md promises it."""

import importlib
import json

import pytest
from django.core.management import call_command
from django.core.management.commands.migrate import Command as DjangosMigrate
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from games.history.records import export_match
from games.models import Match, Move
from games.play import moves, store
from tests.matches import sensible

OURS = ("accounts", "people", "games", "comments", "facts", "lines", "notices", "ratings", "talk")
BEFORE = {("accounts", "0002_casefolded_name")}  # it was made when nobody was promised anything
LATER = sorted(
    key for key in MigrationLoader(None).disk_migrations if key[0] in OURS and key[1][:4] > "0001" and key not in BEFORE
)
BREAKING = (operations.RemoveField, operations.RenameField, operations.DeleteModel, operations.RenameModel)


@pytest.mark.whole  # migrations, that is, which "make quick" does without
@pytest.mark.parametrize("key", LATER, ids=".".join)
def test_a_migration_takes_nothing_away_and_asks_old_processes_for_nothing(key):
    migration = MigrationLoader(None).disk_migrations[key]
    if getattr(migration, "breaks_running_processes", False):
        return  # it refuses to run beside them: tests/test_running.py
    for operation in migration.operations:
        assert not isinstance(operation, BREAKING)
        if isinstance(operation, operations.AddField):
            assert operation.field.null or operation.field.has_db_default(), operation.name


@pytest.mark.whole  # with migrations: other tests of its kind make tables as the models say
@pytest.mark.django_db
def test_a_process_from_before_packed_moves_stores_and_deletes_them(started):
    match = Match.objects.get(code=started.code)
    values = [match.pk, match.move_count, 0, '{"type": "pass"}', "player", timezone.now()]
    columns = '"match_id", "index", "seat", "move", "actor", "played_at"'
    before = store.read_moves(match)

    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "games_move" ({columns}) VALUES (%s, %s, %s, %s, %s, %s)', values)
        with pytest.raises(IntegrityError), transaction.atomic():
            cursor.execute(f'INSERT INTO "games_move" ({columns}) VALUES (%s, %s, %s, %s, %s, %s)', values)
        cursor.execute(f'SELECT {columns} FROM "games_move" WHERE "match_id" = %s ORDER BY "index"', [match.pk])
        assert len(cursor.fetchall()) == len(before) + 1

    assert store.read_moves(match) == [*before, (0, {"type": "pass"}, "player", values[-1])]
    assert match.moves.filter(actor="player").count() == 1
    match.delete()
    assert not Move.objects.exists()


@pytest.mark.whole
@pytest.mark.django_db
@pytest.mark.parametrize(
    "column, value", [("seat", None), ("actor", "d"), ("actor", "chance"), ("packed", None), ("index", -1)]
)
def test_the_table_of_moves_refuses_what_is_no_move(started, column, value):
    played = moves.play_move(started.code, started.to_act, sensible(started), seen=1)

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'UPDATE "games_move" SET "{column}" = %s WHERE "index" = 1', [value])

    assert store.read(started.code).move_count == played.move_count


PACKING = "games.migrations.0025_packed_moves"
WAY_BACK = ("games", "0024_moves_by_match_and_index")


def migrate(key):
    """Migrate as Django does. Ours would count a connection that another test has left open as a running process."""
    call_command(DjangosMigrate(), *key, verbosity=0)


@pytest.fixture
def migrated_anew(transactional_db):
    """Whatever becomes of the test, the others have the tables that they need."""
    yield
    migrate(["games"])


def rows():
    """What the table of moves holds, as the version before reads it."""
    with connection.cursor() as cursor:
        cursor.execute('SELECT match_id, "index", seat, move, actor FROM games_move ORDER BY match_id, "index"')
        return [
            (match, index, seat, move if move is None else json.loads(move), actor)
            for match, index, seat, move, actor in cursor.fetchall()
        ]


def as_objects():
    return list(Move.objects.order_by("pk").values_list("match_id", "index", "seat", "move", "actor"))


def insert_as_before(match, index, move):
    """What a process of the version before does in another session."""
    values = [match.pk, index, 0, json.dumps(move), "player", timezone.now()]
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO games_move (match_id, "index", seat, move, actor, played_at) VALUES (%s, %s, %s, %s, %s, %s)',
            values,
        )


@pytest.mark.whole
def test_moves_are_packed_and_unpacked_by_migrations(migrated_anew, finished, started):
    match = Match.objects.get(code=finished.code)
    record, stored = export_match(match), as_objects()
    assert [move for *_, move, _ in rows()] == [None] * len(stored)

    migrate(WAY_BACK)
    assert rows() == stored
    migrate(["games"])

    assert (as_objects(), export_match(match)) == (stored, record)
    assert [move for *_, move, _ in rows()] == [None] * len(stored)
    assert {actor for *_, actor in rows()} == {"b", "d"}


@pytest.mark.whole
def test_packing_that_was_stopped_goes_on_and_lacks_nothing_that_was_done_meanwhile(
    migrated_anew, finished, started, monkeypatch
):
    migration = importlib.import_module(PACKING)
    first, second = Match.objects.order_by("pk")
    stored = as_objects()
    packed = migration._packed
    migrate(WAY_BACK)

    def stopped(data, move):
        if json.loads(move) == stored[-1][3]:
            raise RuntimeError("Somebody stopped it.")
        return packed(data, move)

    monkeypatch.setattr(migration, "MATCHES", 1)
    with monkeypatch.context() as now:
        now.setattr(migration, "_packed", stopped)
        with pytest.raises((RuntimeError, OperationalError)):  # the latter is what SQLite makes of it
            migrate(["games"])
    assert rows() == stored
    insert_as_before(second, 1, {"type": "pass"})
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_move WHERE match_id = %s", [first.pk])
    migrate(["games"])

    own = [row for row in stored if row[0] == second.pk]
    assert as_objects() == [*own, (second.pk, 1, 0, {"type": "pass"}, "player")]
    with connection.cursor() as cursor:
        assert "games_move_anew" not in connection.introspection.table_names(cursor)
