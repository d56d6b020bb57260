"""Ratings, and their changes by each match. All of this can be computed again from the stored matches."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match, Seat


class Pace(models.TextChoices):
    """The two kinds of speed. Each has its own ratings."""

    LIVE = "live", pgettext_lazy("pace", "Live")
    SLOW = "slow", _("Days for each move")


class RatedPlayer(models.Model):
    """A player with ratings. It outlives the account, because the ratings of others depend on it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="rated_player"
    )
    hides_ratings = models.BooleanField(default=False, help_text="Others see no ratings of this player.")

    def __str__(self) -> str:
        return f"rated player {self.pk}"


class Board(models.Model):
    """A game at one pace, with its own ratings. Its row is locked while its matches are rated."""

    game = models.CharField(max_length=32, help_text="The game’s slug.")
    pace = models.CharField(max_length=8, choices=Pace)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "pace"], name="board_once")]

    def __str__(self) -> str:
        return f"{self.game}, {self.pace}"


class RatedMatch(models.Model):
    """A match that has been rated."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="rating")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="rated_matches", db_index=False)
    ended_at = models.DateTimeField(help_text="As the match has it: matches are rated in this order.")

    class Meta:
        verbose_name_plural = "rated matches"
        indexes = [models.Index(fields=["board", "ended_at", "match"], name="rated_match_order")]

    def __str__(self) -> str:
        return f"rating of {self.match_id}"


class RatingChange(models.Model):
    """The change of a player's rating by a match. mu and sigma are the parameters of openskill."""

    rated = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="changes", db_index=False)
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="rating_change")
    player = models.ForeignKey(RatedPlayer, on_delete=models.CASCADE, related_name="changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rated", "player"], name="rating_change_once")]

    def __str__(self) -> str:
        return f"seat {self.seat_id}: {self.mu_before:.2f} to {self.mu:.2f}"


class Rating(models.Model):
    """The present rating of a player on a board."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    player = models.ForeignKey(RatedPlayer, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["board", "player"], name="rating_once")]
        indexes = [models.Index(fields=["board", "-mu"], name="rating_order")]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.board_id}: {self.mu:.2f}"
