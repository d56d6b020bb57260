"""The queue of analyses, and the storage of their verdicts in small batches.

Several processes may work at the same time. Each reserves an analysis for a minute, and renews this with every
batch. If a process ends or loses the database, another one continues after the last stored batch.
"""

import logging
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.analysis.models import Analysis, Verdict
from games.bot_process import Decision, Judgement
from games.catalog import CHANCE, Rules, all_games, get_game
from games.history.folding import steps_of
from games.models import Match, Move, Seat
from games.play.versions import playable_here, rules_of

log = logging.getLogger("valat.analysis")

DAY = timedelta(days=1)
IDLE = 0.5  # A machine is idle with less load a core. So analyses that nobody asked for keep nobody waiting.
RESERVED_FOR = timedelta(minutes=1)  # After this time without a batch, another process may continue.


type Decisions = list[tuple[int, int, Decision]]  # each with the index of the move and its seat


class Task(NamedTuple):
    """An analysis that this process has reserved.

    analysis: the primary key. decisions: all of the match. first: the play-outs of a first look. is_ahead: whether
    nobody has asked for it.
    """

    analysis: int
    worker: str
    decisions: Decisions
    first: int = 0
    is_ahead: bool = False


def take_next(worker: str) -> Task | None:
    """Reserve the analysis that has waited longest for this process. Return its task, or None if none waits.

    Those that nobody asked for come last, and only on an idle machine. worker: the name of this process. Each user has
    only one unfinished analysis, so this order is fair.
    """
    now = timezone.now()
    is_idle = os.getloadavg()[0] < (os.cpu_count() or 1) * IDLE
    free = Analysis.objects.filter(Q(taken_until=None) | Q(taken_until__lt=now), finished_at=None)
    here = free.filter(match__in=Match.objects.filter(playable_here()))
    waiting = list(here.exclude(asked_by=None).order_by("asked_at")[:10])
    if is_idle and not waiting:
        waiting = list(here.order_by("asked_at")[:10]) or _request_ahead(now)
    for analysis in waiting:
        reservation = {"taken_until": now + RESERVED_FOR, "taken_by": worker, "status": Analysis.Status.RUNNING}
        # Another process may have reserved it since we read it. Then it is not free, and the update finds no row.
        if free.filter(pk=analysis.pk).update(**reservation):
            return _begin(analysis, worker)
    return None


def _request_ahead(now: datetime) -> list[Analysis]:
    """Request the analysis of a match that people have just finished, before anybody asks. Return it, or nothing.

    The setting ANALYSES_AHEAD limits how many there are in a day.
    """
    of_today = Analysis.objects.filter(asked_by=None, asked_at__gt=now - DAY)
    if of_today.count() >= settings.ANALYSES_AHEAD:
        return []
    ended = Match.objects.filter(playable_here(), status=Match.Status.OVER, guide=False, ended_at__gt=now - DAY)
    analysed = [game.slug for game in all_games() if game.analyst]
    people = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False)
    match = ended.filter(Exists(people), game__in=analysed, analysis=None).order_by("-ended_at").first()
    return [Analysis.objects.get_or_create(match=match)[0]] if match else []


def _begin(analysis: Analysis, worker: str) -> Task:
    """Return the task of a reserved analysis. If the match can't be read, the analysis fails, and its task is empty."""
    try:
        decisions = list(decisions_of(analysis.match))
    except (OperationalError, InterfaceError):
        raise  # The database is away. The match is not the problem.
    except Exception:  # A problem with this match must not stop the others.
        log.exception("Match %s could not be analysed.", analysis.match.code)
        fail(analysis.pk, worker)
        return Task(analysis.pk, worker, [])
    judged = analysis.verdicts.count()  # by a process that ended before
    Analysis.objects.filter(pk=analysis.pk, taken_by=worker).update(decisions=len(decisions), judged=judged)
    game = get_game(analysis.match.game)
    assert game.analyst
    return Task(analysis.pk, worker, decisions, game.analyst.effort.first, analysis.asked_by_id is None)


def first_look(task: Task) -> Decisions:
    """Return the decisions that have no verdict yet, to be judged with few play-outs."""
    judged = set(Verdict.objects.filter(analysis=task.analysis).values_list("move", flat=True))
    return [
        (index, seat, decision._replace(play_outs=task.first, is_last=False))
        if decision.play_outs > task.first
        else (index, seat, decision)  # One look is enough.
        for index, seat, decision in task.decisions
        if index not in judged
    ]


def second_look(task: Task) -> Decisions:
    """Return the decisions that the first look left unsure. The ones that may have lost most come first."""
    rows = Verdict.objects.filter(analysis=task.analysis, is_final=False)
    most_lost = {row.move: row.as_kit().most_lost for row in rows}
    Analysis.objects.filter(pk=task.analysis, unsure=None).update(unsure=len(most_lost))
    unsure = [each for each in task.decisions if each[0] in most_lost]
    return sorted(unsure, key=lambda each: -most_lost[each[0]])


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
def store(task: Task, judgements: list[tuple[int, int, Judgement]]) -> bool:
    """Store a batch of judgements of an analysis, and renew its reservation for this process.

    judgements: tuples of the index of a move, its seat and the judgement. Returns False and stores nothing if the
    analysis was cancelled, or another process has taken it over.
    """
    first_verdicts = Verdict.objects.filter(analysis=task.analysis, move__in=[index for index, *_ in judgements])
    stored = _reserved(task).update(
        judged=F("judged") + len(judgements) - first_verdicts.count(),
        seconds=F("seconds") + sum(judgement.seconds for _, _, judgement in judgements),
        taken_until=timezone.now() + RESERVED_FOR,
    )
    if not stored:
        return False
    first_verdicts.delete()
    verdicts = [(index, seat, judgement.as_verdict()) for index, seat, judgement in judgements]
    Verdict.objects.bulk_create(
        [
            Verdict.of_kit(verdict, analysis_id=task.analysis, move=index, seat=seat)
            for index, seat, verdict in verdicts
            if verdict is not None  # The bot could not judge this move.
        ]
    )
    return True


def finish(task: Task) -> None:
    """Mark an analysis as done, unless it was cancelled or another process has taken it over."""
    _reserved(task).update(status=Analysis.Status.DONE, finished_at=timezone.now(), taken_until=None)


def _reserved(task: Task) -> QuerySet[Analysis]:
    """Return the analysis of a task, or nothing if it is no longer this process's."""
    return Analysis.objects.filter(pk=task.analysis, taken_by=task.worker, finished_at=None)


def must_wait(task: Task) -> bool:
    """Return whether a task must wait: nobody has asked for it, and somebody waits for another one."""
    return task.is_ahead and Analysis.objects.exclude(asked_by=None).filter(taken_until=None, finished_at=None).exists()


def give_back(task: Task) -> None:
    """End the reservation of a task, so that another process can continue at once."""
    _reserved(task).update(taken_until=None)


def fail(analysis: int, worker: str) -> None:
    """Mark an analysis, which is given by its primary key, as failed."""
    mine = Analysis.objects.filter(pk=analysis, taken_by=worker, finished_at=None)
    mine.update(status=Analysis.Status.FAILED, finished_at=timezone.now(), taken_until=None)
