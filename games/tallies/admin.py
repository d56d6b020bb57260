"""The admin of tallies: nothing is edited, but names can be removed."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from accounts.admin import RecordAdmin, RowsInline
from accounts.labels import label
from games.tallies import sharing
from games.tallies.models import Tally, TallyEntry, TallyPlayer, TallyWriter

label(Tally, "tally", "tallies", "code", "game", "keeper", "club", "created at", "ended at")
label(TallyPlayer, "tally player", "tally players", "seat", "name", "user", "confirmed at", "removal asked at")
label(TallyWriter, "tally writer", "tally writers", "user", "since")
label(TallyEntry, "tally entry", "tally entries", "kind", "deal", "by", "at")


class PlayerInline(RowsInline):
    model = TallyPlayer
    fields = readonly_fields = ["seat", "name", "user", "confirmed_at", "removal_asked_at"]


class EntryInline(RowsInline):
    model = TallyEntry
    fields = readonly_fields = ["kind", "deal", "by", "at"]


class WriterInline(RowsInline):
    model = TallyWriter
    fields = readonly_fields = ["user", "since"]


@admin.register(Tally)
class TallyAdmin(RecordAdmin):
    list_display = ["code", "game", "keeper", "created_at", "ended_at"]
    list_filter = ["game", ("players__removal_asked_at", admin.EmptyFieldListFilter)]
    search_fields = ["code", "keeper__username", "players__name"]
    fields = readonly_fields = ["code", "game", "keeper", "club", "created_at", "ended_at"]
    inlines = [PlayerInline, WriterInline, EntryInline]
    actions = ["remove_names"]

    @admin.action(description=gettext_lazy("Remove all typed names"), permissions=["change"])
    def remove_names(self, request: HttpRequest, chosen: QuerySet[Tally]) -> None:
        sharing.remove_names(TallyPlayer.objects.filter(tally__in=chosen))
        for tally in chosen:
            self.log_change(request, tally, "names removed")
        self.message_user(request, gettext("The names are removed."), messages.SUCCESS)
