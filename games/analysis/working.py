"""The work on analyses, in pieces: which one is next, its decisions, and what is stored of them.

Any number of processes may do it: each takes an analysis for a while and says so anew with every piece that it stores.
One that ends, or loses the database, leaves the rest to whoever comes next, from the first decision not stored.
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

HOLD = timedelta(minutes=1)  # for which an analysis is left to the process that has taken it


class Task(NamedTuple):
    """An analysis that this process is at. decisions: those still to be judged, each with the move's index and seat."""

    analysis: int  # its key
    worker: str
    decisions: list[tuple[int, int, Decision]]


def take_next(worker: str) -> Task | None:
    """The analysis that has waited longest, for this process to do; None where there is none.

    Users have one each at a time, so nobody's many matches go before another's one. worker: what it calls itself.
    """
    now = timezone.now()
    free = Analysis.objects.filter(Q(taken_until=None) | Q(taken_until__lt=now), finished_at=None)
    for analysis in free.filter(match__in=Match.objects.filter(playable_here())).order_by("asked_at")[:10]:
        taken = {"taken_until": now + HOLD, "taken_by": worker, "status": Analysis.Status.RUNNING}
        if free.filter(pk=analysis.pk).update(**taken):
            return _begun(analysis, worker)
    return None


def _begun(analysis: Analysis, worker: str) -> Task:
    try:
        found = list(decisions_of(analysis.match))
    except (OperationalError, InterfaceError):
        raise  # that is not this match's fault
    except Exception:  # of one match: the others have their turn
        log.exception("Match %s could not be analysed.", analysis.match.code)
        fail(analysis.pk, worker)
        return Task(analysis.pk, worker, [])
    Analysis.objects.filter(pk=analysis.pk, taken_by=worker).update(decisions=len(found))
    return Task(analysis.pk, worker, [each for each in found if each[0] >= analysis.next_move])


def decisions_of(match: Match) -> Iterator[tuple[int, int, Decision]]:
    """Yield what is asked about each move of a finished match that somebody has chosen. Raises Unreadable."""
    rules = rules_of(match)
    steps = steps_of(match, rules)
    befores = [rules.new_match(match.seat_count, match.options), *(step.state for step in steps[:-1])]
    chosen = [
        (before, step)
        for before, step in zip(befores, steps, strict=True)
        if step.actor != Move.Actor.CLAIMED and _is_decision(rules, before)  # after a claim nobody has chosen anything
    ]
    play_outs = get_game(match.game).analyst.effort.known(len(chosen))
    for before, step in chosen:
        # The seed is the same for the same match wherever it is stored, and the play-outs follow from its moves.
        seed = f"move {step.index}"
        yield (
            step.index,
            step.seat,
            Decision(match.game, rules.version, rules.dump(before), step.move, seed, play_outs),
        )


def _is_decision(rules: Rules, state: object) -> bool:
    return rules.to_act(state) not in (None, CHANCE) and len(rules.legal_moves(state)) > 1


@transaction.atomic
def keep(task: Task, judged: list[tuple[int, int, Judgement]], *, is_last: bool) -> bool:
    """Store what was found of the next decisions of a task: the index of a move, its seat, the judgement.

    Returns whether the task is still this process's: if not, because it was cancelled or taken over, nothing is stored.
    """
    values = {
        "next_move": judged[-1][0] + 1 if judged else F("next_move"),
        "judged": F("judged") + len(judged),
        "seconds": F("seconds") + sum(judgement.seconds for _, _, judgement in judged),
        "taken_until": timezone.now() + HOLD,
    }
    if is_last:
        values |= {"status": Analysis.Status.DONE, "finished_at": timezone.now(), "taken_until": None}
    mine = Analysis.objects.filter(pk=task.analysis, taken_by=task.worker, finished_at=None)
    if not mine.update(**values):
        return False
    found = [(index, seat, judgement.as_verdict()) for index, seat, judgement in judged]
    Verdict.objects.bulk_create(
        [
            Verdict.holding(verdict, analysis_id=task.analysis, move=index, seat=seat)
            for index, seat, verdict in found
            if verdict is not None
        ]
    )
    return True


def give_back(task: Task) -> None:
    """Let another process go on with a task at once: this one ends."""
    Analysis.objects.filter(pk=task.analysis, taken_by=task.worker, finished_at=None).update(taken_until=None)


def fail(analysis: int, worker: str) -> None:
    """Say of an analysis (its key) that it can't be done."""
    mine = Analysis.objects.filter(pk=analysis, taken_by=worker, finished_at=None)
    mine.update(status=Analysis.Status.FAILED, finished_at=timezone.now(), taken_until=None)
