from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from accounts import names


def fill(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rows = apps.get_model("notes", "Note").objects.using(schema_editor.connection.alias)
    for note in rows.exclude(text="").only("text").iterator():
        rows.filter(pk=note.pk).update(search_text=names.search_key(note.text))


class Migration(migrations.Migration):

    dependencies = [
        ('notes', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='note',
            name='search_text',
            field=models.TextField(db_default='', editable=False, help_text='The text without case and accents.'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
