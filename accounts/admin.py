"""Users, for the host: find them, warn, suspend or ban them, hand out reset links."""

from functools import partial

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 - so that what they register can be taken back
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
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from accounts import names, sanctions, services
from accounts.adapter import TAKEN, is_taken
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

admin.site.site_header = admin.site.site_title = gettext_lazy("Valat: administration")
admin.site.index_title = gettext_lazy("What would you like to look after?")
admin.site.login = secure_admin_login(admin.site.login)  # limits, second factors and bans hold here too
admin.site.unregister([Authenticator, EmailAddress, UserSession])


class NotByHand:
    """For admin classes: rows come and go by what people do, not here."""

    def has_add_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class RecordAdmin(NotByHand, admin.ModelAdmin):
    """Shows what has been recorded, the newest first."""

    list_per_page = 50
    ordering = ["-pk"]


class ConfirmsDeletion:
    """Asks the staff to confirm that it’s them before something is deleted."""

    @method_decorator(confirmed())
    def delete_view(self, request, *args, **kwargs):
        return super().delete_view(request, *args, **kwargs)

    def changelist_view(self, request, *args, **kwargs):
        view = super().changelist_view
        if request.POST.get("action") == "delete_selected":
            view = confirmed()(view)
        return view(request, *args, **kwargs)


class CleanName:
    """Checks a name as sign-up does, only that a host may also take a reserved one."""

    def clean_username(self):
        name = names.normalize(self.cleaned_data["username"])
        if self.instance.pk and name == self.instance.username:
            return name
        names.validate_name(name, reserved=True)
        if is_taken(name, by_other_than=self.instance.pk):
            raise ValidationError(TAKEN, code="taken")
        return name


class NewUserForm(CleanName, AdminUserCreationForm):
    class Meta:
        model = User
        fields = ["username", "email"]


class ChangeUserForm(CleanName, UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"


class SanctionForm(forms.Form):
    """Asks what is done about somebody, why and for how long."""

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


def sanctioned(page, request, chosen, users, **initial):
    """What an admin action does about `users`: (what was imposed on whom, None), or (None, the page that asks for it).

    page: the ModelAdmin. chosen: the rows that the action is about, by their keys. initial: of the form's fields.
    """
    form = SanctionForm(request.POST, initial=initial) if "confirmed" in request.POST else SanctionForm(initial=initial)
    if not form.is_valid():
        context = page.admin_site.each_context(request) | {
            "title": gettext("Warn, suspend or ban"),
            "names": format_html_join(", ", "<strong>{}</strong>", ((user,) for user in users)),
            "form": form,
        }
        context |= {"chosen": chosen, "opts": page.opts}
        return None, render(request, "admin/accounts/sanction.html", context)
    made = [sanctions.impose(user, by=request.user, **form.cleaned_data) for user in users]
    for each in made:
        LogEntry.objects.log_actions(request.user.pk, [each.user], CHANGE, sanctions.noted(each), single_object=True)
    if made:
        page.message_user(request, f"{made[0].get_kind_display()}: {_listed(users)}.", messages.SUCCESS)
    return made, None


def touchable(page, request, users):
    """Those of `users` whom this host may warn, suspend or ban; says so of the others."""
    allowed = [user for user in users if user != request.user and may_touch(request.user, user)]
    if len(allowed) < len(users):
        page.message_user(request, UNTOUCHABLE, messages.ERROR)
    elif not allowed:
        page.message_user(request, gettext("There is nothing to change."), messages.WARNING)
    return allowed


def lift_touchable(page, request, chosen, lift, note):
    """Lift those of the chosen rows that are in force, where this host may. Return the users whom they were about.

    lift: a function of a row. note: for the log.
    """
    held = list(chosen.filter(lifted_at=None).select_related("user"))
    allowed = touchable(page, request, list({each.user for each in held}))
    for each in held:
        if each.user in allowed:
            lift(each)
            page.log_change(request, each, note)
    return allowed


@admin.register(User)
class UserAdmin(ConfirmsDeletion, DjangoUserAdmin):
    """Users, found by their name in any case. Sanctions and reset links are logged as changes of the user."""

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

    def view_on_site(self, user):
        return None if user.is_guest else user.get_absolute_url()

    @admin.display(description=gettext_lazy("kind"), ordering="is_guest")
    def kind(self, user):
        if user.is_guest:
            return gettext("guest")
        return gettext("program") if user.is_program else gettext("account")

    @admin.display(description=gettext_lazy("warnings, suspensions and bans"))
    def sanctions(self, user):
        lifted = gettext("{sanction} (lifted)")
        noted = ((sanctions.noted(each), each.lifted_at) for each in user.sanctions.order_by("-pk"))
        lines = [(lifted.format(sanction=words) if over else words,) for words, over in noted]
        return format_html_join(mark_safe("<br>"), "{}", lines) or pgettext("sanctions", "none")

    def get_search_results(self, request, queryset, search_term):
        return super().get_search_results(request, queryset, names.casefold(search_term))

    def get_readonly_fields(self, request, user=None):
        named = ["username", "email", "is_staff", "is_superuser"] if user and not _has_account(user) else []
        rights = [] if request.user.is_superuser else ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [*super().get_readonly_fields(request, user), *named, *rights]

    def has_change_permission(self, request, user=None):
        return super().has_change_permission(request, user) and may_touch(request.user, user)

    def has_delete_permission(self, request, user=None):
        return super().has_delete_permission(request, user) and user != request.user and may_touch(request.user, user)

    def save_model(self, request, user, form, change):
        super().save_model(request, user, form, change)
        renamed.send(User, user=user)

    def delete_model(self, request, user):
        services.delete_account(user)

    def delete_queryset(self, request, queryset):
        for user in queryset:
            services.delete_account(user)

    @method_decorator(confirmed())
    def changeform_view(self, request, *args, **kwargs):
        return super().changeform_view(request, *args, **kwargs)

    def get_urls(self):
        own = [path("<id>/reset-link/", self.admin_site.admin_view(self.reset_link), name="accounts_user_reset_link")]
        return own + super().get_urls()

    @admin.action(description=gettext_lazy("Warn, suspend or ban"), permissions=["sanction"])
    def sanction(self, request, queryset):
        if users := touchable(self, request, list(queryset)):
            return sanctioned(self, request, users, users)[1]
        return None

    def has_sanction_permission(self, request):
        return request.user.has_perm("accounts.add_sanction")

    @method_decorator(confirmed())
    def reset_link(self, request, id):
        """Make a one-time link that sets a new password, and show it for copying."""
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
    def user_change_password(self, request, id, form_url=""):
        """As Django's, for accounts: with a password somebody could log in as a guest or a program."""
        user = self.get_object(request, unquote(id))
        if user and not _has_account(user):
            self.message_user(request, gettext("Only an account can have a password."), messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[user.pk]))
        return super().user_change_password(request, id, form_url)


