"""Our adapters for django-allauth: allowed names, limits of attempts, new accounts, mail."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from accounts import adoption, devices, limits, names, sanctions, time_zones
from accounts.models import User
from accounts.renaming import is_recent_name
from accounts.signals import guest_logged_in
from accounts.site import current, invitations

log = logging.getLogger("valat.accounts")

NAME_TAKEN = gettext_lazy("This name is taken, or looks too much like one that is. Please choose another.")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are found by name. A guest who signs up keeps their user, and so their matches."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": gettext_lazy("Wrong name or password. Try again, or reset your password."),
        "too_many_login_attempts": gettext_lazy("Too many failed attempts. Wait five minutes, then try again."),
        "many_attempts_elsewhere": gettext_lazy(
            "Somebody has been guessing passwords for this name, so only a few attempts are allowed from each network. "
            "Wait an hour, then try again, or use a browser that you have logged in from before."
        ),
        "incorrect_password": gettext_lazy("That isn’t your password. Type it again."),
        "enter_current_password": gettext_lazy("That isn’t your current password. Type it again."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = names.normalize(username)
        names.validate_name(username)
        if not shallow and is_taken(username, except_pk=self._guest_pk()):
            raise ValidationError(NAME_TAKEN, code="taken")
        return username

    def _guest_pk(self) -> int | None:
        """Return the primary key of the guest who is signing up: their present name counts as free."""
        user = getattr(self.request, "user", None)
        return user.pk if user and user.is_authenticated and user.is_guest else None

    def authenticate(self, request: HttpRequest, **credentials: str) -> User | None:
        """Authenticate as allauth does, but count only failed attempts."""
        user = super().authenticate(request, **credentials)
        if user:  # `pre_authenticate` has counted this attempt before we knew that it would succeed.
            limits.give_back(self._counters)
        return user

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Count an attempt to log in, and raise ValidationError if there were too many that failed.

        A browser that this user has logged in from has a limit of its own, so that nobody can lock out the owner of a
        name. Other browsers share the limit of their network.
        """
        name = names.casefold(credentials["username"])
        address = limits.address_of(request)
        if token := devices.trusted_token(request, name):
            counters = _count_attempt("login_failed_known", key=f"{token} {name}")
        else:
            counters = self._count_from_unknown_browser(address, name)
        if counters is None:
            raise self.validation_error("too_many_login_attempts")
        self._counters = counters

    def _count_from_unknown_browser(self, address: str, name: str) -> list[str] | None:
        """Count an attempt to log in from a new browser. Return the counters, or None if its network had too many.

        After many failures for one name, each network has only a few attempts: this slows down guessing from many
        networks. Raise ValidationError if the network has used them.
        """
        counters = _count_attempt("login_failed", ip=address, key=f"{address} {name}")
        if not counters:
            return counters
        name_counters = _count_attempt("login_failed_anywhere", key=name)
        if name_counters is None:  # All networks together had too many.
            name_counters = _count_attempt("login_failed_besieged", key=f"{address} {name}")
        if name_counters is None:
            raise self.validation_error("many_attempts_elsewhere")
        return counters + name_counters

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in. If this browser played as a guest, ask whether the guest's matches belong to the account."""
        guest = User.objects.filter(pk=request.user.pk, is_guest=True).exclude(pk=user.pk).first()
        unanswered = adoption.guest_in_question(request)
        if unanswered and user.pk != request.user.pk:  # Another account logs in.
            adoption.dismiss(request, unanswered)
        super().login(request, user)
        if guest:
            guest_logged_in.send(User, request=request, guest=guest)
            adoption.ask_about(request, guest)

    def new_user(self, request: HttpRequest) -> User:
        """Return the user for a new account: the guest who signs up, so that they keep their matches, or a new one.

        It is not saved. Call this in a transaction, because it locks the guest.
        """
        if request.user.is_authenticated and request.user.is_guest:
            guest = User.objects.select_for_update().filter(pk=request.user.pk, is_guest=True).first()
            if guest:
                guest.is_guest = False
                return guest
        return User()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in the language and the time zone of its reader.

        Errors are only logged and shown, so that people can sign up while the mail server is down.
        """
        reader = context.get("user") or User.objects.filter(email__iexact=email).first()
        try:
            code = reader.language_read if reader else translation.get_language()
            with translation.override(code), time_zones.in_zone_of(reader):
                super().send_mail(template_prefix, email, {"site_settings": current.settings()} | context)
        except OSError as error:  # The errors of smtplib are subclasses.
            log.warning("A mail could not be sent: %s", error)
            messages.warning(self.request, gettext("We couldn’t send the email. Please try again later."))

    def get_reauthentication_methods(self, user: User) -> list[dict[str, object]]:
        """Return the ways to reauthenticate. Codes come last, because a passkey is quicker."""
        methods = super().get_reauthentication_methods(user)
        return sorted(methods, key=lambda method: method["id"] == "mfa_reauthenticate")

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, object] | None = None, email: str | None = None
    ) -> None:
        """Notify a user by mail of a change to their account, as allauth does."""
        if template_prefix != "account/email/email_changed":  # `accounts.addresses` sends a mail of its own.
            super().send_notification_mail(template_prefix, user, {"user": user} | (context or {}), email)

    def pre_login(self, request: HttpRequest, user: User, **options: object) -> HttpResponse | None:
        if not user.is_active and sanctions.lift_expired_bans(user):
            user.refresh_from_db(fields=["is_active"])
        return super().pre_login(request, user, **options)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        return render(request, "account/account_inactive.html", {"why": sanctions.why_banned(user)}, status=403)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        devices.check_admission(request)
        return invitations.may_sign_up(request)

    def format_email_subject(self, subject: str) -> str:
        return f"{current.settings().name}: {subject}"


class FactorAdapter(DefaultMFAAdapter):
    """Second factors and passkeys are labelled with the user's name, not with their email address."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("This code is wrong or has expired. Enter the one that your app shows now."),
    }

    def get_totp_issuer(self) -> str:
        return current.settings().name

    def get_totp_label(self, user: User) -> str:
        return user.username

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, object]:
        return {
            "id": user_pk_to_url_str(user).encode(),
            "name": user.username,
            "display_name": user.username,
        }

    def generate_authenticator_name(self, user: User, type: str) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey {number}").format(number=number)


def _count_attempt(action: str, **owners: str) -> list[str] | None:
    """Count an attempt against ACCOUNT_RATE_LIMITS. Return its counters, or None if the limit is exceeded."""
    return limits.consume(action, settings.ACCOUNT_RATE_LIMITS.get(action, ""), **owners)


def is_taken(name: str, *, except_pk: int | None = None) -> bool:
    """Return whether a user has or recently had this name, or one that looks like it.

    except_pk: the user who may have the name.
    """
    namesakes = User.objects.filter(Q(casefolded_name=names.casefold(name)) | Q(skeleton=names.skeleton(name)))
    return namesakes.exclude(pk=except_pk).exists() or is_recent_name(name, except_pk=except_pk)
