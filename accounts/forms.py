"""The forms of accounts: django-allauth's with labels and help of ours, and our own."""

from allauth.account import forms as allauth_forms
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import names
from accounts.adapter import TAKEN, is_taken
from accounts.models import User
from accounts.renaming import claiming, demand_unheld
from accounts.signals import renamed

PASSWORD_HELP = gettext_lazy("At least 8 characters. Don’t use your name or a common password.")
NAME = pgettext_lazy("of a person", "Name")
AS_TYPED = {"autocapitalize": "none", "spellcheck": "false"}  # attributes of a field that browsers leave alone


class PlainLabels:
    """Makes an allauth form show labels instead of placeholders, and our help."""

    words = {}  # of a field: its label, and its help or None to leave it

    def __init__(self, *args, **kwargs):
        super().__init__(*args, label_suffix="", **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, (label, help_text) in self.words.items():
            self.fields[name].label = label
            if help_text is not None:
                self.fields[name].help_text = help_text


class LoginForm(PlainLabels, allauth_forms.LoginForm):
    """Logs in by name, in any case and any Unicode form of its letters."""

    words = {"login": (NAME, None)}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs |= AS_TYPED

    def clean_login(self):
        folded = names.casefold(super().clean_login())
        user = User.objects.filter(casefolded_name=folded).only("username").first()
        return user.username if user else folded


class SignupForm(PlainLabels, allauth_forms.SignupForm):
    """Makes an account, out of a guest if there is one."""

    field_order = ["username", "password1", "email"]
    words = {
        "username": (NAME, gettext_lazy("3 to 20 letters, digits, - or _. Other players will see it.")),
        "password1": (gettext_lazy("Password"), PASSWORD_HELP),
        "email": (gettext_lazy("Email (optional)"), None),
    }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= AS_TYPED
        self.fields["email"].help_text = (
            gettext("Only used to reset your password and to tell you about changes to your account.")
            if settings.HAS_MAIL
            else gettext("This site can’t send email yet. If you forget your password, ask the host for a reset link.")
        )

    def save(self, request):
        """The new account. Raises NameTaken when somebody else was quicker by a moment."""
        with claiming():
            user = super().save(request)
            demand_unheld(user)
        renamed.send(User, user=user)
        return user


class NameForm(forms.Form):
    """Asks for a name, by the rules that accounts have."""

    name = forms.CharField(max_length=names.LONGEST, error_messages={"required": gettext_lazy("Type a name first.")})

    def __init__(self, *args, label, autocomplete="off", user_pk=None, **kwargs):
        """user_pk: of who goes by the name already, perhaps, and may keep it."""
        super().__init__(*args, label_suffix="", **kwargs)
        self.user_pk = user_pk
        self.fields["name"].label = label
        self.fields["name"].widget.attrs |= AS_TYPED | {"autocomplete": autocomplete}

    def clean_name(self):
        name = names.normalize(self.cleaned_data["name"])
        names.validate_name(name)
        if is_taken(name, by_other_than=self.user_pk):
            raise ValidationError(TAKEN, code="taken")
        return name


class GuestNameForm(NameForm):
    """Gives a guest a name of their choice."""

    def __init__(self, *args, user, **kwargs):
        """user: the guest, or an anonymous visitor who is about to become one."""
        super().__init__(*args, label=gettext("Your name"), autocomplete="nickname", user_pk=user.pk, **kwargs)

    def save(self, guest):
        """Let this guest go by the name. Raises NameTaken when somebody else was quicker by a moment."""
        with claiming():
            guest = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
            if guest is None:
                return  # they have signed up meanwhile, or are gone
            guest.username = self.cleaned_data["name"]
            guest.save(update_fields=["username"])
            demand_unheld(guest)
        renamed.send(User, user=guest)


class ChangePasswordForm(PlainLabels, allauth_forms.ChangePasswordForm):
    words = {
        "oldpassword": (gettext_lazy("Current password"), None),
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Repeat new password"), None),
    }


class SetPasswordForm(PlainLabels, allauth_forms.SetPasswordForm):
    words = {
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Repeat new password"), None),
    }


class ResetPasswordKeyForm(PlainLabels, allauth_forms.ResetPasswordKeyForm):
    words = SetPasswordForm.words


class ResetPasswordForm(PlainLabels, allauth_forms.ResetPasswordForm):
    words = {"email": (gettext_lazy("Email"), gettext_lazy("The address you gave for your account."))}


class AddEmailForm(PlainLabels, allauth_forms.AddEmailForm):
    words = {
        "email": (
            gettext_lazy("New address"),
            gettext_lazy("We’ll send a link there. Open it to confirm that the address is yours."),
        )
    }


class ReauthenticateForm(PlainLabels, allauth_forms.ReauthenticateForm):
    words = {"password": (gettext_lazy("Password"), None)}


class ActivateTotpForm(PlainLabels, ActivateTOTPForm):
    words = {"code": (gettext_lazy("Code"), gettext_lazy("The six digits your app is showing."))}


class AuthenticateForm(PlainLabels, factor_forms.AuthenticateForm):
    words = {
        "code": (gettext_lazy("Code"), gettext_lazy("From your authenticator app, or one of your recovery codes."))
    }


class ReauthenticateByCodeForm(PlainLabels, factor_forms.ReauthenticateForm):
    words = AuthenticateForm.words


class AddPasskeyForm(PlainLabels, AddWebAuthnForm):
    words = {
        "name": (
            pgettext_lazy("of a thing", "Name"),
            gettext_lazy("To tell your passkeys apart. For example, the phone or computer it is kept on."),
        ),
        "passwordless": (
            gettext_lazy("Log in with it instead of a password"),
            gettext_lazy(
                "It asks for your fingerprint, face or PIN. "
                "If this is off, it is only a second step after your password."
            ),
        ),
    }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True


class DeleteAccountForm(forms.Form):
    """Asks for the name before an account is deleted."""

    name = forms.CharField(widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args, user, **kwargs):
        super().__init__(*args, label_suffix="", **kwargs)
        self.user = user
        self.fields["name"].label = gettext("Type your name, {name}, to confirm").format(name=user.username)

    def clean_name(self):
        name = self.cleaned_data["name"]
        if names.casefold(name) != self.user.casefolded_name:
            raise ValidationError(
                gettext("That isn’t your name, so nothing was deleted. Type your name and try again.")
            )
        return name

    def clean(self):
        admins = User.objects.filter(is_superuser=True, is_active=True)
        if self.user.is_superuser and not admins.exclude(pk=self.user.pk).exists():
            raise ValidationError(gettext("You are the only administrator of this site. Appoint another one first."))
        return super().clean()
