"""Where django-allauth asks us: which names are allowed, who a new account is, what a banned user sees."""

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.shortcuts import render

from accounts import names
from accounts.models import User

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

    def respond_user_inactive(self, request, user):
        return render(request, "account/account_inactive.html", {"reason": user.ban_reason}, status=403)


def is_taken(name, *, by_other_than=None):
    """Whether a user other than the one with this primary key has `name`, or one that looks like it."""
    alike = User.objects.filter(Q(folded_name=names.fold(name)) | Q(skeleton=names.skeleton(name)))
    return alike.exclude(pk=by_other_than).exists()
