"""What was said at a match, as each of those who look at it may read it."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from django.db.models import Max

from accounts.people.blocks import own_blocks
from games.chat.models import ChatMessage, ChatSettings, Mute
from games.chat.phrases import phrases_of
from games.chat.posting import AT_ANY_MOMENT, has_say, is_open, may_write, offered, player, took_part
from games.chat.watching import Watchers, watchers
from games.models import Match
from games.play import store
from games.play.snapshot import Snapshot

SHOWN = 60  # lines at the table, the latest


class Said(NamedTuple):
    """A line as somebody reads it."""

    pk: int
    user_id: int
    name: str
    seat: int | None  # the number of the speaker's seat; None for who watched, and before the start
    words: str
    icon: str  # of a reaction, which stands in place of its words
    key: str  # of a phrase, or ""
    watching: bool
    move_count: int
    at: datetime
    mine: bool


class Talk(NamedTuple):
    """The talk of a match as one of those who look at it finds it."""

    code: str
    lines: tuple[Said, ...]
    watchers: Watchers
    is_open: bool
    may_write: bool
    phrases: tuple[str, ...]  # keys of what can be said now
    has_company: bool  # whether there is anybody to talk to
    are_strangers: bool  # whether those who play may write no words of their own

    @property
    def is_limited(self) -> bool:
        """Whether only what is needed can be said now, as partners hold cards."""
        return bool(self.phrases) and set(self.phrases) <= AT_ANY_MOMENT

    @property
    def is_worth_showing(self) -> bool:
        return bool(self.lines) or self.has_company


def talks(code: str, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """The Talk of a match for each of these users, by their keys; None for nobody known. Raises Match.DoesNotExist."""
    snapshot = store.read(code)
    return talks_at(snapshot, viewers)


def talks_at(snapshot: Snapshot, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """As `talks`, where the match has been read."""
    lines = heard(snapshot, viewers, limit=SHOWN)
    looking = watchers(snapshot)
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id and not seat.left]
    company = len(people) + looking.count > 1
    opened = is_open(snapshot)
    free = {watching: opened and may_write(snapshot, watching=watching) for watching in (False, True)}
    shy = phrases_only(viewers)
    found = {}
    for viewer in viewers:
        playing = player(snapshot, viewer) is not None
        speaks = opened and has_say(snapshot, viewer)
        found[viewer] = Talk(
            code=snapshot.code,
            lines=tuple(lines[viewer]),
            watchers=looking,
            is_open=speaks,
            may_write=speaks and free[not playing] and viewer not in shy,
            phrases=tuple(offered(snapshot, playing=playing, are_strangers=not free[False])) if speaks else (),
            has_company=company and (opened or bool(lines[viewer])),
            are_strangers=not free[False],
        )
    return found


def in_this_phase(talk: Talk, snapshot: Snapshot, viewer: int | None) -> Talk:
    """The talk of a running match after moves alone: what can be said depends on whether partners hold cards."""
    if not talk.is_open:
        return talk
    playing = player(snapshot, viewer) is not None
    return talk._replace(phrases=tuple(offered(snapshot, playing=playing, are_strangers=talk.are_strangers)))


def heard(
    snapshot: Snapshot, viewers: Collection[int | None], limit: int | None = None
) -> dict[int | None, list[Said]]:
    """The lines of a match that each of these users may read, in order.

    limit: only so many of players and so many of watchers, the latest.
    """
    found = ChatMessage.objects.filter(match=snapshot.pk, hidden=False).select_related("user").order_by("-pk")
    each = [found] if limit is None else [found.filter(watching=watching)[:limit] for watching in (False, True)]
    lines = sorted(chain(*each), key=lambda line: line.pk)
    if not lines:
        return {viewer: [] for viewer in viewers}
    known = [viewer for viewer in viewers if viewer is not None]
    blocked, muted, shy = own_blocks(known), _muted_by(known), phrases_only(viewers)
    phrases = phrases_of(snapshot.game)
    over = snapshot.status not in Match.RUNNING
    read = {}
    for viewer in viewers:
        unwanted = blocked.get(viewer, frozenset()) | muted.get(viewer, set()) if viewer is not None else frozenset()
        words = viewer not in shy and (not over or took_part(snapshot, viewer))
        watched = over or (viewer is not None and player(snapshot, viewer) is None)
        read[viewer] = [
            _said(line, snapshot, phrases, viewer)
            for line in lines
            if line.user_id == viewer
            or (
                line.user_id not in unwanted
                and (words or line.phrase)
                and (watched or not line.watching)
                and (line.text or line.phrase in phrases)
            )
        ]
    return read


def phrases_only(viewers: Collection[int | None]) -> set[int]:
    """Those of these users who want to read no words of people's own."""
    known = [viewer for viewer in viewers if viewer is not None]
    return (
        set(ChatSettings.objects.filter(user__in=known, phrases_only=True).values_list("user", flat=True))
        if known
        else set()
    )


def latest(codes: Collection[str]) -> dict[str, int]:
    """The key of the latest line of each of these matches; one where nothing was said is left out."""
    rows = ChatMessage.objects.filter(match__code__in=codes).values_list("match__code").annotate(Max("pk")).order_by()
    return dict(rows)


def said_by_move(snapshot: Snapshot, user_id: int | None) -> dict[int, list[Said]]:
    """What somebody may read of a match's talk, by the index of the move after which it was said."""
    by_move = defaultdict(list)
    for line in heard(snapshot, [user_id])[user_id]:
        by_move[max(0, line.move_count - 1)].append(line)
    return by_move


def heard_mark(match: int, user_id: int | None) -> tuple:
    """What is equal while somebody may read the same of a finished match's talk. match: its primary key."""
    lines = list(ChatMessage.objects.filter(match=match, hidden=False).values_list("pk", "user", "user__username"))
    if not lines or user_id is None:
        return tuple(lines)
    return tuple(lines), tuple(sorted(unwanted_by(user_id))), user_id in phrases_only([user_id])


def unwanted_by(user_id: int | None) -> frozenset[int]:
    """Return the users whose words somebody doesn't read, by their keys: those whom they have blocked or muted.

    A user who is blocked goes on reading, as they would without a login: so they can't find it out.
    """
    if user_id is None:
        return frozenset()
    return own_blocks([user_id]).get(user_id, frozenset()) | _muted_by([user_id])[user_id]


def _muted_by(users: Collection[int]) -> dict[int, set[int]]:
    muted = defaultdict(set)
    for muter, other in Mute.objects.filter(muter__in=users).values_list("muter", "muted"):
        muted[muter].add(other)
    return muted


def _said(line, snapshot, phrases, viewer):
    phrase = phrases.get(line.phrase)
    seat = snapshot.seat_of(line.user_id)
    return Said(
        pk=line.pk,
        user_id=line.user_id,
        name=line.user.username,
        seat=seat.number if seat and not line.watching else None,
        words=phrase.words if phrase else line.text or line.phrase,
        icon=phrase.icon if phrase else "",
        key=line.phrase,
        watching=line.watching,
        move_count=line.move_count,
        at=line.said_at,
        mine=line.user_id == viewer,
    )
