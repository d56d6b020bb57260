"""The admin of the queue: read only, because pages that ask no more leave it."""

from django.contrib import admin

from accounts.admin import RecordAdmin
from accounts.labels import label
from games.queue.models import QueueEntry

label(
    QueueEntry,
    "queue entry",
    "queue entries",
    "user",
    "game",
    "length",
    "rated",
    "fill after",
    "since",
    "seen at",
    "match",
)


@admin.register(QueueEntry)
class QueueEntryAdmin(RecordAdmin):
    list_display = ["user", "game", "length", "rated", "fill_after", "since", "seen_at", "match"]
    list_select_related = ["user", "match"]
    fields = readonly_fields = list_display
