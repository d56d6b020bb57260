"""What is stored: matches, who sits at them, and every move.

A match is its seats, its options and its list of moves; everything else on it is derived from those, kept so that
nothing need be folded to be shown, and checked by `manage.py replay_check`.
"""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from games.kit import shuffle

CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is misread when it is read aloud
CODE_LENGTH = 8


def new_code():
    """A random code for a match: 8 of 31 letters and digits, 39 bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Match(models.Model):
    """One contest at one game."""

    class Status(models.TextChoices):
        OPEN = "open", "Waiting for players"
        PLAYING = "playing", "Being played"
        OVER = "over", "Finished"
        CLOSED = "closed", "Closed"  # never started, or given up

    RUNNING = (Status.OPEN, Status.PLAYING)  # that may still be sat down at or played

    class Watching(models.TextChoices):
        """Who may look on while it is played."""

        OFF = "off", "Nobody"
        FRIENDS = "friends", "Friends of the players"
        ANYONE = "anyone", "Anyone"

    class Talk(models.TextChoices):
        """Who may write words of their own there; phrases are for all."""

        PHRASES = "phrases", "Nobody"
        FRIENDS = "friends", "Players who are all friends"
        ALL = "all", "Everybody"

    class Aside(models.TextChoices):
        """What counts for nothing, with cards that others had before: see games.lines."""

        VARIATION = "variation", "Variation of another match"
        CHALLENGE = "challenge", "Play of a challenge"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=32, help_text="The game's slug.")
    rules_version = models.PositiveSmallIntegerField()
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(help_text="Complete, as rules.clean_options gave them.")
    speed = models.CharField(max_length=16)
    listed = models.BooleanField(default=True, help_text="Shown in the lobby; else reached by its link only.")
    watching = models.CharField(
        max_length=8,
        choices=Watching,
        default=Watching.ANYONE,
        db_default=Watching.ANYONE.value,
        help_text="Who may look on while it is played.",
    )
    talk = models.CharField(
        max_length=8,
        choices=Talk,
        default=Talk.FRIENDS,
        db_default=Talk.FRIENDS.value,
        help_text="Who may write words of their own; phrases are for all.",
    )
    rated = models.BooleanField(
        default=False, db_default=False, help_text="Its result changes the ratings of those who play."
    )
    open_deals = models.BooleanField(
        default=False, db_default=False, help_text="After each deal whoever may look on may see all its cards."
    )
    club = models.ForeignKey(
        "clubs.Club",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="matches",
        db_index=False,
        help_text="Its members alone may sit here, or look on while it is played.",
    )
    guide = models.BooleanField(
        default=False,
        db_default=False,
        help_text="One prepared deal for who is new to the game: it counts for nothing.",
    )
    aside = models.CharField(
        max_length=12,
        choices=Aside,
        blank=True,
        default="",
        db_default="",
        help_text="Why it counts for nothing, though it is played as others are; empty where it counts.",
    )
    one_deal = models.BooleanField(
        default=False, db_default=False, help_text="It ends with the deal that was the first to be played here."
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="hosted_matches"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch", editable=False
    )

    removed = models.JSONField(
        default=list, db_default=[], editable=False, help_text="The keys of users whom the host has removed."
    )

    hints = models.JSONField(
        default=list,
        db_default=[],
        editable=False,
        help_text='The hints that were taken: {"index", "seat"} of the moves that they were for, in order.',
    )

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    starts_at = models.DateTimeField(
        null=True, editable=False, help_text="The time that its host has set for the start, until it has come."
    )
    fills_with_bots = models.BooleanField(
        default=False, db_default=False, help_text="At that time bots take the seats that are still free."
    )
    completion_asked = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Who comes uninvited has to play on to the end so often, in percent."
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

    seed = models.CharField(max_length=64, editable=False, help_text="32 secret bytes in hex; shown when over.")
    seed_hash = models.CharField(max_length=64, editable=False, help_text="SHA-256 of the seed, shown from the start.")
    shuffle_scheme = models.PositiveSmallIntegerField(
        db_default=1, default=shuffle.NEWEST, editable=False, help_text="How the shuffles follow from the seed."
    )
    shuffle_code = models.CharField(
        max_length=16,
        editable=False,
        help_text="The code where the match was first played: its seed is used there once.",
    )

    class Meta:
        verbose_name_plural = "matches"
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
            # A seed is shown when its match is over; another match with it could then be foreseen.
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

    def __str__(self):
        return f"{self.game} {self.code}"

    def get_absolute_url(self):
        return reverse("match", args=[self.code])

    @property
    def counts(self):
        """As `counting` asks for it."""
        return not (self.guide or self.aside)


def counting(prefix=""):
    """The condition that a match counts: no guide's deal, no cards that others had before.

    prefix: what leads to the match from the rows that are asked for, as "match__".
    """
    return Q(**{f"{prefix}guide": False, f"{prefix}aside": ""})


class Seat(models.Model):
    """A place at a match, with who took it and how it ended for them."""

    # Both keys are the first columns of an index or constraint below, which is enough to find seats by.
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
        max_length=64, blank=True, db_default="", help_text="SHA-256 of the entropy: sent when sitting down."
    )
    entropy = models.CharField(max_length=64, blank=True, help_text="Hex digits from the player's browser.")
    form_key = models.CharField(
        max_length=32, blank=True, db_default="", help_text="Of the form that took the seat: sent twice it takes one."
    )
    network = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
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
    wants_pause = models.BooleanField(default=False, db_default=False, help_text="Asks for a pause, or agrees to one.")
    pause_asked_at = models.PositiveIntegerField(
        null=True, editable=False, help_text="In which deal they were last the first to ask for one."
    )
    moved_by_host = models.BooleanField(
        default=False, db_default=False, help_text="The host has put them on this side, and they are told so."
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
        ]

    def __str__(self):
        return f"place {self.place} of {self.match_id}"


class Invitation(models.Model):
    """A seat at an open table that the host keeps for somebody, or kept. It goes when the table starts or is closed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    team = models.PositiveSmallIntegerField(null=True, help_text="The side of that seat; null for either.")
    sent_at = models.DateTimeField(default=timezone.now)
    declined_at = models.DateTimeField(null=True, help_text="Since when no seat is kept: they won’t be asked again.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invitation_once")]

    def __str__(self):
        return f"{self.user_id} to {self.match_id}"


