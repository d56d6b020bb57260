"""What happens by itself: bots' turns, players' deadlines and pauses that have passed, tables that nobody starts."""

import logging
import random
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from games.catalog import CHANCE, get_bot
from games.models import Match, Move, Seat
from games.play import starting, store
from games.play.changes import close, locked
from games.play.requests import MoveRequest
from games.play.snapshot import Snapshot
from games.play.versions import played_here

log = logging.getLogger("valat.due")


WATCHED_LIMIT = 200  # matches of one sweep at which a player has a page open,
UNWATCHED_LIMIT = 10  # and of the others, so that however many there are they hold nobody up


def due(now: datetime) -> list[str]:
    """Codes of the matches in which something must happen by itself now, most overdue first.

    Those that a player looks at come before all others. Those whose rules or speed are not here are left to a process
    that has them.
    """
    codes = Match.objects.filter(played_here(), wake_at__lte=now).order_by("wake_at").values_list("code", flat=True)
    watched = Exists(Seat.objects.filter(match=OuterRef("pk"), connected=True))
    return [*codes.filter(watched)[:WATCHED_LIMIT], *codes.filter(~watched)[:UNWATCHED_LIMIT]]


def left_alone() -> str:
    """What a clock says when it starts of the running matches that it can't go on with; "" where there are none."""
    codes = Match.objects.filter(status__in=Match.RUNNING).exclude(played_here()).values_list("code", flat=True)
    if not (count := codes.count()):
        return ""
    shown = ", ".join(codes.order_by("pk")[:10]) + (" and more" if count > 10 else "")
    return f"Left alone, because their game, rules, speed or way of shuffling is not here: {shown}."


def think(code: str) -> MoveRequest | None:
    """What must happen by itself in a match that is due: a MoveRequest, or None where the thing is done here.

    A bot is asked for its move here, with its seat's view and nothing else.
    """
    now = timezone.now()
    snapshot = store.read(code)
    if snapshot.wake_at is None or snapshot.wake_at > now:
        return None
    if snapshot.obstacle:
        _set_aside(snapshot)
        return None
    if snapshot.awaited:
        starting.start_without_awaited(code)
        return None
    idle = snapshot.waits_for_go_ahead() or snapshot.waits_for_ever()
    if (
        snapshot.state is None or idle or (snapshot.is_deserted and not _was_played(snapshot))
    ):  # nobody has started it, or gone on with it, or ever will
        _close_unless_changed(snapshot)
        return None
    to_act = snapshot.to_act
    if to_act == CHANCE:
        return MoveRequest(code, CHANCE, None, snapshot.move_count, Move.Actor.CHANCE, snapshot.wake_at)
    assert to_act is not None
    actor = Move.Actor.BOT if snapshot.seats[to_act].bot else Move.Actor.STAND_IN
    return MoveRequest(code, to_act, choose(snapshot), snapshot.move_count, actor, snapshot.wake_at)


def _was_played(snapshot: Snapshot) -> bool:
    """Whether a person has made a move in a match."""
    people = [seat.number for seat in snapshot.seats if seat.kind not in ("bot", "program")]
    return Move.objects.filter(match=snapshot.pk, actor=Move.Actor.PLAYER, seat__in=people).exists()


def choose(snapshot: Snapshot) -> dict[str, Any]:
    """The move of a bot for the seat to act."""
    rules, seat = snapshot.rules, snapshot.to_act
    assert rules is not None
    assert seat is not None
    moves = rules.legal_moves(snapshot.state)
    rng = random.Random(f"{snapshot.seed}:{snapshot.move_count}:{seat}")
    bot = get_bot(snapshot.game, snapshot.seats[seat].bot)  # the sensible one, where it stands in for a person
    try:
        move = bot.choose(rules.view(snapshot.state, seat), moves, rng)
    except Exception:
        log.exception("The bot of %s failed in match %s at move %s.", snapshot.game, snapshot.code, snapshot.move_count)
        move = None
    return move if move in moves else rng.choice(moves)


def _set_aside(snapshot: Snapshot) -> None:
    """Let a match that can't be read wait for nothing: `replay_check --repair` sets it going again.

    One whose rules or speed are not here is not touched.
    """
    unchanged = Match.objects.filter(played_here(), pk=snapshot.pk, revision=snapshot.revision)
    if unchanged.update(wake_at=None, revision=F("revision") + 1):
        log.error("Match %s is set aside: it can't be read. `manage.py replay_check` says more.", snapshot.code)


def _close_unless_changed(snapshot: Snapshot) -> None:
    """Close a table that nobody started, or a match that nobody went on with, unless somebody has meanwhile."""
    with locked(snapshot.code) as match:
        if match.revision == snapshot.revision:
            close(match)


def close_table(code: str) -> None:
    """Close an open table or a running match: the host of the site says so."""
    with locked(code) as match:
        if match.status in Match.RUNNING:
            close(match)


def postpone(code: str, seconds: float = 60) -> None:
    """After a failure: look at this match again later."""
    running = Match.objects.filter(code=code, status__in=Match.RUNNING)
    running.update(wake_at=timezone.now() + timedelta(seconds=seconds), revision=F("revision") + 1)
