"""The comments on a match that a user may read."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.models import User
from games.chat.reading import phrases_only, unwanted_by
from games.comments.models import Comment
from games.history.marks import Mark
from games.history.replay import Replay
from games.kit.language import say, say_count
from games.models import Match


class ReadableComment(NamedTuple):
    """A comment for a reader, with its replies."""

    pk: int
    name: str
    text: str
    is_private: bool
    at: datetime
    is_own: bool
    replies: list["ReadableComment"]


def readable_comments(match: int, reader: int | None) -> QuerySet[Comment]:
    """Return the comments on a match that a user may read, the oldest first. Both are given by their primary keys.

    Users read their own comments, and public ones where free text is allowed. Public comments by users that they have
    muted or must not meet are left out. Users who want only phrases read no comments of others.
    """
    comments = Comment.objects.filter(match=match, hidden=False).select_related("author").order_by("pk")
    if settings.TALK != "free" or reader in phrases_only([reader]):
        return comments.filter(author=reader)
    return comments.filter(Q(is_private=False) | Q(author=reader)).exclude(author__in=unwanted_by(reader))


def comments_by_move(match: int, reader: int | None) -> dict[int, list[ReadableComment]]:
    """Return the comments that a user may read, by the index of the move, with their replies.

    match, reader: primary keys; None for a visitor. A reply is in the list "replies" of the comment that it answers. If
    the user may not read that comment, the reply stands among the comments of the move.
    """
    by_move: dict[int, list[ReadableComment]] = defaultdict(list)
    replies_by_comment: dict[int | None, list[ReadableComment]] = {}
    for row in readable_comments(match, reader):  # The oldest first, so a comment comes before its replies.
        comment = _readable_comment(row, reader)
        replies_by_comment[row.pk] = comment.replies
        replies_by_comment.get(row.answers_id, by_move[row.move]).append(comment)
    return by_move


def _readable_comment(comment: Comment, reader: int | None) -> ReadableComment:
    return ReadableComment(
        pk=comment.pk,
        name=comment.author.username,
        text=comment.text,
        is_private=comment.is_private,
        at=comment.written_at,
        is_own=comment.author_id == reader,
        replies=[],
    )


def comments_on_replay(replay: Replay, reader: int | None) -> dict[int, list[ReadableComment]]:
    """Return the comments on the match of a replay, or none before its end. The replay caches them."""
    if not replay.over:
        return {}
    return replay.memoize(f"comments for {reader}", lambda: comments_by_move(replay.match.pk, reader))


def marks(replay: Replay, user: User | AnonymousUser) -> Iterator[Mark]:
    """Yield a mark for the timeline at each move with comments that a user may read."""
    for move, threads in comments_on_replay(replay, user.pk).items():
        count = sum(1 + len(comment.replies) for comment in threads)
        if count:
            plural = say_count(count, "{number} comment", "{number} comments")
            words = say("{name} comments", name=threads[0].name) if count == 1 else plural
            yield Mark(move, "comment", words)


def version(match: int, user: User | AnonymousUser) -> Hashable:
    """Return a value that changes when the comments that a user may read change."""
    return tuple(readable_comments(match, user.pk).values_list("pk", "answers", "author__username"))


def documents(match: Match, reader: int | None) -> list[dict[str, object]]:
    """Return the public comments that a user may read for the record of a match, the oldest first.

    "answers" is the place in this list of the comment that a reply answers, None for other comments.
    """
    comments = list(readable_comments(match.pk, reader).filter(is_private=False))
    places = {comment.pk: place for place, comment in enumerate(comments)}
    return [
        {
            "move": comment.move,
            "name": comment.author.username,
            "text": comment.text,
            "answers": places.get(comment.answers_id),
            "at": comment.written_at.isoformat(),
        }
        for comment in comments
    ]
