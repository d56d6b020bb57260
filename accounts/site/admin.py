"""The admin of the site's settings, invitations and announcements, and the log of what the staff did."""

import io
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from PIL import Image

from accounts.admin import ConfirmDeletionMixin, ReadOnlyRowsMixin, RecordAdmin
from accounts.labels import label
from accounts.site.models import Announcement, PageFailure, SignupInvitation, SiteSettings

LOGO_SIZE = (160, 160)  # Pixels. The bar shows it at a fifth of that.
LOGO_BYTES = 60_000  # A request may have 100 kB.

label(
    SiteSettings,
    "settings of the site",
    "settings of the site",
    "name",
    "logo",
    "colour",
    "welcome",
    "imprint",
    "privacy",
    "terms",
    guests=gettext_lazy("guests may play"),
    sign_ups=gettext_lazy("sign-ups"),
    indexed=gettext_lazy("search engines may list this site"),
    address_factor=gettext_lazy("factor for limits by address"),
    address_factor_until=gettext_lazy("factor ends at"),
)
label(
    SignupInvitation,
    "invitation",
    "invitations",
    note=pgettext_lazy("of an invitation", "for whom"),
    uses_left=gettext_lazy("sign-ups left"),
    expires_at=gettext_lazy("ends at"),
    made_by=pgettext_lazy("who did it", "by"),
)
label(
    Announcement,
    "announcement",
    "announcements",
    text=gettext_lazy("text"),
    begins_at=gettext_lazy("shown from"),
    ends_at=gettext_lazy("shown until"),
    break_at=gettext_lazy("the site stops at"),
)
label(
    PageFailure,
    "page that failed",
    "pages that failed",
    view=gettext_lazy("page"),
    place=gettext_lazy("place in the code"),
    times=gettext_lazy("how often"),
    last_at=gettext_lazy("last time"),
)


class SettingsForm(forms.ModelForm):
    new_logo = forms.FileField(
        label=gettext_lazy("new logo"),
        required=False,
        help_text=gettext_lazy("A PNG, JPEG or WebP picture, square if possible, of at most 60 kB."),
    )
    remove_logo = forms.BooleanField(label=gettext_lazy("remove the logo"), required=False)

    class Meta:
        model = SiteSettings
        fields = [
            "name",
            "colour",
            "welcome",
            "sign_ups",
            "guests",
            "indexed",
            "imprint",
            "privacy",
            "terms",
            "address_factor",
            "address_factor_until",
        ]
        help_texts = {
            "name": gettext_lazy("In the bar, in titles of pages and in mails."),
            "colour": gettext_lazy("Of the bar and the tables, like #0f3b2e. Empty: our green."),
            "welcome": gettext_lazy("Plain text at the top of the front page."),
            "sign_ups": gettext_lazy("By invitation: only with a link that you make under Invitations."),
            "guests": gettext_lazy("Visitors may play against bots and join tables without an account."),
            "imprint": gettext_lazy("Plain text: who runs this site. Without it there is no such page."),
            "privacy": gettext_lazy(
                "Plain text above our own, which says what is stored, for how long, and who sees it: for instance who "
                "is responsible, and where the server stands."
            ),
            "terms": gettext_lazy("Plain text in place of our own short rules."),
            "address_factor": gettext_lazy(
                "At a club evening hundreds of people may share one address. 10 allows ten times as many sign-ups, "
                "guests, tables and sockets from each address."
            ),
            "address_factor_until": gettext_lazy("Afterwards it is 1 again. Empty: until you change it."),
        }

    def clean_new_logo(self) -> bytes | None:
        file: UploadedFile | None = self.cleaned_data["new_logo"]
        if not file:
            return None
        if file.size is None or file.size > LOGO_BYTES:
            raise ValidationError(gettext("This file is too large. Choose one of at most 60 kB."))
        try:
            return _as_png(file)
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            raise ValidationError(gettext("This is no picture that we can read. Choose a PNG, JPEG or WebP.")) from None

    def save(self, commit: bool = True) -> SiteSettings:
        if self.cleaned_data["remove_logo"]:
            self.instance.logo = None
        if self.cleaned_data["new_logo"]:
            self.instance.logo = self.cleaned_data["new_logo"]
        return super().save(commit)


def _as_png(file: UploadedFile) -> bytes:
    """Return a picture as a small PNG, without the file's other data."""
    picture = Image.open(file, formats=["PNG", "JPEG", "WEBP"]).convert("RGBA")
    picture.thumbnail(LOGO_SIZE)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


@admin.register(SiteSettings)
class SiteSettingsAdmin(admin.ModelAdmin):
    """One row, which exists as soon as somebody looks at it."""

    form = SettingsForm
    fieldsets = [
        (None, {"fields": ["name", "new_logo", "remove_logo", "colour", "welcome"]}),
        (gettext_lazy("Who may come"), {"fields": ["sign_ups", "guests", "indexed"]}),
        (gettext_lazy("Legal pages"), {"fields": ["imprint", "privacy", "terms"]}),
        (gettext_lazy("Club evenings"), {"fields": ["address_factor", "address_factor_until"]}),
    ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_or_change_permission(request):
            return super().changelist_view(request, extra_context)
        SiteSettings.objects.get_or_create(pk=1)
        return redirect(reverse("admin:site_sitesettings_change", args=[1]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SignupInvitation)
class SignupInvitationAdmin(ConfirmDeletionMixin, admin.ModelAdmin):
    list_display = ["__str__", "uses_left", "expires_at", "made_by", "link"]
    list_select_related = ["made_by"]
    readonly_fields = ["link", "made_by"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> Any:
        self.request = request  # for `link`, which needs the address of the site
        return super().get_queryset(request)

    @admin.display(description=gettext_lazy("link"))
    def link(self, invitation: SignupInvitation) -> str | SafeString:
        if not invitation.pk:
            return gettext("You will see it after saving.")
        address = self.request.build_absolute_uri(reverse("accept_invitation", args=[invitation.token]))
        return format_html("<code>{}</code>", address)

    def save_model(self, request: HttpRequest, obj: SignupInvitation, form: forms.Form, change: bool) -> None:
        if not change:
            obj.made_by = request.user
        super().save_model(request, obj, form, change)


@admin.register(Announcement)
class AnnouncementAdmin(ConfirmDeletionMixin, admin.ModelAdmin):
    """Announcements. With the moment of a break, pages and tables count down to it."""

    list_display = ["text", "begins_at", "ends_at", "break_at"]
    ordering = ["-begins_at"]


@admin.register(PageFailure)
class PageFailureAdmin(RecordAdmin):
    list_display = ["place", "view", "times", "last_at"]
    ordering = ["-last_at"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyRowsMixin, admin.ModelAdmin):
    """What the staff did in the admin. Nobody can change it there."""

    list_display = ["action_time", "user", "content_type", "object_repr", "action", "words"]
    list_filter = ["action_flag", "content_type"]
    list_select_related = ["user", "content_type"]
    list_display_links = None
    list_per_page = 50
    search_fields = ["user__casefolded_name", "object_repr"]
    date_hierarchy = "action_time"
    ordering = ["-action_time"]

    @admin.display(description=gettext_lazy("action"), ordering="action_flag")
    def action(self, entry: LogEntry) -> str:
        return entry.get_action_flag_display()

    @admin.display(description=gettext_lazy("what changed"))
    def words(self, entry: LogEntry) -> str:
        return entry.get_change_message()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
