"""The comments in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.comments.models import Comment
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    for comment in user.comments.select_related("match").order_by("-pk").iterator():
        yield {
            "match": comment.match.code,
            "move": comment.move,
            "text": comment.text,
            "private": comment.is_private,
            "at": comment.written_at,
        }


EXPORTS = [
    Export(
        name="comments",
        description=lazy("Your comments on moves, private ones too, one JSON document per line."),
        count=lambda user: user.comments.count(),
        documents=documents,
        is_owner=lambda since: Exists(Comment.objects.filter(author=OuterRef("pk"), written_at__gte=since)),
    )
]
