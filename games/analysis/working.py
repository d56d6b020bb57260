"""The queue of analyses, and the storage of their verdicts in small batches.

Several processes may work at the same time. Each reserves an analysis for a minute, and renews this with every
batch. If a process ends or loses the database, another one continues after the last stored batch.
"""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.analysis.models import Analysis, Verdict
from games.bot_process import Decision, Judgement
from games.catalog import CHANCE, Rules, get_game
from games.history.folding import steps_of
from games.models import Match, Move
from games.play.versions import playable_here, rules_of

log = logging.getLogger("valat.analysis")

RESERVED_FOR = timedelta(minutes=1)  # After this time without a batch, another process may continue.


class Task(NamedTuple):
    """An analysis that this process has reserved.

    analysis: the primary key. decisions: the remaining ones, each with the index of the move and its seat.
    """

    analysis: int
    worker: str
    decisions: list[tuple[int, int, Decision]]


def take_next(worker: str) -> Task | None:
    """Reserve the analysis that has waited longest for this process. Return its task, or None if none waits.

    worker: the name of this process. Each user has only one unfinished analysis, so this order is fair.
    """
    now = timezone.now()
    free = Analysis.objects.filter(Q(taken_until=None) | Q(taken_until__lt=now), finished_at=None)
    for analysis in free.filter(match__in=Match.objects.filter(playable_here())).order_by("asked_at")[:10]:
        reservation = {"taken_until": now + RESERVED_FOR, "taken_by": worker, "status": Analysis.Status.RUNNING}
        # Another process may have reserved it since we read it. Then it is not free, and the update finds no row.
        if free.filter(pk=analysis.pk).update(**reservation):
            return _begin(analysis, worker)
    return None


def _begin(analysis: Analysis, worker: str) -> Task:
    """Return the task of a reserved analysis: the moves that a bot must still judge.

    An earlier process may have judged some. If the match can't be read, the analysis fails, and its task is empty.
    """
    try:
        decisions = list(decisions_of(analysis.match))
    except (OperationalError, InterfaceError):
        raise  # The database is away. The match is not the problem.
    except Exception:  # A problem with this match must not stop the others.
        log.exception("Match %s could not be analysed.", analysis.match.code)
        fail(analysis.pk, worker)
        return Task(analysis.pk, worker, [])
    Analysis.objects.filter(pk=analysis.pk, taken_by=worker).update(decisions=len(decisions))
    remaining = [(index, seat, decision) for index, seat, decision in decisions if index >= analysis.next_move]
    return Task(analysis.pk, worker, remaining)


def decisions_of(match: Match) -> Iterator[tuple[int, int, Decision]]:
    """Yield (index, seat, Decision) for each move of a match where the player had a choice. Raises Unreadable.

    A Decision is all that a bot needs to judge the move. It plays each possible move out many times: the longer the
    match, the fewer times.
    """
    rules = rules_of(match)
    steps = steps_of(match, rules)
    states_before = [rules.new_match(match.seat_count, match.options), *(step.state for step in steps[:-1])]
    decisions = [
        (before, step)
        for before, step in zip(states_before, steps, strict=True)
        if step.actor != Move.Actor.CLAIMED and _is_decision(rules, before)  # Nobody chooses moves after a claim.
    ]
    analyst = get_game(match.game).analyst
    assert analyst
    play_outs = analyst.effort.per_decision(len(decisions))
    for before, step in decisions:
        assert step.seat is not None
        # The seed does not depend on the database, so that the same match always has the same verdicts.
        seed = f"move {step.index}"
        decision = Decision(match.game, rules.version, rules.dump(before), step.move, seed, play_outs)
        yield step.index, step.seat, decision


def _is_decision(rules: Rules, state: object) -> bool:
    """Return whether a player is to act and has a choice."""
    return rules.to_act(state) not in (None, CHANCE) and len(rules.legal_moves(state)) > 1


@transaction.atomic
def store(task: Task, judgements: list[tuple[int, int, Judgement]], *, is_last: bool) -> bool:
    """Store a batch of judgements of an analysis, and renew its reservation for this process.

    judgements: tuples of the index of a move, its seat and the judgement. is_last: whether the analysis is complete.
    Returns False and stores nothing if the analysis was cancelled, or another process has taken it over.
    """
    values = {
        "next_move": judgements[-1][0] + 1 if judgements else F("next_move"),
        "judged": F("judged") + len(judgements),
        "seconds": F("seconds") + sum(judgement.seconds for _, _, judgement in judgements),
        "taken_until": timezone.now() + RESERVED_FOR,
    }
    if is_last:
        values |= {"status": Analysis.Status.DONE, "finished_at": timezone.now(), "taken_until": None}
    still_reserved = Analysis.objects.filter(pk=task.analysis, taken_by=task.worker, finished_at=None)
    if not still_reserved.update(**values):
        return False
    verdicts = [(index, seat, judgement.as_verdict()) for index, seat, judgement in judgements]
    Verdict.objects.bulk_create(
        [
            Verdict.of_kit(verdict, analysis_id=task.analysis, move=index, seat=seat)
            for index, seat, verdict in verdicts
            if verdict is not None  # The bot could not judge this move.
        ]
    )
    return True


def give_back(task: Task) -> None:
    """End the reservation of a task, so that another process can continue at once."""
    Analysis.objects.filter(pk=task.analysis, taken_by=task.worker, finished_at=None).update(taken_until=None)


def fail(analysis: int, worker: str) -> None:
    """Mark an analysis, which is given by its primary key, as failed."""
    mine = Analysis.objects.filter(pk=analysis, taken_by=worker, finished_at=None)
    mine.update(status=Analysis.Status.FAILED, finished_at=timezone.now(), taken_until=None)
