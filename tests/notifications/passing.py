"""Messages sent and time passing, for the tests of what people are told."""

from datetime import timedelta

from django.db.models import F

from games.models import Match
from games.notifications import outbox
from games.notifications.models import DeliveryMethod, Notification
from games.notifications.outbox import Lane
from games.play import memory


def send_all():
    """Send all that is due now. Returns how many messages that were."""
    count = 0
    while any(outbox.send_next(lane) for lane in Lane):
        count += 1
    return count


def later(**passed):
    """Let time pass for all that is to be told, and for tables at rest: later(minutes=5)."""
    ago = timedelta(**passed)
    Notification.objects.update(due_at=F("due_at") - ago, written_at=F("written_at") - ago)
    DeliveryMethod.objects.update(
        next_at=F("next_at") - ago, quiet_until=F("quiet_until") - ago, made_at=F("made_at") - ago
    )
    Match.objects.filter(turn_started_at__isnull=False).update(turn_started_at=F("turn_started_at") - ago)
    memory.forget()
