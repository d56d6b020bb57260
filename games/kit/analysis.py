"""The value of a decision of a finished match, also in words. It is judged with hidden cards and with open cards.

With hidden cards, all alternatives are played out in the same worlds, which are possible layouts of the cards that the
seat could not see. This works as in the hard bot, except that the player's move always stays in the comparison. With
open cards there is a single world. It is solved exactly if the game can do so, or else played out many times. Points
are those of the game, for the seat that moved. An error is a standard error.

The mark of a decision depends on the loss against the best alternative with hidden cards, and only if the loss is sure.
Luck with unseen cards does not affect it. The only good move is marked too, if the rule of thumb would have missed it.
The same decision always gets the same verdict: play-outs limit the search, not time, and randomness comes from a seed.
"""

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from math import inf
from random import Random
from typing import Any, NamedTuple, TypedDict

from games.kit.coach import SURE_ERRORS, Coach, Row, decimal
from games.kit.contract import Move, Rules, State, Table
from games.kit.language import lazy, say, say_count
from games.kit.search import Brain, Level, Option, compare, finalists
from games.kit.words import capital, sentence_of

SURE = 2.5  # A difference counts as a loss from this many standard errors.
SETTLED = 1.5  # A comparison ends early if the limits of all marks are this many standard errors away,
FIRM = 64  # and for a mark only after this many worlds: the errors of a few are too small now and then.
GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
PERFECT = 100  # the accuracy of a decision without a mistake
ACCURACIES = {INACCURACY: 90, MISTAKE: 75, BLUNDER: 50}
SIGNS = {GOOD: "!", INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}


class Scale(NamedTuple):
    """The points lost from which a decision gets each mark."""

    inaccuracy: float
    mistake: float
    blunder: float

    def mark(self, lost: float) -> str:
        """Return the mark for points lost, such as BLUNDER, or "" if they are too few for a mark."""
        if lost >= self.blunder:
            return BLUNDER
        if lost >= self.mistake:
            return MISTAKE
        return INACCURACY if lost >= self.inaccuracy else ""


