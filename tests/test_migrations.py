"""Processes from before an update run beside new ones once the database is migrated: docs/hosting.md promises it."""

import pytest
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

OURS = ("accounts", "people", "games", "comments", "facts", "lines", "notices", "ratings", "talk")
BEFORE = {("accounts", "0002_casefolded_name")}  # it was made when nobody was promised anything
LATER = sorted(
    key for key in MigrationLoader(None).disk_migrations if key[0] in OURS and key[1][:4] > "0001" and key not in BEFORE
)
BREAKING = (operations.RemoveField, operations.RenameField, operations.DeleteModel, operations.RenameModel)


@pytest.mark.whole  # migrations, that is, which "make quick" does without
@pytest.mark.parametrize("key", LATER, ids=".".join)
def test_a_migration_takes_nothing_away_and_asks_old_processes_for_nothing(key):
    for operation in MigrationLoader(None).disk_migrations[key].operations:
        assert not isinstance(operation, BREAKING)
        if isinstance(operation, operations.AddField):
            assert operation.field.null or operation.field.has_db_default(), operation.name
