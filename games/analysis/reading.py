"""What an analysis says: of a match, of a move, and on the timeline of the replay."""

from itertools import groupby
from typing import NamedTuple

from games.analysis.models import Analysis, Verdict
from games.catalog import get_game
from games.history.marks import Mark, Source
from games.kit.analysis import GOOD, MARK_WORDS, SIGNS, short_verdict, spoken_verdict, verdict_words
from games.kit.language import say

COSTLIEST = 10  # moments at most on the list


class Moment(NamedTuple):
    """A decision of which there is something to say in few words."""

    move: int
    seat: int
    mark: str  # one of SIGNS, or ""
    sign: str
    lost: float
    words: str  # without a full stop, "" where there is no mark
    spoken: str  # the same as a sentence that needs no sign


def analysis_of(match):
    """The Analysis of a match, or None where nobody has asked for it."""
    return Analysis.objects.filter(match=match).first()


def is_analysed(match):
    """Whether verdicts on the moves of a match may be read."""
    return Analysis.objects.filter(match=match, status=Analysis.Status.DONE).exists()


def is_analysed_beside(replay):
    """The same of the match of a replay."""
    return replay.over and replay.memoize("analysis", lambda: is_analysed(replay.match))


def verdict_on(match, move):
    """The row of the Verdict on a move of a match that is analysed, by its index; None where there is none."""
    return _verdicts(match).filter(move=move).first()


def told(match, row):
    """A Verdict's row in words, as `verdict_words`, with "mark", "sign" and "mark_words"."""
    verdict = row.judged
    return verdict_words(get_game(match.game).coach, verdict) | {
        "mark": row.mark,
        "sign": SIGNS.get(row.mark, ""),
        "mark_words": MARK_WORDS.get(row.mark, ""),
        "exact": row.exact,
    }


def moments(match, first=0, last=None):
    """{move: Moment} of all decisions between two moves of a match, where it has been analysed; of all without."""
    rows = _verdicts(match).filter(move__gte=first)
    if last is not None:
        rows = rows.filter(move__lte=last)
    coach = get_game(match.game).coach
    return {row.move: _moment(coach, row) for row in rows}


def _verdicts(match):
    """The rows of a match that is analysed, in order; none of another."""
    return Verdict.objects.filter(analysis__match=match, analysis__status=Analysis.Status.DONE).order_by("move")


def _moment(coach, row):
    words = spoken = ""
    if row.mark:
        verdict = row.judged
        words, spoken = short_verdict(coach, verdict), spoken_verdict(coach, verdict)
    return Moment(row.move, row.seat, row.mark, SIGNS.get(row.mark, ""), row.lost, words, spoken)


def costliest(found):
    """Of Moments those that lost most, the worst first."""
    lost = sorted((moment for moment in found if moment.lost > 0), key=lambda moment: -moment.lost)
    return lost[:COSTLIEST]


def by_seat(found, seats):
    """{"lost", "decisions", "marks"} of each seat, a list. marks: how many of each sign, in the order of SIGNS."""
    lines = [{"lost": 0.0, "decisions": 0, "marks": dict.fromkeys(SIGNS, 0)} for _ in range(seats)]
    for moment in found:
        line = lines[moment.seat]
        line["lost"] += moment.lost
        line["decisions"] += 1
        if moment.mark:
            line["marks"][moment.mark] += 1
    return lines


def by_deal(found, deals, seats):
    """The points that each seat lost in each deal: [{"number", "start", "lost"}]. deals: of a `Replay`."""
    sums = {deal.number: [0.0] * seats for deal in deals}
    number_of = {move: deal.number for deal in deals for move in range(deal.first, deal.last + 1)}
    for number, moments_of_deal in groupby(found, lambda moment: number_of[moment.move]):
        for moment in moments_of_deal:
            sums[number][moment.seat] += moment.lost
    return [{"number": deal.number, "start": deal.start, "lost": sums[deal.number]} for deal in deals]


def legend(game):
    """What the marks of a game (its slug) mean: [{"mark", "sign", "words", "least"}], the points that it takes."""
    scale = get_game(game).analyst.scale._asdict()
    return [
        {"mark": mark, "sign": sign, "words": MARK_WORDS[mark], "least": scale.get(mark)}
        for mark, sign in SIGNS.items()
    ]


def _mistakes(replay, user):
    """The Marks of moves that lost points."""
    if not is_analysed_beside(replay):
        return
    coach = get_game(replay.match.game).coach
    for row in _verdicts(replay.match).exclude(mark__in=["", GOOD]):
        moment, name = _moment(coach, row), replay.players[row.seat]["name"]
        yield Mark(
            moment.move, "mistake", say("{sign} {name}: {words}", sign=moment.sign, name=name, words=moment.words)
        )


def _version(match, user):
    return Analysis.objects.filter(match=match, status=Analysis.Status.DONE).values_list("pk", "finished_at").first()


MISTAKES = Source(marks=_mistakes, version=_version)
