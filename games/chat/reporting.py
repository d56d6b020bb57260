"""Report lines and messages, and act on reports. Each report keeps a copy of the lines around."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import timezone

from accounts.limits import allow_user
from accounts.models import User
from games.chat.models import ChatMessage, DirectMessage, Report, ReportedMessage, Silence
from games.chat.phrases import phrases_of
from games.chat.posting import TooFast, announce_talk
from games.chat.wording import without_unseen
from games.kit.language import lazy, say, say_count
from games.languages import using_language
from games.play import metrics
from games.play.errors import Refused

AROUND = 10  # Lines before and after the reported line.
MOST_WAITING = 10  # Open reports by one user.

# Sent with `kind`, `key` and `hidden`, to hide or show reported words that another app stores.
taken_back = Signal()


def report_line(user: User, line: ChatMessage, reason: object, note: object = "") -> Report:
    """Report a line in the chat of a match or a club to the moderators, and return the report. Raise Refused.

    The report keeps a copy of the lines around it, AROUND before and after. note: what the user adds to the reason.
    """
    lines = ChatMessage.objects.filter(match=line.match_id, club=line.club_id).select_related("user")
    before = reversed(lines.filter(pk__lte=line.pk).order_by("-pk")[: AROUND + 1])  # With the line itself.
    around = [*before, *lines.filter(pk__gt=line.pk)[:AROUND]]
    phrases = phrases_of(line.match.game) if line.match else {}

    def words_of(neighbour: ChatMessage) -> str:
        """Return a ready-made phrase in words, or a free text."""
        phrase = phrases.get(neighbour.phrase)
        return phrase.words if phrase else neighbour.text or neighbour.phrase

    context = [
        ReportedMessage(
            user=neighbour.user, words=words_of(neighbour), said_at=neighbour.said_at, is_reported=neighbour == line
        )
        for neighbour in around
    ]
    report = Report(reported=line.user, match_id=line.match_id, about=f"line {line.pk}")
    return _store_report(user, report, context, reason, note)


def report_message(user: User, message: DirectMessage, reason: object, note: object = "") -> Report:
    """Report a message from a friend to the moderators, and return the report. Raise Refused.

    The report keeps a copy of the messages around it, AROUND before and after. note: what the user adds to the reason.
    """
    messages = conversation(user, message.sender)
    before = reversed(messages.filter(pk__lte=message.pk).order_by("-pk")[: AROUND + 1])  # With the message itself.
    context = [
        ReportedMessage(
            user=neighbour.sender, words=neighbour.text, said_at=neighbour.sent_at, is_reported=neighbour == message
        )
        for neighbour in [*before, *messages.filter(pk__gt=message.pk)[:AROUND]]
    ]
    return _store_report(user, Report(reported=message.sender, about=f"message {message.pk}"), context, reason, note)


def conversation(user: User, other: User) -> QuerySet[DirectMessage]:
    """Return all messages between two users, in order."""
    both = DirectMessage.objects.filter(sender=user, recipient=other) | DirectMessage.objects.filter(
        sender=other, recipient=user
    )
    return both.select_related("sender").order_by("pk")


def report_words(user: User, report: Report, words: str, reason: object, note: object = "") -> Report:
    """Report words that another app stores, such as the description of a club. Return the report. Raise Refused.

    report: an unsaved Report with the author as `reported`, a kind and a key as `about` ("club 12"), and perhaps a
    `match`. The other app listens to the signal `taken_back`, and hides the words if a moderator decides so.
    """
    context = [ReportedMessage(user=report.reported, words=words, said_at=timezone.now(), is_reported=True)]
    return _store_report(user, report, context, reason, note)


def _store_report(user: User, report: Report, context: list[ReportedMessage], reason: object, note: object) -> Report:
    """Store a report with its context (a copy of the words and of what was said around them), after all checks.

    user: the one who reports. reason: of Report.Reason. Raise Refused.
    """
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
    except IntegrityError:  # Two clicks at once.
        raise Refused(lazy("You have reported that already. A moderator will look at it.")) from None
    metrics.REPORTS.inc()
    return report


# What moderators do


@transaction.atomic
def silence(report: Report, moderator: User, days: int | None) -> Silence:
    """Forbid the reported user to write anything, for a number of days or for good (None). This decides the report."""
    until = timezone.now() + timedelta(days=days) if days else None
    with using_language(report.reported.language_read):  # The user reads the reason, not the moderator.
        reason = report.get_reason_display()
    new_silence = Silence.objects.create(user=report.reported, reason=reason, until=until, by=moderator)
    for_days = say_count(days or 0, "Can’t talk for {number} day", "Can’t talk for {number} days")
    decide(report, moderator, Report.State.ACTED, for_days if days else say("Can’t talk any more"))
    return new_silence


@transaction.atomic
def hide(report: Report, moderator: User) -> None:
    """Hide the reported words from everybody else."""
    _set_hidden(report, True)
    decide(report, moderator, Report.State.ACTED, say("Taken back"))


@transaction.atomic
def reopen(report: Report, moderator: User) -> None:
    """Open a report again and show its hidden words. This does not lift a silence."""
    _set_hidden(report, False)
    decide(report, moderator, Report.State.OPEN, "")


def decide(report: Report, moderator: User, state: object, outcome: str) -> None:
    """Store a moderator's decision about a report. state: a value of Report.State.

    outcome: what was done, in words. It is added to earlier outcomes of the same report. "" deletes them.
    """
    report.state, report.decided_by = state, moderator
    report.decided_at = timezone.now() if state != Report.State.OPEN else None
    report.outcome = "; ".join(filter(None, [report.outcome, outcome]))[:200] if outcome else ""
    report.save(update_fields=["state", "decided_by", "decided_at", "outcome"])
    if report.decided_at and report.reported_id is None:
        report.messages.filter(user=None).delete()  # These lines were only kept for this decision.


def forget(instance: User, **_: object) -> None:
    """Delete a user's words in reports, before the user is deleted. A receiver of the signal `pre_delete`.

    Reports about the user stay until a moderator has decided.
    """
    instance.reports.exclude(state=Report.State.OPEN).delete()
    ReportedMessage.objects.filter(user=instance).exclude(report__reported=instance).delete()


def lift(silence: Silence) -> None:
    silence.lifted_at = timezone.now()
    silence.save(update_fields=["lifted_at"])


def _set_hidden(report: Report, hidden: bool) -> None:
    """Hide the reported words from everybody but their author, or show them again."""
    kind, _, key = report.about.partition(" ")  # "line 5", "message 7", or "club 12" for words of another app.
    if kind == "message":
        DirectMessage.objects.filter(pk=key).update(hidden=hidden)
    elif kind != "line":
        taken_back.send(Report, kind=kind, key=key, hidden=hidden)
    elif ChatMessage.objects.filter(pk=key).update(hidden=hidden):
        if report.match:
            announce_talk(report.match.code)
        else:
            taken_back.send(Report, kind=kind, key=key, hidden=hidden)  # It was said in a club.
