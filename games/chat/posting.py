"""Write a line or a message, after all checks of what may be said. Nothing else writes them."""

from datetime import timedelta
from enum import StrEnum
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from accounts.limits import allow_user
from accounts.models import User
from accounts.people.ties import are_all_friends, are_friends
from accounts.sanctions import why_suspended
from accounts.time_zones import in_words
from games.catalog import CHANCE
from games.chat.models import ChatMessage, ChatSettings, DirectMessage, Mute, Silence
from games.chat.phrases import WHEN_NEEDED, phrases_of
from games.chat.wording import clean_text
from games.kit.language import Lazy, lazy, say
from games.models import Match
from games.play import metrics, newcomers, store
from games.play.access import why_hidden
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.snapshot import SeatSnapshot, Snapshot

OPEN_AFTER_END = timedelta(minutes=15)  # Time for thanks and last words.
MOST_LINES = 500  # Per match, for players and again for watchers; per club.
LONGEST_MESSAGE = 1000  # Characters.
AT_ANY_MOMENT = {phrase.key for phrase in WHEN_NEEDED}

# Sent with `code` after the commit, when the chat of a match has changed.
talked = Signal()
# Sent with `message` after the commit, when a user has written to a friend.
written = Signal()


class TooFast(Refused):
    """The user writes too many lines, messages or reports."""

    status = 429


def post(user_id: int | None, code: str, *, phrase: object = "", text: object = "") -> ChatMessage:
    """Write a line in the chat of a match and return it: a ready-made phrase, by its key, or a text. Raise Refused.

    Users without a seat talk to the other watchers. Their cookie may also keep them out: the caller checks that.
    """
    user = _speaker(user_id)
    try:
        snapshot = store.read(code)
    except Match.DoesNotExist:
        raise Refused(NO_SUCH_MATCH) from None
    if why := why_hidden(user.pk, snapshot):
        raise NotAllowed(why)
    _demand_open(snapshot)
    seat = player(snapshot, user.pk)
    if not may_talk(snapshot, user.pk):
        joining = "Join the table to talk there."
        late = "Only people who were at this table can write here now. Write to friends under Messages."
        raise NotAllowed(lazy(joining if snapshot.status == Match.Status.OPEN else late))
    key, words = "", ""
    if phrase:
        key = _clean_phrase(snapshot, phrase, playing=seat is not None)
    else:
        demand_words(user)
        if not may_write(snapshot, watching=seat is None):
            raise NotAllowed(lazy("Only phrases are allowed at this table. Choose one of them."))
        words = clean_text(text)
        newcomers.demand_no_link(user, words)
    _demand_pace(user, "talk")
    with transaction.atomic():
        if ChatMessage.objects.filter(match=snapshot.pk, watching=seat is None).count() >= MOST_LINES:
            raise Refused(lazy("The chat of this table is full. Write to friends under Messages."))
        line = ChatMessage.objects.create(
            match_id=snapshot.pk,
            user=user,
            watching=seat is None,
            phrase=key,
            text=words,
            move_count=snapshot.move_count,
        )
        announce_talk(code)
    metrics.LINES.labels("phrase" if key else "text").inc()
    return line


def post_in_club(user: User, club_id: int, text: object) -> ChatMessage:
    """Write a line in the chat of a club, and delete the oldest beyond MOST_LINES. The caller checks the membership."""
    _speaker(user.pk)  # Raises NotAllowed, for example for a suspended user.
    demand_words(user)
    words = clean_text(text)
    newcomers.demand_no_link(user, words)
    _demand_pace(user, "talk")
    line = ChatMessage.objects.create(club_id=club_id, user=user, watching=False, text=words, move_count=0)
    lines = ChatMessage.objects.filter(club=club_id)
    if oldest_kept := lines.order_by("-pk").values_list("pk", flat=True)[MOST_LINES - 1 : MOST_LINES].first():
        lines.filter(pk__lt=oldest_kept).delete()
    metrics.LINES.labels("text").inc()
    return line


