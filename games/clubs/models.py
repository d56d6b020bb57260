"""Clubs, their members, and their presets for tables."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from games.models import new_code

LONGEST_NAME, LONGEST_TEXT, LONGEST_NOTICE = 40, 200, 1000


def new_invitation() -> str:
    """Return the secret part of an invitation link, with 128 random bits."""
    return secrets.token_urlsafe(16)


class Club(models.Model):
    """A private group. Others only see its name and text, and only by its invitation link."""

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.CharField(max_length=LONGEST_TEXT, blank=True)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=gettext_lazy("Who wrote the name and the text as they are now."),
    )
    invitation = models.CharField(
        max_length=32, blank=True, editable=False, help_text=gettext_lazy("Of its link; empty while that is off.")
    )
    removed = models.JSONField(
        default=list,
        editable=False,
        help_text=gettext_lazy("The keys of users who have been removed, and can’t come back by the link."),
    )
    founded_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(
        null=True, editable=False, help_text=gettext_lazy("Since when a moderator keeps it closed to everybody.")
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["invitation"], condition=~Q(invitation=""), name="club_invitation_once")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.code])

    @property
    def leaders(self) -> list[str]:
        """The names of the owner and the officers, the owner first."""
        leaders = self.memberships.exclude(role="member").order_by("-role", "since", "pk")
        return list(leaders.values_list("user__username", flat=True))


class Membership(models.Model):
    """A user's membership of a club."""

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        OFFICER = "officer", gettext_lazy("Officer")
        MEMBER = "member", gettext_lazy("Member")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.UniqueConstraint(fields=["club"], condition=Q(role="owner"), name="membership_one_owner"),
        ]

    def __str__(self) -> str:
        return gettext("{user} in {club}").format(user=self.user_id, club=self.club_id)

    @property
    def leads(self) -> bool:
        """Whether the member may change the club: remove members, write its text, choose its presets."""
        return self.role != self.Role.MEMBER

    @property
    def owns(self) -> bool:
        return self.role == self.Role.OWNER


class ClubNotice(models.Model):
    """A notice of a leader on the board of a club, perhaps of a date. It is deleted with its author's account."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="notices")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_notices")
    text = models.TextField(help_text=gettext_lazy("May have several lines."))
    starts_at = models.DateTimeField(null=True, help_text=gettext_lazy("The date that it announces, if any."))
    written_at = models.DateTimeField(default=timezone.now)
    reminded_at = models.DateTimeField(null=True, help_text=gettext_lazy("When members were reminded of the date."))
    hidden = models.BooleanField(default=False, help_text=gettext_lazy("Taken back by a moderator."))

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["starts_at"],
                name="club_notice_due",
                condition=Q(starts_at__isnull=False, reminded_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]


class TablePreset(models.Model):
    """A named setup of a club, for opening a table with one click."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="table_presets", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    game = models.CharField(max_length=32, help_text=gettext_lazy("The game’s slug."))
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(help_text=gettext_lazy("As rules.clean_options takes them."))
    terms = models.JSONField()  # As Terms.as_json writes them.

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="table_preset_once")]

    def __str__(self) -> str:
        return self.name
