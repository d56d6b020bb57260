"""What sockets are opened with, a log-in or a bot's token, and which of these have ended since."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import Sanction, User, in_force
from accounts.programs import usable_programs


class Credential(NamedTuple):
    """What a user has opened a socket with: a session, or the token of a bot."""

    user_id: int
    opened_at: datetime
    session_key: str | None = None
    password: str = ""  # its hash: a new password ends all sessions
    token_hash: str = ""


def ended(credentials: Collection[Credential]) -> set[Credential]:
    """Return the credentials that have ended. Two queries for log-ins, one for tokens."""
    tokens = {each for each in credentials if each.token_hash}
    return _ended_tokens(tokens) | _ended_logins(set(credentials) - tokens)


def _ended_tokens(credentials: set[Credential]) -> set[Credential]:
    if not credentials:
        return set()
    programs = usable_programs().filter(token_hash__in={each.token_hash for each in credentials})
    usable = set(programs.values_list("token_hash", flat=True))
    return {each for each in credentials if each.token_hash not in usable}


def _ended_logins(credentials: set[Credential]) -> set[Credential]:
    """Log-out and the end of a session delete its row. A suspension closes only what was open before it."""
    if not credentials:
        return set()
    keys = {each.session_key for each in credentials}
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    alive = set(sessions.values_list("session_key", flat=True))
    users = {pk: state for pk, *state in _states({each.user_id for each in credentials})}
    return {each for each in credentials if each.session_key not in alive or not _holds(each, users)}


def _states(user_ids: set[int]) -> Collection[tuple]:
    """Return (key, password, start of the latest suspension in force) of the users who are not banned or deleted."""
    suspensions = Sanction.objects.filter(in_force(Sanction.Kind.SUSPENSION), user=OuterRef("pk"))
    latest = Subquery(suspensions.order_by("-since").values("since")[:1])
    return User.objects.filter(pk__in=user_ids, is_active=True).values_list("pk", "password", latest)


def _holds(credential: Credential, users: dict[int, list]) -> bool:
    if credential.user_id not in users:
        return False
    password, suspended_since = users[credential.user_id]
    is_suspended_now = suspended_since is not None and suspended_since >= credential.opened_at
    return password == credential.password and not is_suspended_now
