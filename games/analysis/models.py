"""Analyses of finished matches, and their verdicts on single moves (see `games.kit.analysis`)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from games.kit.analysis import Verdict as KitVerdict
from games.models import Match


class Analysis(models.Model):
    """The analysis of a match, and its progress. A cancelled analysis is deleted."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("an analysis", "Waiting")
        RUNNING = "running", pgettext_lazy("an analysis", "Under way")
        DONE = "done", pgettext_lazy("an analysis", "Done")
        FAILED = "failed", pgettext_lazy("an analysis", "Failed")

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="analysis")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="analyses"
    )
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    decisions = models.PositiveIntegerField(null=True, help_text="How many there are; not known before it begins.")
    judged = models.PositiveIntegerField(default=0, help_text="How many of them had a first look.")
    unsure = models.PositiveIntegerField(null=True, help_text="How many need a second look; known after the first.")
    seconds = models.FloatField(default=0, help_text="Of CPU time so far.")
    taken_until = models.DateTimeField(
        null=True, editable=False, help_text="Till when it is left to the process that is at it, which says so anew."
    )
    taken_by = models.CharField(max_length=32, blank=True, editable=False, help_text="What that process calls itself.")
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [models.Index(fields=["asked_at"], condition=Q(finished_at=None), name="analysis_unfinished")]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"], condition=Q(finished_at=None), name="analysis_one_at_a_time_a_user"
            )
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"

    @property
    def is_unfinished(self) -> bool:
        return self.finished_at is None


class Verdict(models.Model):
    """The verdict on a decision. Moves without a choice have none."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="verdicts", db_index=False)
    move = models.PositiveIntegerField(help_text="Its index in the match.")
    seat = models.PositiveSmallIntegerField()
    mark = models.CharField(max_length=12, blank=True, help_text="One of games.kit.analysis.SIGNS, or none.")
    lost = models.FloatField(help_text="Points, by what could be known.")
    known = models.JSONField(help_text="What was compared by what the seat knew: lists as games.kit.search.Option.")
    opened = models.JSONField(help_text="The same with open cards.")
    exact = models.BooleanField(help_text="Whether those with open cards were worked out to the end.")
    is_final = models.BooleanField(default=True, help_text="Whether it needs no second look.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["analysis", "move"], name="verdict_once")]

    def __str__(self) -> str:
        return f"move {self.move} of analysis {self.analysis_id}"

    @classmethod
    def of_kit(cls, verdict: KitVerdict, **fields: int) -> "Verdict":
        """Return an unsaved row that stores a verdict, which `games.kit` has found, on a move.

        fields: the other fields of the row: its analysis, move and seat.
        """
        return cls(
            mark=verdict.mark,
            lost=verdict.lost,
            known=verdict.known,
            opened=verdict.open,
            exact=verdict.exact,
            is_final=verdict.is_final,
            **fields,
        )

    def as_kit(self) -> KitVerdict:
        return KitVerdict.of_lists(self.mark, self.lost, self.known, self.opened, self.exact, self.is_final)


class SolvedMistake(models.Model):
    """A mistake whose player has since found a better move. There is one row for each user and verdict."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="solved_mistakes", db_index=False
    )
    verdict = models.ForeignKey(Verdict, on_delete=models.CASCADE, related_name="solutions")
    solved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "verdict"], name="mistake_solved_once")]

    def __str__(self) -> str:
        return f"verdict {self.verdict_id} solved by {self.user_id}"
