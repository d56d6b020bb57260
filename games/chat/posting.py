"""Saying something: the one way in which a line or a message is written, and all that may be in its way."""

from datetime import timedelta
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

OPEN_AFTER_END = timedelta(minutes=15)  # for thanks, and for what is still to be said
MOST_LINES = 500  # of the players of a match, and as many again of its watchers
LONGEST_MESSAGE = 1000  # characters
AT_ANY_MOMENT = {phrase.key for phrase in WHEN_NEEDED}

talked = Signal()  # sent with `code`, after the commit, when the talk of a match has changed
written = Signal()  # sent with `message`, after the commit, when somebody has written to a friend


class TooFast(Refused):
    """Somebody says too much."""

    status = 429


def post(user_id: int | None, code: str, *, phrase: object = "", text: object = "") -> ChatMessage:
    """Say one of the phrases, by its key, or a text, at a match. Returns the ChatMessage. Raises Refused.

    Who has no seat talks to others who watch. `why_hidden` with the browser's cookie is for whoever calls this.
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
    if not has_say(snapshot, user.pk):
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
        tell(code)
    metrics.LINES.labels("phrase" if key else "text").inc()
    return line


def write(sender: User, recipient: User, text: object) -> DirectMessage:
    """Write to a friend. Returns the DirectMessage. Raises Refused."""
    _speaker(sender.pk)
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


def tell(code: str) -> None:
    """Once this transaction is committed, tell everybody who listens that the talk of a match has changed."""
    transaction.on_commit(partial(talked.send_robust, ChatMessage, code=code))


def player(snapshot: Snapshot, user_id: int | None) -> SeatSnapshot | None:
    """The seat from which somebody talks; None for who watches, or has left for good."""
    seat = snapshot.seat_of(user_id)
    return seat if seat and not seat.left else None


def has_say(snapshot: Snapshot, user_id: int | None) -> bool:
    """Whether somebody is at a match in a way in which they may talk, while `is_open`.

    Before the start that is who sits there, while it runs who watches too, after the end who was there.
    """
    if user_id is None or player(snapshot, user_id):
        return user_id is not None
    if snapshot.status == Match.Status.OPEN:
        return False
    return snapshot.status != Match.Status.OVER or took_part(snapshot, user_id)


def took_part(snapshot: Snapshot, user_id: int | None) -> bool:
    """Whether somebody sat at a match, or talked there before it was over."""
    if user_id is None or snapshot.seat_of(user_id):
        return user_id is not None
    return ChatMessage.objects.filter(match=snapshot.pk, user=user_id, move_count__lt=snapshot.move_count).exists()


def is_open(snapshot: Snapshot) -> bool:
    """Whether anything can be said at a match: while it runs, and for a while after it is over."""
    if settings.TALK == "off" or snapshot.guide:
        return False
    if snapshot.status != Match.Status.OVER:
        return snapshot.status in Match.RUNNING
    ended_at = Match.objects.values_list("ended_at", flat=True).get(pk=snapshot.pk)
    return bool(ended_at and timezone.now() - ended_at < OPEN_AFTER_END)


def may_write(snapshot: Snapshot, *, watching: bool) -> bool:
    """Whether words of one's own may be written at a table: by all where the host has said so, else among friends."""
    if settings.TALK != "free" or snapshot.terms.chat == Match.Chat.PHRASES:
        return False
    if snapshot.terms.chat == Match.Chat.ALL:
        return True
    people = [seat.user_id for seat in snapshot.seats if seat.is_person and seat.user_id and not seat.left]
    return not watching and are_all_friends(people)


def offered(snapshot: Snapshot, *, playing: bool, are_strangers: bool | None = None) -> list[str]:
    """The keys of the phrases that can be said now, in their order.

    Partners who are strangers say no more than they need while they hold cards: a choice of words is a signal.
    are_strangers: whether players may write no words of their own, where that is known.
    """
    every = list(phrases_of(snapshot.game))
    if not (playing and holds_partners(snapshot)):
        return every
    if are_strangers is None:
        are_strangers = not may_write(snapshot, watching=False)
    return [key for key in every if key in AT_ANY_MOMENT] if are_strangers else every


