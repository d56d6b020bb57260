"""Ratings, and what each rated match did to them. It follows from the record, and can be made again."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match, Seat


class Pace(models.TextChoices):
    """Two kinds of speed, rated apart."""

    LIVE = "live", pgettext_lazy("pace", "Live")
    SLOW = "slow", _("Days for each move")


class RatedPlayer(models.Model):
    """Somebody who is rated. Without their account they are nobody, but others' ratings still rest on theirs."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="rated_player"
    )
    hides_ratings = models.BooleanField(default=False, help_text="Others see no ratings of this player.")

    def __str__(self):
        return f"rated player {self.pk}"


class Board(models.Model):
    """What is rated together: a game at one pace. Locked by whoever rates its matches, which go one after the other."""

    game = models.CharField(max_length=32, help_text="The game’s slug.")
    pace = models.CharField(max_length=8, choices=Pace)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "pace"], name="board_once")]

    def __str__(self):
        return f"{self.game}, {self.pace}"


class RatedMatch(models.Model):
    """That a match has been rated, after all that ended before it on its board."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="rating")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="rated_matches", db_index=False)
    ended_at = models.DateTimeField(help_text="As the match has it: matches are rated in this order.")

    class Meta:
        verbose_name_plural = "rated matches"
        indexes = [models.Index(fields=["board", "ended_at", "match"], name="rated_match_order")]

    def __str__(self):
        return f"rating of {self.match_id}"


class RatingChange(models.Model):
    """What a match did to the rating of a player. mu and sigma as openskill has them."""

    rated = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="changes", db_index=False)
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="rating_change")
    player = models.ForeignKey(RatedPlayer, on_delete=models.CASCADE, related_name="changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rated", "player"], name="rating_change_once")]

    def __str__(self):
        return f"seat {self.seat_id}: {self.mu_before:.2f} to {self.mu:.2f}"


class Rating(models.Model):
    """How strong a player is on a board, after their last match there."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    player = models.ForeignKey(RatedPlayer, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["board", "player"], name="rating_once")]
        indexes = [models.Index(fields=["board", "-mu"], name="rating_order")]

    def __str__(self):
        return f"{self.player_id} on {self.board_id}: {self.mu:.2f}"