class Effort(NamedTuple):
    """The numbers of play-outs. In long matches each decision gets fewer."""

    match: int  # with hidden cards, for all decisions of a match together
    most: int  # with hidden cards, for one decision
    open: int  # with open cards, for one decision that is not solved
    first: int = 100  # with hidden cards, for the first look at a decision, which shows where the mistakes may be

    def per_decision(self, decisions: int) -> int:
        """Return the number of play-outs with hidden cards for each decision of a match. decisions: their number."""
        return max(1, min(self.most, self.match // max(decisions, 1)))


Options = Sequence[Sequence[Any]]


class Verdict(NamedTuple):
    """The judgement of a decision. The first option is the player's move, and gains are relative to it."""

    mark: str  # one of SIGNS, or ""
    lost: float  # in points; 0.0 if no other move was surely better
    known: list[Option]  # with hidden cards
    open: list[Option]  # with open cards
    exact: bool  # whether the options with open cards are solved
    is_final: bool = True  # False after a first look, which has no options with open cards

    @classmethod
    def of_lists(cls, mark: str, lost: float, known: Options, opened: Options, *flags: bool) -> "Verdict":
        """Return a verdict from the values that JSON has stored. Options, which are tuples, have become lists."""
        return cls(mark, lost, [Option(*fields) for fields in known], [Option(*fields) for fields in opened], *flags)

    @property
    def most_lost(self) -> float:
        """The points that a longer search may still find lost."""
        return max(option.gain + SETTLED * option.gain_error for option in finalists(self.known))


def accuracy(total: float, decisions: int) -> int | None:
    """Return the accuracy of a player's decisions together, or None if there were none.

    It is their average, and goes by marks: these are settled, while points lost and the worst moves are only estimates.

    total: the sum of the accuracies of the decisions, each from ACCURACIES, or else PERFECT.
    """
    return round(total / decisions) if decisions else None


class Analyst[T: Mapping[str, Any], S, W](ABC):
    """The part of the analysis that depends on the game, in addition to its `Brain`."""

    scale: Scale
    effort: Effort
    meaning: str  # a sentence that explains the figures
    unit: str = "point"  # the unit of the figures, a key of games.kit.facts.COUNTED
    lost = lazy("Points lost")

    def __init__(self, brain: Brain[T, W]) -> None:
        self._brain = brain

    def brain(self, table: T) -> Brain[T, W]:
        """Return the brain for the seat of a view."""
        return self._brain

    def lost_by(self, deal: str) -> str:
        """Return the heading of a table of the losses by deal. deal: the players' word for one."""
        return say("Points lost by {deal}", deal=deal)

    def candidates(self, table: T, moves: list[Move], move: Move, usual: Move) -> list[Move]:
        """Return the moves worth comparing. usual: the move of the rule of thumb."""
        return self.brain(table).candidates(table, moves, move)

    def agrees(self, table: T, moves: list[Move], move: Move, other: Move) -> bool:
        """Return whether other knowledge also prefers `other` to `move`, where play-outs alone may err."""
        return True

    def true_world(self, table: T, state: S) -> W:
        """Return a state as a world of the brain."""
        raise NotImplementedError

    def solved(self, world: W, moves: list[Move]) -> list[float] | None:
        """Return the value of each move with perfect play and open cards, or None if that takes too long."""
        return None


class Turn(NamedTuple):
    """A move and the state before it."""

    rules: Rules[Any, Any]
    state: State
    move: Move


def judge(
    analyst: Analyst[Any, Any, Any], turn: Turn, seed: object, play_outs: int, *, is_last: bool = True
) -> Verdict | None:
    """Return the verdict on a player's move, or None if there was no choice: one legal move, or equally good ones.

    The move is compared with others twice: first in many possible layouts of the cards that the player could not see,
    then with all cards as they lay. Only the first comparison decides what the player has lost.

    analyst: what the analysis needs of the game. turn: the rules, the state before the move, and the move.
    seed: any value with a text, for random numbers. play_outs: how often the first comparison plays the deal out.
    is_last: whether the verdict is final even if that is too few to settle the mark.
    """
    rules, state, move = turn
    table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
    if len(moves) == 1:
        return None
    brain = analyst.brain(table)
    rule_move = brain.rule_move(table, moves, Random(f"{seed}:rule"))  # of the bots' rule of thumb
    # The player's move comes first. The gains of the others are relative to it.
    tried = [move, *(other for other in analyst.candidates(table, moves, move, rule_move) if other != move)]
    if len(tried) == 1:
        return None
    # Only a move that bots would miss earns praise. The rule's candidates include no equals of the rule's move.
    beats_rule = move != rule_move and move in analyst.candidates(table, moves, rule_move, rule_move)

    @cache
    def agrees(index: int) -> bool:
        """Return whether the game's own knowledge also prefers this move of `tried`, as the search may err."""
        return analyst.agrees(table, moves, move, tried[index])

    def credible(options: list[Option]) -> list[Option]:
        """Return the player's move and the others that it may have lost to."""
        return [options[0], *(other for index, other in enumerate(options) if index and agrees(index))]

    known: list[Option] = []
    is_settled = False
    worlds = brain.worlds(table, Random(f"{seed}:known"))
    for known in _comparison(brain, worlds, tried, play_outs):
        is_settled = _is_settled(credible(known), known if beats_rule else [], analyst.scale)
        if is_settled:
            break
    lost = sure_loss(credible(known))
    if lost:
        mark = analyst.scale.mark(lost)
    else:
        mark = GOOD if beats_rule and _is_only_good_move(known, analyst.scale) else ""
    if not is_settled and not is_last:
        return Verdict(mark, lost, known, [], exact=False, is_final=False)
    opened, exact = _compare_openly(analyst, brain, analyst.true_world(table, state), tried)
    return Verdict(mark, lost, known, opened, exact)


def _is_settled(credible: list[Option], praise: list[Option], scale: Scale) -> bool:
    """Return whether more worlds would hardly change the mark.

    credible: the player's move and others that it may have lost to. praise: all moves if the player's may turn out to
    be the only good one, else nothing.
    """
    is_firm = credible[0].tries >= FIRM
    least, most = _best_gain(credible)
    if most >= scale.inaccuracy:
        return is_firm and not any(least < limit <= most for limit in scale)
    least, most = _best_gain(praise)
    return not praise or least > -scale.mistake or (is_firm and most <= -scale.mistake)


def _best_gain(options: list[Option]) -> tuple[float, float]:
    """Return the limits between which the gain of the best other move probably is. The first option is the player's."""
    others = [option for option in finalists(options) if option is not options[0]] if options else []
    least = max((option.gain - SETTLED * option.gain_error for option in others), default=-inf)
    most = max((option.gain + SETTLED * option.gain_error for option in others), default=-inf)
    return least, most


def _compare_openly[W](
    analyst: Analyst[Any, Any, W], brain: Brain[Any, W], world: W, tried: list[Move]
) -> tuple[list[Option], bool]:
    """Return the values of moves with all cards open, and whether they are exact: solved, not estimated.

    world: the cards as they lay. tried: the moves to compare, the player's first.
    """
    values = analyst.solved(world, tried)
    if values is None:  # An exact solution would take too long, so play the deal out many times.
        *_, options = _comparison(brain, repeat(world), tried, analyst.effort.open)
        return options, False
    options = [
        Option(move, mean=value, error=0.0, tries=1, gain=value - values[0], gain_error=0.0)
        for move, value in zip(tried, values, strict=True)
    ]
    return options, True


def _comparison[W](
    brain: Brain[Any, W], worlds: Iterator[W], tried: list[Move], play_outs: int
) -> Iterator[list[Option]]:
    """Yield better and better estimates of moves, the player's first. There is no time limit, so they can be repeated.

    All moves have the same random numbers in a world. That makes their differences up to a fifth more exact.
    """

    def outcome(numbered: tuple[int, W], move: Move, _: Random) -> float:
        number, world = numbered
        return brain.outcome(world, move, Random(number))

    return compare(enumerate(worlds), outcome, tried, Level(play_outs, 0.0, seconds=inf), Random())


def sure_loss(options: list[Option]) -> float:
    """Return the points that a move lost against the best other one, or 0.0 if the difference may be chance.

    options: the moves compared, each with its gain: its advantage over the first one, which was played.
    """
    # Moves that are not finalists looked bad and were dropped early. Their estimates are too vague.
    best = max(finalists(options), key=lambda option: option.gain)
    return best.gain if is_sure(best) else 0.0


def is_sure(option: Option) -> bool:
    """Return whether an option is better than the player's move by more than chance explains."""
    return option.gain > SURE * option.gain_error


def _is_only_good_move(options: list[Option], scale: Scale) -> bool:
    """Return whether every move but the first, which was played, would surely have been a mistake.

    options: the moves compared, with their gains over the first. scale: how many points make a mistake.
    """
    # Moves that are not finalists were dropped early as bad.
    others = [option for option in finalists(options) if option is not options[0]]
    # A negative gain is a loss. It must be large, and more than chance explains.
    return all(-option.gain >= scale.mistake and -option.gain > SURE * option.gain_error for option in others)


MARK_WORDS = {
    GOOD: lazy("the only good move"),
    INACCURACY: lazy("inaccuracy"),
    MISTAKE: lazy("mistake"),
    BLUNDER: lazy("blunder"),
}
EXACT = lazy("That is certain if everybody plays as well as can be with all cards open.")
EVEN = 0.05  # Figures with one decimal show no smaller difference in points.


class VerdictWords(TypedDict):
    """A sentence and the rows of a table for hidden cards ("known") and for open cards."""

    known: str
    open: str
    known_rows: list[Row]
    open_rows: list[Row]


def verdict_words(coach: Coach[Any], verdict: Verdict) -> VerdictWords:
    """Explain the verdict on a player's move in sentences and tables: by what the player knew, and with open cards.

    coach: the words of the game.
    """
    return {
        "known": _known_sentence(coach, verdict),
        "open": _open_sentence(coach, verdict),
        "known_rows": _rows(coach, verdict.known, _option_to_compare(verdict)),
        "open_rows": _rows(coach, verdict.open, _best_other(verdict.open)),
    }


def reason_of(coach: Coach[Any], verdict: Verdict, table: Table) -> str:
    """Return why another move was better than the player's, or why it was the only good one, in a sentence, or "".

    coach: the words of the game. table: the view of the player before the move.
    """
    made, other = verdict.known[0].move, _option_to_compare(verdict).move
    if verdict.lost > EVEN:
        return coach.contrast(table, made, other)
    return coach.contrast(table, other, made) if verdict.mark == GOOD else ""


def better_move(verdict: Verdict) -> Move | None:
    """Return the move that was surely better than the player's, or None."""
    return _option_to_compare(verdict).move if verdict.lost > EVEN else None


def _known_sentence(coach: Coach[Any], verdict: Verdict) -> str:
    """Return a sentence that compares a player's move with the best other one, by what the player could know.

    Both were tried in many possible layouts ("ways") of the hidden cards. The sentence explains the mark of the
    verdict, such as "mistake". coach: the words of the game.
    """
    chosen, other = verdict.known[0], _option_to_compare(verdict)
    places = {"other": coach.name(other.move), "gain": coach.amount(abs(other.gain))}
    ways = min(chosen.tries, other.tries)
    if verdict.lost > EVEN:
        one, many = (
            "On average over {number} way that the hidden cards may have lain, {other} was {gain} better.",
            "On average over {number} ways that the hidden cards may have lain, {other} was {gain} better.",
        )
        return say_count(ways, one, many, **places)
    if verdict.mark == GOOD:
        one = "Nothing else came near it: next was {other}, on average {gain} worse over {number} way."
        many = "Nothing else came near it: next was {other}, on average {gain} worse over {number} ways."
        return say_count(ways, one, many, **places)
    if other.gain < -EVEN:
        sentence = "Nothing that was compared came out better: next was {other}, on average {gain} worse."
    elif other.gain <= EVEN:
        sentence = "It came out as well as anything: {other} was worth as much."
    elif is_sure(other):  # The search found a loss, but the game's own knowledge disagrees (`Analyst.agrees`).
        sentence = (
            "Played out, {other} came out {gain} better, but by the experience of our bots it is no better; so nothing "
            "counts as lost."
        )
    else:
        sentence = "Nothing was clearly better. On average {other} came out {gain} better, but that may be chance."
    return say(sentence, **places)


def _open_sentence(coach: Coach[Any], verdict: Verdict) -> str:
    """Return one or two sentences that compare a player's move with the best other one, with all cards open.

    coach: the words of the game.
    """
    other = _best_other(verdict.open)
    if other.gain < -EVEN:
        sentence = "As the cards lay, nothing was better."
    elif other.gain <= EVEN:
        sentence = "With these cards nothing would have brought more: {other} is worth about the same."
    elif other.gain <= SURE_ERRORS * other.gain_error:
        sentence = "As the cards lay, nothing was clearly better: {other} came out {gain} better, which may be chance."
    elif verdict.lost:
        sentence = "As the cards lay, {other} would have brought {gain} more."
    else:
        sentence = "As the cards lay, {other} would have brought {gain} more; that could not be known."
    words = say(sentence, other=coach.name(other.move), gain=coach.amount(abs(other.gain)))
    return f"{words} {EXACT}" if verdict.exact else words


def short_verdict(coach: Coach[Any], verdict: Verdict) -> str:
    """Return a few words on a decision that has a mark, without a full stop: "the ten of hearts was 2.3 points better".

    coach: the words of the game.
    """
    other = _option_to_compare(verdict)
    if verdict.mark == GOOD:
        return say("the only good move")
    return say("{other} was {gain} better", other=coach.name(other.move), gain=coach.amount(abs(other.gain)))


def spoken_verdict(coach: Coach[Any], verdict: Verdict) -> str:
    """Return a sentence on a decision that has a mark: "Mistake: the ten of hearts was 2.3 points better."

    coach: the words of the game.
    """
    words = short_verdict(coach, verdict)
    if verdict.mark != GOOD:
        words = say("{mark}: {words}", mark=MARK_WORDS[verdict.mark], words=words)
    return sentence_of(capital(words))


def _rows(coach: Coach[Any], options: list[Option], other: Option) -> list[Row]:
    """Return a table of the moves compared, the best first. The player's move, which is the first option, is marked.

    No row contradicts the sentence about the moves. Moves that were dropped early have no row, because their figures
    are vague. Nor have moves that came out better than the one the sentence names: experience says that they are not.
    Differences are rounded as in the sentence.

    other: the option that the sentence names.
    """
    played = options[0]
    compared = [option for option in finalists(options) if option is played or option.gain <= other.gain]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(round(played.mean, 1) + round(option.gain, 1)),
            error="",
            chosen=option is played,
        )
        for option in sorted(compared, key=lambda option: -option.gain)
    ]


def _option_to_compare(verdict: Verdict) -> Option:
    """Return the move to compare a decision with: the one that was surely better, or else the best of the others."""
    others = [option for option in finalists(verdict.known) if option is not verdict.known[0]]
    lost_to = (option for option in others if verdict.lost and option.gain == verdict.lost)
    return next(lost_to, None) or _best_other(verdict.known)


def _best_other(options: list[Option]) -> Option:
    """Return the best of the moves that the player, who made the first one, did not make."""
    others = [option for option in finalists(options) if option is not options[0]]
    return max(others, key=lambda option: option.gain)
