from django.db import migrations


class Migration(migrations.Migration):
    breaks_running_processes = True

    dependencies = [("games", "__first__")]

    operations = [migrations.RunSQL("CREATE TABLE newer (id integer)", "DROP TABLE newer")]
