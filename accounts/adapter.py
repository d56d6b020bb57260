"""Where django-allauth asks us: which names are allowed, who a new account is, what a banned user sees."""

import logging

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from accounts import devices, limits, names, sanctions, time_zones
from accounts.export import has_any
from accounts.models import User
from accounts.renaming import is_held
from accounts.signals import account_closing

log = logging.getLogger("valat.accounts")

TAKEN = gettext_lazy("This name is taken, or looks too much like one that is. Please choose another.")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts by name; a guest who signs up keeps their user, and with it their matches."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": gettext_lazy("Wrong name or password."),
        "too_many_login_attempts": gettext_lazy("Too many failed attempts. Wait five minutes, then try again."),
        "many_attempts_elsewhere": gettext_lazy(
            "Somebody has been guessing passwords for this name, so only a few attempts are allowed from each network. "
            "Wait an hour, then try again, or use a browser that you have logged in from before."
        ),
        "incorrect_password": gettext_lazy("That isn’t your password."),
        "enter_current_password": gettext_lazy("That isn’t your current password."),
    }

    def clean_username(self, username, shallow=False):
        username = names.normalize(username)
        names.validate_name(username)
        if not shallow and is_taken(username, by_other_than=self._guest_pk()):
            raise ValidationError(TAKEN, code="taken")
        return username

    def _guest_pk(self):
        """The key of the guest who is about to sign up, and may keep the name that they go by; else None."""
        user = getattr(self.request, "user", None)
        return user.pk if user and user.is_authenticated and user.is_guest else None

    def authenticate(self, request, **credentials):
        """As allauth, but a right password uses up none of the attempts."""
        user = super().authenticate(request, **credentials)
        if user:
            limits.give_back(self._attempts)
        return user

    def pre_authenticate(self, request, **credentials):
        """Count one more failed attempt.

        A browser that this user has logged in from has attempts of its own. Others share those of their network. When
        very many have failed for a name, from wherever, each network has but a few: so guessing from many networks gets
        slow, and yet nobody keeps the owner out. Raises ValidationError.
        """
        name = names.casefold(credentials["username"])
        address = limits.address_of(request)
        if device := devices.known_device(request, name):
            attempts = _count("login_failed_known", key=f"{device} {name}")
        elif attempts := _count("login_failed", ip=address, key=f"{address} {name}"):
            more = _count("login_failed_anywhere", key=name)
            more = more if more is not None else _count("login_failed_besieged", key=f"{address} {name}")
            if more is None:
                raise self.validation_error("many_attempts_elsewhere")
            attempts += more
        if attempts is None:
            raise self.validation_error("too_many_login_attempts")
        self._attempts = attempts

    def login(self, request, user):
        """Log in. A guest that the browser was before is left for good, as by logging out: nobody else knows it."""
        guest = User.objects.filter(pk=request.user.pk, is_guest=True).exclude(pk=user.pk).first()
        super().login(request, user)
        if guest:
            account_closing.send(User, user=guest)
            if has_any(guest):
                said = gettext(
                    "The matches you played as {guest} stay under that name. Where one was running, a bot plays on."
                )
                messages.info(request, said.format(guest=guest))

    def new_user(self, request):
        """The guest who signs up, as an account; else a new user. Call it in a transaction."""
        if request.user.is_authenticated and request.user.is_guest:
            guest = User.objects.select_for_update().filter(pk=request.user.pk, is_guest=True).first()
            if guest:
                guest.is_guest = False
                return guest
        return User()

    def send_mail(self, template_prefix, email, context):
        """Send a mail, in the language and on the clock of its reader.

        A mail server that is down stops nobody from signing up.
        """
        reader = context.get("user") or User.objects.filter(email__iexact=email).first()
        try:
            code = reader.language_read if reader else translation.get_language()
            with translation.override(code), time_zones.reading(reader):
                super().send_mail(template_prefix, email, context)
        except OSError as error:  # as are the errors of smtplib
            log.warning("A mail could not be sent: %s", error)
            messages.warning(self.request, gettext("We couldn’t send the email. Please try again later."))

    def get_reauthentication_methods(self, user):
        """Return the ways to confirm that it’s you, codes last: a passkey is at hand sooner."""
        methods = super().get_reauthentication_methods(user)
        return sorted(methods, key=lambda method: method["id"] == "mfa_reauthenticate")

    def send_notification_mail(self, template_prefix, user, context=None, email=None):
        """Tell `user` of a change, in their language. Of a change of their address `accounts.addresses` writes."""
        if template_prefix != "account/email/email_changed":
            super().send_notification_mail(template_prefix, user, {"user": user} | (context or {}), email)

    def pre_login(self, request, user, **options):
        if not user.is_active and sanctions.end_due(user):
            user.refresh_from_db(fields=["is_active"])
        return super().pre_login(request, user, **options)

    def respond_user_inactive(self, request, user):
        return render(request, "account/account_inactive.html", {"why": sanctions.why_banned(user)}, status=403)

    def is_open_for_signup(self, request):
        devices.demand_admission(request)
        return super().is_open_for_signup(request)


class FactorAdapter(DefaultMFAAdapter):
    """Second factors and passkeys, labelled by the user's name: an address is nothing to show around."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("This code is wrong or has expired. Enter the one that your app shows now."),
    }

    def get_totp_label(self, user):
        return user.username

    def get_public_key_credential_user_entity(self, user):
        return {
            "id": user_pk_to_url_str(user).encode(),
            "name": user.username,
            "display_name": user.username,
        }

    def generate_authenticator_name(self, user, type):
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey {number}").format(number=number)


def _count(action, **owners):
    """Count an attempt by a limit of ACCOUNT_RATE_LIMITS. Returns its counters, or None where it is used up."""
    return limits.consume(action, settings.ACCOUNT_RATE_LIMITS.get(action, ""), **owners)


def is_taken(name, *, by_other_than=None):
    """Whether a user other than the one with this primary key has or lately had `name`, or one that looks like it."""
    alike = User.objects.filter(Q(casefolded_name=names.casefold(name)) | Q(skeleton=names.skeleton(name)))
    return alike.exclude(pk=by_other_than).exists() or is_held(name, by_other_than=by_other_than)
