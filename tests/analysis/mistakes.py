"""Analyses of matches of Oh Hell with mistakes that are known."""

from django.utils import timezone

from games.analysis.models import Analysis, Verdict
from games.history.replay import Replay
from games.models import Move


def option(move, gain, tries=60):
    """An Option as it is stored."""
    return [move, gain, 0.5, tries, gain, 0.1]


def analyse(match, seat, *losses, status=Analysis.Status.DONE, types=("bid", "play")):
    """Store an analysis with a mistake of this seat for each loss, at its first moves with three choices or more.

    The last but one of the other legal moves loses nothing and the last one half of it; all others were not compared.
    types: of the moves to take.
    """
    done_at = timezone.now() if status == Analysis.Status.DONE else None
    analysis = Analysis.objects.create(match=match, status=status, finished_at=done_at)
    replay = Replay(match)
    rows = []
    for step in replay.steps[1:]:
        moves = replay.rules.legal_moves(replay.steps[step.index - 1].state)
        is_asked = step.seat == seat and step.move["type"] in types
        if is_asked and step.actor == Move.Actor.PLAYER and len(moves) > 2 and len(rows) < len(losses):
            lost = losses[len(rows)]
            fine, half = [move for move in moves if move != step.move][-2:]
            known = [option(step.move, 0.0), option(fine, lost), option(half, lost / 2)]
            values = {
                "seat": seat,
                "mark": "blunder",
                "lost": lost,
                "opened": known,
                "exact": False,
            }
            rows.append(Verdict(analysis=analysis, move=step.index, known=known, **values))
    assert len(rows) == len(losses)
    return Verdict.objects.bulk_create(rows)


def moves_of(verdict):
    """The moves played, fine and half as bad of an analysed mistake."""
    return [known[0] for known in verdict.known]
