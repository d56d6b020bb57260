"""The admin of users: find them, warn, suspend or ban them, issue reset links."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 - It registers a model that is unregistered below.
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from accounts import names, sanctions, services
from accounts.adapter import NAME_TAKEN, is_taken
from accounts.confirming import confirmed
from accounts.labels import label
from accounts.models import Exclusion, Sanction, User
from accounts.signals import renamed

UNTOUCHABLE = gettext_lazy("You can’t do that to yourself, and only an administrator can change the staff.")

label(User, "user", "users")
label(Exclusion, "exclusion", "exclusions", "until")
label(
    Sanction,
    "sanction",
    "sanctions",
    "user",
    "kind",
    "reason",
    "since",
    "until",
    "read at",
    "lifted at",
    "lifted by",
    by=pgettext_lazy("who did it", "by"),
)

admin.site.site_header = admin.site.site_title = gettext_lazy("Administration")
admin.site.index_title = gettext_lazy("What would you like to look after?")
admin.site.login = secure_admin_login(admin.site.login)  # This applies rate limits, second factors and bans.
admin.site.unregister([Authenticator, EmailAddress, UserSession])


class ReadOnlyRowsMixin:
    """The site creates and deletes the rows. The admin must not."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RowsInline(ReadOnlyRowsMixin, admin.TabularInline):
    """Rows of another record, on its page."""

    extra = 0


class RecordAdmin(ReadOnlyRowsMixin, admin.ModelAdmin):
    """Rows that the site has recorded, the newest first."""

    list_per_page = 50
    ordering = ["-pk"]


class ConfirmDeletionMixin(admin.ModelAdmin):
    """The staff must log in again before they delete something."""

    @method_decorator(confirmed())
    def delete_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return super().delete_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        view = super().changelist_view
        if request.POST.get("action") == "delete_selected":
            view = confirmed()(view)
        return view(request, *args, **kwargs)


class CleanNameMixin:
    """Names follow the rules of the sign-up form, but a host may choose a reserved name."""

    instance: User
    cleaned_data: dict[str, str]

    def clean_username(self) -> str:
        name = names.normalize(self.cleaned_data["username"])
        if self.instance.pk and name == self.instance.username:
            return name
        names.validate_name(name, allow_reserved=True)
        if is_taken(name, except_pk=self.instance.pk):
            raise ValidationError(NAME_TAKEN, code="taken")
        return name


class NewUserForm(CleanNameMixin, AdminUserCreationForm):
    class Meta:
        model = User
        fields = ["username", "email"]


class ChangeUserForm(CleanNameMixin, UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"


class SanctionForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=lambda: Sanction.Kind.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=Sanction._meta.get_field("reason").max_length,
        help_text=gettext_lazy("Shown to them, as plain text."),
    )
    days = forms.TypedChoiceField(
        label=pgettext_lazy("how long", "For"),
        choices=[
            ("1", pgettext_lazy("how long", "a day")),
            ("3", pgettext_lazy("how long", "three days")),
            ("7", pgettext_lazy("how long", "a week")),
            ("30", pgettext_lazy("how long", "30 days")),
            ("365", pgettext_lazy("how long", "a year")),
            ("", gettext_lazy("until it is lifted")),
        ],
        initial="7",
        coerce=int,
        empty_value=None,
        required=False,
        help_text=gettext_lazy("Of suspensions and bans: a warning is shown until it has been read."),
    )


def impose_from_form(
    page: admin.ModelAdmin, request: HttpRequest, chosen: Sequence[Model], users: Sequence[User], **initial: object
) -> tuple[list[Sanction], HttpResponse | None]:
    """Run an admin action that warns, suspends or bans users. Return the new sanctions and None, or [] and a page.

    The page asks for the kind and the reason. It is returned before the host has filled in its form, and after errors.
    page: the ModelAdmin of the action. chosen: its rows that the host has ticked. users: the users of these rows.
    initial: the initial values of the form.
    """
    is_sent = "confirmed" in request.POST  # The action itself is a POST too, so we need a field of the form.
    form = SanctionForm(request.POST if is_sent else None, initial=initial)
    if not form.is_valid():
        context = page.admin_site.each_context(request) | {
            "title": gettext("Warn, suspend or ban"),
            "names": format_html_join(", ", "<strong>{}</strong>", ((user,) for user in users)),
            "form": form,
        }
        context |= {"chosen": chosen, "opts": page.opts}
        return [], render(request, "admin/accounts/sanction.html", context)
    imposed = [sanctions.impose(user, by=request.user, **form.cleaned_data) for user in users]
    for sanction in imposed:
        words = sanctions.describe(sanction)
        LogEntry.objects.log_actions(request.user.pk, [sanction.user], CHANGE, words, single_object=True)
    if imposed:
        page.message_user(request, f"{imposed[0].get_kind_display()}: {_join_names(users)}.", messages.SUCCESS)
    return imposed, None


