"""What the host sees of clubs, and may do: close one, or open it again. All of it is logged."""

from django.contrib import admin, messages
from django.db.models import Count

from games.clubs import leading
from games.clubs.models import Club, Membership


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    fields = readonly_fields = ["user", "role", "since"]
    can_delete = False

    def has_add_permission(self, request, club=None):
        return False


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    """Clubs, the newest first."""

    list_display = ["name", "text", "members", "founded_at", "closed_at"]
    list_filter = [("closed_at", admin.EmptyFieldListFilter)]
    list_per_page = 50
    search_fields = ["name"]
    ordering = ["-pk"]
    fields = readonly_fields = ["code", "name", "text", "written_by", "founded_at", "closed_at"]
    inlines = [MembershipInline]
    actions = ["close", "open_again"]

    def has_add_permission(self, request):
        return False

    def has_delete_permission(self, request, club=None):
        return False

    def get_queryset(self, request):
        return super().get_queryset(request).annotate(member_count=Count("memberships"))

    @admin.display(ordering="member_count")
    def members(self, club):
        return club.member_count

    @admin.action(description="Close the selected clubs", permissions=["change"])
    def close(self, request, chosen):
        self._set_closed(request, chosen, True, "Closed")

    @admin.action(description="Open them again", permissions=["change"])
    def open_again(self, request, chosen):
        self._set_closed(request, chosen, False, "Opened again")

    def _set_closed(self, request, chosen, closed, said):
        clubs = list(chosen.filter(closed_at__isnull=closed))
        for club in clubs:
            leading.set_closed(club, closed)
            self.log_change(request, club, f"{said}.")
        self.message_user(request, f"{said}: {len(clubs)}.", messages.SUCCESS)
