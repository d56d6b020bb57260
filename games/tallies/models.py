"""Tallies: scores of games at real tables. Everything but the names follows from their entries."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from games.models import new_code

LONGEST_NAME = 24
CONFIRMED = Q(user__isnull=False, confirmed_at__isnull=False)  # for players: members who have said that it was them


def new_key() -> str:
    """Return the secret part of a link, with 96 random bits."""
    return secrets.token_urlsafe(12)


class Tally(models.Model):
    """The score of one match at a real table.

    Results are stored again with each entry, because lists of matches and standings ask for them.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=32, help_text="The game’s slug.")
    rules_version = models.PositiveSmallIntegerField()
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(help_text="Complete, as rules.clean_options gave them.")
    keeper = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tallies", db_index=False
    )
    club = models.ForeignKey("clubs.Club", null=True, blank=True, on_delete=models.SET_NULL, related_name="tallies")
    form_key = models.CharField(
        max_length=32, blank=True, help_text="Of the form that began it: sent twice it begins one."
    )
    read_key = models.CharField(
        max_length=32, blank=True, editable=False, help_text="Of its link; empty while that is off."
    )
    write_key = models.CharField(max_length=32, blank=True, editable=False, help_text="Of the link for other writers.")
    revision = models.PositiveIntegerField(default=0, help_text="How often it was changed.")
    deal_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False, help_text="Of its last deal, once it is over or closed.")

    class Meta:
        indexes = [models.Index(fields=["keeper", "-id"], name="tally_of_keeper")]
        constraints = [
            models.UniqueConstraint(fields=["keeper", "form_key"], condition=~Q(form_key=""), name="tally_form_once")
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("tally", args=[self.code])


class TallyPlayer(models.Model):
    """A person at the table. The keeper types the name. A member who is linked with it has to confirm that."""

    tally = models.ForeignKey(Tally, on_delete=models.CASCADE, related_name="players", db_index=False)
    seat = models.PositiveSmallIntegerField()
    team = models.PositiveSmallIntegerField(null=True)
    name = models.CharField(max_length=LONGEST_NAME, blank=True, help_text="Empty once it was removed.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="tally_seats"
    )
    confirmed_at = models.DateTimeField(null=True, help_text="When the member said that it was them.")
    removal_asked_at = models.DateTimeField(null=True, help_text="When somebody asked to have the name removed.")
    score = models.FloatField(null=True)
    finish = models.PositiveSmallIntegerField(null=True, help_text="The place in the standings, once it is over.")

    class Meta:
        ordering = ["tally", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["tally", "seat"], name="tally_seat_once"),
            models.UniqueConstraint(fields=["tally", "user"], condition=Q(user__isnull=False), name="tally_user_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.tally_id}"


class TallyWriter(models.Model):
    """A user who may write entries, like the keeper."""

    tally = models.ForeignKey(Tally, on_delete=models.CASCADE, related_name="writers", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies_written")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tally", "user"], name="tally_writer_once")]

    def __str__(self) -> str:
        return f"{self.user_id} writes {self.tally_id}"


class TallyEntry(models.Model):
    """An entry, as `games.tallies.folding` explains it. Entries are never changed."""

    tally = models.ForeignKey(Tally, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField(help_text="Its place in the order of the server.")
    uuid = models.UUIDField(help_text="From the device: an entry that comes twice counts once.")
    kind = models.CharField(max_length=8)
    deal = models.PositiveIntegerField(default=0, help_text="The key of the deal; 0 if it is about none.")
    body = models.JSONField(default=dict)
    seen = models.CharField(max_length=36, blank=True, help_text="The deal’s last entry that its writer saw.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tally_entries")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tally", "number"], name="tally_entry_number_once"),
            models.UniqueConstraint(fields=["tally", "uuid"], name="tally_entry_uuid_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.tally_id}"
