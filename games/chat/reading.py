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
from games.chat.posting import (
    AT_ANY_MOMENT,
    PLAYERS_WRITE,
    WATCHERS_WRITE,
    is_open,
    may_talk,
    offered_phrases,
    player,
    took_part,
    writers,
)
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
    writers: str  # Of `posting.Writers`: who may write free text.
    uses_phrases: bool  # The viewer has chosen to use phrases only.

    @property
    def are_strangers(self) -> bool:
        """Whether players may not write free text."""
        return self.writers not in PLAYERS_WRITE

    @property
    def is_limited(self) -> bool:
        """Whether only the phrases for any moment are on offer, because partners hold cards."""
        return bool(self.phrases) and set(self.phrases) <= AT_ANY_MOMENT

    @property
    def is_worth_showing(self) -> bool:
        return bool(self.lines) or self.has_company


def talks(code: str, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """Return the chat of a match as each viewer may read it. viewers: keys of users, None for a visitor.

    Raise Match.DoesNotExist.
    """
    snapshot = store.read(code)
    return talks_at(snapshot, viewers)


def talks_at(snapshot: Snapshot, viewers: Collection[int | None]) -> dict[int | None, Talk]:
    """Return the chat of a match as each viewer may read it: the lines, the watchers, and what the viewer may write.

    viewers: keys of users, None for a visitor. Players and watchers have different rights to write free text. All may
    choose from ready-made phrases.
    """
    lines = readable_lines(snapshot, viewers, limit=SHOWN)
    audience = watchers(snapshot)
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id and not seat.left]
    has_company = len(people) + audience.total > 1
    chat_open = is_open(snapshot)
    writing = writers(snapshot)
    players_may_write = chat_open and writing in PLAYERS_WRITE
    watchers_may_write = chat_open and writing in WATCHERS_WRITE
    phrase_users = phrases_only(viewers)  # They have chosen to do without free text.
    talk_by_viewer = {}
    for viewer in viewers:
        is_player = player(snapshot, viewer) is not None
        may_speak = chat_open and may_talk(snapshot, viewer)
        may_write_text = players_may_write if is_player else watchers_may_write
        phrases = offered_phrases(snapshot, playing=is_player, are_strangers=not players_may_write) if may_speak else ()
        talk_by_viewer[viewer] = Talk(
            code=snapshot.code,
            lines=tuple(lines[viewer]),
            watchers=audience,
            is_open=may_speak,
            may_write=may_speak and may_write_text and viewer not in phrase_users,
            phrases=tuple(phrases),
            has_company=has_company and (chat_open or bool(lines[viewer])),
            writers=writing,
            uses_phrases=viewer in phrase_users,
        )
    return talk_by_viewer


def with_current_phrases(talk: Talk, snapshot: Snapshot, viewer: int | None) -> Talk:
    """Return the chat of a match with the ready-made phrases that the viewer may choose from now.

    While partners hold cards, strangers have fewer phrases, because a phrase could be a signal. talk: the chat as the
    viewer may read it. viewer: the key of a user, None for a visitor.
    """
    if not talk.is_open:
        return talk
    is_player = player(snapshot, viewer) is not None
    return talk._replace(phrases=tuple(offered_phrases(snapshot, playing=is_player, are_strangers=talk.are_strangers)))


