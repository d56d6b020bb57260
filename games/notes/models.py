"""Private notes of players on their matches, and their saved searches."""

from django.conf import settings
from django.db import models

from games.models import Match

TEXT, TAG, NAME, QUERY = 2000, 30, 40, 1500  # Maximum lengths, in characters.


class Note(models.Model):
    """A player's star, text and tags for a match. Empty notes are deleted."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_notes", db_index=False
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes")
    starred = models.BooleanField(default=False)
    text = models.TextField(max_length=TEXT, blank=True)
    search_text = models.TextField(db_default="", editable=False, help_text="The text without case and accents.")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="note_once_a_match")]

    def __str__(self) -> str:
        return f"note of {self.user_id} on {self.match_id}"


class Tag(models.Model):
    """A word in a note, for searches."""

    note = models.ForeignKey(Note, on_delete=models.CASCADE, related_name="tags", db_index=False)
    name = models.CharField(max_length=TAG, help_text="In small letters.")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["note", "name"], name="tag_once_a_note")]

    def __str__(self) -> str:
        return self.name


class SavedFilter(models.Model):
    """A named search in the user's own matches."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters", db_index=False
    )
    name = models.CharField(max_length=NAME)
    query = models.CharField(max_length=QUERY, help_text="As it stands in the address of the list.")
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="saved_filter_once")]

    def __str__(self) -> str:
        return self.name
