"""The comments on a match, as each of those who look at it may read them."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q, QuerySet

from games.chat.reading import phrases_only, unwanted_by
from games.comments.models import Comment
from games.history.marks import Mark
from games.history.replay import Replay
from games.kit.language import say, say_count
from games.models import Match


class Read(NamedTuple):
    """A comment as somebody reads it, with the replies to it."""

    pk: int
    name: str
    text: str
    is_private: bool
    at: datetime
    mine: bool
    replies: list["Read"]


def readable(match: int, reader: int | None) -> QuerySet[Comment]:
    """The comments on a match (its key) that a user (None: nobody known) may read, in the order they were written in.

    That is their own, and what is public where free text is allowed: not of people whom they have muted or don't meet,
    and nothing where they want phrases only.
    """
    found = Comment.objects.filter(match=match, hidden=False).select_related("author").order_by("pk")
    if settings.TALK != "free" or reader in phrases_only([reader]):
        return found.filter(author=reader)
    return found.filter(Q(is_private=False) | Q(author=reader)).exclude(author__in=unwanted_by(reader))


def comments_by_move(match: int, reader: int | None) -> dict[int, list[Read]]:
    """What somebody may read of the comments on a match (its key), by the index of the move, replies below each.

    A reply to a comment that they may not read, or that is gone, stands by itself.
    """
    by_move: dict[int, list[Read]] = defaultdict(list)
    threads: dict[int | None, list[Read]] = {}
    for comment in readable(match, reader):
        read = _read(comment, reader)
        threads[comment.pk] = read.replies
        threads.get(comment.answers_id, by_move[comment.move]).append(read)
    return by_move


def _read(comment: Comment, reader: int | None) -> Read:
    return Read(
        pk=comment.pk,
        name=comment.author.username,
        text=comment.text,
        is_private=comment.is_private,
        at=comment.written_at,
        mine=comment.author_id == reader,
        replies=[],
    )


def comments_beside(replay: Replay, reader: int | None) -> dict[int, list[Read]]:
    """The same of the match of a replay, if it is over."""
    if not replay.over:
        return {}
    return replay.memoize(f"comments for {reader}", lambda: comments_by_move(replay.match.pk, reader))


def marks(replay: Replay, user: Any) -> Iterator[Mark]:
    """Yield the moves with comments that a user may read."""
    for move, threads in comments_beside(replay, user.pk).items():
        count = sum(1 + len(comment.replies) for comment in threads)
        if count:
            several = say_count(count, "{number} comment", "{number} comments")
            words = say("{name} comments", name=threads[0].name) if count == 1 else several
            yield Mark(move, "comment", words)


def version(match: int, user: Any) -> Hashable:
    """What is equal while a user may read the same comments on a match."""
    return tuple(readable(match, user.pk).values_list("pk", "answers", "author__username"))


def documents(match: Match, reader: int | None) -> list[dict]:
    """The public comments on a match that a user may read, for its record, in the order they were written in."""
    found = list(readable(match.pk, reader).filter(is_private=False))
    places = {comment.pk: place for place, comment in enumerate(found)}
    return [
        {
            "move": comment.move,
            "name": comment.author.username,
            "text": comment.text,
            "answers": places.get(comment.answers_id),
            "at": comment.written_at.isoformat(),
        }
        for comment in found
    ]
