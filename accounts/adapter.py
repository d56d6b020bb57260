"""Where django-allauth asks us: which names are allowed, who a new account is, what a banned user sees."""

import logging

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.shortcuts import render

from accounts import names
from accounts.models import User

log = logging.getLogger("valat.accounts")

TAKEN = "This name is taken, or looks too much like one that is. Choose another."


class AccountAdapter(DefaultAccountAdapter):
    """Accounts by name; a guest who signs up keeps their user, and with it their matches."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "We have no account with this name and this password.",
        "too_many_login_attempts": "Too many failed attempts. Wait five minutes and try again.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your present password.",
    }

    def clean_username(self, username, shallow=False):
        username = names.normalize(username)
        names.validate_name(username)
        if not shallow and is_taken(username):
            raise ValidationError(TAKEN, code="taken")
        return username

    def new_user(self, request):
        """The guest who signs up, as an account; else a new user. Call it in a transaction."""
        if request.user.is_authenticated and request.user.is_guest:
            guest = User.objects.select_for_update().filter(pk=request.user.pk, is_guest=True).first()
            if guest:
                guest.is_guest = False
                return guest
        return User()

    def send_mail(self, template_prefix, email, context):
        """Send a mail. A mail server that is down stops nobody from signing up."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # as are the errors of smtplib
            log.warning("A mail could not be sent: %s", error)
            messages.warning(self.request, "We could not send the mail. Try again later.")

    def respond_user_inactive(self, request, user):
        return render(request, "account/account_inactive.html", {"reason": user.ban_reason}, status=403)


class FactorAdapter(DefaultMFAAdapter):
    """Second factors and passkeys, labelled by the user's name: an address is nothing to show around."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "This code is not right, or no longer. Type the one that your app shows now.",
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
        return f"Passkey {Authenticator.objects.filter(user=user, type=type).count() + 1}"


def is_taken(name, *, by_other_than=None):
    """Whether a user other than the one with this primary key has `name`, or one that looks like it."""
    alike = User.objects.filter(Q(casefolded_name=names.casefold(name)) | Q(skeleton=names.skeleton(name)))
    return alike.exclude(pk=by_other_than).exists()
