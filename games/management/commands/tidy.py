"""Remove unplayed tables, abandoned guests, expired log-ins and other old rows."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.utils import timezone

from accounts.addresses import expired_addresses
from accounts.guests import abandoned_guests
from accounts.models import Exclusion
from accounts.site.failures import failures_before
from games.challenges.models import Challenge, TeamMatch
from games.chat import corrections
from games.models import Gap, Match, Move, Seat, counting
from games.notifications import bell, finding, outbox
from games.play.due import close_table
from games.play.pace import SPEEDS
from games.queue.entering import abandoned
from games.tallies import sharing

ADDRESS_LIFETIME = timedelta(days=90)  # of log-ins; the page on privacy says so
NO_ADDRESS = "0.0.0.0"
BATCH = 100  # The number of rows per transaction. Small ones do not delay players.


class Command(BaseCommand):
    help = "Removes unplayed tables, abandoned guests, expired log-ins and other old rows. Run it once a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="days until closed tables and idle guests are removed")
        parser.add_argument("--idle-days", type=int, default=14, help="days until an idle untimed match is closed")
        parser.add_argument("--dry-run", action="store_true", help="only count, and change nothing")

    def handle(self, *, days: int, idle_days: int, dry_run: bool, **_: object) -> None:
        if min(days, idle_days) < 1:
            raise CommandError("The number of days must be at least 1.")
        now = timezone.now()
        since = now - timedelta(days=days)
        steps = [
            ("idle untimed matches closed", idle_matches(now - timedelta(days=idle_days)), _close),
            ("expired log-ins removed", ended_logins(now), _delete),
            ("expired sessions removed", Session.objects.filter(expire_date__lt=now), _delete),
            ("closed tables removed", unwanted_tables(since), _delete),
            ("abandoned guests removed", abandoned_guests(since), _delete),
            ("addresses of old log-ins removed", old_addresses(now), _remove_addresses),
            ("expired exclusions removed", Exclusion.objects.filter(until__lt=now), _delete),
            ("former email addresses removed", expired_addresses(now), _delete),
            ("sent messages removed", outbox.sent_before(now - outbox.LIFETIME), _delete),
            ("old events of bells removed", bell.old_items(now), _delete),
            ("records of examined match ends removed", finding.old_progress(now), _delete),
            ("team matches without tables removed", unbegun_teams(since), _delete_unused),
            ("unplayed challenges removed", unplayed_challenges(since), _delete_unused),
            ("abandoned places in the queue removed", abandoned(now), _delete),
            ("old failures of pages removed", failures_before(since), _delete),
            ("old corrections removed", corrections.old(now), _delete),
            ("names removed from tallies", sharing.due_removals(), sharing.remove_names),
            ("abandoned tallies removed", sharing.abandoned(since), _delete),
            ("settled outages removed", Gap.objects.filter(is_settled=True, ended_at__lt=since), _delete),
        ]
        for words, rows, act in steps:
            count = rows.count() if dry_run else _in_batches(rows, act)
            self.stdout.write(f"{count} {words}")
        if dry_run:
            self.stdout.write("This was a dry run: nothing was changed.")


def idle_matches(since: datetime) -> QuerySet[Match]:
    """Return the untimed matches without a move since then."""
    untimed = [speed.slug for speed in SPEEDS.values() if not speed.is_timed]
    return Match.objects.filter(status=Match.Status.PLAYING, speed__in=untimed, turn_started_at__lt=since)


def unwanted_tables(since: datetime) -> QuerySet[Match]:
    """Return the tables closed before `since` that nobody needs.

    A table is needed if it counts for statistics, a player made a move at it, and a user with a seat has not abandoned
    the site.
    """
    at_table = {"match": OuterRef("pk")}
    played = Exists(Move.objects.filter(**at_table, actor=Move.Actor.PLAYER))
    has_user = Exists(Seat.objects.filter(**at_table, user__isnull=False).exclude(user__in=abandoned_guests(since)))
    closed = Match.objects.filter(status=Match.Status.CLOSED, ended_at__lt=since)
    return closed.exclude(played & has_user & counting())


def unbegun_teams(since: datetime) -> QuerySet[TeamMatch]:
    """Return the team matches created before `since` that have no tables, or no tables any more."""
    return TeamMatch.objects.filter(made_at__lt=since, tables=None)


def unplayed_challenges(since: datetime) -> QuerySet[Challenge]:
    """Return the challenges created before `since` that nobody has played, alone or in teams."""
    return Challenge.objects.filter(made_at__lt=since, plays=None, team_matches=None)


def ended_logins(now: datetime) -> QuerySet[UserSession]:
    """Return django-allauth's records of expired sessions. Recent records may precede their session."""
    sessions = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=now)
    return UserSession.objects.filter(~Exists(sessions), created_at__lt=now - timedelta(days=1))


def old_addresses(now: datetime) -> QuerySet[UserSession]:
    """Return django-allauth's records of log-ins that are too old to keep their address."""
    return UserSession.objects.filter(created_at__lt=now - ADDRESS_LIFETIME).exclude(ip=NO_ADDRESS)


def _remove_addresses(rows: QuerySet[UserSession]) -> None:
    rows.update(ip=NO_ADDRESS)


def _in_batches[M: Model](rows: QuerySet[M], act: Callable[[QuerySet[M]], None]) -> int:
    """Call the function `act` for all rows, in batches with a transaction each. Return the number of rows."""
    keys = list(rows.values_list("pk", flat=True))
    for batch in batched(keys, BATCH):
        with transaction.atomic():
            act(rows.filter(pk__in=batch))  # without rows that have changed in the meantime
    return len(keys)


def _delete(rows: QuerySet[Any]) -> None:
    rows.delete()


def _delete_unused(rows: QuerySet[Any]) -> None:
    """Lock the rows, and delete the ones that are still unused."""
    keys = list(rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    rows.filter(pk__in=keys).delete()


def _close(matches: QuerySet[Match]) -> None:
    for code in matches.values_list("code", flat=True):
        close_table(code)