def write(sender: User, recipient: User, text: object) -> DirectMessage:
    """Send a message to a friend, and return it. Raise Refused if the sender may not, or writes too much."""
    _speaker(sender.pk)  # Raises NotAllowed, for example for a suspended user.
    demand_words(sender)
    if not are_friends(sender, recipient):
        raise NotAllowed(lazy("Messages are for friends. Ask them to be your friend first."))
    if ChatSettings.objects.filter(user=recipient, phrases_only=True).exists():
        raise Refused(lazy("{name} doesn’t receive messages. You can write at a table.", name=recipient.username))
    words = clean_text(text, LONGEST_MESSAGE)
    newcomers.demand_no_link(sender, words)
    _demand_pace(sender, "message")
    with transaction.atomic():
        message = DirectMessage.objects.create(sender=sender, recipient=recipient, text=words)
        transaction.on_commit(partial(written.send_robust, DirectMessage, message=message))
    metrics.MESSAGES.inc()
    return message


def announce_talk(code: str) -> None:
    """Send the signal `talked` after this transaction: the chat of a match has changed. code: of the match."""
    transaction.on_commit(partial(talked.send_robust, ChatMessage, code=code))


def player(snapshot: Snapshot, user_id: int | None) -> SeatSnapshot | None:
    """Return the seat of a user in a match, or None if they only watch or have left it for good."""
    seat = snapshot.seat_of(user_id)
    return seat if seat and not seat.left else None


def may_talk(snapshot: Snapshot, user_id: int | None) -> bool:
    """Return whether a user may write in the chat of a match, as long as it is open.

    Before the start only players may. During the match watchers may too, and afterwards everybody who took part.
    """
    if user_id is None:  # A visitor.
        return False
    if player(snapshot, user_id):
        return True
    if snapshot.status == Match.Status.OPEN:
        return False
    return snapshot.status != Match.Status.OVER or took_part(snapshot, user_id)


def took_part(snapshot: Snapshot, user_id: int | None) -> bool:
    """Return whether a user had a seat at a match, or wrote in its chat before its last move."""
    if user_id is None:  # A visitor.
        return False
    if snapshot.seat_of(user_id):
        return True
    return ChatMessage.objects.filter(match=snapshot.pk, user=user_id, move_count__lt=snapshot.move_count).exists()


def is_open(snapshot: Snapshot) -> bool:
    """Return whether the chat of a match is open: until its end, and for OPEN_AFTER_END after it."""
    if settings.TALK == "off" or snapshot.guide:  # A guide teaches the game: a new player sits with bots.
        return False
    if snapshot.status != Match.Status.OVER:
        return snapshot.status in Match.RUNNING
    ended_at = Match.objects.values_list("ended_at", flat=True).get(pk=snapshot.pk)
    return bool(ended_at and timezone.now() - ended_at < OPEN_AFTER_END)


class Writers(StrEnum):
    """Who may write free text at a table, and why. The others choose from ready-made phrases."""

    NOBODY_HERE = "site"  # The site allows phrases only.
    NOBODY = "nobody"  # The host does.
    EVERYBODY = "everybody"
    INVITED = "invited"  # The players: all came by the host's link or invitation, or belong to the table's club.
    FRIENDS = "friends"  # The players: all of them are friends of each other.
    STRANGERS = "strangers"  # Nobody until they are.


WATCHERS_WRITE = {Writers.EVERYBODY}
PLAYERS_WRITE = {Writers.EVERYBODY, Writers.INVITED, Writers.FRIENDS}


def writers(snapshot: Snapshot) -> Writers:
    """Return who may write free text at a table."""
    chat = snapshot.terms.chat
    if settings.TALK != "free":
        return Writers.NOBODY_HERE
    if chat == Match.Chat.PHRASES:
        return Writers.NOBODY
    if chat == Match.Chat.ALL:
        return Writers.EVERYBODY
    if chat == Match.Chat.INVITED:
        return Writers.INVITED
    people = [seat.user_id for seat in snapshot.seats if seat.is_person and seat.user_id and not seat.left]
    return Writers.FRIENDS if are_all_friends(people) else Writers.STRANGERS


def may_write(snapshot: Snapshot, *, watching: bool) -> bool:
    """Return whether players, or watchers if `watching`, may write free text at a table."""
    return writers(snapshot) in (WATCHERS_WRITE if watching else PLAYERS_WRITE)


def offered_phrases(snapshot: Snapshot, *, playing: bool, are_strangers: bool | None = None) -> list[str]:
    """Return the keys of the ready-made phrases that a user may choose from now, in display order.

    While partners hold cards, strangers have only phrases that they may need, such as "One moment, please." To choose
    among others could be a signal to the partner.
    are_strangers: whether players may not write free text. None if the caller does not know it.
    """
    keys = list(phrases_of(snapshot.game))
    if not (playing and holds_partners(snapshot)):
        return keys
    if are_strangers is None:
        are_strangers = not may_write(snapshot, watching=False)
    return [key for key in keys if key in AT_ANY_MOMENT] if are_strangers else keys