def holds_partners(snapshot: Snapshot) -> bool:
    """Whether partners hold cards now."""
    return snapshot.status == Match.Status.PLAYING and has_partners(snapshot) and snapshot.to_act != CHANCE


def has_partners(snapshot: Snapshot) -> bool:
    """Whether what can be said at a table depends on the cards that partners hold."""
    return snapshot.rules is not None and snapshot.seat_count in snapshot.rules.partners_at


def demand_words(user: User) -> None:
    """Raises Refused unless somebody may write words of their own at all."""
    if settings.TALK != "free":
        raise NotAllowed(lazy("Only phrases are allowed on this site. Choose one of them."))
    if user.is_program or ChatSettings.objects.filter(user=user, phrases_only=True).exists():
        raise NotAllowed(lazy("You have chosen to use the phrases only. Your settings change that."))


def mute(user: User, other: User) -> None:
    """No longer read what somebody says. They aren't told."""
    if user.pk == other.pk:
        raise Refused(lazy("That is you. Choose somebody else."))
    Mute.objects.get_or_create(muter=user, muted=other)
    _tell_where_heard(other)


def unmute(user: User, other: User) -> None:
    Mute.objects.filter(muter=user, muted=other).delete()
    _tell_where_heard(other)


def set_wish(user: User, *, phrases_only: bool) -> None:
    """Whether somebody writes and reads words of people's own."""
    ChatSettings.objects.update_or_create(user=user, defaults={"phrases_only": phrases_only})


def _speaker(user_id: int | None) -> User:
    """The user of that key, who may say something. Raises NotAllowed."""
    user = User.objects.filter(pk=user_id, is_active=True, is_program=False).first() if user_id is not None else None
    if user is None:
        raise NotAllowed(lazy("Log in to talk, or play as a guest."))
    demand_voice(user)
    return user


def demand_voice(user: User) -> None:
    """Raises NotAllowed where a moderator keeps somebody from writing."""
    if why := why_suspended(user.pk):
        raise NotAllowed(why)
    now = timezone.now()
    silences = Silence.objects.filter(Q(until=None) | Q(until__gt=now), user=user, lifted_at=None)
    if silence := silences.order_by("-pk").first():
        raise NotAllowed(Lazy(_silenced, silence))


def _silenced(silence: Silence) -> str:
    if silence.until is None:
        sentence = "A moderator has decided that you can’t talk any more. The reason: {reason}"
        return say(sentence, reason=silence.reason)
    sentence = "A moderator has decided that you can’t talk until {moment}. The reason: {reason}"
    return say(sentence, moment=in_words(silence.until, "end"), reason=silence.reason)


def _tell_where_heard(user: User) -> None:
    """Draw the talk anew at the tables where somebody has spoken that aren't over."""
    lines = ChatMessage.objects.filter(user=user, match__status__in=Match.RUNNING)
    for code in lines.values_list("match__code", flat=True).distinct():
        tell(code)


def _demand_open(snapshot: Snapshot) -> None:
    if settings.TALK == "off":
        raise NotAllowed(lazy("There is no talk on this site."))
    if not is_open(snapshot):
        raise Refused(lazy("The chat at this table is closed. Write to friends under Messages."))


def _clean_phrase(snapshot: Snapshot, phrase: object, *, playing: bool) -> str:
    if not isinstance(phrase, str) or phrase not in phrases_of(snapshot.game):
        raise Refused(lazy("Choose one of the phrases."))
    if phrase not in offered(snapshot, playing=playing):
        raise NotAllowed(lazy("Partners can write between deals. Now it could give away their cards."))
    return phrase


def _demand_pace(user: User, action: str) -> None:
    if not allow_user(user, action):
        raise TooFast(lazy("You talk too fast. Wait a moment."))
    newcomers.demand_pace(user, action)