class Vacation(models.Model):
    """The days on which somebody's clocks stand still, at tables with days for each move."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacation")
    until = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="The calendar year that `days` counts for.")
    days = models.PositiveSmallIntegerField(default=0, help_text="Days taken in that year.")

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(days__lte=366), name="vacation_days_of_a_year")]

    def __str__(self):
        return f"vacation of {self.user_id} until {self.until:%Y-%m-%d}"


class Move(models.Model):
    """An entry of a match's list of moves, shuffles included. Never rewritten."""

    class Actor(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        STAND_IN = "stand-in"  # the bot, once, for a player whose time was up
        CLAIMED = "claimed"  # nobody: what remained was played out after a claim
        CHANCE = "chance"

    pk = models.CompositePrimaryKey("match", "index")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)  # the key will do
    index = models.PositiveIntegerField(help_text="The place in the match's list, from 0.")
    seat = models.PositiveSmallIntegerField(null=True, help_text="The seat that moved; null for a shuffle.")
    move = models.JSONField(help_text="As the game's rules page writes it.")
    actor = models.CharField(max_length=8, choices=Actor)
    played_at = models.DateTimeField()

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.CheckConstraint(
                condition=Q(seat__isnull=True, actor="chance") | Q(seat__isnull=False) & ~Q(actor="chance"),
                name="move_seat_unless_chance",
            ),
        ]

    def __str__(self):
        return f"move {self.index} of {self.match_id}"


class Claim(models.Model):
    """Somebody has said that the rest of a deal's tricks are theirs, or that none is: the last that a seat said of it.

    Where it was accepted, the moves from `index` on are those by which the deal was played out.
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

    def __str__(self):
        return f"claim of {self.seat} at {self.match_id}"


class OddPlay(models.Model):
    """A bot's move that somebody found odd in the replay: for the host, to become a test."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="odd_plays")
    index = models.PositiveIntegerField(help_text="The place of the move in the match's list, from 0.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="odd_plays")
    note = models.CharField(max_length=300, blank=True)
    noted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match", "index"], name="odd_play_once_a_user")]

    def __str__(self):
        return f"move {self.index} of {self.match_id}"
