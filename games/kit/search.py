"""A search for the best move with hidden cards: every candidate is played out in many possible layouts of the cards.

It works for any game. A `Brain` deals the cards that a seat cannot see into worlds, which are possible layouts, and
plays the deal out in a world. All candidates are tried in the same worlds, because their differences are then more
exact than their values. The search prefers the move of the game's rule of thumb. Another move must be better by more
than chance explains. With few worlds this caution is worth more than three times as many worlds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from time import thread_time
from typing import Any, NamedTuple

from games.kit.contract import Move

ROUNDS = (8, 24, 64)  # After these numbers of worlds the worse half of the candidates is dropped.
FEWEST = 3  # At least this many candidates stay to the end, among them the rule's move.
VAGUE = 4.0  # Added to the squares of the gains: equal outcomes in 3 worlds prove nothing.


class Option(NamedTuple):
    """A candidate and the estimates of the search. Values are in points of the game. Errors are standard errors."""

    move: Move
    mean: float  # the average outcome
    error: float
    tries: int  # the number of worlds
    gain: float  # the advantage over the rule's move in the same worlds
    gain_error: float


class Brain[T: Mapping[str, Any], W](ABC):
    """The part of the search that depends on the game. Tables are views of the seat to move. Worlds have any type."""

    @abstractmethod
    def rule_move(self, table: T, moves: list[Move], rng: Random) -> Move:
        """Return the move of the game's rule of thumb."""

    @abstractmethod
    def candidates(self, table: T, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the moves worth comparing, `rule_move` among them. Of equally good cards it has only one."""

    @abstractmethod
    def worlds(self, table: T, rng: Random) -> Iterator[W]:
        """Yield worlds without end. Likelier layouts are more frequent."""

    @abstractmethod
    def outcome(self, world: W, move: Move, rng: Random) -> float:
        """Return the points of the deal for the seat if it makes `move` in this world and everybody plays on."""

    def learned_move(self, table: T, moves: list[Move]) -> tuple[Move, float | None] | None:
        """Return the move of a trained bot, one of several, and its `closeness`, or None without training."""
        return None

    def estimates(self, table: T, moves: list[Move]) -> dict[int, float]:
        """Return the values in points by which the bot's rule of thumb compares moves, by index in `moves`.

        Explanations show these values if no search has played the moves out. Rules that compare no values return {}.
        """
        return {}


def likelier[D](deals: Sequence[D], weigh: Callable[[D], float], choice: int, rng: Random) -> Iterator[D]:
    """Pick one deal of every `choice` consecutive deals at random, a likelier one with a larger chance, and yield it.

    So likelier deals are more frequent, but none is repeated many times. The number of deals is a multiple of `choice`.

    weigh: a function that returns the likelihood of a deal, up to a constant factor.
    """
    for start in range(0, len(deals), choice):
        group = deals[start : start + choice]
        yield rng.choices(group, [weigh(deal) for deal in group])[0]


def one_of_equals(cards: Iterable[int], as_good: Callable[[int, int], bool], preferred: int) -> set[int]:
    """Return one card of each group of equally good neighbours: `preferred` if it is among them, or else the lowest.

    cards: their numbers. as_good: a function that returns whether a card and the next higher one are equally good.
    """
    groups: list[list[int]] = []
    for card in sorted(cards):
        if groups and as_good(groups[-1][-1], card):
            groups[-1].append(card)
        else:
            groups.append([card])
    return {preferred if preferred in group else group[0] for group in groups}


def lead(numbers: Sequence[float], place: int) -> float:
    """Return the difference between the number at this place and the mean of the others."""
    own = numbers[place]
    return own - (sum(numbers) - own) / (len(numbers) - 1)


class Level(NamedTuple):
    """The settings of a search. Play-outs limit it, not time, so that bots play equally well on a busy machine."""

    play_outs: int  # for one decision, over all candidates and worlds
    guard: float  # the standard errors by which a move must be better than the rule's
    tolerance: float = 0.0  # the points by which a move may be worse than the rule's
    seconds: float = 0.6  # of CPU time; an emergency limit
    learned: bool = False  # whether a trained brain chooses the move, and the search only explains it


class Reasoning(NamedTuple):
    """A bot's move and its reasons, for explanations."""

    move: Move
    options: list[Option]  # the options compared, the rule's first if worlds were tried; empty without values
    learned: bool = False  # whether the move comes from training, not from the search


class Searcher[T: Mapping[str, Any]]:
    """A bot that searches. It makes the same move for the same position and seed."""

    def __init__(self, name: str, brain: Brain[T, Any], level: Level) -> None:
        self.name = name
        self.brain = brain
        self.level = level

    def choose(self, table: T, moves: list[Move], rng: Random) -> Move:
        return self.decide(table, moves, rng)[0]

    def decide(self, table: T, moves: list[Move], rng: Random) -> tuple[Move, float | None]:
        """Return the bot's move, and how hard the choice is: from 0 to 1 (two equally good moves), or None if unknown.

        table: what the bot's seat can see. moves: the legal moves.
        """
        # A trained bot needs no search to decide.
        if learned := self._learned_decision(table, moves):
            return learned
        move, options = self._search(table, moves, rng)
        return move, closeness(options)

    def weigh(self, table: T, moves: list[Move], rng: Random) -> Reasoning:
        """Return the move that `choose` returns for the same seed, together with the figures that explain it.

        If the search has tried no moves, the figures are estimates of the bot's rule of thumb, if it has any.

        table: what the bot's seat can see. moves: the legal moves.
        """
        move, options = self._search(table, moves, rng)
        learned = self._learned_decision(table, moves)
        if learned:  # Training decides. The search only compares the moves.
            move, _ = learned
        has_searched = any(option.tries for option in options)
        if not has_searched:
            estimates = self.brain.estimates(table, moves) if len(moves) > 1 else {}
            chosen_value = estimates.get(moves.index(move), 0.0)
            options = [
                Option(moves[index], mean=value, error=0.0, tries=0, gain=value - chosen_value, gain_error=0.0)
                for index, value in estimates.items()
            ]
        return Reasoning(move, options, learned is not None)

    def _learned_decision(self, table: T, moves: list[Move]) -> tuple[Move, float | None] | None:
        """Return the decision of a trained brain, or None if the search decides."""
        return self.brain.learned_move(table, moves) if self.level.learned and len(moves) > 1 else None

    def _search(self, table: T, moves: list[Move], rng: Random) -> tuple[Move, list[Option]]:
        """Return the move of the search, and all moves that it compared, each with its estimates.

        table: what the bot's seat can see. moves: the legal moves. If there is only one, nothing is compared.
        """
        if len(moves) == 1:
            return moves[0], []
        options = self.options(table, moves, rng)
        return choose_option(options, self.level, rng), options

    def options(self, table: T, moves: list[Move], rng: Random) -> list[Option]:
        """Return the moves worth comparing, each with its estimates. The first is the move of the bot's rule of thumb.

        table: what the bot's seat can see. moves: the legal moves.
        """
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
    """Return the last estimates of `compare`. With a single move nothing is tried."""
    if len(tried) == 1:
        return [_option(tried[0], [], [])]
    *_, options = compare(worlds(), outcome, tried, level, rng)
    return options


def compare[W](
    worlds: Iterator[W], outcome: Callable[[W, Move, Random], float], tried: list[Move], level: Level, rng: Random
) -> Iterator[list[Option]]:
    """Yield better and better estimates of the points of each move in `tried`, and of its gain over the first move.

    All moves are played out in the same worlds (possible layouts of the hidden cards). Worse moves are dropped early.
    Estimates come after each of ROUNDS, then after twice as many worlds each time, and at the end.

    worlds: without end. outcome: a function that returns the points of a move in a world. level: the limits of
    play-outs, for all moves together, and of time.
    """
    began = thread_time()
    values: list[list[float]] = [[] for _ in tried]
    play_outs, live = level.play_outs, list(range(len(tried)))  # `live`: the indices of the moves still compared
    report_at = ROUNDS[0]
    for number, world in enumerate(worlds, 1):
        for index in live:
            values[index].append(outcome(world, tried[index], rng))
        play_outs -= len(live)
        if number in ROUNDS:  # Spend the remaining play-outs on the better moves.
            live = _better_half(live, values)
        is_last = play_outs < len(live) or thread_time() - began > level.seconds
        if is_last or number == report_at:
            yield [_option(move, outcomes, values[0]) for move, outcomes in zip(tried, values, strict=True)]
            report_at = next((later for later in ROUNDS if later > number), 2 * number)
        if is_last:
            return


def _better_half(live: list[int], values: list[list[float]]) -> list[int]:
    """Return the moves that stay in a comparison: the first one and the better half of the others.

    The first is the move of the bot's rule of thumb. The others are compared with it, and some of them always stay.

    live: indices of moves. values: by index, the outcomes of the move so far, in points.
    """
    others = sorted(live[1:], key=lambda index: -sum(values[index]))  # All have the same number of outcomes.
    return [live[0], *sorted(others[: max((len(others) + 1) // 2, FEWEST - 1)])]


def _option(move: Move, outcomes: list[float], rule_outcomes: list[float]) -> Option:
    """Return a move with its estimates: its average points, and its gain over the move of the bot's rule of thumb.

    outcomes, rule_outcomes: the points of both moves in world after world. The gain compares them in the same worlds,
    so it is more exact than the average.
    """
    mean, error = _mean_and_error(outcomes)
    # A move that was dropped early has fewer outcomes. They are of the first worlds, and `zip` ignores the rest.
    differences = [ours - theirs for ours, theirs in zip(outcomes, rule_outcomes, strict=False)]
    return Option(move, mean, error, len(outcomes), *_mean_and_error(differences, extra=VAGUE))


def _mean_and_error(values: list[float], extra: float = 0.0) -> tuple[float, float]:
    """Return the mean of the values and its standard error, or zeros without values.

    extra: added to the sum of squares, because a few values that happen to be equal prove nothing.
    """
    count = len(values)
    if not count:
        return 0.0, 0.0
    mean = sum(values) / count
    squares = sum((value - mean) ** 2 for value in values) + extra
    return mean, (squares / max(count - 1, 1) / count) ** 0.5


def finalists(options: list[Option]) -> list[Option]:
    """Return the options that were tried in all worlds. The search dropped the others as too bad."""
    most = max(option.tries for option in options)
    return [option for option in options if option.tries == most]


def choose_option(options: list[Option], level: Level, rng: Random) -> Move:
    """Return the best move if it is surely better than the move of the bot's rule of thumb, or else the rule's move.

    A weak bot has a tolerance. It chooses at random among the moves that are surely not worse than the rule's by more
    points than that.

    options: the moves compared, the rule's first, each with its gain over the rule's. level: the settings of the bot.
    """
    candidates = finalists(options)

    def sure_gain(option: Option) -> float:
        """Return the gain over the rule's move, less some standard errors, because it may be chance."""
        return option.gain - level.guard * option.gain_error

    if level.tolerance:
        near = [option.move for option in candidates[1:] if sure_gain(option) >= -level.tolerance]
        return rng.choice([options[0].move, *near])
    best = max(candidates, key=sure_gain)
    return best.move if sure_gain(best) > 0 else options[0].move


def closeness(options: list[Option]) -> float | None:
    """Return how hard a choice is: 1 if the two best moves are equally good, near 0 if one is far better.

    Return None if nothing was compared. options: the moves with their estimates.
    """
    if not any(option.tries for option in options):
        return None
    candidates = sorted(finalists(options), key=lambda option: option.gain)
    if len(candidates) < 2:
        return None
    first, second = candidates[-1], candidates[-2]
    error = max(first.gain_error, second.gain_error)
    # A difference of one standard error gives one half.
    return 1 / (1 + (first.gain - second.gain) / error) if error else 1.0
