"""The admin of solved mistakes. They are created by the players and deleted with the analysis or the account."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.admin import RecordAdmin
from accounts.labels import label
from games.analysis.models import SolvedMistake

label(SolvedMistake, "solved mistake", "solved mistakes", "user", "verdict", "solved at")


@admin.register(SolvedMistake)
class SolvedMistakeAdmin(RecordAdmin):
    list_display = ["verdict", "user", "solved_at"]
    list_select_related = ["user", "verdict"]
    show_full_result_count = False
    fields = readonly_fields = ["verdict", "user", "solved_at"]
    search_fields = ["=verdict__analysis__match__code"]

    def has_change_permission(self, request: HttpRequest, obj: SolvedMistake | None = None) -> bool:
        return False
