"""A search for the best move among hidden cards: every candidate is played out in many ways the cards may lie.

It knows no game. A `Brain` deals the cards that a seat can't see into worlds, each a way that they may lie, and plays a
deal out in one of them. All candidates are tried in the same worlds, so that what they gain over one another is known
better than what each of them is worth. The move of the game's rule of thumb is given up only for one that is better by
more than chance explains: with few worlds that is worth more than having three times as many.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from time import thread_time
from typing import Any, NamedTuple

from games.kit.contract import Move

ROUNDS = (8, 24, 64)  # after so many worlds the worse half of the candidates is dropped
FEWEST = 3  # candidates that are kept to the end, the rule's own move among them
VAGUE = 4.0  # worlds that are added to the error of a gain with an average surprise: 0 in all of 3 is no certainty


class Option(NamedTuple):
    """A candidate as the search has found it. Values are in points of the game; errors are standard errors."""

    move: Move
    mean: float  # what it is worth on average
    error: float
    tries: int  # worlds in which it was tried
    gain: float  # by how much it is better than the rule's move in the same worlds
    gain_error: float


class Brain[T: Mapping[str, Any], W](ABC):
    """What the search must know of a game. Tables are views of the seat that chooses; worlds are its own affair."""

    @abstractmethod
    def rule_move(self, table: T, moves: list[Move], rng: Random) -> Move:
        """The one of `moves` that the game's rule of thumb makes, of what the seat knows."""

    @abstractmethod
    def candidates(self, table: T, moves: list[Move], rule_move: Move) -> list[Move]:
        """Those of `moves` that are worth comparing, `rule_move` among them, a list; of cards that are as good, one."""

    @abstractmethod
    def worlds(self, table: T, rng: Random) -> Iterator[W]:
        """Worlds without end, an iterator: the likelier the cards lie like this, the more often it comes up."""

    @abstractmethod
    def outcome(self, world: W, move: Move, rng: Random) -> float:
        """What the deal is worth to the seat, in points, if it makes `move` in this world and all play on."""

    def learned_move(self, table: T, moves: list[Move]) -> tuple[Move, float | None] | None:
        """(the one of several `moves` that a bot makes which was taught to, how hard the choice was, as `closeness`).

        None where it was taught nothing.
        """
        return None

    def estimates(self, table: T, moves: list[Move]) -> dict[int, float]:
        """{the place of a move among `moves`: what it is worth, in points} where the rule of thumb chooses by figures.

        For who asks why: of moves that are not tried in worlds. Empty where there are no figures.
        """
        return {}


def likelier[D](deals: Sequence[D], weigh: Callable[[D], float], choice: int, rng: Random) -> Iterator[D]:
    """Of each `choice` deals in a row one, picked by its weight: likelier deals come up more often, none many times.

    deals: a list, a multiple of `choice`. weigh: a function that says how likely a deal is, up to a factor.
    """
    for start in range(0, len(deals), choice):
        group = deals[start : start + choice]
        yield rng.choices(group, [weigh(deal) for deal in group])[0]


def one_of_equals(cards: Iterable[int], as_good: Callable[[int, int], bool], kept: int) -> set[int]:
    """Of cards that are as good as their neighbours one of each kind, a set: `kept` where it is among them.

    cards: numbers. as_good: a function of a card and the next higher one.
    """
    groups: list[list[int]] = []
    for card in sorted(cards):
        if groups and as_good(groups[-1][-1], card):
            groups[-1].append(card)
        else:
            groups.append([card])
    return {kept if kept in group else group[0] for group in groups}


def lead(numbers: Sequence[float], place: int) -> float:
    """How much more the number at this place is than the mean of the others."""
    own = numbers[place]
    return own - (sum(numbers) - own) / (len(numbers) - 1)


class Level(NamedTuple):
    """How a bot thinks. Play-outs count, not time: it plays as well on a busy machine as on an idle one."""

    play_outs: int  # for one decision, over all candidates and worlds
    guard: float  # standard errors by which a move must be better than the rule's to be made instead
    tolerance: float = 0.0  # points by which a move may be worse than the rule's and be made even so
    seconds: float = 0.6  # of CPU time: a fuse that should never blow
    learned: bool = False  # whether it moves as its brain has learned, where that has, and searches for who asks why


class Reasoning(NamedTuple):
    """What a bot makes of a choice, for who asks why."""

    move: Move  # the one that it makes
    options: list[Option]  # those that it compared, the rule's first where worlds were tried; none without figures
    learned: bool = False  # whether it makes the move because it has learned to


