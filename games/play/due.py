"""What the clock does: bots' turns, players' deadlines, ends of pauses, tables that nobody starts."""

import logging
import random
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from games.bot_process import Answer, Question, rule_move, think
from games.catalog import CHANCE, Rules, usual_bot
from games.kit import contract
from games.kit.contract import State
from games.models import Match, Move, Seat
from games.play import completion, hosting, metrics, starting, store, waiting
from games.play.changes import close, locked
from games.play.claims import sure_claim
from games.play.pace import BOT_PAUSE, thought_limit
from games.play.requests import ClaimRequest, MoveRequest
from games.play.snapshot import Snapshot
from games.play.versions import playable_here

log = logging.getLogger("valat.due")


AHEAD = timedelta(seconds=BOT_PAUSE)  # Bots are asked this long before they may move, to think during their pause.

WATCHED_LIMIT = 200  # The most matches of one sweep in which a player has a page open.
UNWATCHED_LIMIT = 10  # The most other matches of one sweep, so that they never delay players.


def due_codes(now: datetime, busy: Collection[str] = ()) -> list[str]:
    """Return the codes of the matches where something is due, such as a bot's move, the most overdue first.

    Matches that a player looks at come before all others. Matches whose rules this process does not have are left to
    other processes. busy: the codes of matches that are being handled already.
    """
    if not store.is_any_due(now):  # A fast query, and usually the only one.
        return []
    codes = Match.objects.filter(playable_here(), wake_at__lte=now).order_by("wake_at").values_list("code", flat=True)
    is_watched = Exists(Seat.objects.filter(match=OuterRef("pk"), connected=True, user__is_program=False))
    watched = codes.filter(is_watched).exclude(code__in=busy)[:WATCHED_LIMIT]
    unwatched = codes.filter(~is_watched)[:UNWATCHED_LIMIT]
    # A match is in both lists if its page was closed between the two queries.
    return [code for code in dict.fromkeys([*watched, *unwatched]) if code not in busy]


def describe_unplayable() -> str:
    """Return a line for the log about the running matches that can't be played here; "" if there are none."""
    codes = Match.objects.filter(status__in=Match.RUNNING).exclude(playable_here()).values_list("code", flat=True)
    if not (count := codes.count()):
        return ""
    listed = ", ".join(codes.order_by("pk")[:10]) + (" and more" if count > 10 else "")
    return f"Left alone, because their game, rules, speed or way of shuffling is not here: {listed}."


class BotTurn(NamedTuple):
    """A bot's turn that is due: the question to the bot, and the request to make with its answer."""

    request: MoveRequest | ClaimRequest  # a MoveRequest still lacks its move; a ClaimRequest is complete
    question: Question
    owner: int | None  # the host, whose tables share a queue; None for all matches that nobody looks at
    revision: int
    thinking_time: float  # seconds that the bot may seem to think, after `request.wake_at`


def handle_due(code: str, *, skip_deadlines: bool = False) -> MoveRequest | BotTurn | None:
    """Do what is due in a match, or return the request or the bot's turn that does it; None if nothing is left to do.

    skip_deadlines: do nothing that punishes people for waiting. They could not act, because the site was away.
    """
    snapshot = store.read(code)
    waits_for_bot = snapshot.to_act not in (None, CHANCE) and not snapshot.waits_for_person()
    time_to_think = AHEAD if waits_for_bot else timedelta()
    if snapshot.wake_at is None or snapshot.wake_at > timezone.now() + time_to_think:
        return None
    if snapshot.obstacle:
        _stop_waking(snapshot)
        return None
    if skip_deadlines and _is_deadline(snapshot):
        return None
    if snapshot.paused_until and not snapshot.is_deserted:
        waiting.end_pause_if_due(snapshot)
        return None
    if snapshot.awaited_seats:
        starting.start_without_awaited(code)
        return None
    if snapshot.starts_at:
        hosting.start_on_time(code)
        return None
    waits_for_people = snapshot.waits_for_go_ahead() or snapshot.waits_forever()
    if snapshot.state is None or waits_for_people:  # Nobody has started or continued it for too long.
        _close_unless_changed(snapshot)
        return None
    to_act = snapshot.to_act
    if to_act == CHANCE:
        return MoveRequest(code, CHANCE, None, snapshot.move_count, Move.Actor.CHANCE, snapshot.wake_at)
    assert to_act is not None
    seat = snapshot.seats[to_act]
    actor = Move.Actor.BOT if seat.bot else Move.Actor.STAND_IN
    # A bot need not seem to think if the player's time is already up, or nobody is there to see it.
    seems_to_think = snapshot.bot_plays(seat) and not snapshot.is_deserted
    is_watched = any(seat.connected and seat.is_person for seat in snapshot.seats)
    question = question_of(snapshot)
    claim = sure_claim(snapshot, question.table) if seat.bot else None
    return BotTurn(
        request=claim or MoveRequest(code, to_act, None, snapshot.move_count, actor, snapshot.wake_at),
        question=question,
        owner=snapshot.host_id if is_watched else None,
        revision=snapshot.revision,
        thinking_time=thought_limit(snapshot.speed, guide=snapshot.guide) if seems_to_think else 0,
    )


