"""The place in the queue in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.queue.models import QueueEntry


def documents(user: User) -> Iterator[dict[str, object]]:
    for entry in QueueEntry.objects.filter(user=user).select_related("match"):
        of_match = {"game": entry.game, "length": entry.length, "rated": entry.rated, "fill_after": entry.fill_after}
        called_to = entry.match.code if entry.match else None
        yield of_match | {"since": entry.since, "address": entry.address, "called_to": called_to}


EXPORTS = [
    Export(
        name="queue",
        description=lazy("What you wait for at the moment under “Play with people now”, as a JSON document."),
        count=lambda user: QueueEntry.objects.filter(user=user).count(),
        documents=documents,
        is_owner=lambda since: Exists(QueueEntry.objects.filter(user=OuterRef("pk"), seen_at__gte=since)),
    )
]