def holds_partners(snapshot: Snapshot) -> bool:
    """Return whether there are partners who hold cards now, so that one could tell the other about them."""
    return snapshot.status == Match.Status.PLAYING and has_partners(snapshot) and snapshot.to_act != CHANCE


def has_partners(snapshot: Snapshot) -> bool:
    """Return whether the players of a match have partners, which depends on their number."""
    return snapshot.rules is not None and snapshot.seat_count in snapshot.rules.partners_at


def demand_words(user: User) -> None:
    """Raise NotAllowed if a user may only choose ready-made phrases. The site, or the user, can decide so."""
    if settings.TALK != "free":
        raise NotAllowed(lazy("Only phrases are allowed on this site. Choose one of them."))
    if user.is_program or ChatSettings.objects.filter(user=user, phrases_only=True).exists():
        raise NotAllowed(lazy("You have chosen to use the phrases only. Change that in your settings."))


def mute(user: User, other: User) -> None:
    """Hide everything that `other` says from `user`. The other is not notified. Raise Refused."""
    if user.pk == other.pk:
        raise Refused(lazy("That is you. Choose somebody else."))
    Mute.objects.get_or_create(muter=user, muted=other)
    _announce_to_running_matches(other)  # Their lines disappear from open pages.


def unmute(user: User, other: User) -> None:
    Mute.objects.filter(muter=user, muted=other).delete()
    _announce_to_running_matches(other)


def set_phrases_only(user: User, *, phrases_only: bool) -> None:
    """Set whether a user reads and writes phrases only."""
    ChatSettings.objects.update_or_create(user=user, defaults={"phrases_only": phrases_only})


def _speaker(user_id: int | None) -> User:
    """Return the user with that primary key if they may write anything, else raise NotAllowed. None: a visitor."""
    user = User.objects.filter(pk=user_id, is_active=True, is_program=False).first() if user_id is not None else None
    if user is None:
        raise NotAllowed(lazy("Log in to talk, or play as a guest."))
    demand_voice(user)
    return user


def demand_voice(user: User) -> None:
    """Raise NotAllowed with the reason if a moderator has suspended or silenced a user."""
    if why := why_suspended(user.pk):
        raise NotAllowed(why)
    now = timezone.now()
    silences = Silence.objects.filter(Q(until=None) | Q(until__gt=now), user=user, lifted_at=None)
    if silence := silences.order_by("-pk").first():
        raise NotAllowed(Lazy(_silence_words, silence))


def _silence_words(silence: Silence) -> str:
    if silence.until is None:
        sentence = "A moderator has decided that you can’t talk any more. The reason: {reason}"
        return say(sentence, reason=silence.reason)
    sentence = "A moderator has decided that you can’t talk until {moment}. The reason: {reason}"
    return say(sentence, moment=in_words(silence.until, "end"), reason=silence.reason)


def _announce_to_running_matches(user: User) -> None:
    """Send the signal `talked` (the chat has changed) for all running matches where a user has written a line."""
    lines = ChatMessage.objects.filter(user=user, match__status__in=Match.RUNNING)
    for code in lines.values_list("match__code", flat=True).distinct():
        announce_talk(code)


def _demand_open(snapshot: Snapshot) -> None:
    if settings.TALK == "off":
        raise NotAllowed(lazy("There is no talk on this site."))
    if not is_open(snapshot):
        raise Refused(lazy("The chat at this table is closed. Write to friends under Messages."))


def _clean_phrase(snapshot: Snapshot, phrase: object, *, playing: bool) -> str:
    if not isinstance(phrase, str) or phrase not in phrases_of(snapshot.game):
        raise Refused(lazy("Choose one of the phrases."))
    if phrase not in offered_phrases(snapshot, playing=playing):
        raise NotAllowed(lazy("Partners can write between deals. Now it could give away their cards."))
    return phrase


def _demand_pace(user: User, action: str) -> None:
    if not allow_user(user, action):
        raise TooFast(lazy("You talk too fast. Wait a moment."))
    newcomers.demand_pace(user, action)
