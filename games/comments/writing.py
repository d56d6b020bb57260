"""Write, delete and report comments. Nothing else changes them."""

from typing import NamedTuple

from django.db import transaction

from accounts.limits import allow_user
from accounts.models import User
from games.chat import reporting
from games.chat.models import Report
from games.chat.posting import TooFast, demand_voice, demand_words
from games.chat.wording import clean_text
from games.comments.models import LONGEST, Comment
from games.comments.reading import readable_comments
from games.kit.language import lazy
from games.models import Match
from games.play import newcomers
from games.play.errors import NotAllowed, Refused

MAX_COMMENTS = 1000  # per match
MAX_COMMENTS_OF_AUTHOR = 100  # per match
GONE = lazy("That comment was deleted, or you may not read it. Go back to the replay.")


class Draft(NamedTuple):
    """A comment to write.

    answers: the primary key of the comment that it replies to. A reply takes over that comment's move and privacy.
    """

    move: int | None
    text: object
    is_private: bool = False
    answers: int | None = None


def write(author: User, match: Match, draft: Draft) -> Comment:
    """Write a comment on a move of a finished match, or a reply to another comment. Return it. Raises Refused.

    If the author has written the same comment before, return that one: perhaps the form came twice.
    """
    move, text, is_private, answers = draft
    check_author(author, match)
    parent = _readable_comment(author, match, answers) if answers is not None else None
    # Threads have one level: a reply to a reply answers the first comment.
    thread = parent and (parent.answers or parent)
    if thread:
        move, is_private = thread.move, thread.is_private  # The replies to a private note are private.
    if move is None or not 0 <= move < match.move_count:
        raise Refused(lazy("This match has no such move. Choose one in the replay."))
    words = clean_text(text, LONGEST)
    newcomers.demand_no_link(author, words)
    fields = {"match": match, "author": author, "move": move, "text": words, "is_private": is_private}
    fields["answers"] = thread  # None for a comment that is no reply.
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=author.pk)  # Concurrent forms count one after the other.
        if existing := Comment.objects.filter(**fields).first():
            return existing
        _check_limits(author, match)
        return Comment.objects.create(**fields)


def check_author(author: User, match: Match) -> None:
    """Raise Refused if a user may not comment on a match. Guests may comment on matches that they have played."""
    if match.status != Match.Status.OVER:
        raise Refused(lazy("Write your comment once the match is over."))
    if author.is_guest and not match.seats.filter(user=author).exists():
        raise NotAllowed(lazy("Guests comment on matches that they have played. Sign up to comment on others."))
    demand_words(author)
    demand_voice(author)


def _check_limits(author: User, match: Match) -> None:
    """Raise Refused if a match or its author has too many comments, or the author writes too fast.

    Count the new comment against the limits for the pace, which are lower for newcomers.
    """
    comments = Comment.objects.filter(match=match)
    if comments.count() >= MAX_COMMENTS or comments.filter(author=author).count() >= MAX_COMMENTS_OF_AUTHOR:
        raise Refused(lazy("This match has no room for more comments. Write a private note instead."))
    if not allow_user(author, "comment"):
        raise TooFast(lazy("You write too fast. Wait a moment."))
    newcomers.demand_pace(author, "comment")


def delete(author: User, match: Match, key: int) -> int | None:
    """Delete a user's own comment. Its replies stay. Return the index of its move, or None if it does not exist."""
    own = Comment.objects.filter(match=match, author=author, pk=key)
    move = own.values_list("move", flat=True).first()
    own.delete()
    return move


def report(user: User, match: Match, key: int, reason: object, note: object = "") -> Report:
    """Report a comment. Raises Refused."""
    comment = _readable_comment(user, match, key)
    new_report = Report(reported=comment.author, match=match, about=f"comment {comment.pk}")
    return reporting.report_words(user, new_report, comment.text, reason, note)


def _readable_comment(user: User, match: Match, key: int) -> Comment:
    comment = readable_comments(match.pk, user.pk).select_related("answers").filter(pk=key).first()
    if comment is None:
        raise NotAllowed(GONE)
    return comment


def set_hidden(kind: str, key: str, hidden: bool, **_: object) -> None:
    """Receive `taken_back`: hide a comment, or show it again."""
    if kind == "comment":
        Comment.objects.filter(pk=key).update(hidden=hidden)
