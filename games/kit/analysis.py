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
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import repeat
from random import Random
from typing import Any, NamedTuple, TypedDict

from games.kit.coach import SURE_ERRORS, Coach, Row, decimal
from games.kit.contract import Move, Rules, State
from games.kit.language import lazy, say, say_count
from games.kit.search import Brain, Level, Option, evaluate, finalists
from games.kit.words import capital, sentence_of

SURE = 2.5  # A difference counts as a loss from this many standard errors.
NO_FUSE = float("inf")
GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
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

    @classmethod
    def of_lists(cls, mark: str, lost: float, known: Options, opened: Options, exact: bool) -> "Verdict":
        """Return a verdict from the values that JSON has stored. Options, which are tuples, have become lists."""
        return cls(mark, lost, [Option(*fields) for fields in known], [Option(*fields) for fields in opened], exact)


class Analyst[T: Mapping[str, Any], S, W](ABC):
    """The part of the analysis that depends on the game, in addition to its `Brain`."""

    scale: Scale
    effort: Effort
    meaning: str  # a sentence that explains the figures
    unit: str = "point"  # the unit of the figures, a key of games.kit.facts.COUNTED
    lost = lazy("Points lost")
    lost_and_luck = lazy("Points lost, and luck")  # for games whose facts include luck

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


def judge(analyst: Analyst[Any, Any, Any], turn: Turn, seed: object, play_outs: int) -> Verdict | None:
    """Return the verdict on a player's move, or None if there was no choice: one legal move, or equally good ones.

    The move is compared with others twice: first in many possible layouts of the cards that the player could not see,
    then with all cards as they lay. Only the first comparison decides what the player has lost.

    analyst: what the analysis needs of the game. turn: the rules, the state before the move, and the move.
    seed: any value with a text, for random numbers. play_outs: how often the first comparison plays the deal out.
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
    rng = Random(f"{seed}:known")
    known = evaluate(partial(brain.worlds, table, rng), brain.outcome, tried, _search_level(play_outs), rng)
    opened, exact = _compare_openly(analyst, brain, analyst.true_world(table, state), tried, seed)
    # The search may err. Another move counts as better only if the game's own knowledge agrees.
    lost = sure_loss([known[0], *(other for other in known[1:] if analyst.agrees(table, moves, move, other.move))])
    if lost:
        mark = analyst.scale.mark(lost)
    else:
        # Only a move that bots would miss earns praise. The rule's candidates include no equals of the rule's move.
        beats_rule = move != rule_move and move in analyst.candidates(table, moves, rule_move, rule_move)
        mark = GOOD if beats_rule and _is_only_good_move(known, analyst.scale) else ""
    return Verdict(mark, lost, known, opened, exact)


def _compare_openly[W](
    analyst: Analyst[Any, Any, W], brain: Brain[Any, W], world: W, tried: list[Move], seed: object
) -> tuple[list[Option], bool]:
    """Return the values of moves with all cards open, and whether they are exact: solved, not estimated.

    world: the cards as they lay. tried: the moves to compare, the player's first.
    """
    values = analyst.solved(world, tried)
    if values is None:  # An exact solution would take too long, so play the deal out many times.
        level, rng = _search_level(analyst.effort.open), Random(f"{seed}:open")
        return evaluate(partial(repeat, world), brain.outcome, tried, level, rng), False
    options = [
        Option(move, mean=value, error=0.0, tries=1, gain=value - values[0], gain_error=0.0)
        for move, value in zip(tried, values, strict=True)
    ]
    return options, True


def _search_level(play_outs: int) -> Level:
    """Return the settings of a search without a time limit. Its results can then be repeated."""
    return Level(play_outs, 0.0, seconds=NO_FUSE)


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
        "known_rows": _rows(coach, verdict.known),
        "open_rows": _rows(coach, verdict.open, exact=verdict.exact),
    }


def _known_sentence(coach: Coach[Any], verdict: Verdict) -> str:
    """Return a sentence that compares a player's move with the best other one, by what the player could know.

    Both were tried in many possible layouts ("ways") of the hidden cards. The sentence explains the mark of the
    verdict, such as "mistake". coach: the words of the game.
    """
    chosen, other = verdict.known[0], _option_to_compare(verdict)
    places = {
        "other": coach.name(other.move),
        "gain": coach.amount(abs(other.gain)),
        "error": decimal(other.gain_error),
    }
    ways = min(chosen.tries, other.tries)
    if verdict.lost:
        one, many = (
            "On average over {number} way that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
            "On average over {number} ways that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
        )
        return say_count(ways, one, many, **places)
    if verdict.mark == GOOD:
        one = "Nothing else came near it: next was {other}, on average {gain} worse over {number} way."
        many = "Nothing else came near it: next was {other}, on average {gain} worse over {number} ways."
        return say_count(ways, one, many, **places)
    return _sentence_without_mark(other, places)


def _sentence_without_mark(other: Option, places: dict[str, str]) -> str:
    """Return a sentence that compares a player's move, which is neither a mistake nor a find, with the best other one.

    other: its estimates. places: the values of the places in the sentence.
    """
    if is_sure(other):  # The search found a loss, but the game's own knowledge disagrees (`Analyst.agrees`).
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


def _open_sentence(coach: Coach[Any], verdict: Verdict) -> str:
    """Return one or two sentences that compare a player's move with the best other one, with all cards open.

    coach: the words of the game.
    """
    other = _best_other(verdict.open)
    # A gain within the error may be chance. One that is no larger than EVEN would read as 0.0.
    is_better = other.gain > max(EVEN, SURE_ERRORS * other.gain_error)
    if is_better:
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


def _rows(coach: Coach[Any], options: list[Option], exact: bool = False) -> list[Row]:
    """Return a table of all moves compared, the best first. The player's move, which is the first option, is marked.

    A bad move was dropped early and tried in fewer layouts of the cards. So its mean cannot be compared with others,
    and the table shows its gain over the player's move, added to the mean of the player's move.
    exact: whether the values are solved and have no error.
    """
    played = options[0]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(played.mean + option.gain),
            error="" if exact else decimal(option.error),
            chosen=option is played,
        )
        for option in sorted(options, key=lambda option: -option.gain)
    ]


def _option_to_compare(verdict: Verdict) -> Option:
    """Return the move to compare a decision with: the one that was surely better, or else the best of the others."""
    lost_to = (option for option in verdict.known[1:] if verdict.lost and option.gain == verdict.lost)
    return next(lost_to, None) or _best_other(verdict.known)


def _best_other(options: list[Option]) -> Option:
    """Return the best of the moves that the player, who made the first one, did not make."""
    others = [option for option in finalists(options) if option is not options[0]]
    return max(others, key=lambda option: option.gain)
