"""The origins of matches that do not count: variations, challenges, team matches; and who has seen which match.

The matches themselves are stored like all others, with `Match.aside` set.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.kit import shuffle
from games.models import Match, new_code


class Variation(models.Model):
    """A match that begins with the first moves of another match."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="variation")
    original = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="variations")
    move = models.PositiveIntegerField(help_text="The index of the last move that both have in common.")
    seat = models.PositiveSmallIntegerField(help_text="The number of the seat that was taken.")
    anew = models.BooleanField(help_text="The cards that this seat could not see were dealt anew.")

    def __str__(self) -> str:
        return f"variation {self.match_id} of {self.original_id}"


class Challenge(models.Model):
    """Cards that everybody with the link plays from the same seat: one deal, a whole match, or a deal of the day."""

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=32, help_text="The game’s slug.")
    day = models.DateField(null=True, help_text="Whose deal it is; null where it is made of a match.")
    original = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="challenges")
    deal = models.PositiveSmallIntegerField(null=True, help_text="Its number in the match; null for all of the match.")
    seat = models.PositiveSmallIntegerField(help_text="The number of the seat that everybody takes.")
    bots = models.JSONField(help_text="The bots of all seats by number; that of the seat that is taken plays nothing.")
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    seed = models.CharField(max_length=64, help_text="Of the decks that are not copied, and of what bots choose.")
    shuffle_code = models.CharField(max_length=16)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="challenges"
    )
    made_at = models.DateTimeField(default=timezone.now)
    par = models.FloatField(null=True, help_text="What the bots alone make of a deal of the day; null until then.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["day", "game"], condition=Q(day__isnull=False), name="challenge_once_a_day"
            ),
            models.UniqueConstraint(
                fields=["original", "deal", "seat"], condition=Q(deal__isnull=False), name="challenge_once_a_deal"
            ),
            models.UniqueConstraint(
                fields=["original", "seat"],
                condition=Q(deal__isnull=True, original__isnull=False),
                name="challenge_once_a_match",
            ),
        ]

    def __str__(self) -> str:
        return f"challenge {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("challenge", args=[self.code])


class ChallengePlay(models.Model):
    """A user's play of a challenge."""

    class Knew(models.TextChoices):
        """How a user knew the cards before."""

        SAT = "sat", _("sat in that match")
        PLAYED = "played", _("had played these cards before")
        WATCHED = "watched", _("watched that match")
        REPLAYED = "replayed", _("had opened a replay of these cards")
        LATE = "late", _("played after the seed of the day was published")

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="plays", db_index=False)
    match = models.OneToOneField(
        Match, null=True, on_delete=models.SET_NULL, related_name="challenge_play", help_text="Null once given up."
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenge_plays")
    knew = models.CharField(max_length=10, choices=Knew, blank=True)
    points = models.FloatField(null=True, help_text="What the deal gave, or the final score; null until it is over.")
    begun_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["challenge", "user"], condition=~Q(knew="played"), name="challenge_played_first_once"
            ),
        ]
        indexes = [models.Index(fields=["challenge", "-points"], name="challenge_traveller")]

    def __str__(self) -> str:
        return f"play of {self.challenge_id} by {self.user_id}"


class TeamMatch(models.Model):
    """Two teams of four who play the cards of a challenge at two tables, with the seats swapped."""

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="team_matches")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="team_matches"
    )
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"team match {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("team_match", args=[self.code])


class TeamTable(models.Model):
    """One of the two tables of a team match that has begun."""

    team_match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="tables", db_index=False)
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="team_table")
    number = models.PositiveSmallIntegerField(help_text="0 or 1.")
    points = models.JSONField(null=True, help_text="What it gave each seat, by number; null until that is reckoned.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team_match", "number"], name="team_table_once")]

    def __str__(self) -> str:
        return f"table {self.number} of {self.team_match_id}"


class TeamSeat(models.Model):
    """A user's seat in a team match. Bots take the free seats."""

    team_match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_seats")
    team = models.PositiveSmallIntegerField(help_text="0 or 1.")
    table = models.PositiveSmallIntegerField(help_text="0 or 1.")
    number = models.PositiveSmallIntegerField(help_text="The seat at that table, as the rules number it.")
    knew = models.CharField(max_length=10, choices=ChallengePlay.Knew, blank=True)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["team_match", "user"], name="team_user_once"),
            models.UniqueConstraint(fields=["team_match", "table", "number"], name="team_seat_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} at table {self.table} of {self.team_match_id}"


class SeenMatch(models.Model):
    """A user has watched a match, or opened its replay, and so knows its cards."""

    class How(models.TextChoices):
        WATCHED = "watched"
        REPLAYED = "replayed"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seen_matches")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seen_by", db_index=False)
    how = models.CharField(max_length=10, choices=How)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user", "how"], name="seen_match_once")]

    def __str__(self) -> str:
        return f"{self.user_id} has {self.how} {self.match_id}"


class DailySeed(models.Model):
    """The secret seed of all deals of a day. Its hash is public from the day before."""

    date = models.DateField(unique=True)
    seed = models.CharField(
        max_length=64, default=shuffle.new_seed, help_text="32 bytes in hex, shown when it is over."
    )
    promised_at = models.DateTimeField(default=timezone.now, help_text="Since when its hash can be read here.")

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d}"
