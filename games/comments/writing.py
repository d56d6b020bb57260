"""Writing a comment, deleting it, reporting it: the one way in which comments change."""

from typing import NamedTuple

from django.db import transaction

from accounts.limits import allow_user
from accounts.models import User
from games.chat import reporting
from games.chat.models import Report
from games.chat.posting import TooFast, demand_voice, demand_words
from games.chat.wording import clean_text
from games.comments.models import LONGEST, Comment
from games.comments.reading import readable
from games.kit.language import lazy
from games.models import Match
from games.play import newcomers
from games.play.errors import NotAllowed, Refused

MOST = 1000  # on a match
MOST_OF_ONE = 100  # of one author on a match
GONE = lazy("That comment was deleted, or you may not read it. Go back to the replay.")


class Draft(NamedTuple):
    """What somebody wants to write of a match."""

    move: int | None
    text: object
    is_private: bool = False
    answers: int | None = None  # The comment that it replies to, by key: it shares its move, and is as private.


def write(author: User, match: Match, draft: Draft) -> Comment:
    """Write a comment on a match that is over. Returns the Comment, the same if it is repeated. Raises Refused."""
    move, text, is_private, answers = draft
    demand_author(author, match)
    replied = _readable_comment(author, match, answers) if answers is not None else None
    thread = replied and (replied.answers or replied)
    if thread:
        move, is_private = thread.move, thread.is_private
    if move is None or not 0 <= move < match.move_count:
        raise Refused(lazy("This match has no such move. Choose one in the replay."))
    words = clean_text(text, LONGEST)
    newcomers.demand_no_link(author, words)
    said = {"match": match, "author": author, "move": move, "text": words, "is_private": is_private, "answers": thread}
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=author.pk)  # one form at a time
        if repeated := Comment.objects.filter(**said).first():
            return repeated
        _demand_room(author, match)
        return Comment.objects.create(**said)


def demand_author(author: User, match: Match) -> None:
    """Raises Refused where somebody may not comment on a match: players may, and members on every match they see."""
    if match.status != Match.Status.OVER:
        raise Refused(lazy("A match can be commented on once it is over."))
    if author.is_guest and not match.seats.filter(user=author).exists():
        raise NotAllowed(lazy("Guests comment on matches that they have played. Sign up to comment on others."))
    demand_words(author)
    demand_voice(author)


def _demand_room(author: User, match: Match) -> None:
    """Counts one more comment. Raises Refused."""
    comments = Comment.objects.filter(match=match)
    if comments.count() >= MOST or comments.filter(author=author).count() >= MOST_OF_ONE:
        raise Refused(lazy("This match has no room for more comments. Write a private note instead."))
    if not allow_user(author, "comment"):
        raise TooFast(lazy("You write too fast. Wait a moment."))
    newcomers.demand_pace(author, "comment")


def delete(author: User, match: Match, key: int) -> int | None:
    """Delete a comment of one's own; replies to it stay. Returns the index of its move, None if it is gone already."""
    own = Comment.objects.filter(match=match, author=author, pk=key)
    move = own.values_list("move", flat=True).first()
    own.delete()
    return move


def report(user: User, match: Match, key: int, reason: object, note: object = "") -> Report:
    """Report a comment that somebody may read. Returns the Report. Raises Refused."""
    comment = _readable_comment(user, match, key)
    made = Report(reported=comment.author, match=match, about=f"comment {comment.pk}")
    return reporting.report_words(user, made, comment.text, reason, note)


def _readable_comment(user: User, match: Match, key: int) -> Comment:
    found = readable(match.pk, user.pk).select_related("answers").filter(pk=key).first()
    if found is None:
        raise NotAllowed(GONE)
    return found


def take_back(sender, kind: str, key: str, hidden: bool, **kwargs) -> None:
    """A moderator has taken a comment back, or shows it again."""
    if kind == "comment":
        Comment.objects.filter(pk=key).update(hidden=hidden)
