"""Facts about finished matches and their deals. They are computed from the moves and can be recomputed."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan, LessThanOrEqual

from games.models import Match, Seat

SHORT = 2_000  # The most letters that an index holds. PostgreSQL allows about 2,600 bytes per row.
BY_LENGTH = models.Q(LessThanOrEqual(Length("letters"), SHORT)), models.Q(GreaterThan(Length("letters"), SHORT))

RECORD = [
    "seats",
    "speed",
    "rated",
    "finish",
    "began_at",
    "bots",
    "left",
    "margin",
    "deals",
    "team",
]  # The columns that searches read.


class MatchFacts(models.Model):
    """Facts about a finished match. The row exists once the facts of its deals are stored."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    deals = models.PositiveIntegerField(help_text="Deals scored.")
    margin = models.FloatField(
        help_text="By how much the winner was ahead of the next side, 0 if the first was shared."
    )
    game = models.CharField(max_length=32, help_text="The match’s.")
    version = models.PositiveSmallIntegerField(help_text="Of the game’s facts, by which they were made.")

    class Meta:
        indexes = [models.Index(fields=["game", "version"], name="match_facts_version")]
        verbose_name_plural = "facts of matches"

    def __str__(self) -> str:
        return f"facts of {self.match_id}"


class DealFacts(models.Model):
    """Facts about a scored deal."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deal_facts", db_index=False)
    number = models.PositiveIntegerField(help_text="Of the deal in the replay, from 1; deals not scored count too.")
    facts = models.JSONField(help_text="Under the keys of the game's rules page.")

    class Meta:
        ordering = ["match", "number"]
        verbose_name_plural = "facts of deals"
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="deal_facts_once")]

    def __str__(self) -> str:
        return f"deal {self.number} of {self.match_id}"


class SeatFacts(models.Model):
    """Facts about a scored deal for one seat. They stay if the account of the player is deleted."""

    deal = models.ForeignKey(DealFacts, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="facts")
    points = models.FloatField(help_text="What the deal gave the seat, or its side.")
    score = models.FloatField(help_text="After the deal.")
    facts = models.JSONField(help_text="All others, under the keys of the game's rules page.")

    class Meta:
        ordering = ["deal", "seat"]
        verbose_name_plural = "facts of seats"
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="seat_facts_once")]

    def __str__(self) -> str:
        return f"deal {self.deal_id} of seat {self.seat_id}"


class PlayedMatch(models.Model):
    """A finished match of one player, with every column that searches use.

    Its indexes keep the rows of a user together, so that the matches of other users do not slow down a search.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="played_matches", db_index=False
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="played_matches")
    game = models.CharField(max_length=32)
    seats = models.PositiveSmallIntegerField(help_text="How many there were.")
    speed = models.CharField(max_length=16)
    rated = models.BooleanField()
    team = models.PositiveSmallIntegerField(null=True)
    finish = models.PositiveSmallIntegerField()
    began_at = models.DateTimeField(help_text="When its table was opened.")
    bots = models.BooleanField(help_text="A bot played.")
    left = models.BooleanField(help_text="Somebody left.")
    margin = models.FloatField(null=True, help_text="As MatchFacts has it.")
    deals = models.PositiveIntegerField(null=True, help_text="As MatchFacts has it.")
    letters = models.TextField(default="", help_text="What is true of each deal: see deal_index.answered.")
    questions = models.CharField(max_length=8, default="", help_text="A hash of the questions that those answer.")

    class Meta:
        verbose_name_plural = "played"
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="played_once")]
        indexes = [
            models.Index(
                fields=["user", "-match"],
                include=["game", *RECORD],
                name="played_results",
            ),
            models.Index(fields=["user", "game", "-match"], name="played_game"),
            models.Index(fields=["game", "questions"], name="played_questions"),
            models.Index(
                fields=["user", "game", "-match"],
                include=[*RECORD, "questions", "letters"],
                condition=BY_LENGTH[0],
                name="played_letters",
            ),
            models.Index(fields=["user", "game", "-match"], condition=BY_LENGTH[1], name="played_long"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} of {self.user_id}"
