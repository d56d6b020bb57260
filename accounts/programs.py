"""Programs that play: bots that members write and run elsewhere. docs/bots.md says how they talk to the site."""

import secrets
from hashlib import sha256

from django.utils.translation import ngettext

from accounts.models import Program, User
from accounts.renaming import claiming, demand_unheld
from accounts.sanctions import is_suspended
from accounts.services import delete_account
from accounts.signals import rights_changed

MOST = 5  # of one owner
TOKEN_BYTES = 32


class TooManyPrograms(Exception):
    """The owner has as many as we allow. Its text is shown to them."""


def make_program(owner, name):
    """A new program of `owner`, and its token, which is stored nowhere: (User, str).

    name: as AccountAdapter.clean_username gives it. Raises TooManyPrograms; NameTaken when somebody was quicker.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with claiming():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # two clicks are counted one after the other
        if owner.programs.count() >= MOST:
            one = "You have {number} bot, which is as many as we allow. Delete it first."
            many = "You have {number} bots, which is as many as we allow. Delete one of them first."
            raise TooManyPrograms(ngettext(one, many, MOST).format(number=MOST))
        user = User(username=name, is_program=True)
        user.set_unusable_password()
        user.save()
        demand_unheld(user)
        Program.objects.create(user=user, owner=owner, token_hash=hash_of(token))
    return user, token


def new_token(program):
    """Another token for a Program; with the old one nothing can be done any more."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    program.token_hash = hash_of(token)
    program.save(update_fields=["token_hash"])
    rights_changed.send(User, user_ids=[program.user_id])
    return token


def usable_programs():
    """The programs that may play: neither they nor their owners are banned or suspended."""
    free = Program.objects.filter(user__is_active=True, owner__is_active=True)
    return free.filter(~is_suspended("user"), ~is_suspended("owner"))


def user_of(token):
    """The user who logs in with a token, or None."""
    program = usable_programs().filter(token_hash=hash_of(token)).select_related("user").first()
    return program and program.user


def delete_programs(user, **_):
    """A receiver of `account_closing`: what somebody runs goes with them."""
    for program in user.programs.select_related("user"):
        delete_account(program.user)


def hash_of(token):
    """What is stored of a token: they are random, so a plain hash is enough to keep a stolen database from playing."""
    return sha256(token.encode()).hexdigest()
