"""Programs: bots that members write and run elsewhere. docs/bots.md describes their protocol."""

import secrets
from hashlib import sha256

from django.db.models import QuerySet
from django.utils.translation import ngettext

from accounts.models import Program, User
from accounts.renaming import check_not_recent, claim_name
from accounts.sanctions import is_suspended
from accounts.services import delete_account
from accounts.signals import rights_changed

MAX_PROGRAMS = 5  # per owner
TOKEN_BYTES = 32


class TooManyPrograms(Exception):
    """The owner has as many programs as we allow. The text is for the owner."""


def make_program(owner: User, name: str) -> tuple[User, str]:
    """Create a program (a bot that a user has written). Return its user and its token, the password of the bot.

    We store only a hash of the token, so nobody can read it again later. name: cleaned by
    AccountAdapter.clean_username. Raises TooManyPrograms, or NameTaken in a race for the name.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with claim_name():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # Concurrent requests count one after the other.
        if owner.programs.count() >= MAX_PROGRAMS:
            one = "You have {number} bot, which is as many as we allow. Delete it first."
            many = "You have {number} bots, which is as many as we allow. Delete one of them first."
            raise TooManyPrograms(ngettext(one, many, MAX_PROGRAMS).format(number=MAX_PROGRAMS))
        user = User(username=name, is_program=True)
        user.set_unusable_password()
        user.save()
        check_not_recent(user)
        Program.objects.create(user=user, owner=owner, token_hash=hash_token(token))
    return user, token


def new_token(program: Program) -> str:
    """Replace the token of a program (a bot that a user has written) and return the new one. The old one is invalid."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    program.token_hash = hash_token(token)
    program.save(update_fields=["token_hash"])
    rights_changed.send(User, user_ids=[program.user_id])  # This closes connections with the old token.
    return token


def usable_programs() -> QuerySet[Program]:
    """Return the programs that may play: neither they nor their owners are banned or suspended."""
    active = Program.objects.filter(user__is_active=True, owner__is_active=True)
    return active.filter(~is_suspended("user"), ~is_suspended("owner"))


def user_of(token: str) -> User | None:
    """Return the user who logs in with a token, or None."""
    program = usable_programs().filter(token_hash=hash_token(token)).select_related("user").first()
    return program and program.user


def delete_programs(user: User, **_: object) -> None:
    """Receive `account_closing`: delete the user's programs."""
    for program in user.programs.select_related("user"):
        delete_account(program.user)


def hash_token(token: str) -> str:
    """Return the hash that we store. Tokens are long and random, so a hash without salt is enough."""
    return sha256(token.encode()).hexdigest()
