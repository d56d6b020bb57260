"""The queue of moderators: what was reported, with the lines around, and what is done about it. All of it is logged."""

from functools import partial

from django.contrib import admin, messages
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from accounts.admin import may_touch, sanctioned, touchable
from games.talk import reporting
from games.talk.models import Report, ReportedLine, Silence, Word


class ReportedLineInline(admin.TabularInline):
    model = ReportedLine
    extra = 0
    fields = readonly_fields = ["said_at", "user", "words", "is_reported"]
    can_delete = False

    def has_add_permission(self, request, report=None):
        return False


def _action(words, act, said):
    """An admin action: `act(report, moderator)` on each of the chosen reports, logged as `said`."""

    @admin.action(description=words, permissions=["change"])
    def acting(self, request, chosen):
        done = 0
        for report in chosen.select_related("reported", "match"):
            if report.reported == request.user or not may_touch(request.user, report.reported):
                text = f"{report.reported} works here: only an administrator can do that."
                self.message_user(request, text, messages.ERROR)
                continue
            act(report, request.user)
            self.log_change(request, report, said)
            done += 1
        if done:
            self.message_user(request, f"{said}: {done}.", messages.SUCCESS)

    acting.__name__ = words.lower().replace(" ", "_").replace(",", "")
    return acting


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):
    """Reports, those that wait first."""

    list_display = ["made_at", "words", "who", "reason", "note", "reporter", "state", "outcome", "waiting_against"]
    list_filter = ["state", "reason"]
    list_select_related = ["reported", "reporter", "match"]
    list_per_page = 50
    search_fields = ["reported__casefolded_name"]
    ordering = ["-state", "-pk"]  # "open" is the last of its names
    inlines = [ReportedLineInline]
    fields = readonly_fields = [
        *("made_at", "who", "reason", "note", "reporter", "place"),
        *("state", "outcome", "decided_by", "decided_at"),
    ]
    actions = ["sanction", "silence_day", "silence_week", "silence_for_good", "hide", "dismiss", "reopen"]

    silence_day = _action("No talk for a day", partial(reporting.silence, days=1), "Silenced for a day")
    silence_week = _action("No talk for a week", partial(reporting.silence, days=7), "Silenced for a week")
    silence_for_good = _action("No talk any more", partial(reporting.silence, days=None), "Silenced for good")
    hide = _action("Take the words back", reporting.hide, "Words taken back")
    dismiss = _action(
        "Nothing to do",
        lambda report, moderator: reporting.decide(report, moderator, Report.State.DISMISSED, "Nothing to do"),
        "Dismissed",
    )
    reopen = _action("Open again, and show the words", reporting.reopen, "Opened again")

    @admin.action(description="Warn, suspend or ban", permissions=["sanction"])
    def sanction(self, request, chosen):
        reports = list(chosen.select_related("reported", "match"))
        users = touchable(self, request, list({report.reported for report in reports}))
        if not users:
            return None
        made, asked = sanctioned(self, request, reports, users, reason=reports[0].get_reason_display())
        for each in made or ():
            for report in reports:
                if report.reported == each.user:
                    reporting.decide(report, request.user, Report.State.ACTED, each.get_kind_display())
                    self.log_change(request, report, each.get_kind_display())
        return asked

    def has_sanction_permission(self, request):
        return request.user.has_perm("accounts.add_sanction")

    def has_add_permission(self, request):
        return False

    def has_delete_permission(self, request, report=None):
        return False

    def get_queryset(self, request):
        return super().get_queryset(request).prefetch_related("lines")

    @admin.display(description="words")
    def words(self, report):
        return next((line.words for line in report.lines.all() if line.is_reported), "(gone)")

    @admin.display(description="who")
    def who(self, report):
        address = reverse("admin:accounts_user_change", args=[report.reported_id])
        return format_html('<a href="{}">{}</a>', address, report.reported)

    @admin.display(description="where")
    def place(self, report):
        kind, _, key = report.about.partition(" ")
        if kind == "club":
            return format_html('<a href="{}">a club</a>', reverse("admin:clubs_club_change", args=[key]))
        if report.match is None:
            return "between friends"
        return format_html('<a href="{}">{}</a>', report.match.get_absolute_url(), report.match)

    @admin.display(description="others that wait")
    def waiting_against(self, report):
        return report.reported.reports.filter(state=Report.State.OPEN).exclude(pk=report.pk).count()


@admin.register(Silence)
class SilenceAdmin(admin.ModelAdmin):
    """Who can’t talk, and why. To silence somebody without a report, add one."""

    list_display = ["user", "reason", "since", "until", "by", "lifted_at"]
    list_select_related = ["user", "by"]
    search_fields = ["user__casefolded_name"]
    raw_id_fields = ["user"]
    fields = ["user", "reason", "until"]
    ordering = ["-pk"]
    actions = ["lift"]

    def has_change_permission(self, request, silence=None):
        return silence is None and super().has_change_permission(request, silence)

    def has_delete_permission(self, request, silence=None):
        return False

    def save_model(self, request, silence, form, change):
        silence.by = request.user
        super().save_model(request, silence, form, change)

    @admin.action(description="Let them talk again", permissions=["change"])
    def lift(self, request, chosen):
        for silence in chosen.filter(lifted_at=None):
            reporting.lift(silence)
            self.log_change(request, silence, f"Lifted at {timezone.now():%Y-%m-%d %H:%M}")


@admin.register(Word)
class WordAdmin(admin.ModelAdmin):
    """Words that nobody may write here."""

    list_display = ["word"]
    search_fields = ["word"]
    ordering = ["word"]
