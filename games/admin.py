"""The admin of matches. Nothing can be edited, because a match follows from its moves."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from accounts.admin import ReadOnlyRowsMixin, RecordAdmin
from accounts.labels import label
from games.catalog import game_name
from games.models import Gap, Match, OddPlay, Seat
from games.play.due import close_table
from games.play.store import snapshot_of

label(
    Match,
    "match",
    "matches",
    "code",
    "game",
    "status",
    "speed",
    "listed",
    "host",
    "move count",
    "created at",
    "ended at",
)
label(
    Seat,
    "seat",
    "seats",
    "place",
    "number",
    "user",
    "name",
    "bot",
    "reserve",
    "missed turns",
    "connected",
    "left at",
    "score",
    "finish",
)
label(OddPlay, "odd play", "odd plays", "note", "user", "noted at")
label(
    Gap,
    "outage",
    "outages",
    "began at",
    ended_at=pgettext_lazy("of an outage", "ended at"),
    is_settled=gettext_lazy("time given back"),
)


class ReadOnly(ReadOnlyRowsMixin):
    """An admin class whose rows cannot be changed."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
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
class MatchAdmin(ReadOnly, RecordAdmin):
    list_display = ["code", "game", "status", "speed", "listed", "host", "move_count", "created_at", "ended_at"]
    list_filter = ["status", "listed", "guide", "aside"]
    list_select_related = ["host"]
    search_fields = ["=code"]
    search_help_text = gettext_lazy("The code of a match. Somebody’s matches are on their profile.")
    show_full_result_count = False  # To count a million rows for every search is slow.
    actions = ["close"]
    inlines = [SeatInline]
    # The seed and the position would show the host the cards of a running match.
    exclude = ["seed", "position"]
    readonly_fields = ["link", "obstacle", "moves"]

    @admin.display(description=gettext_lazy("page"))
    def link(self, match: Match) -> SafeString:
        return format_html('<a href="{}">{}</a>', match.get_absolute_url(), match.code)

    @admin.display(description=gettext_lazy("why it can’t be played here"))
    def obstacle(self, match: Match) -> str:
        return snapshot_of(match, match.seats.select_related("user")).obstacle

    @admin.display(description=gettext_lazy("moves, once it is over"))
    def moves(self, match: Match) -> str:
        if match.status in Match.RUNNING:
            return ""  # The moves contain the decks.
        rows = match.moves.values_list("index", "seat", "move", "actor", "played_at")
        lines = ((index, "" if seat is None else seat, *rest) for index, seat, *rest in rows)
        return format_html_join("", "<div>{}. {} {} {} {}</div>", lines)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # Filters in the address would reveal the excluded fields bit by bit.
        return lookup.split("__")[0] not in self.exclude and super().lookup_allowed(lookup, value, request)

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    @admin.action(description=gettext_lazy("Close the selected tables and matches"), permissions=["close"])
    def close(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        matches = list(chosen.filter(status__in=Match.RUNNING))
        for match in matches:
            close_table(match.code)
            self.log_change(request, match, gettext("Closed."))
        words = ngettext("{number} closed.", "{number} closed.", len(matches))
        self.message_user(request, words.format(number=len(matches)), messages.SUCCESS)


@admin.register(Gap)
class GapAdmin(ReadOnly, RecordAdmin):
    """The outages of the site."""

    list_display = ["began_at", "ended_at", "is_settled"]
    ordering = ["-began_at"]


@admin.register(OddPlay)
class OddPlayAdmin(admin.ModelAdmin):
    """Moves of bots that players reported as odd. `manage.py odd_plays` exports them with their positions."""

    list_display = ["replay", "game", "note", "user", "noted_at"]
    list_select_related = ["match", "user"]
    list_per_page = 50
    ordering = ["-pk"]
    fields = readonly_fields = ["replay", "game", "note", "user", "noted_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description=gettext_lazy("move"))
    def replay(self, odd: OddPlay) -> SafeString:
        address = f"{reverse('replay', args=[odd.match.code])}?move={odd.index}&open=1"
        words = gettext("{match}, move {number}").format(match=odd.match.code, number=odd.index)
        return format_html('<a href="{}">{}</a>', address, words)

    @admin.display(description=gettext_lazy("game"), ordering="match__game")
    def game(self, odd: OddPlay) -> str:
        return game_name(odd.match.game)
