"""Changes of an account's email address. The old address receives a link that undoes the change."""

from datetime import datetime, timedelta

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import FormerAddress, User
from accounts.programs import new_token
from accounts.services import end_sessions

LINK_LIFETIME = timedelta(days=7)
SUSPECT_PERIOD = timedelta(days=1)  # A thief may have added passkeys in this time before the change.
SALT = "accounts.addresses"


class AddressTaken(Exception):
    """Another account uses the former address now."""


def offer_restore_after_change(
    request: HttpRequest, user: User, from_email_address: EmailAddress | None, **_: object
) -> None:
    """Receive `email_changed`."""
    if from_email_address:
        _offer_restore(request, user, from_email_address)


def offer_restore_after_removal(request: HttpRequest, user: User, email_address: EmailAddress, **_: object) -> None:
    """Receive `email_removed`."""
    _offer_restore(request, user, email_address)


def _offer_restore(request: HttpRequest, user: User, address: EmailAddress) -> None:
    """Send a link to a user's former address, which restores it, in case a thief has changed the address.

    Only verified addresses get the link: any other may belong to a stranger.
    """
    if not (address.verified and settings.ACCOUNT_EMAIL_NOTIFICATIONS):
        return
    former = FormerAddress.objects.create(user=user, email=address.email)
    url = build_absolute_uri(request, reverse("restore_address", args=[sign_former_address(former)]))
    context = {"former": address.email, "restore_url": url}
    get_adapter(request).send_notification_mail("account/email/address_changed", user, context, address.email)


def sign_former_address(former: FormerAddress) -> str:
    """Return the signed part of a link. It has the address too: a restored backup may use the primary key again."""
    return signing.dumps([former.pk, former.user_id, former.email], salt=SALT)


def find_former_address(key: str) -> FormerAddress | None:
    """Return the former address that a link can restore, or None if the link no longer works.

    key: the signed part of the link. It may be forged or expired, or this link was used, or the link of an earlier
    change.
    """
    try:
        pk, user_id, email = signing.loads(key, salt=SALT, max_age=LINK_LIFETIME)
    except signing.BadSignature:
        return None
    return FormerAddress.objects.select_related("user").filter(pk=pk, user=user_id, email=email).first()


def restore(request: HttpRequest, former: FormerAddress) -> User:
    """Restore a former address, lock out the person who changed it, and return the user, who needs a new password.

    This undoes later changes too, so their links stop working. Links of earlier changes still work: a thief may have
    used the latest one. Raises AddressTaken, or FormerAddress.DoesNotExist if the link was used at the same moment.
    """
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=former.user_id)
            user.former_addresses.get(pk=former.pk)
            current_emails = list(user.emailaddress_set.filter(verified=True).values_list("email", flat=True))
            _set_address(user, former.email)
            _revoke_credentials(user, former.changed_at - SUSPECT_PERIOD)
            user.former_addresses.filter(pk__gte=former.pk).delete()  # This one and those of later changes.
    except IntegrityError:
        raise AddressTaken from None
    end_sessions(user)
    for email in {former.email, *current_emails}:
        context = {"former": former.email}
        get_adapter(request).send_notification_mail("account/email/address_restored", user, context, email)
    return user


def _set_address(user: User, email: str) -> None:
    user.emailaddress_set.exclude(email=email).delete()
    EmailAddress.objects.update_or_create(user=user, email=email, defaults={"verified": True, "primary": True})
    user.email = email
    user.save(update_fields=["email"])


def _revoke_credentials(user: User, since: datetime) -> None:
    """Remove what a thief may know or have added: password, newer passkeys and apps, tokens of bots."""
    user.set_unusable_password()
    user.save(update_fields=["password"])
    Authenticator.objects.filter(user=user, created_at__gte=since).delete()
    for program in user.programs.all():
        new_token(program)


def expired_addresses(now: datetime) -> QuerySet[FormerAddress]:
    """Return the addresses whose links have expired."""
    return FormerAddress.objects.filter(changed_at__lt=now - LINK_LIFETIME)
