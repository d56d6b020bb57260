"""Seats, invitations and vacations."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.matches import Match


class Seat(models.Model):
    """A place at a match, its player and their result."""

    # Both foreign keys lead an index or constraint below, so they need no index of their own.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    place = models.PositiveSmallIntegerField(help_text="The order of sitting down, from 0.")
    number = models.PositiveSmallIntegerField(null=True, help_text="The seat in the rules, drawn by lot at the start.")
    team = models.PositiveSmallIntegerField(null=True, help_text="The side, 0 or 1, where partners play.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats", db_index=False
    )
    name = models.CharField(max_length=40, blank=True, help_text="Of a bot or an imported player, who have no user.")
    bot = models.CharField(max_length=32, blank=True, help_text="The bot that plays this seat for good.")
    entropy_hash = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the entropy: sent when sitting down."
    )
    entropy = models.CharField(max_length=64, blank=True, help_text="Hex digits from the player's browser.")
    form_key = models.CharField(
        max_length=32, blank=True, help_text="Of the form that took the seat: sent twice it takes one."
    )
    network = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        help_text="A keyed hash of the address it was taken from, until the match is over.",
    )
    browser = models.BigIntegerField(
        null=True, editable=False, help_text="The key of the user who first sat here in its browser, until then."
    )
    reserve = models.FloatField(default=0, help_text="Seconds left beyond the time of each move.")
    missed_turns = models.PositiveSmallIntegerField(default=0, help_text="Moves in a row that the stand-in made.")
    connected = models.BooleanField(default=False, help_text="A page of this match is open.")
    seen_at = models.DateTimeField(null=True, editable=False, help_text="When a process last said so.")
    ready = models.BooleanField(default=False, help_text="Has seen the result and waits for the next deal.")
    voted_at = models.PositiveIntegerField(
        null=True, editable=False, help_text="At how many moves they voted that a bot plays for who is away."
    )
    asks_at = models.PositiveIntegerField(
        null=True, editable=False, help_text="At how many moves they asked whether who is to act still plays."
    )
    vacation_until = models.DateTimeField(
        null=True, editable=False, help_text="Until when their clock stands still, where they have days for a move."
    )
    wants_pause = models.BooleanField(default=False, help_text="Asks for a pause, or agrees to one.")
    pause_asked_at = models.PositiveIntegerField(
        null=True, editable=False, help_text="In which deal they were last the first to ask for one."
    )
    moved_by_host = models.BooleanField(
        default=False, help_text="The host has put them on this side, and they are told so."
    )
    left_at = models.DateTimeField(null=True, blank=True, help_text="When the player left the match for good.")
    completed = models.BooleanField(
        null=True, editable=False, help_text="Whether they played on to the end; unknown where nobody relied on it."
    )
    score = models.FloatField(null=True)
    finish = models.PositiveSmallIntegerField(null=True, help_text="The place in the standings, 1 is best.")

    class Meta:
        ordering = ["match", "place"]
        constraints = [
            models.UniqueConstraint(fields=["match", "place"], name="seat_place_once"),
            models.UniqueConstraint(fields=["match", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["match", "user"], condition=Q(user__isnull=False), name="seat_user_once_a_match"
            ),
            models.UniqueConstraint(fields=["user", "form_key"], condition=~Q(form_key=""), name="seat_form_once"),
            models.CheckConstraint(condition=Q(place__lt=8), name="seat_place_range"),
            models.CheckConstraint(condition=Q(number__isnull=True) | Q(number__lt=8), name="seat_number_range"),
        ]
        indexes = [
            models.Index(fields=["user", "-match"], name="seat_history"),
            models.Index(fields=["user", "finish"], name="seat_results"),
            models.Index(fields=["seen_at"], name="seat_connected", condition=Q(connected=True)),
            models.Index(fields=["user", "-match"], name="seat_running", condition=Q(finish__isnull=True)),
            models.Index(fields=["user", "-match"], name="seat_completed", condition=Q(completed__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.match_id}"


class Invitation(models.Model):
    """A seat at an open table, reserved by the host. Deleted when the table starts or closes."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    team = models.PositiveSmallIntegerField(null=True, help_text="The side of that seat; null for either.")
    sent_at = models.DateTimeField(default=timezone.now)
    declined_at = models.DateTimeField(null=True, help_text="Since when no seat is kept: they won’t be asked again.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.match_id}"


class Vacation(models.Model):
    """The vacation of a user. It stops their clocks at tables with days for each move."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacation")
    until = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="The calendar year that `days` counts for.")
    days = models.PositiveSmallIntegerField(default=0, help_text="Days taken in that year.")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(days__lte=366), name="vacation_days_of_a_year")]

    def __str__(self) -> str:
        return f"vacation of {self.user_id} until {self.until:%Y-%m-%d}"
