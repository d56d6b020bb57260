"""Matches and their codes."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models.terms import Terms

CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # No characters that sound or look like others.
CODE_LENGTH = 8


def new_code() -> str:
    """Return a random code for a match: 8 of 31 letters and digits, 39 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Match(models.Model):
    """One contest at one game."""

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Waiting for players")
        PLAYING = "playing", gettext_lazy("Being played")
        OVER = "over", gettext_lazy("Finished")
        CLOSED = "closed", gettext_lazy("Closed")  # never started, or given up

    RUNNING = (Status.OPEN, Status.PLAYING)  # Users can still take a seat or play.

    class Watching(models.TextChoices):
        """The users who may watch the match while it is played."""

        OFF = "off", pgettext_lazy("who may watch", "Nobody")
        FRIENDS = "friends", gettext_lazy("Friends of the players")
        ANYONE = "anyone", pgettext_lazy("who may watch", "Anyone")

    class Chat(models.TextChoices):
        """The users who may write free text at the table. Everybody may use phrases."""

        PHRASES = "phrases", pgettext_lazy("who may write", "Nobody")
        FRIENDS = "friends", gettext_lazy("Players who are all friends")
        INVITED = "invited", gettext_lazy("Players who have been invited, or are all friends")
        ALL = "all", pgettext_lazy("who may write", "Everybody")

    class Aside(models.TextChoices):
        """Matches that do not count, because they repeat the cards of others: see games.challenges."""

        VARIATION = "variation", gettext_lazy("Variation of another match")
        CHALLENGE = "challenge", gettext_lazy("Play of a challenge")

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=32, help_text="The game's slug.")
    rules_version = models.PositiveSmallIntegerField()
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(help_text="Complete, as rules.clean_options gave them.")
    # See games.models.terms.
    speed = models.CharField(max_length=16)
    listed = models.BooleanField(default=True, help_text="Shown in the lobby; else reached by its link only.")
    watching = models.CharField(
        max_length=8, choices=Watching, default=Watching.ANYONE, help_text="Who may look on while it is played."
    )
    rated = models.BooleanField(default=False, help_text="Its result changes the ratings of those who play.")
    club = models.ForeignKey(
        "clubs.Club",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="matches",
        db_index=False,
        help_text="Its members alone may sit here, or look on while it is played.",
    )
    further_terms = models.JSONField(default=dict, help_text="The terms by which nobody looks for matches.")
    guide = models.BooleanField(
        default=False,
        help_text="One prepared deal for who is new to the game: it counts for nothing.",
    )
    aside = models.CharField(
        max_length=12,
        choices=Aside,
        blank=True,
        default="",
        help_text="Why it counts for nothing, though it is played as others are; empty where it counts.",
    )
    one_deal = models.BooleanField(
        default=False, help_text="It ends with the deal that was the first to be played here."
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="hosted_matches"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch", editable=False
    )

    removed = models.JSONField(default=list, editable=False, help_text="The keys of users whom the host has removed.")

    hints = models.JSONField(
        default=list,
        editable=False,
        help_text='The hints that were taken: {"index", "seat"} of the moves that they were for, in order.',
    )

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    starts_at = models.DateTimeField(
        null=True, editable=False, help_text="The time that its host has set for the start, until it has come."
    )
    fills_with_bots = models.BooleanField(
        default=False, help_text="At that time bots take the seats that are still free."
    )
    full_at = models.DateTimeField(
        null=True, editable=False, help_text="When its last seat was taken, and browsers were asked for their entropy."
    )
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    move_count = models.PositiveIntegerField(default=0, help_text="Moves stored, deals included.")
    deal_count = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0, help_text="Grows with every write that players can see.")
    position = models.JSONField(null=True, help_text="rules.dump after the last move.")
    score_sheet = models.JSONField(null=True, help_text="rules.score_sheet at the end.")
    standings = models.JSONField(null=True, help_text="rules.standings at the end.")
    turn_started_at = models.DateTimeField(null=True, editable=False)
    wake_at = models.DateTimeField(null=True, editable=False, help_text="When something must happen by itself.")
    away_since = models.DateTimeField(
        null=True, editable=False, help_text="Since when others wait for somebody who is away, and whose turn it is."
    )
    paused_at = models.DateTimeField(null=True, editable=False, help_text="When all who were there agreed to a pause.")
    paused_until = models.DateTimeField(null=True, editable=False, help_text="When that pause ends by itself.")
    asked_at = models.DateTimeField(
        null=True, editable=False, help_text="When all others asked whether who is to act, and is there, still plays."
    )
    here_at = models.DateTimeField(null=True, editable=False, help_text="When that player last said so.")

    gap_began_at = models.DateTimeField(
        null=True, editable=False, help_text="When the latest gap began that its players have their time back for."
    )
    gap_ended_at = models.DateTimeField(null=True, editable=False, help_text="Up to when they have it back.")

    seed = models.CharField(max_length=64, editable=False, help_text="32 secret bytes in hex; shown when over.")
    seed_hash = models.CharField(max_length=64, editable=False, help_text="SHA-256 of the seed, shown from the start.")
    shuffle_code = models.CharField(
        max_length=16,
        editable=False,
        help_text="The code where the match was first played: its seed is used there once.",
    )

    class Meta:
        verbose_name_plural = gettext_lazy("matches")
        constraints = [
            models.CheckConstraint(condition=Q(seat_count__range=(2, 8)), name="match_seat_count"),
            models.CheckConstraint(
                condition=Q(status__in=["open", "playing", "over", "closed"]), name="match_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status="playing") | Q(position__isnull=False, started_at__isnull=False),
                name="match_playing_has_position",
            ),
            models.CheckConstraint(
                condition=~Q(status="over")
                | Q(score_sheet__isnull=False, standings__isnull=False, ended_at__isnull=False),
                name="match_over_has_sheet",
            ),
            # A finished match reveals its seed. Another match with that seed would be predictable.
            models.UniqueConstraint(fields=["seed_hash"], condition=Q(shuffle_code=F("code")), name="match_seed_once"),
            models.CheckConstraint(condition=Q(deal_count__lte=F("move_count")), name="match_deals_are_moves"),
        ]
        indexes = [
            models.Index(fields=["wake_at"], name="match_due", condition=Q(wake_at__isnull=False)),
            models.Index(fields=["-id"], name="match_waiting", condition=Q(status="open")),
            models.Index(fields=["-id"], name="match_playing", condition=Q(status="playing")),
            models.Index(fields=["ended_at"], name="match_ended", condition=Q(status="over")),
            models.Index(fields=["-id"], name="match_to_show", condition=Q(status="over", listed=True)),
            models.Index(fields=["club", "-id"], name="match_of_club", condition=Q(club__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.code])

    @property
    def terms(self) -> Terms:
        return Terms.of(self)

    @property
    def counts(self) -> bool:
        """Whether the match counts; see `counting`."""
        return not (self.guide or self.aside)


def counting(prefix: str = "") -> Q:
    """Return the condition that a match counts, for statistics and ratings: no guided match, no known cards.

    A guided match teaches a game. A match has a value in `aside` if it repeats the cards of another one. prefix: the
    path to the match in the query, such as "match__".
    """
    return Q(**{f"{prefix}guide": False, f"{prefix}aside": ""})
