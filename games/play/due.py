"""What happens by itself: bots' turns, players' deadlines and pauses that have passed, tables that nobody starts."""

import logging
import random
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from games.bot_process import Answer, Question, answer, rule_move
from games.catalog import CHANCE, Rules, usual_bot
from games.models import Match, Move, Seat
from games.play import completion, hosting, metrics, starting, store, waiting
from games.play.changes import close, locked
from games.play.claims import sure_claim
from games.play.pace import BOT_PAUSE, thought_limit
from games.play.requests import ClaimRequest, MoveRequest
from games.play.snapshot import Snapshot
from games.play.versions import played_here

log = logging.getLogger("valat.due")


AHEAD = timedelta(seconds=BOT_PAUSE)  # bots are asked so long before they may move: they think while people look

WATCHED_LIMIT = 200  # matches of one sweep at which a player has a page open,
UNWATCHED_LIMIT = 10  # and of the others, so that however many there are they hold nobody up


def due(now: datetime, busy: Collection[str] = ()) -> list[str]:
    """Codes of the matches in which something must happen by itself now, most overdue first.

    Those that a player looks at come before all others. Those whose rules or speed are not here are left to a process
    that has them. busy: codes of those in which it is happening already.
    """
    if not store.is_any_due(now):
        return []
    codes = Match.objects.filter(played_here(), wake_at__lte=now).order_by("wake_at").values_list("code", flat=True)
    watched = Exists(Seat.objects.filter(match=OuterRef("pk"), connected=True, user__is_program=False))
    found = [*codes.filter(watched).exclude(code__in=busy)[:WATCHED_LIMIT], *codes.filter(~watched)[:UNWATCHED_LIMIT]]
    return [code for code in dict.fromkeys(found) if code not in busy]  # twice where a page was closed in between


def left_alone() -> str:
    """What a clock says when it starts of the running matches that it can't go on with; "" where there are none."""
    codes = Match.objects.filter(status__in=Match.RUNNING).exclude(played_here()).values_list("code", flat=True)
    if not (count := codes.count()):
        return ""
    shown = ", ".join(codes.order_by("pk")[:10]) + (" and more" if count > 10 else "")
    return f"Left alone, because their game, rules, speed or way of shuffling is not here: {shown}."


class BotTurn(NamedTuple):
    """A bot's turn that is due: what is to be asked, and the request that its move goes into."""

    request: MoveRequest | ClaimRequest  # a move still to be thought of; a claim as it is
    question: Question
    owner: int | None  # the host, whose tables wait in one line; None for all that nobody looks at
    revision: int
    thought: float  # seconds that the hardest choice may take from the moment it is due


def wanted(code: str, *, hurries_nobody: bool = False) -> MoveRequest | BotTurn | None:
    """What must happen by itself in a match that is due; None where nothing is to, or the thing is done here.

    hurries_nobody: leave out what happens because people did nothing. They could not, as the site was away.
    """
    snapshot = store.read(code)
    waits_for_bot = snapshot.to_act not in (None, CHANCE) and not snapshot.waits_for_person()
    if snapshot.wake_at is None or snapshot.wake_at > timezone.now() + (AHEAD if waits_for_bot else timedelta()):
        return None
    if snapshot.obstacle:
        _set_aside(snapshot)
        return None
    if hurries_nobody and _hurries_somebody(snapshot):
        return None
    if snapshot.paused_until and not snapshot.is_deserted:
        waiting.end_pause_if_due(snapshot)
        return None
    if snapshot.awaited:
        starting.start_without_awaited(code)
        return None
    if snapshot.starts_at:
        hosting.start_on_time(code)
        return None
    idle = snapshot.waits_for_go_ahead() or snapshot.waits_for_ever()
    if snapshot.state is None or idle:  # nobody has started it, or gone on with it
        _close_unless_changed(snapshot)
        return None
    to_act = snapshot.to_act
    if to_act == CHANCE:
        return MoveRequest(code, CHANCE, None, snapshot.move_count, Move.Actor.CHANCE, snapshot.wake_at)
    assert to_act is not None
    seat = snapshot.seats[to_act]
    actor = Move.Actor.BOT if seat.bot else Move.Actor.STAND_IN
    seen = snapshot.bot_plays(seat) and not snapshot.is_deserted  # else all time is up, or nobody is there
    move = MoveRequest(code, to_act, None, snapshot.move_count, actor, snapshot.wake_at)
    question = question_of(snapshot)
    return BotTurn(
        (sure_claim(snapshot, question.table) if seat.bot else None) or move,
        question,
        snapshot.host_id if any(seat.connected and seat.is_person for seat in snapshot.seats) else None,
        snapshot.revision,
        thought_limit(snapshot.speed, guide=snapshot.guide) if seen else 0,
    )


