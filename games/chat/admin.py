"""The moderators' queue: reports with their context, and the actions on them. Every action is logged."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import sanctions
from accounts.admin import (
    UNTOUCHABLE,
    RecordAdmin,
    RowsInline,
    filter_touchable,
    impose_from_form,
    lift_if_touchable,
    may_touch,
)
from accounts.labels import label
from accounts.models import User
from games.chat import reporting
from games.chat.models import Correction, ForbiddenWord, Report, ReportedMessage, Silence

label(
    Report,
    "report",
    "reports",
    "made at",
    "reason",
    "note",
    "reporter",
    "reported",
    "state",
    "outcome",
    "decided by",
    "decided at",
)
label(ReportedMessage, "reported line", "reported lines", "said at", "user", "words", "is reported")
label(
    Silence,
    "silence",
    "silences",
    "user",
    "reason",
    "since",
    "until",
    "lifted at",
    by=pgettext_lazy("who did it", "by"),
)
label(
    Correction,
    "correction",
    "corrections",
    "language",
    "words",
    "suggestion",
    "user",
    "sent at",
    "done at",
    page=gettext_lazy("page"),
)
label(ForbiddenWord, "word", "words", "word")


class ReportedLineInline(RowsInline):
    model = ReportedMessage
    fields = readonly_fields = ["said_at", "user", "words", "is_reported"]


type Action = Callable[[Report, User], object]
type AdminAction = Callable[["ReportAdmin", HttpRequest, QuerySet[Report]], None]


def _action(name: str, words: str, act: Action, outcome: str, *, of_user: bool = False) -> AdminAction:
    """Return an action for the admin's list of reports: it calls `act(report, moderator)` for each chosen report.

    name: of the function, by which Django knows the action. words: the name of the action in the menu. outcome: what
    was done, for the log and for the message that follows. of_user: whether the action needs the reported account, so
    that it skips reports about deleted accounts.
    """

    @admin.action(description=words, permissions=["change"])
    def action(self: "ReportAdmin", request: HttpRequest, chosen: QuerySet[Report]) -> None:
        count = 0
        for report in chosen.select_related("reported", "match"):
            is_own = report.reported == request.user
            if is_own or not may_touch(request.user, report.reported):  # Only administrators may act on moderators.
                text = gettext("{name} works here: only an administrator can do that.")
                self.message_user(request, text.format(name=report.reported), messages.ERROR)
                continue
            if of_user and report.reported is None:
                self.message_user(request, gettext("This account has been deleted."), messages.ERROR)
                continue
            act(report, request.user)
            self.log_change(request, report, str(outcome))
            count += 1
        if count:
            words = gettext("{done}: {number}.").format(done=outcome, number=count)
            self.message_user(request, words, messages.SUCCESS)

    action.__name__ = name
    return action


@admin.register(Report)
class ReportAdmin(RecordAdmin):
    """The list of reports, open reports first."""

    list_display = ["made_at", "words", "who", "reason", "note", "reporter", "state", "outcome", "waiting_against"]
    list_filter = ["state", "reason"]
    list_select_related = ["reported", "reporter", "match"]
    search_fields = ["reported__casefolded_name"]
    ordering = ["-state", "-pk"]  # "open" sorts after the other states.
    inlines = [ReportedLineInline]
    fields = readonly_fields = [
        *("made_at", "who", "reason", "note", "reporter", "place"),
        *("state", "outcome", "decided_by", "decided_at"),
    ]
    actions = ["sanction", "silence_day", "silence_week", "silence_for_good", "hide", "dismiss", "reopen"]

    silence_day = _action(
        "no_talk_for_a_day",
        gettext_lazy("No talk for a day"),
        partial(reporting.silence, days=1),
        gettext_lazy("Silenced for a day"),
        of_user=True,
    )
    silence_week = _action(
        "no_talk_for_a_week",
        gettext_lazy("No talk for a week"),
        partial(reporting.silence, days=7),
        gettext_lazy("Silenced for a week"),
        of_user=True,
    )
    silence_for_good = _action(
        "no_talk_any_more",
        gettext_lazy("No talk any more"),
        partial(reporting.silence, days=None),
        gettext_lazy("Silenced for good"),
        of_user=True,
    )
    hide = _action(
        "take_the_words_back", gettext_lazy("Take the words back"), reporting.hide, gettext_lazy("Words taken back")
    )
    dismiss = _action(
        "nothing_to_do",
        gettext_lazy("Nothing to do"),
        lambda report, moderator: reporting.decide(report, moderator, Report.State.DISMISSED, gettext("Nothing to do")),
        gettext_lazy("Dismissed"),
    )
    reopen = _action(
        "open_again_and_show_the_words",
        gettext_lazy("Open again, and show the words"),
        reporting.reopen,
        gettext_lazy("Opened again"),
    )

    @admin.action(description=gettext_lazy("Warn, suspend or ban"), permissions=["sanction"])
    def sanction(self, request: HttpRequest, chosen: QuerySet[Report]) -> HttpResponse | None:
        reports = list(chosen.select_related("reported", "match"))
        users = filter_touchable(self, request, list({report.reported for report in reports if report.reported}))
        if not users:
            return None
        imposed, page = impose_from_form(self, request, reports, users, reason=reports[0].get_reason_display())
        for sanction in imposed:
            for report in reports:
                if report.reported == sanction.user:
                    reporting.decide(report, request.user, Report.State.ACTED, sanction.get_kind_display())
                    self.log_change(request, report, sanction.get_kind_display())
        return page

    def has_sanction_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.add_sanction")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).prefetch_related("messages")

    @admin.display(description=gettext_lazy("words"))
    def words(self, report: Report) -> str:
        return next((line.words for line in report.messages.all() if line.is_reported), gettext("(gone)"))

    @admin.display(description=gettext_lazy("who"))
    def who(self, report: Report) -> str:
        if report.reported is None:
            return gettext("(account deleted)")
        address = reverse("admin:accounts_user_change", args=[report.reported_id])
        return format_html('<a href="{}">{}</a>', address, report.reported)

    @admin.display(description=gettext_lazy("where"))
    def place(self, report: Report) -> str:
        kind, _, key = report.about.partition(" ")
        if kind == "club":
            address = reverse("admin:clubs_club_change", args=[key])
            return format_html('<a href="{}">{}</a>', address, gettext("a club"))
        if report.match is None:
            return gettext("in a club" if kind in ("notice", "line") else "between friends")
        return format_html('<a href="{}">{}</a>', report.match.get_absolute_url(), report.match)

    @admin.display(description=gettext_lazy("others that wait"))
    def waiting_against(self, report: Report) -> int:
        if report.reported is None:
            return 0
        return report.reported.reports.filter(state=Report.State.OPEN).exclude(pk=report.pk).count()


class SilenceForm(forms.ModelForm):
    """The form of a silence: the user, the reason and the end."""

    moderator: User  # SilenceAdmin sets it.

    def clean_user(self) -> User:
        user = self.cleaned_data["user"]
        if user == self.moderator or not may_touch(self.moderator, user):
            raise ValidationError(UNTOUCHABLE)
        return user


@admin.register(Silence)
class SilenceAdmin(admin.ModelAdmin):
    """The list of silences. Moderators add one to silence a user without a report."""

    form = SilenceForm
    list_display = ["user", "reason", "since", "until", "by", "lifted_at"]
    list_select_related = ["user", "by"]
    search_fields = ["user__casefolded_name"]
    raw_id_fields = ["user"]
    fields = ["user", "reason", "until"]
    ordering = ["-pk"]
    actions = ["lift"]

    def has_change_permission(self, request: HttpRequest, silence: Silence | None = None) -> bool:
        return silence is None and super().has_change_permission(request, silence)

    def has_delete_permission(self, request: HttpRequest, silence: Silence | None = None) -> bool:
        return False

    def get_form(
        self, request: HttpRequest, obj: Silence | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        return type("OfModerator", (super().get_form(request, obj, change, **kwargs),), {"moderator": request.user})

    def save_model(self, request: HttpRequest, silence: Silence, form: forms.ModelForm, change: bool) -> None:
        silence.by = request.user
        super().save_model(request, silence, form, change)

    @admin.action(description=gettext_lazy("Let them talk again"), permissions=["change"])
    def lift(self, request: HttpRequest, chosen: QuerySet[Silence]) -> None:
        note = gettext("Lifted at {moment}").format(moment=sanctions.moment(timezone.now()))
        lift_if_touchable(self, request, chosen, reporting.lift, note)


@admin.register(Correction)
class CorrectionAdmin(RecordAdmin):
    """Wrong words that members have found. The site deletes a correction some time after staff mark it as done."""

    list_display = ["sent_at", "language", "words", "suggestion", "place", "user", "done_at"]
    list_filter = [("done_at", admin.EmptyFieldListFilter), "language"]
    list_select_related = ["user"]
    search_fields = ["words", "suggestion", "page"]
    fields = readonly_fields = ["sent_at", "language", "words", "suggestion", "place", "user", "done_at"]
    actions = ["mark_done"]

    @admin.display(description=gettext_lazy("page"), ordering="page")
    def place(self, correction: Correction) -> str:
        return format_html('<a href="{0}">{0}</a>', correction.page) if correction.page else ""

    @admin.action(description=gettext_lazy("Mark as done"), permissions=["change"])
    def mark_done(self, request: HttpRequest, chosen: QuerySet[Correction]) -> None:
        for correction in chosen.filter(done_at=None):
            correction.done_at = timezone.now()
            correction.save(update_fields=["done_at"])
            self.log_change(request, correction, gettext("done"))


@admin.register(ForbiddenWord)
class WordAdmin(admin.ModelAdmin):
    list_display = ["word"]
    search_fields = ["word"]
    ordering = ["word"]
