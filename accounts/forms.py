"""The forms of accounts: django-allauth's with our labels and help, and our own."""

from allauth.account import forms as allauth_forms
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import names
from accounts.adapter import NAME_TAKEN, is_taken
from accounts.models import User
from accounts.renaming import check_not_recent, claim_name
from accounts.signals import renamed
from accounts.site import invitations

PASSWORD_HELP = gettext_lazy("At least 8 characters. Don’t use your name or a common password.")
NAME = pgettext_lazy("of a person", "Name")
AS_TYPED = {"autocapitalize": "none", "spellcheck": "false"}  # HTML attributes that stop browsers from changing input.


class LabelsMixin(forms.Form):
    """An allauth form shows labels in place of placeholders.

    words: a label and a help text by field. None keeps the form's own help text.
    """

    words: dict[str, tuple[object, object]] = {}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, (label, help_text) in self.words.items():
            self.fields[name].label = label
            if help_text is not None:
                self.fields[name].help_text = help_text


class LoginForm(LabelsMixin, allauth_forms.LoginForm):
    """The login accepts a name in any case and any Unicode form."""

    words = {"login": (NAME, None)}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs |= AS_TYPED

    def clean_login(self) -> str:
        folded = names.casefold(super().clean_login())
        user = User.objects.filter(casefolded_name=folded).only("username").first()
        return user.username if user else folded


class SignupForm(LabelsMixin, allauth_forms.SignupForm):
    """The sign-up turns a guest into an account, or creates one."""

    field_order = ["username", "password1", "email"]
    words = {
        "username": (NAME, gettext_lazy("3 to 20 letters, digits, - or _. Other players will see it.")),
        "password1": (gettext_lazy("Password"), PASSWORD_HELP),
        "email": (gettext_lazy("Email (optional)"), None),
    }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= AS_TYPED
        self.fields["email"].help_text = (
            gettext("Only used to reset your password and to tell you about changes to your account.")
            if settings.HAS_MAIL
            else gettext(
                "This site can’t send email yet. If you forget your password, ask the people who run this site for a "
                "reset link."
            )
        )

    def save(self, request: HttpRequest) -> User:
        """Create and return the account. Raises NameTaken if another user took the name at the same moment."""
        with claim_name():
            invitations.use(request)
            user = super().save(request)
            check_not_recent(user)
        renamed.send(User, user=user)
        return user


class NameForm(forms.Form):
    """A form for a name that follows the rules of accounts."""

    name = forms.CharField(max_length=names.LONGEST, error_messages={"required": gettext_lazy("Type a name first.")})

    def __init__(
        self, *args: object, label: object, autocomplete: str = "off", user_pk: int | None = None, **kwargs: object
    ) -> None:
        """user_pk: the user being renamed. Their present name counts as free."""
        super().__init__(*args, label_suffix="", **kwargs)
        self.user_pk = user_pk
        self.fields["name"].label = label
        self.fields["name"].widget.attrs |= AS_TYPED | {"autocomplete": autocomplete}

    def clean_name(self) -> str:
        name = names.normalize(self.cleaned_data["name"])
        names.validate_name(name)
        if is_taken(name, except_pk=self.user_pk):
            raise ValidationError(NAME_TAKEN, code="taken")
        return name


class GuestNameForm(NameForm):
    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        """user: a guest, or an anonymous visitor who becomes one by this form."""
        super().__init__(*args, label=gettext("Your name"), autocomplete="nickname", user_pk=user.pk, **kwargs)

    def save(self, guest: User) -> None:
        """Change the guest's name. Raises NameTaken if another user took the name at the same moment."""
        with claim_name():
            guest = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
            if guest is None:  # The guest has signed up or was deleted since the form was checked.
                return
            guest.username = self.cleaned_data["name"]
            guest.save(update_fields=["username"])
            check_not_recent(guest)
        renamed.send(User, user=guest)


class ChangePasswordForm(LabelsMixin, allauth_forms.ChangePasswordForm):
    words = {
        "oldpassword": (gettext_lazy("Current password"), None),
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Repeat new password"), None),
    }


class SetPasswordForm(LabelsMixin, allauth_forms.SetPasswordForm):
    words = {
        "password1": (gettext_lazy("New password"), PASSWORD_HELP),
        "password2": (gettext_lazy("Repeat new password"), None),
    }


class ResetPasswordKeyForm(LabelsMixin, allauth_forms.ResetPasswordKeyForm):
    words = SetPasswordForm.words


class ResetPasswordForm(LabelsMixin, allauth_forms.ResetPasswordForm):
    words = {"email": (gettext_lazy("Email"), gettext_lazy("The address you gave for your account."))}


class AddEmailForm(LabelsMixin, allauth_forms.AddEmailForm):
    words = {
        "email": (
            gettext_lazy("New address"),
            gettext_lazy("We’ll send a link there. Open it to confirm that the address is yours."),
        )
    }


class ReauthenticateForm(LabelsMixin, allauth_forms.ReauthenticateForm):
    words = {"password": (gettext_lazy("Password"), None)}


class ActivateTotpForm(LabelsMixin, ActivateTOTPForm):
    words = {"code": (gettext_lazy("Code"), gettext_lazy("The six digits your app is showing."))}


class AuthenticateForm(LabelsMixin, factor_forms.AuthenticateForm):
    words = {
        "code": (gettext_lazy("Code"), gettext_lazy("From your authenticator app, or one of your recovery codes."))
    }


class ReauthenticateByCodeForm(LabelsMixin, factor_forms.ReauthenticateForm):
    words = AuthenticateForm.words


class AddPasskeyForm(LabelsMixin, AddWebAuthnForm):
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

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True


class DeleteAccountForm(forms.Form):
    """The user must type their name before their account is deleted."""

    name = forms.CharField(widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.user = user
        self.fields["name"].label = gettext("Type your name, {name}, to confirm").format(name=user.username)

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if names.casefold(name) != self.user.casefolded_name:
            raise ValidationError(
                gettext("That isn’t your name, so nothing was deleted. Type your name and try again.")
            )
        return name

    def clean(self) -> dict[str, object]:
        admins = User.objects.filter(is_superuser=True, is_active=True)
        if self.user.is_superuser and not admins.exclude(pk=self.user.pk).exists():
            raise ValidationError(gettext("You are the only administrator of this site. Appoint another one first."))
        return super().clean()
