"""The texts of messages: games, players and numbers, but nothing about the cards on a table."""

from typing import NamedTuple

from django.db.models import prefetch_related_objects
from django.urls import reverse

from games.catalog import game_name
from games.kit.language import say, say_count
from games.kit.words import join_words
from games.models import Match
from games.notifications.models import BellItem, DeliveryMethod, Notification, NotificationKind

# Sentences for several notifications of a kind, in the singular and the plural. Messages have them in this order.
SINGULAR = {
    NotificationKind.READY: "{number} table is ready for you.",
    NotificationKind.STARTED: "{number} table of yours has started.",
    NotificationKind.TEAM: "{number} team match of yours has begun.",
    NotificationKind.TURN: "{number} table waits for you.",
    NotificationKind.INVITATION: "You have {number} invitation.",
    NotificationKind.FRIEND: "{number} person asks to be your friend.",
    NotificationKind.MESSAGE: "{number} friend has written to you.",
    NotificationKind.REPLY: "{number} reply to your comments.",
    NotificationKind.COMMENT: "{number} comment on your matches.",
    NotificationKind.CHALLENGE: "{number} person has played a challenge of yours.",
    NotificationKind.CLUB_NEWS: "{number} item of news from your clubs.",
    NotificationKind.OVER: "{number} match of yours is over.",
}
PLURAL = {
    NotificationKind.READY: "{number} tables are ready for you.",
    NotificationKind.STARTED: "{number} tables of yours have started.",
    NotificationKind.TEAM: "{number} team matches of yours have begun.",
    NotificationKind.TURN: "{number} tables wait for you.",
    NotificationKind.INVITATION: "You have {number} invitations.",
    NotificationKind.FRIEND: "{number} people ask to be your friends.",
    NotificationKind.MESSAGE: "{number} friends have written to you.",
    NotificationKind.REPLY: "{number} replies to your comments.",
    NotificationKind.COMMENT: "{number} comments on your matches.",
    NotificationKind.CHALLENGE: "{number} people have played challenges of yours.",
    NotificationKind.CLUB_NEWS: "{number} items of news from your clubs.",
    NotificationKind.OVER: "{number} matches of yours are over.",
}
# Sentences for a single notification, without and with the names of the other players.
WITHOUT_NAMES = {
    NotificationKind.READY: "Your table of {game} is ready.",
    NotificationKind.STARTED: "Your table of {game} has started.",
    NotificationKind.TEAM: "Your team match of {game} has begun.",
    NotificationKind.TURN: "It is your turn at {game}.",
    NotificationKind.INVITATION: "You are invited to a table of {game}.",
    NotificationKind.FRIEND: "{name} asks to be your friend.",
    NotificationKind.MESSAGE: "{name} has written to you.",
    NotificationKind.REPLY: "{name} has replied to your comment on a match of {game}.",
    NotificationKind.COMMENT: "{name} has commented on your match of {game}.",
    NotificationKind.CHALLENGE: "{name} has played your challenge at {game}.",
    NotificationKind.CLUB_NEWS: "{club}: {text}",
    NotificationKind.OVER: "Your match of {game} is over.",
    NotificationKind.TEST: "This is a test: messages like this one arrive.",
}
WITH_NAMES = {
    NotificationKind.READY: "Your table of {game} with {names} is ready.",
    NotificationKind.STARTED: "Your table of {game} with {names} has started.",
    NotificationKind.TEAM: "Your team match of {game} with {names} has begun.",
    NotificationKind.TURN: "It is your turn at {game} with {names}.",
    NotificationKind.OVER: "Your match of {game} with {names} is over.",
}

# The names of the URLs for several notifications that are not about tables.
URLS = {
    NotificationKind.FRIEND: "friends",
    NotificationKind.MESSAGE: "inbox",
    NotificationKind.REPLY: "my_matches",
    NotificationKind.COMMENT: "my_matches",
    NotificationKind.CLUB_NEWS: "clubs",
}


class Event(NamedTuple):
    """A notification in a message, for programs."""

    kind: str
    game: str
    people: list[str]
    path: str


