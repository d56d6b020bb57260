from itertools import batched

from django.db import migrations

from accounts import names

BATCH = 500
PREFIX = "Guest "


def shorten(apps, schema_editor):
    """ "Guest Heron 42" is "Heron 42" from now on: pages say beside it that this is a guest."""
    guests = apps.get_model("accounts", "User").objects.filter(is_guest=True, username__startswith=PREFIX)
    _rename(guests, lambda name: name.removeprefix(PREFIX))


def lengthen(apps, schema_editor):
    """Back again. Names with a space are ours: who chooses one can't have any."""
    guests = apps.get_model("accounts", "User").objects.filter(is_guest=True, username__contains=" ")
    _rename(guests.exclude(username__startswith=PREFIX), lambda name: PREFIX + name)


def _rename(guests, renamed):
    """guests: a query set. A guest whose new name is taken keeps the old one."""
    model = guests.model
    for keys in batched(list(guests.values_list("pk", flat=True)), BATCH):
        batch = list(model.objects.filter(pk__in=keys))
        wanted = {names.casefold(renamed(guest.username)) for guest in batch}
        taken = set(model.objects.filter(casefolded_name__in=wanted).values_list("casefolded_name", flat=True))
        batch = [guest for guest in batch if names.casefold(renamed(guest.username)) not in taken]
        for guest in batch:
            guest.username = renamed(guest.username)
            guest.casefolded_name = names.casefold(guest.username)
            guest.skeleton = names.skeleton(guest.username)
        model.objects.bulk_update(batch, ["username", "casefolded_name", "skeleton"])


class Migration(migrations.Migration):
    """Guests get shorter names, a batch at a time: the site may run meanwhile."""

    atomic = False

    dependencies = [("accounts", "0002_casefolded_name")]

    operations = [migrations.RunPython(shorten, lengthen)]
