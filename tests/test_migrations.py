"""Processes from before an update run beside new ones once the database is migrated: docs/hosting.md promises it."""

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

from games.play import moves, store
from tests.matches import sensible

OURS = {config.label for config in apps.get_app_configs() if config.name.split(".")[0] in ("accounts", "games")}
BREAKING = (operations.RemoveField, operations.RenameField, operations.DeleteModel, operations.RenameModel)


@pytest.mark.whole  # migrations, that is, which "make quick" does without
def test_a_migration_takes_nothing_away_and_asks_old_processes_for_nothing():
    for (label, name), migration in MigrationLoader(None).disk_migrations.items():
        if label not in OURS or migration.initial or getattr(migration, "breaks_running_processes", False):
            continue  # the last refuses to run beside them: tests/test_running.py
        for operation in migration.operations:
            assert not isinstance(operation, BREAKING), name
            if isinstance(operation, operations.AddField):
                assert operation.field.null or operation.field.has_db_default(), (name, operation.name)


@pytest.mark.whole
@pytest.mark.django_db
@pytest.mark.parametrize("column, value", [("seat", None), ("actor", "chance"), ("move", None), ("index", -1)])
def test_the_table_of_moves_refuses_what_is_no_move(started, column, value):
    played = moves.play_move(started.code, started.to_act, sensible(started), seen_count=1)

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'UPDATE "games_move" SET "{column}" = %s WHERE "index" = 1', [value])

    assert store.read(started.code).move_count == played.move_count