@admin.register(Sanction)
class SanctionAdmin(RecordAdmin):
    """Warnings, suspensions and bans, the newest first. They are made from users or reports, and lifted here."""

    list_display = ["user", "kind", "reason", "since", "until", "by", "read_at", "lifted_at", "lifted_by"]
    list_select_related = ["user", "by", "lifted_by"]
    list_filter = ["kind"]
    search_fields = ["user__casefolded_name"]
    actions = ["lift"]

    def has_change_permission(self, request, sanction=None):
        return sanction is None and super().has_change_permission(request)

    @admin.action(description=pgettext_lazy("a sanction", "Lift"), permissions=["change"])
    def lift(self, request, chosen):
        lift = partial(sanctions.lift, by=request.user)
        if allowed := lift_touchable(self, request, chosen, lift, gettext("Lifted")):
            self.message_user(request, gettext("Lifted: {names}.").format(names=_listed(allowed)), messages.SUCCESS)


@admin.register(Exclusion)
class ExclusionAdmin(RecordAdmin):
    """Suspensions and bans whose accounts are deleted. The right to change sanctions lifts them."""

    list_display = ["__str__", "until"]
    fields = readonly_fields = ["until"]
    actions = ["lift"]

    def has_view_permission(self, request, exclusion=None):
        return self.has_lift_permission(request)

    def has_change_permission(self, request, exclusion=None):
        return False

    def has_module_permission(self, request):
        return self.has_lift_permission(request)

    def has_lift_permission(self, request):
        return request.user.has_perm("accounts.change_sanction")

    @admin.action(description=pgettext_lazy("a sanction", "Lift"), permissions=["lift"])
    def lift(self, request, chosen):
        lifted = list(chosen)
        for exclusion in lifted:
            self.log_change(request, exclusion, gettext("Lifted"))
        chosen.delete()
        names = ", ".join(map(str, lifted))
        self.message_user(request, gettext("Lifted: {names}.").format(names=names), messages.SUCCESS)


@admin.register(Authenticator)
class AuthenticatorAdmin(ConfirmsDeletion, admin.ModelAdmin):
    """Second factors, only to be removed: for somebody who has lost theirs."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    search_fields = ["user__casefolded_name"]
    fields = ["user", "type", "created_at", "last_used_at"]

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, factor=None):
        return False

    def has_delete_permission(self, request, factor=None):
        return super().has_delete_permission(request, factor) and may_touch(request.user, factor and factor.user)


def may_touch(host, user):
    """Whether `host` may change `user`: whoever works here is changed by administrators only."""
    return user is None or host.is_superuser or not (user.is_staff or user.is_superuser)


def _has_account(user):
    return not (user.is_guest or user.is_program)


def _listed(users):
    return ", ".join(user.username for user in users)
