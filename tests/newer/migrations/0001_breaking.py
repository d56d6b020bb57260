from django.db import migrations


class Migration(migrations.Migration):
    breaks_running_processes = True

    dependencies = [("games", "0001_matches")]

    operations = [migrations.RunSQL("CREATE TABLE newer (id integer)", "DROP TABLE newer")]
