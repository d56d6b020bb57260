"""What migrations do to tables that a running site writes."""

from django.db import migrations


class AddIndexMeanwhile(migrations.AddIndex):
    """An index that PostgreSQL builds while others write its table; on SQLite one like any other.

    For a migration that is not atomic. One that was stopped halfway is made anew.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql" or schema_editor.connection.in_atomic_block:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.execute("SET lock_timeout = 0")  # it waits for transactions, which wait for nothing of it
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}")
            schema_editor.add_index(model, self.index, concurrently=True)
            schema_editor.execute("SET lock_timeout = '4s'")


class RemoveIndexMeanwhile(migrations.RemoveIndex):
    """The same of an index that goes. For a migration that is not atomic; one that is gone already is no error."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql" or schema_editor.connection.in_atomic_block:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif self.allow_migrate_model(schema_editor.connection.alias, from_state.apps.get_model(app_label, self.model_name)):
            schema_editor.execute("SET lock_timeout = 0")
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.name)}")
            schema_editor.execute("SET lock_timeout = '4s'")


def vacuum_often(table):
    """An operation after which PostgreSQL vacuums a big table before a twentieth of its rows is new, not a fifth.

    Reading by an index alone goes to the table for each row that was not there at the last vacuum.
    """
    settings = ("autovacuum_vacuum_scale_factor", "autovacuum_vacuum_insert_scale_factor")

    def run(change):
        def forwards(apps, schema_editor):
            if schema_editor.connection.vendor == "postgresql":
                schema_editor.execute(f"ALTER TABLE {schema_editor.quote_name(table)} {change}")

        return forwards

    there = run(f"SET ({', '.join(f'{name} = 0.05' for name in settings)})")
    return migrations.RunPython(there, run(f"RESET ({', '.join(settings)})"))
