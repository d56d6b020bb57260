"""What `dumpdata` writes, `loaddata` reads: no move and no notice changes on the way."""

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.people.models import Friendship
from games.history.records import export_match
from games.models import Match, Move
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


def test_moves_are_as_before(finished, carried):
    Move.objects.update(played_at=timezone.now().replace(microsecond=0))  # JSON has milliseconds only
    stored, record = list(Move.objects.values()), export_match(Match.objects.get(code=finished.code))

    carried(Move)

    assert list(Move.objects.values()) == stored
    assert export_match(Match.objects.get(code=finished.code)) == record
    call_command("replay_check")


def test_what_is_loaded_is_no_news(ana, boris, carried):
    DeliveryMethod.objects.create(user=boris, medium=Medium.WEBHOOK, address="https://valat.example/", origin="x")
    Subscription.objects.create(user=boris, medium=Medium.WEBHOOK, kind=NotificationKind.FRIEND)
    Friendship.objects.create(asker=ana, asked=boris)
    assert Notification.objects.count() == 1
    Notification.objects.all().delete()

    carried(Friendship)

    assert not Notification.objects.exists()
