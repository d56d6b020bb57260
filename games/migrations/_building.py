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
