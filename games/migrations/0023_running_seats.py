from django.db import migrations, models

from games.migrations._building import AddIndexMeanwhile


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0021_claims"),
    ]

    operations = [
        AddIndexMeanwhile(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("finish__isnull", True)), fields=["user", "-match"], name="seat_running"
            ),
        ),
    ]
