"""Credentials of open sockets (a session or a bot's token), and the check whether they are still valid."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import Sanction, User, in_force
from accounts.programs import usable_programs


class Credential(NamedTuple):
    """The session or the bot's token that a user has opened a socket with.

    password: its hash, since a new password ends all sessions.
    """

    user_id: int
    opened_at: datetime
    session_key: str | None = None
    password: str = ""
    token_hash: str = ""


def invalid_credentials(credentials: Collection[Credential]) -> set[Credential]:
    """Return the credentials that are no longer valid. Two queries for sessions, one for tokens."""
    tokens = {each for each in credentials if each.token_hash}
    return _invalid_tokens(tokens) | _invalid_sessions(set(credentials) - tokens)


def _invalid_tokens(credentials: set[Credential]) -> set[Credential]:
    if not credentials:
        return set()
    programs = usable_programs().filter(token_hash__in={each.token_hash for each in credentials})
    usable = set(programs.values_list("token_hash", flat=True))
    return {each for each in credentials if each.token_hash not in usable}


def _invalid_sessions(credentials: set[Credential]) -> set[Credential]:
    if not credentials:
        return set()
    keys = {each.session_key for each in credentials}
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    valid_keys = set(sessions.values_list("session_key", flat=True))
    users = {pk: (password, since) for pk, password, since in _user_states({each.user_id for each in credentials})}
    return {each for each in credentials if each.session_key not in valid_keys or not _is_valid(each, users)}


def _user_states(user_ids: set[int]) -> Iterable[tuple[int, str, datetime | None]]:
    """Return the primary key, the password hash and the start of the latest suspension of each user who is not banned.

    The start is None for a user who is not suspended.
    """
    suspensions = Sanction.objects.filter(in_force(Sanction.Kind.SUSPENSION), user=OuterRef("pk"))
    latest = Subquery(suspensions.order_by("-since").values("since")[:1])
    return User.objects.filter(pk__in=user_ids, is_active=True).values_list("pk", "password", latest)


def _is_valid(credential: Credential, users: dict[int, tuple[str, datetime | None]]) -> bool:
    """Return whether a socket that a user has opened may stay open.

    A new password or a ban closes it, and so does a suspension that began later. credential: what we noted when it was
    opened. users: by primary key, the password hash and the start of the latest suspension (or None) of each user who
    is not banned.
    """
    if credential.user_id not in users:
        return False
    password, suspended_since = users[credential.user_id]
    was_suspended_later = suspended_since is not None and suspended_since >= credential.opened_at
    return password == credential.password and not was_suspended_later
