"""Chat lines, messages between friends, mutes and settings, reports, silences and corrections."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from games.models import Match

LONGEST = 200  # Characters of a line.


class ChatMessage(models.Model):
    """A line at a match or in a club: a phrase, or the user's own words. It is deleted with the user's account."""

    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="chat_messages", db_index=False)
    club = models.ForeignKey(
        "clubs.Club", null=True, on_delete=models.CASCADE, related_name="chat_messages", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_messages")
    watching = models.BooleanField(
        help_text=gettext_lazy("Said by somebody who had no seat: players see it when the match is over.")
    )
    phrase = models.CharField(max_length=24, blank=True, help_text=gettext_lazy("The key of a phrase."))
    text = models.CharField(max_length=LONGEST, blank=True)
    move_count = models.PositiveIntegerField(help_text=gettext_lazy("Moves stored when it was said."))
    said_at = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField(default=False, help_text=gettext_lazy("Taken back by a moderator."))

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(phrase="") & ~Q(text="") | ~Q(phrase="") & Q(text=""), name="chat_phrase_or_text"
            ),
            models.CheckConstraint(
                condition=Q(match__isnull=True, club__isnull=False, phrase="") | Q(match__isnull=False, club=None),
                name="chat_at_match_or_in_club",
            ),
        ]
        indexes = [
            models.Index(fields=["match", "id"], name="chat_of_match"),
            models.Index(fields=["club", "id"], name="chat_of_club", condition=Q(club__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} at {self.match_id or self.club_id}"


class DirectMessage(models.Model):
    """A message to a friend. It is deleted with either account."""

    sender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_sent")
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_received", db_index=False
    )
    text = models.CharField(max_length=1000)
    sent_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)
    hidden = models.BooleanField(default=False, help_text=gettext_lazy("Taken back by a moderator."))

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(sender=F("recipient")), name="direct_message_of_two")]
        indexes = [
            models.Index(fields=["recipient", "sender", "id"], name="direct_message_of_pair"),
            models.Index(fields=["recipient"], name="direct_message_unread", condition=Q(read_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"


class Mute(models.Model):
    """A user hides the words of another user, who is not notified."""

    muter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes", db_index=False)
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["muter", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(muter=F("muted")), name="mute_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.muter_id} has muted {self.muted_id}"


class ChatSettings(models.Model):
    """A user's chat settings. Users without a row read and write freely."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_settings")
    phrases_only = models.BooleanField(
        default=False, help_text=gettext_lazy("Neither writes nor reads words of people’s own.")
    )

    class Meta:
        verbose_name_plural = gettext_lazy("wishes")

    def __str__(self) -> str:
        return f"wish of {self.user_id}"


class Spectators(models.Model):
    """The watchers of a match at one server process. A row expires unless the process renews it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="spectators", db_index=False)
    process = models.CharField(max_length=32)
    users = models.JSONField(default=list, help_text=gettext_lazy("Their keys."))
    others = models.PositiveIntegerField(default=0, help_text=gettext_lazy("How many are nobody known."))
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="spectators_once_a_process")]
        verbose_name_plural = gettext_lazy("watching")

    def __str__(self) -> str:
        return f"{self.match_id} from {self.process}"


class Report(models.Model):
    """A complaint about a user's words, with copies of the lines around them."""

    class Reason(models.TextChoices):
        RUDE = "rude", gettext_lazy("Rude or hateful")
        SPAM = "spam", gettext_lazy("Spam or advertising")
        CHEATING = "cheating", gettext_lazy("Tells about cards")
        OTHER = "other", gettext_lazy("Something else")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Waits")
        ACTED = "acted", gettext_lazy("Something was done")
        DISMISSED = "dismissed", gettext_lazy("Nothing to do")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports_made"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,  # `reporting.forget` deletes decided reports.
        related_name="reports",
        help_text=gettext_lazy("Empty: they have deleted their account while it waited."),
    )
    match = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="reports", db_index=False)
    about = models.CharField(max_length=24, help_text=gettext_lazy("What of theirs: a line or a message, by its key."))
    reason = models.CharField(max_length=8, choices=Reason)
    note = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    outcome = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["reporter", "about"], name="report_once")]
        indexes = [models.Index(fields=["-id"], name="report_waiting", condition=Q(state="open"))]

    def __str__(self) -> str:
        return gettext("report {number}").format(number=self.pk)


class ReportedMessage(models.Model):
    """A copy of a line, taken when it or a line near it was reported. It is deleted with its author's account.

    Lines of the reported account stay without its name until the report is decided.
    """

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="messages")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    words = models.CharField(max_length=1000)
    said_at = models.DateTimeField()
    is_reported = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return gettext("line of report {number}").format(number=self.report_id)


class Silence(models.Model):
    """A moderator's ban on a user's talk, for a time or for good."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences")
    reason = models.CharField(max_length=200, help_text=gettext_lazy("Shown to them when they want to say something."))
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True, help_text=gettext_lazy("Empty: for good."))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return gettext("silence of {user}").format(user=self.user_id)


class Correction(models.Model):
    """Words on a page that a member finds wrong, and better ones. It is deleted with the member's account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="corrections")
    page = models.CharField(max_length=200, blank=True, help_text=gettext_lazy("Empty: an address without a page."))
    language = models.CharField(max_length=10)
    words = models.CharField(max_length=300, help_text=gettext_lazy("As the page has them."))
    suggestion = models.CharField(max_length=300)
    sent_at = models.DateTimeField(default=timezone.now)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["-id"], name="correction_waiting", condition=Q(done_at__isnull=True))]

    def __str__(self) -> str:
        return gettext("correction {number}").format(number=self.pk)


class ForbiddenWord(models.Model):
    """A word that nobody may write on this site."""

    word = models.CharField(
        max_length=40,
        unique=True,
        help_text=gettext_lazy("Whole words. An asterisk at the end matches any ending."),
    )

    def __str__(self) -> str:
        return self.word
