"""A tally of Ana's, and what is typed into its forms."""

from uuid import uuid4

import pytest
from django.urls import reverse

from games.tallies import keeping
from games.tallies.keeping import Person, Start, ledger_of
from games.tallies.models import Tally

NAMES = ("Ana", "Ben", "Cora", "Dan", "Eva", "Finn", "Gil")


@pytest.fixture
def begin(ana):
    """Begin a tally: begin("belot", 4, target=101)."""

    def begun(game, seats, keeper=ana, people=None, **options):
        people = people or [Person(name, ana if name == "Ana" else None) for name in NAMES[:seats]]
        return keeping.begin(keeper, Start(game, options, people))

    return begun


def fields_of(body, **others):
    """The values of a form."""
    return dict(body) | others


def enter(client, tally, body, **others):
    """Enter the next deal by the form of the page."""
    page = client.get(tally.get_absolute_url())
    place = page.context["place"]
    data = fields_of(body, entry=str(uuid4()), deal=place.key, seen=place.seen, **others)
    return client.post(tally.get_absolute_url(), data)


def ledger(tally):
    return ledger_of(Tally.objects.get(pk=tally.pk))[1]


def act(client, tally, name, **data):
    return client.post(reverse("act_on_tally", args=[tally.code]), {"act": name, "entry": str(uuid4())} | data)
