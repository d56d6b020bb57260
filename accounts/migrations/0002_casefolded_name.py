from django.db import migrations, models


class Migration(migrations.Migration):
    """The field gets another name, the column keeps its own: processes from before the update go on using it."""

    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AlterField(
            "user", "folded_name", models.CharField(db_column="folded_name", editable=False, max_length=80, unique=True)
        ),
        migrations.RenameField("user", "folded_name", "casefolded_name"),
    ]