class Searcher[T: Mapping[str, Any]]:
    """A bot that searches. One position and one seed, one move."""

    def __init__(self, name: str, brain: Brain[T, Any], level: Level) -> None:
        self.name = name
        self.brain = brain
        self.level = level

    def choose(self, table: T, moves: list[Move], rng: Random) -> Move:
        return self.decide(table, moves, rng)[0]

    def decide(self, table: T, moves: list[Move], rng: Random) -> tuple[Move, float | None]:
        """(the move it makes, how hard the choice was, as `closeness` says)."""
        if learned := self._learned(table, moves):
            return learned
        move, options = self._searched(table, moves, rng)
        return move, closeness(options)

    def weigh(self, table: T, moves: list[Move], rng: Random) -> Reasoning:
        """The same move as `Reasoning`. Where nothing was tried, the `Option`s are what the brain estimates."""
        move, options = self._searched(table, moves, rng)
        learned = self._learned(table, moves)
        if learned:
            move, _ = learned
        if not any(option.tries for option in options):
            estimates = self.brain.estimates(table, moves) if len(moves) > 1 else {}
            base = estimates.get(moves.index(move), 0.0)
            options = [Option(moves[place], worth, 0.0, 0, worth - base, 0.0) for place, worth in estimates.items()]
        return Reasoning(move, options, learned is not None)

    def _learned(self, table: T, moves: list[Move]) -> tuple[Move, float | None] | None:
        return self.brain.learned_move(table, moves) if self.level.learned and len(moves) > 1 else None

    def _searched(self, table: T, moves: list[Move], rng: Random) -> tuple[Move, list[Option]]:
        """(the move that the search chooses, the `Option`s that it compared): none where there is no choice."""
        if len(moves) == 1:
            return moves[0], []
        options = self.options(table, moves, rng)
        return choose_option(options, self.level, rng), options

    def options(self, table: T, moves: list[Move], rng: Random) -> list[Option]:
        """The `Option`s of the seat whose view `table` is, the rule's move first."""
        rule_move = self.brain.rule_move(table, moves, rng)
        candidates = self.brain.candidates(table, moves, rule_move)
        tried = [rule_move, *(move for move in candidates if move != rule_move)]
        return evaluate(partial(self.brain.worlds, table, rng), self.brain.outcome, tried, self.level, rng)


def evaluate[W](
    worlds: Callable[[], Iterator[W]],
    outcome: Callable[[W, Move, Random], float],
    tried: list[Move],
    level: Level,
    rng: Random,
) -> list[Option]:
    """Return an `Option` for each move in `tried`, compared with the first.

    Worse moves are dropped early. With a single move nothing is tried, and `worlds` is not called.

    worlds, outcome: as of a `Brain`.
    """
    values = _outcomes(worlds(), outcome, tried, level, rng) if len(tried) > 1 else [[]]
    return [_option(move, found, values[0]) for move, found in zip(tried, values, strict=True)]


def _outcomes[W](
    worlds: Iterator[W], outcome: Callable[[W, Move, Random], float], tried: list[Move], level: Level, rng: Random
) -> list[list[float]]:
    """For each move the outcomes world by world, a list, until the level's play-outs are used up."""
    began = thread_time()
    values: list[list[float]] = [[] for _ in tried]
    left, live = level.play_outs, list(range(len(tried)))
    for done, world in enumerate(worlds, 1):
        for place in live:
            values[place].append(outcome(world, tried[place], rng))
        left -= len(live)
        if done in ROUNDS:
            live = _better_half(live, values)
        if left < len(live) or thread_time() - began > level.seconds:
            break
    return values


def _better_half(live: list[int], values: list[list[float]]) -> list[int]:
    """The candidates to go on with: the rule's own move and the better half of the others."""
    others = sorted(live[1:], key=lambda place: -sum(values[place]))
    return [live[0], *sorted(others[: max((len(others) + 1) // 2, FEWEST - 1)])]


def _option(move: Move, found: list[float], of_rule: list[float]) -> Option:
    mean, error = _mean_and_error(found)
    differences = [ours - theirs for ours, theirs in zip(found, of_rule, strict=False)]
    return Option(move, mean, error, len(found), *_mean_and_error(differences, vague=VAGUE))


def _mean_and_error(values: list[float], vague: float = 0.0) -> tuple[float, float]:
    count = len(values)
    if not count:
        return 0.0, 0.0
    mean = sum(values) / count
    squares = sum((value - mean) ** 2 for value in values) + vague
    return mean, (squares / max(count - 1, 1) / count) ** 0.5


def finalists(options: list[Option]) -> list[Option]:
    """Those of the options that were tried in all worlds; the others were too bad to go on with."""
    most = max(option.tries for option in options)
    return [option for option in options if option.tries == most]


def choose_option(options: list[Option], level: Level, rng: Random) -> Move:
    """The move of the best option if it is surely better than the rule's, else that one.

    With a tolerance any of those that are surely not worse than that by more. options: as `evaluate` returns them.
    """
    kept = finalists(options)

    def sure_gain(option: Option) -> float:
        return option.gain - level.guard * option.gain_error

    if level.tolerance:
        near = [option.move for option in kept[1:] if sure_gain(option) >= -level.tolerance]
        return rng.choice([options[0].move, *near])
    best = max(kept, key=sure_gain)
    return best.move if sure_gain(best) > 0 else options[0].move


def closeness(options: list[Option]) -> float | None:
    """How hard the choice was: 1 where the two best are as good as one another, near 0 where one is far better.

    None where nothing was compared. options: as `evaluate` returns them.
    """
    most = max((option.tries for option in options), default=0)
    kept = sorted((option for option in options if option.tries == most), key=lambda option: option.gain)
    if not most or len(kept) < 2:
        return None
    first, second = kept[-1], kept[-2]
    error = max(first.gain_error, second.gain_error)
    return 1 / (1 + (first.gain - second.gain) / error) if error else 1.0
