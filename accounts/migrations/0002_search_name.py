from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from accounts import names


def fill(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rows = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    for user in rows.only("username").iterator():
        rows.filter(pk=user.pk).update(search_name=names.search_key(user.username))


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='search_name',
            field=models.CharField(db_default='', db_index=True, editable=False, max_length=80),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