def _hurries_somebody(snapshot: Snapshot) -> bool:
    """Whether what is due happens because people did nothing. Bots' own turns and most deals do not."""
    if snapshot.is_deserted:
        return False
    return bool(snapshot.paused_until or snapshot.to_act is None or snapshot.waits_for_person()) or (
        snapshot.waits_for_go_ahead()
    )


def question_of(snapshot: Snapshot) -> Question:
    """What the bot of the seat to act is asked: its seat's view and nothing else of the match."""
    rules, seat = snapshot.rules, snapshot.to_act
    assert rules is not None
    assert seat is not None
    bot = snapshot.seats[seat].bot or usual_bot(snapshot.game)  # that one stands in for people
    return question_at(rules, snapshot.state, bot, snapshot.seed, snapshot.move_count)


def question_at(rules: Rules, state: Any, bot: str, seed: str, index: int) -> Question:
    """What a bot is asked in this state, for the move of that index. seed: of the match."""
    seat = rules.to_act(state)
    assert seat is not None
    return Question(rules.slug, bot, rules.view(state, seat), rules.legal_moves(state), f"{seed}:{index}:{seat}")


def choose(snapshot: Snapshot) -> dict[str, Any]:
    """The move of a bot for the seat to act, thought of here and now."""
    question = question_of(snapshot)
    return move_of(question, answer(question))


def move_of(question: Question, answered: Answer) -> dict[str, Any]:
    """The move that an answer names; the rule's, where the bot has failed."""
    if answered.place is not None:
        return question.moves[answered.place]
    log.error("The bot %s of %s failed. %s", question.bot, question.game, answered.error)
    metrics.ERRORS.labels("bot").inc()
    return rule_move(question)


def played_at(turn: BotTurn, answered: Answer) -> datetime:
    """When a bot makes its move: the harder the choice, the later, but by no rule that tells what it was.

    A move without a choice, or of a bot that can't tell how hard it was, takes as long as others do by chance.
    """
    rng = random.Random(f"{turn.question.seed}:pause")
    closeness = 0.15 + 0.85 * rng.random() if answered.closeness is None else answered.closeness  # that is hardly less
    assert turn.request.wake_at is not None
    return turn.request.wake_at + timedelta(seconds=turn.thought * (0.6 * closeness**2 + 0.4 * rng.random()))


def _set_aside(snapshot: Snapshot) -> None:
    """Let a match that can't be read wait for nothing: `replay_check --repair` sets it going again.

    One whose rules or speed are not here is not touched.
    """
    unchanged = Match.objects.filter(played_here(), pk=snapshot.pk, revision=snapshot.revision)
    if unchanged.update(wake_at=None, revision=F("revision") + 1):
        log.error("Match %s is set aside: it can’t be read. `manage.py replay_check` says more.", snapshot.code)


def _close_unless_changed(snapshot: Snapshot) -> None:
    """Close a table that nobody started, or a match that nobody went on with, unless somebody has meanwhile."""
    with locked(snapshot.code) as match:
        if match.revision == snapshot.revision:
            if snapshot.waits_for_ever():
                completion.note_abandoned(snapshot, snapshot.seats[snapshot.to_act])  # type: ignore[index]  # a seat's
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
