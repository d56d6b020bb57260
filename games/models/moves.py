"""Moves, claims, and reports of odd moves by bots."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from games.models.matches import Match


class Move(models.Model):
    """An entry of a match's list of moves, shuffles included. Never rewritten.

    This is the largest table, so its rows are small: on PostgreSQL the order of the columns avoids padding, and there
    are at most eight. `tests/benchmarks/move_size.py` measures the size.
    """

    class Actor(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        STAND_IN = "stand-in"  # The bot, for one move of a player whose time was up.
        CLAIMED = "claimed"  # Nobody: the rest of a deal after an accepted claim.
        CHANCE = "chance"

    pk = models.CompositePrimaryKey("match", "index")
    played_at = models.DateTimeField()
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)
    index = models.PositiveIntegerField(help_text="The place in the match's list, from 0.")
    seat = models.PositiveSmallIntegerField(null=True, help_text="The seat that moved; null for a shuffle.")
    actor = models.CharField(max_length=8, choices=Actor)
    move = models.JSONField(help_text="As the game's rules page writes it.")

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.CheckConstraint(
                condition=Q(seat__isnull=True, actor="chance") | Q(seat__isnull=False) & ~Q(actor="chance"),
                name="move_seat_unless_chance",
            ),
        ]

    def __str__(self) -> str:
        return f"move {self.index} of {self.match_id}"


class Claim(models.Model):
    """The last claim of a seat in a deal: that it wins all remaining tricks, or none.

    After an accepted claim, the moves from `index` on play the deal out.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="claims", db_index=False)
    deal = models.PositiveIntegerField(help_text="The number of the deal, from 1.")
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4, help_text="all: the rest; none: none of it.")
    index = models.PositiveIntegerField(help_text="How many moves were stored.")
    moves = models.PositiveSmallIntegerField(default=0, help_text="By how many the deal was played out; 0: refused.")
    tricks = models.PositiveSmallIntegerField(default=0, help_text="How many tricks those are.")
    claimed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "deal", "seat"], name="claim_once_a_deal"),
            models.CheckConstraint(condition=Q(kind__in=["all", "none"]), name="claim_kind_known"),
        ]

    def __str__(self) -> str:
        return f"claim of {self.seat} at {self.match_id}"


class OddPlay(models.Model):
    """A user's report of an odd bot move. The host may turn it into a test."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="odd_plays")
    index = models.PositiveIntegerField(help_text="The place of the move in the match's list, from 0.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="odd_plays")
    note = models.CharField(max_length=300, blank=True)
    noted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match", "index"], name="odd_play_once_a_user")]

    def __str__(self) -> str:
        return gettext("{match}, move {number}").format(match=self.match_id, number=self.index)
