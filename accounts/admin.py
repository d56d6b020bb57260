"""Users, for the host: find them, ban them, hand out reset links."""

import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 - so that what they register can be taken back
from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse

from accounts import names, services
from accounts.adapter import TAKEN, is_taken
from accounts.models import User
from accounts.signals import renamed

admin.site.site_header = admin.site.site_title = "Valat: administration"
admin.site.index_title = "What would you like to look after?"
admin.site.login = secure_admin_login(admin.site.login)  # limits, second factors and bans hold here too
admin.site.unregister([Authenticator, UserSession])


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


class BanForm(forms.Form):
    """Asks why somebody is banned."""

    reason = forms.CharField(
        max_length=User._meta.get_field("ban_reason").max_length,
        required=False,
        help_text=User._meta.get_field("ban_reason").help_text,
    )


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Users, found by their name in any case. Bans and reset links are logged as changes of the user."""

    form = ChangeUserForm
    add_form = NewUserForm
    list_display = ["username", "kind", "email", "is_active", "is_staff", "date_joined", "last_login"]
    list_filter = ["is_guest", "is_program", "is_active", "is_staff"]
    search_fields = ["casefolded_name", "email"]
    search_help_text = "By name, in any case, or by email address."
    ordering = ["-date_joined"]
    list_per_page = 50
    show_full_result_count = False
    readonly_fields = ["kind", "is_active", "ban_reason", "last_login", "date_joined"]
    actions = ["ban", "unban"]
    change_form_template = "admin/accounts/user/change_form.html"
    fieldsets = [
        (None, {"fields": ["username", "kind", "email", "password"]}),
        ("Ban", {"fields": ["is_active", "ban_reason"]}),
        ("Rights", {"fields": ["is_staff", "is_superuser", "groups", "user_permissions"], "classes": ["collapse"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"fields": ["username", "email", "usable_password", "password1", "password2"]})]

    def view_on_site(self, user):
        return None if user.is_guest else user.get_absolute_url()

    @admin.display(description="kind", ordering="is_guest")
    def kind(self, user):
        return "guest" if user.is_guest else "program" if user.is_program else "account"

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

    def get_urls(self):
        own = [path("<id>/reset-link/", self.admin_site.admin_view(self.reset_link), name="accounts_user_reset_link")]
        return own + super().get_urls()

    @admin.action(description="Ban, and log out everywhere", permissions=["change"])
    def ban(self, request, queryset):
        users = self._changeable(request, queryset.filter(is_active=True))
        if not users:
            return None
        form = BanForm(request.POST if "confirmed" in request.POST else None)
        if not form.is_valid():
            context = self.admin_site.each_context(request) | {"title": "Ban", "users": users, "form": form}
            return render(request, "admin/accounts/user/ban.html", context | {"opts": self.opts})
        reason = form.cleaned_data["reason"]
        for user in users:
            services.ban(user, reason)
            self.log_change(request, user, f"Banned: {reason}" if reason else "Banned")
        self.message_user(request, f"Banned {_listed(users)}.", messages.SUCCESS)
        return None

    @admin.action(description="Unban", permissions=["change"])
    def unban(self, request, queryset):
        users = self._changeable(request, queryset.filter(is_active=False))
        for user in users:
            services.unban(user)
            self.log_change(request, user, "Unbanned")
        if users:
            self.message_user(request, f"Unbanned {_listed(users)}.", messages.SUCCESS)

    def reset_link(self, request, id):
        """Make a one-time link that sets a new password, and show it for copying."""
        user = get_object_or_404(User, pk=unquote(id))
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if not (_has_account(user) and user.is_active):
            self.message_user(request, "Only an account that is not banned can have a reset link.", messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[user.pk]))
        link = ""
        if request.method == "POST":
            link = services.reset_link(request, user)
            self.log_change(request, user, "Issued a reset link")
        context = self.admin_site.each_context(request) | {"title": f"Reset link for {user}", "link": link}
        return render(request, "admin/accounts/user/reset_link.html", context | {"opts": self.opts, "original": user})

    def user_change_password(self, request, id, form_url=""):
        """As Django's, for accounts: with a password somebody could log in as a guest or a program."""
        user = self.get_object(request, unquote(id))
        if user and not _has_account(user):
            self.message_user(request, "Only an account can have a password.", messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[user.pk]))
        return super().user_change_password(request, id, form_url)

    def _changeable(self, request, users):
        """Those of `users` whom this host may ban; says so of the others."""
        allowed = [user for user in users if user != request.user and may_touch(request.user, user)]
        refused = len(users) - len(allowed)
        if refused:
            text = "You can't ban yourself, and only an administrator can change the staff."
            self.message_user(request, text, messages.ERROR)
        elif not allowed:
            self.message_user(request, "There is nothing to change.", messages.WARNING)
        return allowed


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin):
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
