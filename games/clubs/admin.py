"""The admin of clubs: close a club, or open it again. Both are logged."""

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, pgettext

from accounts.admin import RecordAdmin, RowsInline
from accounts.labels import label
from games.clubs import leading
from games.clubs.models import Club, ClubNotice, Membership

label(Club, "club", "clubs", "code", "name", "text", "written by", "founded at", "closed at")
label(Membership, "membership", "memberships", "user", "role", "since")


label(ClubNotice, "notice", "notices", "author", "text", "starts at", "written at", "hidden")


class MembershipInline(RowsInline):
    model = Membership
    fields = readonly_fields = ["user", "role", "since"]


class NoticeInline(RowsInline):
    model = ClubNotice
    fields = readonly_fields = ["author", "text", "starts_at", "written_at", "hidden"]


@admin.register(Club)
class ClubAdmin(RecordAdmin):
    list_display = ["name", "text", "members", "founded_at", "closed_at"]
    list_filter = [("closed_at", admin.EmptyFieldListFilter)]
    search_fields = ["name"]
    fields = readonly_fields = ["code", "name", "text", "written_by", "founded_at", "closed_at"]
    inlines = [MembershipInline, NoticeInline]
    actions = ["close", "open_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        return super().get_queryset(request).annotate(member_count=Count("memberships"))

    @admin.display(description=gettext_lazy("members"), ordering="member_count")
    def members(self, club: Club) -> int:
        return club.member_count

    @admin.action(description=gettext_lazy("Close the selected clubs"), permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        self._set_closed(request, chosen, True, pgettext("clubs", "Closed"))

    @admin.action(description=gettext_lazy("Open them again"), permissions=["change"])
    def open_again(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        self._set_closed(request, chosen, False, gettext("Opened again"))

    def _set_closed(self, request: HttpRequest, chosen: QuerySet[Club], closed: bool, note: str) -> None:
        clubs = list(chosen.filter(closed_at__isnull=closed))
        for club in clubs:
            leading.set_closed(club, closed)
            self.log_change(request, club, f"{note}.")
        words = gettext("{done}: {number}.").format(done=note, number=len(clubs))
        self.message_user(request, words, messages.SUCCESS)
