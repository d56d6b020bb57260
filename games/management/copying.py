"""Copy all rows to a database of another kind."""

from collections.abc import Sequence
from itertools import batched

from django.apps import apps
from django.core.management.color import no_style
from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, Model

BATCH = 2_000  # the number of rows per statement


def applied_migrations(alias: str) -> set[tuple[str, str]]:
    """Return the migrations of a database, as pairs of app and name."""
    return set(MigrationRecorder(connections[alias]).applied_migrations())


def copy(source: str, target: str) -> None:
    """Copy all rows of all models, with their keys, into empty tables. Arguments are aliases of databases.

    It reads the rows in one transaction, and writes all of them or none. It raises `DatabaseError`.
    """
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    with transaction.atomic(source), transaction.atomic(target):
        if connections[source].vendor == "postgresql":  # Otherwise each query could see later changes.
            with connections[source].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for model in models:
            _copy_rows(model, source, target)
        with connections[target].cursor() as cursor:
            for statement in connections[target].ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)


def _copy_rows(model: type[Model], source: str, target: str) -> None:
    """Copy the rows of one model without `save`, which would set some times to now."""
    fields = model._meta.concrete_fields
    connection = connections[target]
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    insert = f"INSERT INTO {connection.ops.quote_name(model._meta.db_table)} ({names}) VALUES ({places})"
    rows = model._base_manager.using(source).order_by("pk").values_list(*(field.attname for field in fields))
    try:
        with connection.cursor() as cursor:
            for batch in batched(rows.iterator(BATCH), BATCH):
                cursor.executemany(insert, [_database_values(fields, row, connection) for row in batch])
    except DatabaseError as error:
        raise DatabaseError(f"{model._meta.db_table}: {error}") from error


def _database_values(fields: Sequence[Field], row: Sequence[object], connection: BaseDatabaseWrapper) -> list[object]:
    return [field.get_db_prep_save(value, connection) for field, value in zip(fields, row, strict=True)]
