"""Fixtures: what `dumpdata` writes, `loaddata` reads, and no test speaks the language of another."""

import pytest
from django.core.management import call_command
from django.utils.formats import number_format

from accounts.people.models import Friendship
from games.kit import language
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind, Subscription


@pytest.fixture
def carried(tmp_path):
    """Dump some models, delete their rows, and load them again."""

    def carry(*models):
        labels = [model._meta.label for model in models]
        call_command("dumpdata", *labels, output=str(tmp_path / "rows.json"), verbosity=0)
        for model in reversed(models):
            model.objects.all().delete()
        call_command("loaddata", str(tmp_path / "rows.json"), verbosity=0)

    return carry


def test_what_is_loaded_is_no_news(ana, boris, carried):
    DeliveryMethod.objects.create(user=boris, medium=Medium.WEBHOOK, address="https://valat.example/", origin="x")
    Subscription.objects.create(user=boris, medium=Medium.WEBHOOK, kind=NotificationKind.FRIEND)
    Friendship.objects.create(asker=ana, asked=boris)
    assert Notification.objects.count() == 1
    Notification.objects.all().delete()

    carried(Friendship)

    assert not Notification.objects.exists()


@pytest.mark.xdist_group("one after the other")
def test_a_page_in_german(client):
    assert 'lang="de"' in client.get("/rules/", headers={"Accept-Language": "de"}).text


@pytest.mark.xdist_group("one after the other")
def test_next_test_reads_english():
    assert language.language() == language.ENGLISH
    assert number_format("10.5") == "10.5"
