"""The running figures of members, and who may see their statistics."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Audience(models.TextChoices):
    EVERYBODY = "all", pgettext_lazy("who sees it", "Everybody")
    PLAYED_WITH = "played", _("People I have played with")
    NOBODY = "me", _("Only me")


class StatisticsPrivacy(models.Model):
    """Who may see each part of a player's statistics. Without a row everybody may."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="statistics_privacy")
    results = models.CharField(max_length=8, choices=Audience, default=Audience.EVERYBODY)
    people = models.CharField("partners and opponents", max_length=8, choices=Audience, default=Audience.EVERYBODY)
    deals = models.CharField("how deals went", max_length=8, choices=Audience, default=Audience.EVERYBODY)
    bests = models.CharField(max_length=8, choices=Audience, default=Audience.EVERYBODY)

    class Meta:
        verbose_name_plural = "shown statistics"

    def __str__(self) -> str:
        return f"shown of {self.user_id}"


class PlayerFigures(models.Model):
    """The running figures of a user at a game. They can be rebuilt from the facts of the user's matches."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="figures", db_index=False)
    game = models.CharField(max_length=32)
    figures = models.JSONField(default=dict, help_text="As games.statistics.running has them.")
    definition = models.CharField(max_length=16, blank=True, help_text="A hash of what the game counts.")
    stale = models.BooleanField(default=True, help_text="To be made anew before they are read.")
    last_ended_at = models.DateTimeField(null=True, help_text="Of the last match that is counted.")
    last_match = models.BigIntegerField(null=True, help_text="Its key.")

    class Meta:
        verbose_name_plural = "running figures"
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="figures_once_a_game")]

    def __str__(self) -> str:
        return f"figures of {self.user_id} at {self.game}"
