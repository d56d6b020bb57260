"""Remove tables that nobody played, guests who are gone and log-ins that have ended."""

from datetime import timedelta
from itertools import batched

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.addresses import expired_addresses
from accounts.guests import abandoned_guests
from accounts.models import Exclusion
from games.challenges.models import Challenge, TeamMatch
from games.models import Gap, Match, Move, Seat, counting
from games.notifications import finding, outbox
from games.play.due import close_table
from games.play.pace import SPEEDS

BATCH = 100  # rows written in one transaction, so that nobody who plays waits for long


class Command(BaseCommand):
    help = "Removes tables nobody played, guests who are gone and log-ins that have ended. Run it once a day."

    def add_arguments(self, parser):
        parser.add_argument("--days", type=int, default=30, help="how long closed tables and idle guests are kept")
        parser.add_argument("--idle-days", type=int, default=14, help="after which an untimed match is given up")
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *, days, idle_days, dry_run, **_):
        if min(days, idle_days) < 1:
            raise CommandError("Days are counted from 1.")
        now = timezone.now()
        since = now - timedelta(days=days)
        steps = [
            ("untimed matches closed that nobody went on with", idle_matches(now - timedelta(days=idle_days)), _close),
            ("log-ins removed whose session has ended", ended_logins(now), _delete),
            ("sessions removed that had ended", Session.objects.filter(expire_date__lt=now), _delete),
            ("closed tables removed", unwanted_tables(since), _delete),
            ("guests removed", abandoned_guests(since), _delete),
            ("exclusions removed that have ended", Exclusion.objects.filter(until__lt=now), _delete),
            ("former email addresses forgotten", expired_addresses(now), _delete),
            ("messages forgotten that were sent", outbox.sent_before(now - outbox.LIFETIME), _delete),
            ("ends of matches forgotten that were looked at", finding.old_progress(now), _delete),
            ("team matches removed that were never begun", unbegun_teams(since), _delete_unused),
            ("challenges removed that nobody has taken up", unplayed_challenges(since), _delete_unused),
            ("outages forgotten", Gap.objects.filter(is_settled=True, ended_at__lt=since), _delete),
        ]
        for words, rows, act in steps:
            count = rows.count() if dry_run else _in_batches(rows, act)
            self.stdout.write(f"{count} {words}")
        if dry_run:
            self.stdout.write("This was a dry run: nothing was changed.")


def idle_matches(since):
    """The matches without a clock in which nothing has happened since then."""
    untimed = [speed.slug for speed in SPEEDS.values() if not speed.is_timed]
    return Match.objects.filter(status=Match.Status.PLAYING, speed__in=untimed, turn_started_at__lt=since)


def unwanted_tables(since):
    """Those closed before `since` at which nobody made a move, or nobody is left; all that count for nothing."""
    here = {"match": OuterRef("pk")}
    played = Exists(Move.objects.filter(**here, actor=Move.Actor.PLAYER))
    somebody = Exists(Seat.objects.filter(**here, user__isnull=False).exclude(user__in=abandoned_guests(since)))
    closed = Match.objects.filter(status=Match.Status.CLOSED, ended_at__lt=since)
    return closed.exclude(played & somebody & counting())


def unbegun_teams(since):
    """The team matches that have waited since then, or of which no table is left."""
    return TeamMatch.objects.filter(made_at__lt=since, tables=None)


def unplayed_challenges(since):
    """The challenges made before `since` that nobody has played, alone or in teams."""
    return Challenge.objects.filter(made_at__lt=since, plays=None, team_matches=None)


def ended_logins(now):
    """What django-allauth knows of sessions that are no more; the youngest may be just being made."""
    sessions = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=now)
    return UserSession.objects.filter(~Exists(sessions), created_at__lt=now - timedelta(days=1))


def _in_batches(rows, act):
    """Let `act` do its work with all the rows, some at a time. Returns how many there were."""
    keys = list(rows.values_list("pk", flat=True))
    for batch in batched(keys, BATCH):
        with transaction.atomic():
            act(rows.filter(pk__in=batch))  # those that still are as they were
    return len(keys)


def _delete(rows):
    rows.delete()


def _delete_unused(rows):
    """Delete rows once nobody is just taking them up, but for those that were."""
    keys = list(rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    rows.filter(pk__in=keys).delete()


def _close(matches):
    for code in matches.values_list("code", flat=True):
        close_table(code)
