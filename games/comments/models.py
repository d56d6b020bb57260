"""Comments on moves of finished matches."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.models import Match

LONGEST = 500  # characters


class Comment(models.Model):
    """A comment on a move, for everybody or only for its author. It is deleted with the author's account."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="comments", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="comments")
    move = models.PositiveIntegerField(help_text=gettext_lazy("The index of the move in the match’s list, from 0."))
    answers = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="replies",
        help_text=gettext_lazy("The comment, itself no reply, that this one replies to."),
    )
    text = models.CharField(max_length=LONGEST)
    is_private = models.BooleanField(default=False, help_text=gettext_lazy("Read by its author alone."))
    hidden = models.BooleanField(default=False, help_text=gettext_lazy("Taken back by a moderator."))
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["match", "id"], name="comment_of_match")]

    def __str__(self) -> str:
        return f"comment {self.pk} at {self.match_id}"
