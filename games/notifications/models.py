"""Bells, and notifications of users who have no page open: subscriptions, delivery methods and messages to send."""

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.comments.models import Comment
from games.models import Match


class NotificationKind(models.TextChoices):
    TURN = "turn", gettext_lazy("It is your turn at a slow table or one without a clock")
    STARTED = "started", gettext_lazy("A table that you wait at has started without you")
    INVITATION = "invitation", gettext_lazy("Somebody invites you to a table")
    FRIEND = "friend", gettext_lazy("Somebody asks to be your friend")
    MESSAGE = "message", gettext_lazy("A friend writes to you")
    TEAM = "team", gettext_lazy("A team match that you have joined has begun")
    REPLY = "reply", gettext_lazy("Somebody replies to your comment on a match")
    COMMENT = "comment", gettext_lazy("Somebody comments on a match of yours")
    CHALLENGE = "challenge", gettext_lazy("Somebody plays a challenge of yours")
    CLUB_NEWS = "club_news", gettext_lazy("A club of yours has news")
    READY = "ready", gettext_lazy("The queue has found you a table")
    OVER = "over", gettext_lazy("A match has ended while you were away")
    TEST = "test", gettext_lazy("A message to see whether it arrives")


class Medium(models.TextChoices):
    PUSH = "push", pgettext_lazy("messages", "Push")
    MAIL = "mail", gettext_lazy("Email")
    WEBHOOK = "webhook", gettext_lazy("Webhook")


class DeliveryMethod(models.Model):
    """A way to reach a user: a browser with push messages, their email address, or their webhook.

    Writing and sending its notifications locks its row.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="delivery_methods")
    medium = models.CharField(max_length=8, choices=Medium)
    address = models.CharField(
        max_length=1000, blank=True, help_text=gettext_lazy("The URL to post to; of mail the user says it.")
    )
    public_key = models.CharField(
        max_length=100, blank=True, help_text=gettext_lazy("Of a browser, as it says it: p256dh.")
    )
    secret = models.CharField(max_length=32, blank=True, help_text=gettext_lazy("Of a browser, as it says it: auth."))
    name = models.CharField(max_length=60, blank=True, help_text=gettext_lazy("Of a browser, in words."))
    form = models.CharField(max_length=8, blank=True, help_text=gettext_lazy("What a webhook's body is like."))
    origin = models.CharField(
        max_length=300, help_text=gettext_lazy("Where links lead: the site as its owner reached it.")
    )
    session = models.ForeignKey(
        UserSession,
        null=True,
        on_delete=models.CASCADE,
        help_text=gettext_lazy("Of a browser: its log-in, with which it ends."),
    )
    made_at = models.DateTimeField(default=timezone.now)

    next_at = models.DateTimeField(null=True, help_text=gettext_lazy("When there is something to send by it."))
    quiet_until = models.DateTimeField(
        null=True, help_text=gettext_lazy("Nothing is sent before, so that messages are grouped.")
    )
    is_slow = models.BooleanField(
        null=True, help_text=gettext_lazy("Whether its last message took long, arrived or not; empty: none was sent.")
    )
    failures = models.PositiveSmallIntegerField(default=0, help_text=gettext_lazy("In a row."))
    disabled_at = models.DateTimeField(null=True, help_text=gettext_lazy("When it was given up after failures."))
    trouble = models.CharField(
        max_length=200, blank=True, help_text=gettext_lazy("What was wrong the last time, for its owner.")
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["address"], condition=Q(medium="push"), name="delivery_browser_once"),
            models.UniqueConstraint(
                fields=["user", "medium"], condition=~Q(medium="push"), name="delivery_once_a_medium"
            ),
        ]
        indexes = [models.Index(fields=["next_at"], name="delivery_due", condition=Q(next_at__isnull=False))]

    def __str__(self) -> str:
        return f"{self.medium} to {self.user_id}"


class Subscription(models.Model):
    """A user's wish to be notified of one kind of event by one medium."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions", db_index=False
    )
    medium = models.CharField(max_length=8, choices=Medium)
    kind = models.CharField(max_length=12, choices=NotificationKind)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "medium", "kind"], name="subscription_once")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.medium} to {self.user_id}"


class BellItem(models.Model):
    """An event in the bell of a user, which every page shows. Later events about the same subject renew the row."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bell_items", db_index=False
    )
    kind = models.CharField(max_length=12, choices=NotificationKind)
    subject = models.CharField(
        max_length=40, help_text=gettext_lazy("What it is about: events of a kind with the same subject share a row.")
    )
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    comment = models.ForeignKey(Comment, null=True, on_delete=models.CASCADE, related_name="+")
    club = models.ForeignKey("clubs.Club", null=True, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=200, blank=True, help_text=gettext_lazy("The title of a club’s news."))
    at = models.DateTimeField(default=timezone.now)
    count = models.PositiveIntegerField(default=1, help_text=gettext_lazy("Events since it was last read."))
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "subject"], name="bell_item_once")]
        indexes = [
            models.Index(fields=["user", "-at"], name="bell_item_latest"),
            models.Index(fields=["user"], name="bell_item_unread", condition=Q(read_at__isnull=True)),
            models.Index(fields=["at"], name="bell_item_old"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} for {self.user_id}"


class Notification(models.Model):
    """An event to notify of by one delivery method. It is written in the event's transaction and sent once."""

    method = models.ForeignKey(DeliveryMethod, on_delete=models.CASCADE, related_name="notifications", db_index=False)
    kind = models.CharField(max_length=12, choices=NotificationKind)
    key = models.CharField(max_length=40, help_text=gettext_lazy("What it is about, so that it is told once."))
    item = models.ForeignKey(
        BellItem, null=True, on_delete=models.CASCADE, related_name="+", help_text=gettext_lazy("Its row of the bell.")
    )
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    written_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    handed_at = models.DateTimeField(
        null=True, help_text=gettext_lazy("When it was taken to be sent; null while it waits.")
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["method", "kind", "key"], name="notification_once")]
        indexes = [
            models.Index(fields=["method", "due_at"], name="notification_waiting", condition=Q(handed_at__isnull=True)),
            models.Index(fields=["handed_at"], name="notification_handed", condition=Q(handed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} by {self.method_id}"


class NotificationProgress(models.Model):
    """How far a match has been searched for turns and ends. Only matches with a user to notify have a row."""

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="notification_progress"
    )
    moves = models.PositiveIntegerField(
        default=0, help_text=gettext_lazy("Whose turn it is after so many has been told.")
    )
    over = models.BooleanField(default=False, help_text=gettext_lazy("That it is over has been told."))

    def __str__(self) -> str:
        return f"look at {self.match_id}"
