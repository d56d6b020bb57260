"""Invitations to sign up, where the staff have chosen that."""

from django.core.exceptions import ValidationError
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from accounts.site import current
from accounts.site.models import SignupInvitation, SiteSettings

KEY = "signup_invitation"  # in the session


def _valid(token: object) -> QuerySet[SignupInvitation]:
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return SignupInvitation.objects.filter(unexpired, token=token, uses_left__gt=0)


def accept(request: HttpRequest, token: str) -> bool:
    """Note in the session that this browser has an invitation. Return False if it is not valid (any more)."""
    is_valid = _valid(token).exists()
    if is_valid:
        request.session[KEY] = token
    return is_valid


def may_sign_up(request: HttpRequest) -> bool:
    """Return whether this browser may sign up."""
    match current.settings().sign_ups:
        case SiteSettings.SignUps.OPEN:
            return True
        case SiteSettings.SignUps.INVITATION:
            return KEY in request.session and _valid(request.session[KEY]).exists()
        case _:
            return False


def use(request: HttpRequest) -> None:
    """Count a sign-up against the invitation of this browser, if it needs one. Call this in its transaction.

    Raises ValidationError if somebody else has used the invitation up.
    """
    if current.settings().sign_ups == SiteSettings.SignUps.OPEN:
        return
    if not _valid(request.session.get(KEY)).update(uses_left=F("uses_left") - 1):
        raise ValidationError(gettext("This invitation has been used up. Ask the people who run the site for another."))
