"""Indexes with the letters of matches and with sides, so that searches read somebody's own matches side by side.

Processes of the version before write their rows as ever.
"""

from django.db import migrations, models
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan, LessThanOrEqual

from games.migrations._building import AddIndexMeanwhile, RemoveIndexMeanwhile, vacuum_often

RECORD = ("seats", "speed", "rated", "finish", "began_at", "bots", "left", "margin", "deals", "team")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("facts", "0004_rows_of_old_matches"),
    ]

    operations = [
        AddIndexMeanwhile(
            model_name="played",
            index=models.Index(
                fields=["user", "game", "-match"],
                include=[*RECORD, "questions", "letters"],
                condition=models.Q(LessThanOrEqual(Length("letters"), 2000)),
                name="played_letters",
            ),
        ),
        AddIndexMeanwhile(
            model_name="played",
            index=models.Index(
                fields=["user", "game", "-match"],
                condition=models.Q(GreaterThan(Length("letters"), 2000)),
                name="played_long",
            ),
        ),
        AddIndexMeanwhile(
            model_name="played",
            index=models.Index(fields=["user", "-match"], include=["game", *RECORD], name="played_results"),
        ),
        RemoveIndexMeanwhile(model_name="played", name="played_record"),  # the same without sides
        vacuum_often("facts_played"),
    ]
