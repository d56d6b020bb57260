"""What people mind, and what moderators do about it: each report keeps the lines around."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts.limits import allow_user
from accounts.models import User
from games.chat.models import ChatMessage, DirectMessage, Report, ReportedMessage, Silence
from games.chat.phrases import phrases_of
from games.chat.posting import TooFast, tell
from games.chat.wording import without_unseen
from games.kit.language import lazy, say, say_count
from games.languages import speaking
from games.play import metrics
from games.play.errors import Refused

AROUND = 10  # lines before and after
MOST_WAITING = 10  # reports of one person

taken_back = Signal()  # sent with `kind`, `key` and `hidden`: words that are kept elsewhere are hidden, or shown again


def report_line(user: User, line: ChatMessage, reason: object, note: object = "") -> Report:
    """Report a line that somebody has read at a table. Returns the Report. Raises Refused."""
    lines = ChatMessage.objects.filter(match=line.match_id).select_related("user")
    before = reversed(lines.filter(pk__lte=line.pk).order_by("-pk")[: AROUND + 1])
    around = [*before, *lines.filter(pk__gt=line.pk)[:AROUND]]
    phrases = phrases_of(line.match.game)
    context = [
        ReportedMessage(
            user=each.user,
            words=phrases[each.phrase].words if each.phrase in phrases else each.text or each.phrase,
            said_at=each.said_at,
            is_reported=each == line,
        )
        for each in around
    ]
    report = Report(reported=line.user, match_id=line.match_id, about=f"line {line.pk}")
    return _stored(user, report, context, reason, note)


def report_message(user: User, message: DirectMessage, reason: object, note: object = "") -> Report:
    """Report a message that a friend has written. Returns the Report. Raises Refused."""
    between = conversation(user, message.sender)
    before = reversed(between.filter(pk__lte=message.pk).order_by("-pk")[: AROUND + 1])
    context = [
        ReportedMessage(user=each.sender, words=each.text, said_at=each.sent_at, is_reported=each == message)
        for each in [*before, *between.filter(pk__gt=message.pk)[:AROUND]]
    ]
    return _stored(user, Report(reported=message.sender, about=f"message {message.pk}"), context, reason, note)


def conversation(user: User, other: User):
    """All messages between two users, in order."""
    both = DirectMessage.objects.filter(sender=user, recipient=other) | DirectMessage.objects.filter(
        sender=other, recipient=user
    )
    return both.select_related("sender").order_by("pk")


def report_words(user: User, report: Report, words: str, reason: object, note: object = "") -> Report:
    """Report words of somebody's that stand elsewhere. Returns the Report. Raises Refused.

    report: with "reported", the author; "about", what the words stand on, a kind and a key ("club 12"); and "match",
    the one that they are about. Who keeps such things hears of `taken_back`.
    """
    context = [ReportedMessage(user=report.reported, words=words, said_at=timezone.now(), is_reported=True)]
    return _stored(user, report, context, reason, note)


def _stored(user, report, context, reason, note):
    if report.reported_id == user.pk:
        raise Refused(lazy("You wrote this yourself. Choose what somebody else wrote."))
    if reason not in Report.Reason.values:
        raise Refused(lazy("Choose what is wrong with it."))
    if Report.objects.filter(reporter=user, about=report.about).exists():
        raise Refused(lazy("You have reported that already. A moderator will look at it."))
    if Report.objects.filter(reporter=user, state=Report.State.OPEN).count() >= MOST_WAITING:
        raise Refused(
            lazy("Several of your reports still wait for a moderator. Please wait until they have been looked at.")
        )
    if not allow_user(user, "report"):
        raise TooFast(lazy("You have reported a lot at once. Wait a while."))
    report.reporter, report.reason = user, reason
    report.note = without_unseen(str(note))[:300]
    try:
        with transaction.atomic():
            report.save()
            for line in context:
                line.report = report
            ReportedMessage.objects.bulk_create(context)
    except IntegrityError:
        raise Refused(lazy("You have reported that already. A moderator will look at it.")) from None
    metrics.REPORTS.inc()
    return report


# What moderators do


@transaction.atomic
def silence(report: Report, moderator: User, days: int | None) -> Silence:
    """Keep who was reported from talking, for so many days or for good (None)."""
    until = timezone.now() + timedelta(days=days) if days else None
    with speaking(report.reported.language_read):
        reason = report.get_reason_display()
    made = Silence.objects.create(user=report.reported, reason=reason, until=until, by=moderator)
    for_days = say_count(days or 0, "Can’t talk for {number} day", "Can’t talk for {number} days")
    decide(report, moderator, Report.State.ACTED, for_days if days else say("Can’t talk any more"))
    return made


@transaction.atomic
def hide(report: Report, moderator: User) -> None:
    """Take what was reported back, so that nobody reads it any more."""
    _set_hidden(report, True)
    decide(report, moderator, Report.State.ACTED, say("Taken back"))


@transaction.atomic
def reopen(report: Report, moderator: User) -> None:
    """Let a report wait again, and show what was taken back for it. A silence is lifted by itself."""
    _set_hidden(report, False)
    decide(report, moderator, Report.State.OPEN, "")


def decide(report: Report, moderator: User, state: str, outcome: str) -> None:
    """Note what has become of a report; what was done for it before stays noted."""
    report.state, report.decided_by = state, moderator
    report.decided_at = timezone.now() if state != Report.State.OPEN else None
    report.outcome = "; ".join(filter(None, [report.outcome, outcome]))[:200] if outcome else ""
    report.save(update_fields=["state", "decided_by", "decided_at", "outcome"])
    if report.decided_at and report.reported_id is None:
        report.messages.filter(user=None).delete()  # kept only for this decision


def forget(instance: User, **_) -> None:
    """A receiver of `pre_delete`: of a user who goes only the reports that wait stay, with their own words there."""
    instance.reports.exclude(state=Report.State.OPEN).delete()
    ReportedMessage.objects.filter(user=instance).exclude(report__reported=instance).delete()


def lift(made: Silence) -> None:
    """Let somebody talk again."""
    made.lifted_at = timezone.now()
    made.save(update_fields=["lifted_at"])


def _set_hidden(report: Report, hidden: bool) -> None:
    kind, _, key = report.about.partition(" ")
    if kind == "message":
        DirectMessage.objects.filter(pk=key).update(hidden=hidden)
    elif kind != "line":
        taken_back.send(Report, kind=kind, key=key, hidden=hidden)
    elif ChatMessage.objects.filter(pk=key).update(hidden=hidden) and report.match:
        tell(report.match.code)
