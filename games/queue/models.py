"""The queue of users who want to play with other people now."""

from typing import NamedTuple

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models import Match


class Kind(NamedTuple):
    """What a user waits for. Users who wait for the same can be seated together."""

    game: str
    length: str  # The slug of a format of the game; "" in games without formats.
    rated: bool = False


class QueueEntry(models.Model):
    """A user who waits for players, or is called to the table that was found. A user has at most one entry."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="queue_entry")
    game = models.CharField(max_length=32, help_text="The game's slug.")
    length = models.CharField(max_length=32, blank=True, help_text="The slug of a length of match.")
    rated = models.BooleanField(default=False)
    fill_after = models.PositiveSmallIntegerField(
        null=True, help_text="After this many seconds bots may take the free seats; null: never."
    )
    since = models.DateTimeField(default=timezone.now, help_text="Later by the time in which no page was open.")
    seen_at = models.DateTimeField(default=timezone.now, help_text="When a page of the user last asked.")
    entropy_hash = models.CharField(max_length=64, blank=True, help_text="As in a seat.")
    address = models.CharField(max_length=45, blank=True, editable=False, help_text="For the seat.")
    match = models.ForeignKey(
        Match, null=True, on_delete=models.CASCADE, related_name="called", help_text="The table where a seat is theirs."
    )

    class Meta:
        verbose_name_plural = "queue entries"

    def __str__(self) -> str:
        return f"{self.user_id} waits for {self.game}"

    @property
    def kind(self) -> Kind:
        return Kind(self.game, self.length, self.rated)
