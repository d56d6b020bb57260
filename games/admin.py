"""What the host sees of matches. Nothing of a match can be edited here: it is what its moves make it."""

from django.contrib import admin, messages
from django.utils.html import format_html

from games import services
from games.models import Match, Move, Seat


class ReadOnly:
    """For admin classes: look, don't touch."""

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    extra = 0
    fields = [
        "place",
        "number",
        "user",
        "name",
        "bot",
        "reserve",
        "missed_turns",
        "connected",
        "left_at",
        "score",
        "finish",
    ]


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["code", "game", "status", "speed", "listed", "host", "move_count", "created_at", "ended_at"]
    list_filter = ["status", "game", "speed", "listed"]
    list_select_related = ["host"]
    search_fields = ["code", "=host__folded_name", "=seats__user__folded_name"]
    date_hierarchy = "created_at"
    show_full_result_count = False  # counting a million rows for every search is slow
    actions = ["close"]
    inlines = [SeatInline]
    # The seed and the position would show the host cards of a running match.
    exclude = ["seed", "position"]
    readonly_fields = ["link"]

    @admin.display(description="page")
    def link(self, match):
        return format_html('<a href="{}">{}</a>', match.get_absolute_url(), match.code)

    @admin.action(description="Close the selected tables and matches")
    def close(self, request, chosen):
        running = chosen.filter(status__in=[Match.Status.OPEN, Match.Status.PLAYING])
        codes = list(running.values_list("code", flat=True))
        for code in codes:
            services.close_table(code)
        self.message_user(request, f"{len(codes)} closed.", messages.SUCCESS)


@admin.register(Move)
class MoveAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["match", "index", "seat", "move", "actor", "played_at"]
    list_select_related = ["match"]
    search_fields = ["=match__code"]
    show_full_result_count = False
    ordering = ["-id"]

    def get_queryset(self, request):
        # Moves of running matches hold the decks.
        return super().get_queryset(request).filter(match__status__in=[Match.Status.OVER, Match.Status.CLOSED])