def readable_lines(
    snapshot: Snapshot, viewers: Collection[int | None], limit: int | None = None
) -> dict[int | None, list[ReadableLine]]:
    """Return the lines in the chat of a match that each viewer may read, in order.

    A line is a ready-made phrase or a free text, by a player or a watcher. viewers: keys of users, None for a visitor.
    limit: read only so many of the latest lines of players, and as many of watchers. None for all lines.
    """
    rows = ChatMessage.objects.filter(match=snapshot.pk, hidden=False).select_related("user").order_by("-pk")
    querysets = [rows] if limit is None else [rows.filter(watching=watching)[:limit] for watching in (False, True)]
    lines = sorted(chain(*querysets), key=lambda line: line.pk)
    if not lines:
        return {viewer: [] for viewer in viewers}
    users = [viewer for viewer in viewers if viewer is not None]
    blocked, muted, phrase_users = own_blocks(users), _muted_by(users), phrases_only(viewers)
    phrases = phrases_of(snapshot.game)
    is_over = snapshot.status not in Match.RUNNING

    def lines_for(viewer: int | None) -> list[ReadableLine]:
        unwanted = blocked.get(viewer, frozenset()) | muted.get(viewer, set()) if viewer is not None else frozenset()
        # A finished match is public, but what its players wrote to each other is not.
        reads_text = viewer not in phrase_users and (not is_over or took_part(snapshot, viewer))
        # Watchers see other hands, so players must not read their lines before the end.
        reads_watchers = is_over or (viewer is not None and player(snapshot, viewer) is None)

        def may_read(line: ChatMessage) -> bool:
            if line.user_id == viewer:
                return True
            if line.user_id in unwanted or (line.watching and not reads_watchers):
                return False
            return line.phrase in phrases if line.phrase else reads_text  # A line is either a phrase or a text.

        return [_readable_line(line, snapshot, phrases, viewer) for line in lines if may_read(line)]

    return {viewer: lines_for(viewer) for viewer in viewers}


def phrases_only(viewers: Collection[int | None]) -> set[int]:
    """Return the keys of the users among these viewers who have chosen to read and write only ready-made phrases.

    viewers: keys of users, None for a visitor.
    """
    users = [viewer for viewer in viewers if viewer is not None]
    settings = ChatSettings.objects.filter(user__in=users, phrases_only=True)
    return set(settings.values_list("user", flat=True)) if users else set()


def latest(codes: Collection[str]) -> dict[str, int]:
    """Return the primary key of the latest line in the chat of each match. Leave out matches without lines.

    codes: of the matches. The keys rise, so a higher key shows that there are new lines.
    """
    rows = ChatMessage.objects.filter(match__code__in=codes).values_list("match__code").annotate(Max("pk")).order_by()
    return dict(rows)


def lines_by_move(snapshot: Snapshot, user_id: int | None) -> dict[int, list[ReadableLine]]:
    """Return the chat lines of a match that a user may read, by the index of the move before each line.

    user_id: None for a visitor. Lines from before the first move are with that move.
    """
    by_move = defaultdict(list)
    for line in readable_lines(snapshot, [user_id])[user_id]:
        by_move[max(0, line.move_count - 1)].append(line)
    return by_move


def lines_version(match: int, user_id: int | None) -> tuple:
    """Return a value that changes whenever a user may read other chat lines of a finished match than before.

    Caches compare it. The names of writers are in it too, because users can be renamed. match: its primary key.
    user_id: None for a visitor.
    """
    lines = list(ChatMessage.objects.filter(match=match, hidden=False).values_list("pk", "user", "user__username"))
    if not lines or user_id is None:
        return tuple(lines)
    return tuple(lines), tuple(sorted(unwanted_by(user_id))), user_id in phrases_only([user_id])


def unwanted_by(user_id: int | None) -> frozenset[int]:
    """Return the keys of the users whom a user has blocked or muted, and so does not want to read.

    Users who have blocked this one are not among them: their lines must stay, because blocks are secret.
    """
    return frozenset() if user_id is None else unwanted_by_user([user_id])[user_id]


def unwanted_by_user(users: Collection[int]) -> dict[int, frozenset[int]]:
    """Return the same for several users. Two queries."""
    blocked, muted = own_blocks(users), _muted_by(users)
    return {user: blocked.get(user, frozenset()) | muted[user] for user in users}


def _muted_by(users: Collection[int]) -> dict[int, set[int]]:
    """Return the keys of the users whom each of these users has muted, without an entry if they mute nobody."""
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
