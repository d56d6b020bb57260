from itertools import batched

from django.db import migrations

from accounts import names

BATCH = 500
PREFIX = "Guest "


def shorten(apps, schema_editor):
    """ "Guest Heron 42" is "Heron 42" from now on: pages say beside it that this is a guest."""
    guests = _users(apps, schema_editor).filter(is_guest=True, username__startswith=PREFIX)
    _rename(guests, lambda name: name.removeprefix(PREFIX))


def lengthen(apps, schema_editor):
    """Back again. Names with a space are ours: who chooses one can't have any."""
    guests = _users(apps, schema_editor).filter(is_guest=True, username__contains=" ")
    _rename(guests.exclude(username__startswith=PREFIX), lambda name: PREFIX + name)


def _users(apps, schema_editor):
    return apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)


def _rename(guests, renamed):
    """guests: a query set. A guest whose new name is taken keeps the old one."""
    users = guests.model.objects.using(guests.db)
    for keys in batched(list(guests.values_list("pk", flat=True)), BATCH):
        batch = list(users.filter(pk__in=keys))
        wanted = {names.casefold(renamed(guest.username)) for guest in batch}
        taken = set(users.filter(casefolded_name__in=wanted).values_list("casefolded_name", flat=True))
        batch = [guest for guest in batch if names.casefold(renamed(guest.username)) not in taken]
        for guest in batch:
            guest.username = renamed(guest.username)
            guest.casefolded_name = names.casefold(guest.username)
            guest.skeleton = names.skeleton(guest.username)
        users.bulk_update(batch, ["username", "casefolded_name", "skeleton"])


class Migration(migrations.Migration):
    """Guests get shorter names, a batch at a time: the site may run meanwhile."""

    atomic = False

    dependencies = [("accounts", "0002_casefolded_name")]

    operations = [migrations.RunPython(shorten, lengthen)]
