"""What a message says: which games, with whom, and how many. Nothing that is on a table."""

from typing import NamedTuple

from django.urls import reverse

from games.catalog import game_name
from games.comments.models import Comment
from games.kit.language import say, say_count
from games.kit.words import join_words
from games.models import Match
from games.notifications.models import DeliveryMethod, Notification, NotificationKind

# Of a kind, the same grouped: in the form that goes with 1 in English, and in that of other numbers. In this order they
# are told.
ONE = {
    NotificationKind.STARTED: "{number} table of yours has started.",
    NotificationKind.TEAM: "{number} team match of yours has begun.",
    NotificationKind.TURN: "{number} table waits for you.",
    NotificationKind.INVITATION: "You have {number} invitation.",
    NotificationKind.FRIEND: "{number} person asks to be your friend.",
    NotificationKind.MESSAGE: "{number} friend has written to you.",
    NotificationKind.REPLY: "{number} reply to your comments.",
    NotificationKind.OVER: "{number} match of yours is over.",
}
MANY = {
    NotificationKind.STARTED: "{number} tables of yours have started.",
    NotificationKind.TEAM: "{number} team matches of yours have begun.",
    NotificationKind.TURN: "{number} tables wait for you.",
    NotificationKind.INVITATION: "You have {number} invitations.",
    NotificationKind.FRIEND: "{number} people ask to be your friends.",
    NotificationKind.MESSAGE: "{number} friends have written to you.",
    NotificationKind.REPLY: "{number} replies to your comments.",
    NotificationKind.OVER: "{number} matches of yours are over.",
}
# A single one: without the names of others at its table, and with them
ALONE = {
    NotificationKind.STARTED: "Your table of {game} has started.",
    NotificationKind.TEAM: "Your team match of {game} has begun.",
    NotificationKind.TURN: "It is your turn at {game}.",
    NotificationKind.INVITATION: "You are invited to a table of {game}.",
    NotificationKind.FRIEND: "{name} asks to be your friend.",
    NotificationKind.MESSAGE: "{name} has written to you.",
    NotificationKind.REPLY: "{name} has replied to your comment on a match of {game}.",
    NotificationKind.OVER: "Your match of {game} is over.",
    NotificationKind.TEST: "This is a test: messages like this one arrive.",
}
BESIDE = {
    NotificationKind.STARTED: "Your table of {game} with {names} has started.",
    NotificationKind.TEAM: "Your team match of {game} with {names} has begun.",
    NotificationKind.TURN: "It is your turn at {game} with {names}.",
    NotificationKind.OVER: "Your match of {game} with {names} is over.",
}

# Where several of a kind lead that are of no table
PLACES = {NotificationKind.FRIEND: "friends", NotificationKind.MESSAGE: "inbox", NotificationKind.REPLY: "my_matches"}


class Event(NamedTuple):
    """One thing that a message tells of, for programs."""

    kind: str
    game: str
    people: list[str]
    path: str


class Message(NamedTuple):
    """One message, however many things it tells of."""

    number: int  # of the first notice in it: no two messages have the same
    sentences: list[str]  # at least one
    path: str  # where it leads
    waiting: int  # tables that wait for the reader
    events: list[Event]


def message(method: DeliveryMethod, notices: list[Notification], waiting: list[str]) -> Message:
    """What is said of these notices, which hold, to their owner, in the language spoken now.

    waiting: the codes of the tables that wait.
    """
    sentences: list[str] = []
    paths: list[str] = []
    for kind in (*ONE, NotificationKind.TEST):
        of_kind = [notice for notice in notices if notice.kind == kind]
        if not of_kind:
            continue
        number = len(waiting) if kind == NotificationKind.TURN else len(of_kind)
        if number > 1 and kind in ONE:
            sentences.append(say_count(number, ONE[kind], MANY[kind]))
            paths.append(reverse(PLACES.get(kind, "lobby")))
        else:
            sentences.append(_sentence(of_kind[0], method.user_id))
            paths.append(_path(of_kind[0]))
    return Message(
        number=notices[0].pk,
        sentences=sentences,
        path=paths[0] if len(paths) == 1 else reverse("lobby"),
        waiting=len(waiting),
        events=[_event(notice, method.user_id) for notice in notices],
    )


def _sentence(notice: Notification, reader_id: int) -> str:
    kind, match = NotificationKind(notice.kind), notice.match
    places = {"name": notice.other.username if notice.other else ""}
    if match and kind == NotificationKind.INVITATION and match.host:
        places = {"name": match.host.username, "game": game_name(match.game)}
        return say("{name} invites you to a table of {game}.", **places)
    names = _names(match, reader_id) if match and kind in BESIDE else []
    if match:
        places |= {"game": game_name(match.game), "names": join_words(names)}
    return say(BESIDE[kind] if names else ALONE[kind], **places)


def _path(notice: Notification) -> str:
    if notice.kind == NotificationKind.REPLY and notice.match:
        return _path_of_comment(notice)
    if notice.match:
        return notice.match.get_absolute_url()
    if notice.kind == NotificationKind.MESSAGE and notice.other:
        return reverse("messages", args=[notice.other.username])
    return reverse("friends") if notice.kind == NotificationKind.FRIEND else reverse("notices")


def _path_of_comment(notice: Notification) -> str:
    move = Comment.objects.filter(pk=notice.key).values_list("move", flat=True).first()
    return f"{reverse('comments', args=[notice.match.code])}?move={move or 0}#comment-{notice.key}"


def _event(notice: Notification, reader_id: int) -> Event:
    people = [notice.other.username] if notice.other else _names(notice.match, reader_id) if notice.match else []
    return Event(notice.kind, game_name(notice.match.game) if notice.match else "", people, _path(notice))


def _names(match: Match, reader_id: int) -> list[str]:
    """The other people at a table, in the order of sitting down."""
    seats = match.seats.filter(user__isnull=False, left_at=None).exclude(user=reader_id).select_related("user")
    return [seat.user.username for seat in seats.order_by("place")]
