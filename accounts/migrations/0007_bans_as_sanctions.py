"""Every ban that holds gets a row, so that it can be lifted as those of later. Old processes still see it on the user."""

from django.db import migrations


def fill(apps, schema_editor):
    alias = schema_editor.connection.alias
    banned = apps.get_model("accounts", "User").objects.using(alias).filter(is_active=False)
    Sanction = apps.get_model("accounts", "Sanction")
    sanctions = Sanction.objects.using(alias)
    known = sanctions.filter(kind="ban", lifted_at=None).values("user")
    sanctions.bulk_create(
        Sanction(user=user, kind="ban", reason=user.ban_reason or "none given") for user in banned.exclude(pk__in=known)
    )


def empty(apps, schema_editor):
    """Nothing: the bans are on the users still, and the table goes with the migration before."""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_sanctions'),
    ]

    operations = [
        migrations.RunPython(fill, empty, elidable=True),
    ]
