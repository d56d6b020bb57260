"""What there is to know of finished matches, deal by deal. It follows from their moves, and can be made again."""

from django.db import models

from games.models import Match, Seat


class MatchFacts(models.Model):
    """That the facts of a match are stored, and what it came to."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    deals = models.PositiveIntegerField(help_text="Deals scored.")
    margin = models.FloatField(
        help_text="By how much the winner was ahead of the next side, 0 if the first was shared."
    )
    game = models.CharField(
        max_length=32, default="", db_default="", help_text="The match’s, to find those made before."
    )
    version = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Of the game’s facts, by which they were made."
    )

    class Meta:
        indexes = [models.Index(fields=["game", "version"], name="match_facts_version")]
        verbose_name_plural = "facts of matches"

    def __str__(self):
        return f"facts of {self.match_id}"


class DealFacts(models.Model):
    """A scored deal."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deal_facts", db_index=False)
    number = models.PositiveIntegerField(help_text="Of the deal in the replay, from 1; deals not scored count too.")
    facts = models.JSONField(help_text="Under the keys of the game's rules page.")

    class Meta:
        ordering = ["match", "number"]
        verbose_name_plural = "facts of deals"
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="deal_facts_once")]

    def __str__(self):
        return f"deal {self.number} of {self.match_id}"


class SeatFacts(models.Model):
    """A scored deal as it was for one seat. The seat says who sat there: a deleted account takes nothing away."""

    deal = models.ForeignKey(DealFacts, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="facts")
    points = models.FloatField(help_text="What the deal gave the seat, or its side.")
    score = models.FloatField(help_text="After the deal.")
    facts = models.JSONField(help_text="All others, under the keys of the game's rules page.")

    class Meta:
        ordering = ["deal", "seat"]
        verbose_name_plural = "facts of seats"
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="seat_facts_once")]

    def __str__(self):
        return f"deal {self.deal_id} of seat {self.seat_id}"
