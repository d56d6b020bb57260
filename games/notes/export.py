"""The notes and saved filters in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.notes.models import Note, SavedFilter


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a document for each note and each saved filter."""
    notes = Note.objects.filter(user=user).select_related("match").prefetch_related("tags")
    for note in notes.order_by("-match_id").iterator(chunk_size=100):
        tags = [tag.name for tag in note.tags.all()]
        of_match = {"match": note.match.code, "starred": note.starred, "tags": tags, "text": note.text}
        yield {"kind": "note", **of_match, "changed_at": note.changed_at}
    for row in SavedFilter.objects.filter(user=user).order_by("-pk"):
        yield {"kind": "filter", "name": row.name, "query": row.query, "saved_at": row.saved_at}


EXPORTS = [
    Export(
        name="notes",
        description=lazy("Your stars, tags and notes on matches, and your saved filters, one JSON document per line."),
        count=lambda user: user.match_notes.count() + user.saved_filters.count(),
        documents=documents,
        is_owner=lambda since: Exists(Note.objects.filter(user=OuterRef("pk"), changed_at__gte=since)),
    )
]