def _is_deadline(snapshot: Snapshot) -> bool:
    """Return whether something is due because people have not acted in time: a player, more players, or in a pause.

    Otherwise it is only the turn of a bot, or time for the next deal.
    """
    if snapshot.is_deserted:  # No people are left, and bots finish the match.
        return False
    has_not_started = snapshot.to_act is None
    waits_for_player = snapshot.waits_for_person() or snapshot.waits_for_go_ahead()  # For a move, or for "next deal".
    return has_not_started or waits_for_player or snapshot.paused_until is not None


def question_of(snapshot: Snapshot) -> Question:
    """Return the question that asks a bot for the move of the seat to act.

    Bots think in other processes. The question holds what the seat to act sees, and no other cards.
    """
    rules, seat = snapshot.rules, snapshot.to_act
    assert rules is not None
    assert seat is not None
    bot = snapshot.seats[seat].bot or usual_bot(snapshot.game)  # The usual bot stands in for people.
    return question_at(rules, snapshot.state, bot, snapshot.seed, snapshot.move_count)


def question_at(rules: Rules, state: State, bot: str, seed: str, index: int) -> Question:
    """Return the question that asks a bot for the move of that index.

    state: of the match, before the move. bot: its name. seed: of the match. From it follow the random choices of the
    bot, so that they can be repeated.
    """
    seat = rules.to_act(state)
    assert seat is not None
    return Question(rules.slug, bot, rules.view(state, seat), rules.legal_moves(state), f"{seed}:{index}:{seat}")


def choose(snapshot: Snapshot) -> contract.Move:
    """Return a bot's move for the seat to act. The bot thinks in this process."""
    question = question_of(snapshot)
    return move_of(question, think(question))


def move_of(question: Question, answer: Answer) -> contract.Move:
    """Return the move that a bot has chosen. If the bot failed, log that and return a move by a simple rule."""
    if answer.choice is not None:
        return question.moves[answer.choice]
    log.error("The bot %s of %s failed. %s", question.bot, question.game, answer.error)
    metrics.ERRORS.labels("bot").inc()
    return rule_move(question)


def move_time(turn: BotTurn, answer: Answer) -> datetime:
    """Return when a bot plays its move: later for a harder choice, as people do, with a random part.

    The random part hides how hard the choice was, because that tells something about the bot's cards.
    turn: has the earliest time, and the number of seconds that the bot may seem to think. answer.closeness: how hard
    the choice was, from 0 to 1. It is None for a move without a choice, or without this measure. Such a move takes a
    random time in the same range.
    """
    rng = random.Random(f"{turn.question.seed}:pause")
    # Most choices have a closeness from 0.15 to 1.
    closeness = 0.15 + 0.85 * rng.random() if answer.closeness is None else answer.closeness
    share_of_time = 0.6 * closeness**2 + 0.4 * rng.random()  # Squared, so that only close choices take long.
    assert turn.request.wake_at is not None
    return turn.request.wake_at + timedelta(seconds=turn.thinking_time * share_of_time)


def _stop_waking(snapshot: Snapshot) -> None:
    """Let the clock ignore a damaged match from now on. `replay_check --repair` brings it back.

    Nothing happens if the match has changed since the snapshot, or if its rules or speed are not available here: then
    it is left to other processes.
    """
    unchanged = Match.objects.filter(playable_here(), pk=snapshot.pk, revision=snapshot.revision)
    if unchanged.update(wake_at=None, revision=F("revision") + 1):
        log.error("Match %s is set aside: it can’t be read. `manage.py replay_check` says more.", snapshot.code)


def _close_unless_changed(snapshot: Snapshot) -> None:
    """Close a table that nobody started or a match that nobody continued, unless it has changed since the snapshot."""
    with locked(snapshot.code) as match:
        if match.revision == snapshot.revision:
            # The player to act has given up the match, and nobody waits for them.
            if snapshot.waits_forever() and snapshot.to_act is not None:
                completion.record_abandoned(snapshot, snapshot.seats[snapshot.to_act])
            close(match)


def close_table(code: str) -> None:
    """Close an open table or a running match, as the site's host may."""
    with locked(code) as match:
        if match.status in Match.RUNNING:
            close(match)


def postpone(code: str, seconds: float = 60) -> None:
    """Try again later what is due at a match, after a failure."""
    running = Match.objects.filter(code=code, status__in=Match.RUNNING)
    running.update(wake_at=timezone.now() + timedelta(seconds=seconds), revision=F("revision") + 1)
