"""The admin of bells: users and their events, without words that people wrote to each other."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import pgettext_lazy

from accounts.admin import RecordAdmin
from accounts.labels import label
from games.notifications.models import BellItem

label(
    BellItem,
    "event in a bell",
    "events in bells",
    "user",
    "kind",
    "subject",
    "match",
    "comment",
    "club",
    "text",
    "count",
    "read at",
    other=pgettext_lazy("somebody", "other"),
    at=pgettext_lazy("of an event", "at"),
)


@admin.register(BellItem)
class BellItemAdmin(RecordAdmin):
    list_display = ["user", "kind", "other", "match", "club", "count", "at", "read_at"]
    list_filter = ["kind"]
    list_select_related = ["user", "other", "match", "club"]
    search_fields = ["=user__username"]
    show_full_result_count = False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
