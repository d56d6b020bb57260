"""Operations on a whole account: log out everywhere, issue a reset link, delete."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.signals import account_closing, rights_changed


def end_sessions(user: User) -> None:
    """Log a user and their programs out everywhere."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    send_rights_changed(user)


def send_rights_changed(user: User) -> None:
    """Send `rights_changed` for a user and their programs."""
    rights_changed.send(User, user_ids=[user.pk, *user.programs.values_list("user", flat=True)])


def reset_link(request: HttpRequest, user: User) -> str:
    """Return a URL that lets anyone set a new password for the user.

    It works once, until the user logs in or PASSWORD_RESET_TIMEOUT has passed.
    """
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    return get_adapter(request).get_reset_password_from_key_url(key)


def delete_account(user: User) -> None:
    """Delete a user with all data that is only theirs."""
    User.objects.filter(pk=user.pk).update(is_active=False)  # Otherwise another page could still take a seat.
    end_sessions(user)
    account_closing.send(User, user=user)  # This may take long, so it is outside of the transaction.
    with transaction.atomic():
        end_sessions(user)  # They may have logged in again meanwhile.
        user.delete()
