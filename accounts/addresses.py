"""Changes of an account's email address: the reader of the old one gets a link that takes the change back."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import FormerAddress, User
from accounts.programs import new_token
from accounts.services import end_sessions

KEPT = timedelta(days=7)  # as long as a link works
SUSPECT = timedelta(days=1)  # before the change: what a thief may have added first
SALT = "accounts.addresses"


class AddressTaken(Exception):
    """Another account has the former address now."""


def note_change(request, user, from_email_address, **_):
    """A receiver of `email_changed`."""
    if from_email_address:
        _note(request, user, from_email_address)


def note_removal(request, user, email_address, **_):
    """A receiver of `email_removed`."""
    _note(request, user, email_address)


def _note(request, user, address):
    """Write to a former address, if it was confirmed: another may be a stranger's, who must not get the account."""
    if not (address.verified and settings.ACCOUNT_EMAIL_NOTIFICATIONS):
        return
    former = FormerAddress.objects.create(user=user, email=address.email)
    url = build_absolute_uri(request, reverse("restore_address", args=[key_of(former)]))
    context = {"former": address.email, "restore_url": url}
    get_adapter(request).send_notification_mail("account/email/address_changed", user, context, address.email)


def key_of(former):
    """Return the part of a link that names a FormerAddress. After a restored backup another one may have its key."""
    return signing.dumps([former.pk, former.user_id, former.email], salt=SALT)


def former_of(key):
    """Return the FormerAddress of a link; None if the link is forged, too old or used, or an earlier one was used."""
    try:
        pk, user_id, email = signing.loads(key, salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return None
    return FormerAddress.objects.select_related("user").filter(pk=pk, user=user_id, email=email).first()


def restore(request, former):
    """Set a FormerAddress back, and lock out the person who changed it. Return the user, who needs a new password.

    Undoes later changes too, so their links end. Links of earlier changes stay: a thief may have used the latest.
    Raises AddressTaken; FormerAddress.DoesNotExist when the link was used at the same moment.
    """
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=former.user_id)
            user.former_addresses.get(pk=former.pk)
            replaced = list(user.emailaddress_set.filter(verified=True).values_list("email", flat=True))
            _set_address(user, former.email)
            _shut_out(user, former.changed_at - SUSPECT)
            user.former_addresses.filter(pk__gte=former.pk).delete()
    except IntegrityError:
        raise AddressTaken from None
    end_sessions(user)
    for email in {former.email, *replaced}:
        context = {"former": former.email}
        get_adapter(request).send_notification_mail("account/email/address_restored", user, context, email)
    return user


def _set_address(user, email):
    user.emailaddress_set.exclude(email=email).delete()
    EmailAddress.objects.update_or_create(user=user, email=email, defaults={"verified": True, "primary": True})
    user.email = email
    user.save(update_fields=["email"])


def _shut_out(user, since):
    """End what a thief may log in with: the password, passkeys and apps added since then, tokens of bots."""
    user.set_unusable_password()
    user.save(update_fields=["password"])
    Authenticator.objects.filter(user=user, created_at__gte=since).delete()
    for program in user.programs.all():
        new_token(program)


def expired_addresses(now):
    """The FormerAddress rows whose links no longer work."""
    return FormerAddress.objects.filter(changed_at__lt=now - KEPT)
