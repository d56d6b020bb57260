"""What a decision of a finished match was worth, and that in words: by what the seat knew, and with open cards.

By what it knew: all alternatives are played out in the same worlds, ways that the hidden cards may have lain, as the
hard bot does for that seat, only that none may cost the move that was made its place. With open cards: in the one
world that it was, exactly where a game can look to the end, else by many play-outs of it. Points are the game's, for
the seat that chose; an error is a standard error.

A decision is marked by what it lost against the best of what could be known, and only where that is sure: luck with
the cards that it did not see earns no mark and costs none. The only good move is marked too, if the rule of thumb would
have missed it. The same decision always gets the same verdict: play-outs count, not time, and chance comes from a seed.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import repeat
from random import Random
from typing import Any, NamedTuple

from games.kit.coach import SURE_ERRORS, Row, decimal
from games.kit.contract import Move, Rules
from games.kit.language import lazy, say, say_count
from games.kit.search import Brain, Level, Option, evaluate, tried_out
from games.kit.words import capital, sentence_of

SURE = 2.5  # standard errors by which another move must be better for the difference to count as lost
NO_FUSE = float("inf")
GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
SIGNS = {GOOD: "!", INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}


class Scale(NamedTuple):
    """From how many points lost on a decision gets which mark."""

    inaccuracy: float
    mistake: float
    blunder: float

    def mark(self, lost: float) -> str:
        """The mark of a decision that has lost so much; "" for none."""
        if lost >= self.blunder:
            return BLUNDER
        if lost >= self.mistake:
            return MISTAKE
        return INACCURACY if lost >= self.inaccuracy else ""


class Effort(NamedTuple):
    """How many play-outs the analysis makes. Of long matches each decision gets fewer, so that none takes too long."""

    match: int  # by what the seats knew, in all decisions of a match together
    most: int  # for one of them
    open: int  # for one of them with open cards, where it can't be worked out

    def known(self, decisions: int) -> int:
        """Play-outs for each decision of a match that has so many."""
        return max(1, min(self.most, self.match // max(decisions, 1)))


Options = Sequence[Sequence[Any]]


class Verdict(NamedTuple):
    """What there is to say of a decision. Options have the move that was made first, and gains are over that."""

    mark: str  # one of SIGNS, or ""
    lost: float  # points, 0.0 where no other move was surely better
    known: list[Option]  # by what the seat knew
    open: list[Option]  # with open cards
    exact: bool  # whether those were worked out to the end

    @classmethod
    def of_lists(cls, mark: str, lost: float, known: Options, opened: Options, exact: bool) -> "Verdict":
        """The same out of JSON, where Options are plain lists."""
        return cls(mark, lost, [Option(*each) for each in known], [Option(*each) for each in opened], exact)


class Analyst[T: Mapping[str, Any], S, W](ABC):
    """What the analysis knows of one game that its searching bot does not."""

    scale: Scale
    effort: Effort
    meaning: str  # a sentence that says what its figures count
    unit: str = "point"  # what they are, of games.kit.facts.COUNTED
    lost = lazy("Points lost")
    lost_and_luck = lazy("Points lost, and luck")  # where there is luck to tell of, as well

    def __init__(self, brain: Brain[T, W]) -> None:
        self._brain = brain

    def brain(self, table: T) -> Brain[T, W]:
        """The `search.Brain` that deals worlds and plays them out, for the seat whose view `table` is."""
        return self._brain

    def lost_by(self, deal: str) -> str:
        """What a table is called of what was lost in each deal. deal: what its players call one."""
        return say("Points lost by {deal}", deal=deal)

    def candidates(self, table: T, moves: list[Move], move: Move, usual: Move) -> list[Move]:
        """The moves that are worth comparing, a list; of cards that are as good, one. usual: by the rule of thumb."""
        return self.brain(table).candidates(table, moves, move)

    def agrees(self, table: T, moves: list[Move], made: Move, other: Move) -> bool:
        """Whether what else is known of two moves speaks for the other one as well, where play-outs alone may err."""
        return True

    def true_world(self, table: T, state: S) -> W:
        """The world that it was, as the brain's `worlds` have it. state: the whole truth, of the game's rules."""
        raise NotImplementedError

    def solved(self, world: W, moves: list[Move]) -> list[float] | None:
        """What each move is worth if all play as well as can be with open cards, a list; None where that is too far."""
        return None


class Turn(NamedTuple):
    """A move that a seat made in a state."""

    rules: Rules
    state: Any
    move: Move


def judge(analyst, turn, seed, play_outs):
    """The `Verdict` of a decision; None where there was nothing to decide: one legal move, or all that are as good.

    seed: anything that prints. play_outs: by what the seat knew.
    """
    rules, state, move = turn
    table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
    if len(moves) == 1:
        return None
    brain = analyst.brain(table)
    usual = brain.rule_move(table, moves, Random(f"{seed}:rule"))
    tried = [move, *(each for each in analyst.candidates(table, moves, move, usual) if each != move)]
    if len(tried) == 1:
        return None
    rng = Random(f"{seed}:known")
    known = evaluate(partial(brain.worlds, table, rng), brain.outcome, tried, _level(play_outs), rng)
    world = analyst.true_world(table, state)
    worths = analyst.solved(world, tried)
    if worths is None:
        level, rng = _level(analyst.effort.open), Random(f"{seed}:open")
        options = evaluate(partial(repeat, world), brain.outcome, tried, level, rng)
    else:
        options = [
            Option(each, worth, 0.0, 1, worth - worths[0], 0.0) for each, worth in zip(tried, worths, strict=True)
        ]
    lost = lost_by([known[0], *(each for each in known[1:] if analyst.agrees(table, moves, move, each.move))])
    if lost:
        mark = analyst.scale.mark(lost)
    else:
        # One that is as good as what the rule of thumb makes is not among what that is compared with.
        is_found = move != usual and move in analyst.candidates(table, moves, usual, usual)
        mark = GOOD if is_found and _is_only_good(known, analyst.scale) else ""
    return Verdict(mark, lost, known, options, worths is not None)


def _level(play_outs: int) -> Level:
    return Level(play_outs, 0.0, seconds=NO_FUSE)


def lost_by(options):
    """By how much the best option is better than the first, which was chosen: 0.0 unless it surely is."""
    best = max(tried_out(options), key=lambda option: option.gain)
    return best.gain if is_sure(best) else 0.0


def is_sure(option):
    """Whether an option is better than the one that was chosen by more than chance explains."""
    return option.gain > SURE * option.gain_error


def _is_only_good(options, scale):
    """Whether any other move than the first surely would have been a mistake."""
    others = [option for option in tried_out(options) if option is not options[0]]
    return all(-option.gain >= scale.mistake and -option.gain > SURE * option.gain_error for option in others)


MARK_WORDS = {
    GOOD: lazy("the only good move"),
    INACCURACY: lazy("inaccuracy"),
    MISTAKE: lazy("mistake"),
    BLUNDER: lazy("blunder"),
}
EXACT = lazy("That is certain if everybody plays as well as can be with all cards open.")
EVEN = 0.05  # points below which no difference can be seen in figures with one decimal


def verdict_words(coach, verdict):
    """{"known", "open", "known_rows", "open_rows"}: a sentence and the rows of a table for each way to judge."""
    return {
        "known": _known(coach, verdict),
        "open": _opened(coach, verdict),
        "known_rows": _rows(coach, verdict.known),
        "open_rows": _rows(coach, verdict.open, exact=verdict.exact),
    }


def _known(coach, verdict):
    """Why a decision has its mark, or none, from the numbers: one sentence."""
    chosen, other = verdict.known[0], _compared(verdict)
    places = {
        "other": coach.name(other.move),
        "gain": coach.amount(abs(other.gain)),
        "error": decimal(other.gain_error),
    }
    worlds = min(chosen.tries, other.tries)
    if verdict.lost:
        one, many = (
            "On average over {number} way that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
            "On average over {number} ways that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
        )
        return say_count(worlds, one, many, **places)
    if verdict.mark == GOOD:
        one = "Nothing else came near it: next was {other}, on average {gain} worse over {number} way."
        many = "Nothing else came near it: next was {other}, on average {gain} worse over {number} ways."
        return say_count(worlds, one, many, **places)
    if is_sure(other):
        sentence = (
            "Played out, {other} came out {gain} better, but by the experience of our bots it is no better; so nothing "
            "counts as lost."
        )
    elif other.gain > EVEN:
        sentence = "On average {other} came out {gain} better, but with a standard error of {error} that may be chance."
    elif other.gain < -EVEN:
        sentence = "Nothing that was compared came out better: next was {other}, on average {gain} worse."
    else:
        sentence = "It came out as well as anything: {other} was worth as much."
    return say(sentence, **places)


def _opened(coach, verdict):
    """What was best as the cards lay: one or two sentences."""
    other = _best_other(verdict.open)
    if other.gain > max(EVEN, SURE_ERRORS * other.gain_error):
        sentence = (
            "As the cards lay, {other} would have brought {gain} more."
            if verdict.lost
            else "As the cards lay, {other} would have brought {gain} more; that could not be known."
        )
    elif other.gain < -EVEN:
        sentence = "As the cards lay, nothing was better."
    else:
        sentence = "With these cards nothing would have brought more: {other} is worth about the same."
    words = say(sentence, other=coach.name(other.move), gain=coach.amount(abs(other.gain)))
    return f"{words} {EXACT}" if verdict.exact else words


def short_verdict(coach, verdict):
    """A marked decision in a few words, without a full stop: "the ten of hearts was 2.3 points better"."""
    other = _compared(verdict)
    if verdict.mark == GOOD:
        return say("the only good move")
    return say("{other} was {gain} better", other=coach.name(other.move), gain=coach.amount(abs(other.gain)))


def spoken_verdict(coach, verdict):
    """The same as a sentence: "Mistake: the ten of hearts was 2.3 points better." """
    words = short_verdict(coach, verdict)
    if verdict.mark != GOOD:
        words = say("{mark}: {words}", mark=MARK_WORDS[verdict.mark], words=words)
    return sentence_of(capital(words))


def _rows(coach, options, exact=False):
    """The `Row`s of all that was compared, the best first, the move that was made marked.

    What was dropped on the way is valued by its gain: it was tried in fewer worlds than the others.
    """
    made = options[0]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(made.mean + option.gain),
            error="" if exact else decimal(option.error),
            chosen=option is made,
        )
        for option in sorted(options, key=lambda option: -option.gain)
    ]


def _compared(verdict):
    """The option that a decision is compared with: the one that it lost to, or the best of the others."""
    lost_to = (option for option in verdict.known[1:] if verdict.lost and option.gain == verdict.lost)
    return next(lost_to, None) or _best_other(verdict.known)


def _best_other(options):
    others = [option for option in tried_out(options) if option is not options[0]]
    return max(others, key=lambda option: option.gain)