def filter_touchable(page: admin.ModelAdmin, request: HttpRequest, users: Collection[User]) -> list[User]:
    """Return those of the users that this host may warn, suspend or ban. If some or all are missing, say why.

    page: the ModelAdmin of the action, which shows the message.
    """
    allowed = [user for user in users if user != request.user and may_touch(request.user, user)]
    if len(allowed) < len(users):
        page.message_user(request, UNTOUCHABLE, messages.ERROR)
    elif not allowed:
        page.message_user(request, gettext("There is nothing to change."), messages.WARNING)
    return allowed


def lift_if_touchable(
    page: admin.ModelAdmin, request: HttpRequest, chosen: QuerySet, lift: Callable[[Model], None], note: str
) -> list[User]:
    """End those of the chosen sanctions that are in force, if this host may do so. Return their users.

    A sanction is a warning, a suspension or a ban. page: the ModelAdmin of the action. chosen: the rows that the host
    has ticked. lift: a function that ends one of them. note: a text for the log.
    """
    in_force = list(chosen.filter(lifted_at=None).select_related("user"))
    allowed = filter_touchable(page, request, {row.user for row in in_force})
    for row in in_force:
        if row.user in allowed:
            lift(row)
            page.log_change(request, row, note)
    return allowed


@admin.register(User)
class UserAdmin(ConfirmDeletionMixin, DjangoUserAdmin):
    """Users. The search ignores case. Sanctions and reset links are logged as changes of the user."""

    form = ChangeUserForm
    add_form = NewUserForm
    list_display = ["username", "kind", "email", "is_active", "is_staff", "date_joined", "last_login"]
    list_filter = ["is_guest", "is_program", "is_active", "is_staff"]
    search_fields = ["casefolded_name", "email"]
    search_help_text = gettext_lazy("By name, in any case, or by email address.")
    ordering = ["-date_joined"]
    list_per_page = 50
    show_full_result_count = False
    readonly_fields = ["kind", "is_active", "sanctions", "last_login", "date_joined"]
    actions = ["sanction"]
    change_form_template = "admin/accounts/user/change_form.html"
    fieldsets = [
        (None, {"fields": ["username", "kind", "is_active", "sanctions", "email", "password"]}),
        (
            gettext_lazy("Rights"),
            {"fields": ["is_staff", "is_superuser", "groups", "user_permissions"], "classes": ["collapse"]},
        ),
        (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["username", "email", "usable_password", "password1", "password2"]})]

    def view_on_site(self, user: User) -> str | None:
        return None if user.is_guest else user.get_absolute_url()

    @admin.display(description=gettext_lazy("kind"), ordering="is_guest")
    def kind(self, user: User) -> str:
        if user.is_guest:
            return gettext("guest")
        return gettext("program") if user.is_program else gettext("account")

    @admin.display(description=gettext_lazy("warnings, suspensions and bans"))
    def sanctions(self, user: User) -> str:
        lifted = gettext("{sanction} (lifted)")
        rows = ((sanctions.describe(row), row.lifted_at) for row in user.sanctions.order_by("-pk"))
        lines = [(lifted.format(sanction=words) if lifted_at else words,) for words, lifted_at in rows]
        return format_html_join(mark_safe("<br>"), "{}", lines) or pgettext("sanctions", "none")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet[User], bool]:
        return super().get_search_results(request, queryset, names.casefold(search_term))

    def get_readonly_fields(self, request: HttpRequest, user: User | None = None) -> list[str]:
        account_only = ["username", "email", "is_staff", "is_superuser"] if user and not _has_account(user) else []
        rights = [] if request.user.is_superuser else ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [*super().get_readonly_fields(request, user), *account_only, *rights]

    def has_change_permission(self, request: HttpRequest, user: User | None = None) -> bool:
        return super().has_change_permission(request, user) and may_touch(request.user, user)

    def has_delete_permission(self, request: HttpRequest, user: User | None = None) -> bool:
        return super().has_delete_permission(request, user) and user != request.user and may_touch(request.user, user)

    def save_model(self, request: HttpRequest, user: User, form: forms.Form, change: bool) -> None:
        super().save_model(request, user, form, change)
        renamed.send(User, user=user)

    def delete_model(self, request: HttpRequest, user: User) -> None:
        services.delete_account(user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            services.delete_account(user)

    @method_decorator(confirmed())
    def changeform_view(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return super().changeform_view(request, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        own = [path("<id>/reset-link/", self.admin_site.admin_view(self.reset_link), name="accounts_user_reset_link")]
        return own + super().get_urls()

    @admin.action(description=gettext_lazy("Warn, suspend or ban"), permissions=["sanction"])
    def sanction(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
        if users := filter_touchable(self, request, list(queryset)):
            return impose_from_form(self, request, users, users)[1]
        return None

    def has_sanction_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.add_sanction")

    @method_decorator(confirmed())
    def reset_link(self, request: HttpRequest, id: str) -> HttpResponse:
        """Show a button for a link with which a user can set a new password, and then the link itself.

        The host passes the link on to the user.
        """
        user = get_object_or_404(User, pk=unquote(id))
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if not (_has_account(user) and user.is_active):
            text = gettext("Only an account that is not banned can have a reset link.")
            self.message_user(request, text, messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[user.pk]))
        link = ""
        if request.method == "POST":
            link = services.reset_link(request, user)
            self.log_change(request, user, gettext("Issued a reset link"))
        title = gettext("Reset link for {name}").format(name=user)
        context = self.admin_site.each_context(request) | {"title": title, "link": link}
        return render(request, "admin/accounts/user/reset_link.html", context | {"opts": self.opts, "original": user})

    @method_decorator(confirmed())
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Change a password as Django does, but only of an account. Guests and programs must not get one."""
        user = self.get_object(request, unquote(id))
        if user and not _has_account(user):
            self.message_user(request, gettext("Only an account can have a password."), messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[user.pk]))
        return super().user_change_password(request, id, form_url)


@admin.register(Sanction)
class SanctionAdmin(RecordAdmin):
    """Warnings, suspensions and bans. The admins of users and reports impose them, this one lifts them."""

    list_display = ["user", "kind", "reason", "since", "until", "by", "read_at", "lifted_at", "lifted_by"]
    list_select_related = ["user", "by", "lifted_by"]
    list_filter = ["kind"]
    search_fields = ["user__casefolded_name"]
    actions = ["lift"]

    def has_change_permission(self, request: HttpRequest, sanction: Sanction | None = None) -> bool:
        return sanction is None and super().has_change_permission(request)

    @admin.action(description=pgettext_lazy("a sanction", "Lift"), permissions=["change"])
    def lift(self, request: HttpRequest, chosen: QuerySet[Sanction]) -> None:
        lift = partial(sanctions.lift, by=request.user)
        if allowed := lift_if_touchable(self, request, chosen, lift, gettext("Lifted")):
            text = gettext("Lifted: {names}.").format(names=_join_names(allowed))
            self.message_user(request, text, messages.SUCCESS)


@admin.register(Exclusion)
class ExclusionAdmin(RecordAdmin):
    """Suspensions and bans of deleted accounts. Staff who may change sanctions may lift them."""

    list_display = ["__str__", "until"]
    fields = readonly_fields = ["until"]
    actions = ["lift"]

    def has_view_permission(self, request: HttpRequest, exclusion: Exclusion | None = None) -> bool:
        return self.has_lift_permission(request)

    def has_change_permission(self, request: HttpRequest, exclusion: Exclusion | None = None) -> bool:
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_lift_permission(request)

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.change_sanction")

    @admin.action(description=pgettext_lazy("a sanction", "Lift"), permissions=["lift"])
    def lift(self, request: HttpRequest, chosen: QuerySet[Exclusion]) -> None:
        exclusions = list(chosen)
        for exclusion in exclusions:
            self.log_change(request, exclusion, gettext("Lifted"))
        chosen.delete()
        names = ", ".join(map(str, exclusions))
        self.message_user(request, gettext("Lifted: {names}.").format(names=names), messages.SUCCESS)


@admin.register(Authenticator)
class AuthenticatorAdmin(ConfirmDeletionMixin, admin.ModelAdmin):
    """Second factors. The host can remove one for a user who has lost it."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    search_fields = ["user__casefolded_name"]
    fields = ["user", "type", "created_at", "last_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, factor: Authenticator | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, factor: Authenticator | None = None) -> bool:
        return super().has_delete_permission(request, factor) and may_touch(request.user, factor and factor.user)


def may_touch(host: User, user: User | None) -> bool:
    """Return whether a host may change a user. Only administrators may change the staff."""
    return user is None or host.is_superuser or not (user.is_staff or user.is_superuser)


def _has_account(user: User) -> bool:
    return not (user.is_guest or user.is_program)


def _join_names(users: Iterable[User]) -> str:
    return ", ".join(user.username for user in users)