class Message(NamedTuple):
    """A message with one or more notifications.

    number: the primary key of the first notification, so it is unique. path: the page that the message links to.
    waiting: the number of tables that wait for the reader.
    """

    number: int
    sentences: list[str]
    path: str
    waiting: int
    events: list[Event]


def message(method: DeliveryMethod, notifications: list[Notification], codes: list[str]) -> Message:
    """Combine notifications into one message in the active language, with one sentence for each kind.

    Several of a kind share a sentence with their number. method: has the reader. codes: of the tables that wait for
    the reader. The message links to the page of its only sentence, or to the lobby.
    """
    sentences: list[str] = []
    paths: list[str] = []
    for kind in (*SINGULAR, NotificationKind.TEST):
        of_kind = [each for each in notifications if each.kind == kind]
        if not of_kind:
            continue
        # Count all tables that wait, also those of which the user was notified before.
        count = len(codes) if kind == NotificationKind.TURN else len(of_kind)
        if count > 1 and kind in SINGULAR:
            sentences.append(say_count(count, SINGULAR[kind], PLURAL[kind]))
            paths.append(reverse(URLS.get(kind, "lobby")))
        else:
            sentences.append(sentence(of_kind[0], method.user_id))
            paths.append(path(of_kind[0]))
    return Message(
        number=notifications[0].pk,
        sentences=sentences,
        path=paths[0] if len(paths) == 1 else reverse("lobby"),
        waiting=len(codes),
        events=[_event(each, method.user_id) for each in notifications],
    )


def sentence(notification: Notification | BellItem, reader_id: int) -> str:
    """Return what has happened, in the active language. reader_id: the key of the user who reads it."""
    kind, match = NotificationKind(notification.kind), notification.match
    values = {"name": notification.other.username if notification.other else ""}
    if match and kind == NotificationKind.INVITATION and match.host:
        values = {"name": match.host.username, "game": game_name(match.game)}
        return say("{name} invites you to a table of {game}.", **values)
    names = _names(match, reader_id) if match and kind in WITH_NAMES else []
    if match:
        values |= {"game": game_name(match.game), "names": join_words(names)}
    if (item := _item_of(notification)) and item.club:
        values |= {"club": item.club.name, "text": item.text}
    return say(WITH_NAMES[kind] if names else WITHOUT_NAMES[kind], **values)


def names_in(item: BellItem, reader_id: int) -> list[str]:
    """Return the names that the sentence of an event may have."""
    people = [item.other, item.match.host if item.match else None]
    names = [user.username for user in people if user] + ([item.club.name] if item.club else [])
    return names + (_names(item.match, reader_id) if item.match else [])


def path(notification: Notification | BellItem) -> str:
    """Return the address of the page that an event leads to."""
    kind, match, item = notification.kind, notification.match, _item_of(notification)
    if item and item.comment and match:
        return f"{reverse('comments', args=[match.code])}?move={item.comment.move}#comment-{item.comment.pk}"
    if item and item.club:
        return item.club.get_absolute_url()
    if kind == NotificationKind.CHALLENGE and (play := getattr(match, "challenge_play", None)):
        return play.challenge.get_absolute_url()
    if match:
        return match.get_absolute_url()
    if kind == NotificationKind.MESSAGE and notification.other:
        return reverse("messages", args=[notification.other.username])
    return reverse("friends") if kind == NotificationKind.FRIEND else reverse("notices")


def _item_of(notification: Notification | BellItem) -> BellItem | None:
    return notification if isinstance(notification, BellItem) else notification.item


def _event(notification: Notification, reader_id: int) -> Event:
    match, other = notification.match, notification.other
    people = [other.username] if other else _names(match, reader_id) if match else []
    return Event(notification.kind, game_name(match.game) if match else "", people, path(notification))


def _names(match: Match, reader_id: int) -> list[str]:
    """Return the names of the people at a table without the reader, in the order of sitting down."""
    prefetch_related_objects([match], "seats__user")  # This does nothing if they are there already.
    people = [seat for seat in match.seats.all() if seat.user_id not in (None, reader_id) and seat.left_at is None]
    return [seat.user.username for seat in sorted(people, key=lambda seat: seat.place)]
