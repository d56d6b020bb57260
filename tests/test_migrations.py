"""Processes from before an update run beside new ones once the database is migrated: docs/hosting.md promises it."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from games.models import Match
from games.play import store

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


@pytest.mark.whole  # with migrations: other tests of its kind make tables as the models say
@pytest.mark.django_db
def test_a_process_from_before_the_key_of_moves_stores_reads_and_deletes_them(started):
    match = Match.objects.get(code=started.code)
    values = [match.pk, match.move_count, 0, '{"type": "pass"}', "player", timezone.now()]
    columns = '"match_id", "index", "seat", "move", "actor", "played_at"'
    before = store.read_moves(match)

    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "games_move" ({columns}) VALUES (%s, %s, %s, %s, %s, %s)', values)
        values[1] += 1
        cursor.execute(
            f'INSERT INTO "games_move" ({columns}) VALUES (%s, %s, %s, %s, %s, %s) RETURNING "games_move"."id"', values
        )
        assert len(cursor.fetchall()) == 1
        cursor.execute(f'SELECT "id", {columns} FROM "games_move" WHERE "match_id" = %s ORDER BY "index"', [match.pk])
        assert len(cursor.fetchall()) == len(before) + 2
        with pytest.raises(IntegrityError), transaction.atomic():
            cursor.execute(f'INSERT INTO "games_move" ({columns}) VALUES (%s, %s, %s, %s, %s, %s)', values)
    assert [move for _, move, *_ in store.read_moves(match)[len(before) :]] == [{"type": "pass"}] * 2
    match.delete()
    assert store.read_moves(match) == []
