"""The chat of a match, as each viewer may read it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from django.db.models import Max

from accounts.people.blocks import own_blocks
from games.chat.models import ChatMessage, ChatSettings, Mute
from games.chat.phrases import Phrase, phrases_of
from games.chat.posting import AT_ANY_MOMENT, is_open, may_talk, may_write, offered_phrases, player, took_part
from games.chat.watching import Watchers, watchers
from games.models import Match
from games.play import store
from games.play.snapshot import Snapshot

SHOWN = 60  # Latest lines at the table.


class ReadableLine(NamedTuple):
    """A line as one viewer reads it."""

    pk: int
    user_id: int
    name: str
    seat: int | None  # The author's seat; None for watchers, and before the start.
    words: str
    icon: str  # The icon of a reaction, or "".
    key: str  # The key of a phrase, or "".
    watching: bool
    move_count: int
    at: datetime
    mine: bool


class Talk(NamedTuple):
    """The chat of a match for one viewer."""

    code: str
    lines: tuple[ReadableLine, ...]
    watchers: Watchers
    is_open: bool
    may_write: bool
    phrases: tuple[str, ...]  # Keys of the phrases on offer.
    has_company: bool  # Whether anybody else is here.
    are_strangers: bool  # Whether players may not write free text.

    @property
    def is_limited(self) -> bool:
        """Whether only the phrases for any moment are on offer, because partners hold cards."""
        return bool(self.phrases) and set(self.phrases) <= AT_ANY_MOMENT

    @property
    def is_worth_showing(self) -> bool:
        return bool(self.lines) or self.has_company


def talks(code: str, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """Return the Talk of a match for each viewer, a user's key or None for a visitor. Raises Match.DoesNotExist."""
    snapshot = store.read(code)
    return talks_at(snapshot, viewers)


def talks_at(snapshot: Snapshot, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """Return the same as `talks`, for a match that has been read already."""
    lines = readable_lines(snapshot, viewers, limit=SHOWN)
    audience = watchers(snapshot)
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id and not seat.left]
    company = len(people) + audience.total > 1
    chat_open = is_open(snapshot)
    may_write_free = {watching: chat_open and may_write(snapshot, watching=watching) for watching in (False, True)}
    phrase_users = phrases_only(viewers)
    by_viewer = {}
    for viewer in viewers:
        playing = player(snapshot, viewer) is not None
        speaks = chat_open and may_talk(snapshot, viewer)
        by_viewer[viewer] = Talk(
            code=snapshot.code,
            lines=tuple(lines[viewer]),
            watchers=audience,
            is_open=speaks,
            may_write=speaks and may_write_free[not playing] and viewer not in phrase_users,
            phrases=tuple(offered_phrases(snapshot, playing=playing, are_strangers=not may_write_free[False]))
            if speaks
            else (),
            has_company=company and (chat_open or bool(lines[viewer])),
            are_strangers=not may_write_free[False],
        )
    return by_viewer


def with_current_phrases(talk: Talk, snapshot: Snapshot, viewer: int | None) -> Talk:
    """Return a Talk with the phrases that are on offer now, which depends on whether partners hold cards."""
    if not talk.is_open:
        return talk
    playing = player(snapshot, viewer) is not None
    return talk._replace(phrases=tuple(offered_phrases(snapshot, playing=playing, are_strangers=talk.are_strangers)))


def readable_lines(
    snapshot: Snapshot, viewers: Collection[int | None], limit: int | None = None
) -> dict[int | None, list[ReadableLine]]:
    """Return the lines of a match that each viewer may read, in order.

    limit: read only this number of the latest lines by players, and the same number by watchers.
    """
    rows = ChatMessage.objects.filter(match=snapshot.pk, hidden=False).select_related("user").order_by("-pk")
    querysets = [rows] if limit is None else [rows.filter(watching=watching)[:limit] for watching in (False, True)]
    lines = sorted(chain(*querysets), key=lambda line: line.pk)
    if not lines:
        return {viewer: [] for viewer in viewers}
    users = [viewer for viewer in viewers if viewer is not None]
    blocked, muted, phrase_users = own_blocks(users), _muted_by(users), phrases_only(viewers)
    phrases = phrases_of(snapshot.game)
    over = snapshot.status not in Match.RUNNING

    def lines_for(viewer: int | None) -> list[ReadableLine]:
        unwanted = blocked.get(viewer, frozenset()) | muted.get(viewer, set()) if viewer is not None else frozenset()
        reads_text = viewer not in phrase_users and (not over or took_part(snapshot, viewer))
        reads_watchers = over or (viewer is not None and player(snapshot, viewer) is None)

        def may_read(line: ChatMessage) -> bool:
            if line.user_id == viewer:
                return True
            if line.user_id in unwanted or (line.watching and not reads_watchers):
                return False
            return line.phrase in phrases if line.phrase else reads_text

        return [_readable_line(line, snapshot, phrases, viewer) for line in lines if may_read(line)]

    return {viewer: lines_for(viewer) for viewer in viewers}


def phrases_only(viewers: Collection[int | None]) -> set[int]:
    """Return the viewers who have chosen to read phrases only."""
    users = [viewer for viewer in viewers if viewer is not None]
    return (
        set(ChatSettings.objects.filter(user__in=users, phrases_only=True).values_list("user", flat=True))
        if users
        else set()
    )


def latest(codes: Collection[str]) -> dict[str, int]:
    """Return the key of the latest line by match code, without matches that have no lines."""
    rows = ChatMessage.objects.filter(match__code__in=codes).values_list("match__code").annotate(Max("pk")).order_by()
    return dict(rows)


def lines_by_move(snapshot: Snapshot, user_id: int | None) -> dict[int, list[ReadableLine]]:
    """Return the lines that a user may read, by the index of the move before each line."""
    by_move = defaultdict(list)
    for line in readable_lines(snapshot, [user_id])[user_id]:
        by_move[max(0, line.move_count - 1)].append(line)
    return by_move


def lines_version(match: int, user_id: int | None) -> tuple:
    """Return a value that changes when a user may read other lines of a finished match. match: its primary key."""
    lines = list(ChatMessage.objects.filter(match=match, hidden=False).values_list("pk", "user", "user__username"))
    if not lines or user_id is None:
        return tuple(lines)
    return tuple(lines), tuple(sorted(unwanted_by(user_id))), user_id in phrases_only([user_id])


def unwanted_by(user_id: int | None) -> frozenset[int]:
    """Return the keys of the users whom a user has blocked or muted.

    A blocked user can still read the lines of the other. So they can't find out that they are blocked.
    """
    if user_id is None:
        return frozenset()
    return own_blocks([user_id]).get(user_id, frozenset()) | _muted_by([user_id])[user_id]


def _muted_by(users: Collection[int]) -> dict[int, set[int]]:
    """Return the users that each of these users has muted."""
    muted: dict[int, set[int]] = defaultdict(set)
    for muter, other in Mute.objects.filter(muter__in=users).values_list("muter", "muted"):
        muted[muter].add(other)
    return muted


def _readable_line(
    line: ChatMessage, snapshot: Snapshot, phrases: Mapping[str, Phrase], viewer: int | None
) -> ReadableLine:
    phrase = phrases.get(line.phrase)
    seat = snapshot.seat_of(line.user_id)
    return ReadableLine(
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
