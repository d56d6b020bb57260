"""What is done to an account as a whole: log-out everywhere, reset link, deletion."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.db import transaction

from accounts.models import User
from accounts.signals import account_closing, rights_changed


def end_sessions(user):
    """Log a user out everywhere, and the programs that are theirs."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    tell_rights_changed(user)


def tell_rights_changed(user):
    """Say that rights of a user, and of the programs that are theirs, may have ended."""
    rights_changed.send(User, user_ids=[user.pk, *user.programs.values_list("user", flat=True)])


def reset_link(request, user):
    """A URL where whoever opens it sets a new password for `user`.

    It works once, until the user logs in, and for as long as PASSWORD_RESET_TIMEOUT says.
    """
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    return get_adapter(request).get_reset_password_from_key_url(key)


def delete_account(user):
    """Remove a user and everything that is only theirs."""
    User.objects.filter(pk=user.pk).update(is_active=False)  # so that no other page of theirs sits down meanwhile
    end_sessions(user)
    account_closing.send(User, user=user)  # may take long, so it is no part of the transaction below
    with transaction.atomic():
        end_sessions(user)
        user.delete()
