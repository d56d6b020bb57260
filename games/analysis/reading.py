"""The results of an analysis: for the match, for a move, and for the timeline of the replay."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypedDict

from django.conf import settings
from django.db.models import Avg, QuerySet

from accounts.models import User
from games.analysis.models import Analysis, Verdict
from games.catalog import get_game
from games.history.folding import Deal
from games.history.marks import Mark, Source
from games.history.replay import Replay
from games.kit.analysis import (
    ACCURACIES,
    GOOD,
    MARK_WORDS,
    PERFECT,
    SIGNS,
    accuracy,
    better_move,
    reason_of,
    short_verdict,
    spoken_verdict,
    verdict_words,
)
from games.kit.language import say, say_in
from games.kit.markup import SMALL_FACES, Markup
from games.models import Match

MAX_COSTLY = 10  # moments of the reader, and of the others
MAX_SO_FAR = 5  # moments of an unfinished analysis
RECENT = 20  # the number of analyses whose mean time is the usual time


class Moment(NamedTuple):
    """A decision and a short verdict on it.

    mark: a key of SIGNS, or "". lost: points. words: without a full stop, "" without a mark. spoken: a sentence
    that can be read without the sign.
    """

    move: int
    seat: int
    mark: str
    sign: str
    lost: float
    words: str
    spoken: str


class DealLosses(TypedDict):
    """The points that each seat lost in a deal."""

    number: int
    start: int
    lost: list[float]


def analysis_of(match: Match) -> Analysis | None:
    """Return the analysis of a match, or None if nobody has requested one."""
    return Analysis.objects.filter(match=match).first()


class Progress(TypedDict):
    """How far an analysis is. decisions: of the present look. seconds: until it begins, roughly; None if unknown."""

    look: str  # "none", "first" or "second"
    judged: int
    decisions: int
    ahead: int  # the number of analyses that come first
    seconds: int | None


def progress_of(analysis: Analysis) -> Progress:
    """Return how far an unfinished analysis is."""
    if analysis.status == Analysis.Status.WAITING or analysis.decisions is None:
        queue = Analysis.objects.filter(finished_at=None).exclude(asked_by=None)
        ahead = queue.filter(asked_at__lt=analysis.asked_at).count()
        finished = Analysis.objects.filter(status=Analysis.Status.DONE).order_by("-finished_at")
        usual = finished[:RECENT].aggregate(seconds=Avg("seconds"))["seconds"]
        seconds = None if usual is None else round(usual * ahead / max(settings.ANALYSES, 1))
        return {"look": "none", "judged": 0, "decisions": 0, "ahead": ahead, "seconds": seconds}
    if analysis.unsure is None:
        look, judged, decisions = "first", min(analysis.judged, analysis.decisions), analysis.decisions
    else:
        look, decisions = "second", analysis.unsure
        judged = decisions - analysis.verdicts.filter(is_final=False).count()
    return {"look": look, "judged": judged, "decisions": decisions, "ahead": 0, "seconds": None}


def mistakes_so_far(analysis: Analysis) -> list[Moment]:
    """Return the costliest mistakes that an unfinished analysis has found. They may change."""
    coach = get_game(analysis.match.game).coach
    rows = analysis.verdicts.filter(lost__gt=0).exclude(mark="").order_by("-lost", "move")
    return [_moment(coach, row) for row in rows[:MAX_SO_FAR]]


def is_analysed(match: Match) -> bool:
    """Return whether the analysis of a match is finished."""
    return Analysis.objects.filter(match=match, status=Analysis.Status.DONE).exists()


def is_replay_analysed(replay: Replay) -> bool:
    """Return whether the match of a replay is analysed. The replay remembers the answer of one query."""
    return replay.over and replay.memoize("analysis", lambda: is_analysed(replay.match))


def verdict_on(match: Match, move: int) -> Verdict | None:
    """Return the verdict on a move, which is given by its index, or None."""
    return _verdicts(match).filter(move=move).first()


def describe(replay: Replay, row: Verdict) -> dict[str, object]:
    """Return the verdict on a move for a template: its "mark", its "sign", such as "??", and texts about it.

    row: the stored verdict.
    """
    coach = get_game(replay.match.game).coach  # The words of the game for verdicts.
    assert coach
    verdict = row.as_kit()
    return {
        **verdict_words(coach, verdict),
        "scene": scene_of(replay, row),
        "mark": row.mark,
        "sign": SIGNS.get(row.mark, ""),
        "mark_words": MARK_WORDS.get(row.mark, ""),
    }


class HeldCard(TypedDict):
    """A card of the hand."""

    face: Markup
    made: bool  # whether it was played
    better: bool  # whether it was the better one


class Scene(TypedDict):
    """What a player saw before a move, and what was better and why."""

    setting: str  # sentences, such as the contract
    centre: Markup | None  # a card in the middle that nobody played
    trick: list[tuple[str, Markup]]  # names and cards
    hand: list[HeldCard]
    better: str  # the name of the move, or ""
    reason: str  # a sentence, or ""


def scene_of(replay: Replay, row: Verdict) -> Scene:
    """Return the position before a move from the view of its player, with the better move and the reason for it."""
    coach, verdict = get_game(replay.match.game).coach, row.as_kit()
    assert coach
    table = replay.rules.view(replay.steps[row.move - 1].state, row.seat)
    better = better_move(verdict)
    made_card, better_card = replay.steps[row.move].move.get("card"), (better or {}).get("card")
    centre, names = replay.drawing.centre_card(table), replay.names

    def name_or_you(seat: int) -> str:
        return say_in("what a player is called", "You") if names.is_viewer(seat) else names[seat]

    return {
        "setting": coach.setting(table),
        "centre": SMALL_FACES[centre] if centre else None,
        "trick": [(name_or_you(play["seat"]), SMALL_FACES[play["card"]]) for play in coach.trick(table)],
        "hand": [
            {"face": SMALL_FACES[card], "made": card == made_card, "better": card == better_card}
            for suit in replay.drawing.suits_of(table)
            for card in suit
        ],
        "better": coach.name(better) if better else "",
        "reason": reason_of(coach, verdict, table),
    }


def verdicts_on(match: Match, moves: Iterable[int]) -> dict[int, Verdict]:
    """Return the verdicts on some moves, by the index of the move."""
    return {row.move: row for row in _verdicts(match).filter(move__in=list(moves))}


def moments(match: Match, first: int = 0, last: int | None = None) -> dict[int, Moment]:
    """Return the judged moves of an analysed match by the index of the move, each with a short verdict.

    first, last: the range of indexes. None for `last` means to the end of the match.
    """
    rows = _verdicts(match).filter(move__gte=first)
    if last is not None:
        rows = rows.filter(move__lte=last)
    coach = get_game(match.game).coach
    return {row.move: _moment(coach, row) for row in rows}


def _verdicts(match: Match) -> QuerySet[Verdict]:
    """Return the verdicts of a match by move, or none while its analysis is unfinished."""
    return Verdict.objects.filter(analysis__match=match, analysis__status=Analysis.Status.DONE).order_by("move")


def _moment(coach: Any, row: Verdict) -> Moment:
    words = spoken = ""
    if row.mark:
        verdict = row.as_kit()
        words, spoken = short_verdict(coach, verdict), spoken_verdict(coach, verdict)
    return Moment(row.move, row.seat, row.mark, SIGNS.get(row.mark, ""), row.lost, words, spoken)


def costliest(moments: Iterable[Moment]) -> list[Moment]:
    """Return the moments that lost most points, the worst first."""
    mistakes = sorted((moment for moment in moments if moment.lost > 0), key=lambda moment: -moment.lost)
    return mistakes[:MAX_COSTLY]


def losses_by_seat(moments: Iterable[Moment], seats: int) -> list[dict[str, Any]]:
    """Return a line for each seat: the points that its moves lost, its number of decisions, and a count of each mark.

    "accuracy" says how good its decisions were on average. It is None if there were none.

    moments: the judged moves of a match.
    """
    lines: list[dict[str, Any]] = [
        {"lost": 0.0, "decisions": 0, "marks": dict.fromkeys(SIGNS, 0), "total": 0} for _ in range(seats)
    ]
    for moment in moments:
        line = lines[moment.seat]
        line["lost"] += moment.lost
        line["total"] += ACCURACIES.get(moment.mark, PERFECT)
        line["decisions"] += 1
        if moment.mark:
            line["marks"][moment.mark] += 1
    for line in lines:
        line["accuracy"] = accuracy(line["total"], line["decisions"])
    return lines


def losses_by_deal(moments: Iterable[Moment], deals: Sequence[Deal], seats: int) -> list[DealLosses]:
    """Return a line for each deal of a replay with the points that each seat's moves lost, "lost".

    moments: the judged moves, in order. deals: all deals of the replay.
    """
    sums = {deal.number: [0.0] * seats for deal in deals}
    deal_of = {move: deal.number for deal in deals for move in range(deal.first, deal.last + 1)}
    for number, moments_of_deal in groupby(moments, lambda moment: deal_of[moment.move]):
        for moment in moments_of_deal:
            sums[number][moment.seat] += moment.lost
    return [{"number": deal.number, "start": deal.start, "lost": sums[deal.number]} for deal in deals]


def legend(game: str) -> list[dict[str, object]]:
    """Return the legend of a game's marks. Each has "mark", "sign", "words" and "least", the smallest loss for it."""
    analyst = get_game(game).analyst
    assert analyst
    scale = analyst.scale._asdict()
    return [
        {"mark": mark, "sign": sign, "words": MARK_WORDS[mark], "least": scale.get(mark)}
        for mark, sign in SIGNS.items()
    ]


def _mistakes(replay: Replay, user: User) -> Iterator[Mark]:
    """Yield a mark on the timeline of a replay for each move that lost points, if the match is analysed.

    user: the reader. All readers see the same marks.
    """
    if not is_replay_analysed(replay):
        return
    coach = get_game(replay.match.game).coach
    for row in _verdicts(replay.match).exclude(mark__in=["", GOOD]):
        moment, name = _moment(coach, row), replay.players[row.seat]["name"]
        words = say("{sign} {name}: {words}", sign=moment.sign, name=name, words=moment.words)
        yield Mark(moment.move, "mistake", words)


def _version(match: int, user: User) -> Hashable:
    return Analysis.objects.filter(match=match, status=Analysis.Status.DONE).values_list("pk", "finished_at").first()


MISTAKES = Source(marks=_mistakes, version=_version)
