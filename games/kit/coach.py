"""What a bot's figures say, in words: a hint for a player, and why a bot moved as it did.

A game's `Coach` knows what its moves are called, what they are worth and what speaks for them; the rest is the same in
all games. It is given what the seat that thinks could see, and what a bot made of just that.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from games.kit.contract import Card, Move, Table
from games.kit.language import lazy, say, say_count, say_in
from games.kit.search import Level, Option
from games.kit.words import SUBJECT_CARDS, SUBJECT_RANKS, SUIT_WORDS, THE_CARDS, capital, join_words, tenths

BETTER = 1.0  # A move is called better if it is ahead by this many standard errors.


class Thought(NamedTuple):
    """A choice, and what a bot made of it."""

    table: Table  # the view of the seat to act
    moves: list[Move]  # the legal ones
    move: Move  # the one it chooses
    options: list[Option]  # those that it compared, its rule's first where worlds were tried; none without figures
    learned: bool = False  # whether it chooses the move because it has learned to


class Row(NamedTuple):
    """A move that was compared, for a table: what it is worth, how sure that is, whether it was chosen."""

    name: str
    worth: str
    error: str  # "" for an estimate
    chosen: bool


class Hint(TypedDict):
    """What to do, why, by how much it is better, and what it was compared with."""

    advice: str
    reasons: list[str]
    figures: str
    rows: list[Row]


class Explanation(TypedDict):
    """Why a bot made a move."""

    knowledge: str  # a sentence
    sentence: str  # goes on from what it knew
    meaning: str  # of the figures
    unit: str
    rows: list[Row]


class Coach[T: Mapping[str, Any]](ABC):
    """The words of one game. Cards and moves are named as they stand within a sentence."""

    teacher = "hard"  # the bot that thinks for hints
    unit: str  # what the figures are, as the head of a column: "Points"
    meaning: str  # a sentence that says what they count
    estimate_unit: str = ""  # the same of figures that no worlds were tried for, where they are others
    estimate_meaning: str = ""

    @abstractmethod
    def advice(self, move: Move) -> str:
        """What to do, as a sentence: "Play the ten of hearts." """

    @abstractmethod
    def name(self, move: Move) -> str:
        """A move within a sentence: "the ten of hearts"."""

    @abstractmethod
    def amount(self, number: float) -> str:
        """So much of what moves are worth, without a sign: "1.4 points"."""

    def worth(self, number: float) -> str:
        """What a move is worth, after "it comes to": "1.4 points", "a lead of 1.4 points"."""
        return self.amount(number)

    def estimated_worth(self, number: float) -> str:
        """What a move is worth that was not tried in worlds, after "it promises"."""
        return self.worth(number)

    def estimate(self, chosen: Option, other: Option, gain: float) -> str:
        """What is expected of a move that was not tried in worlds, as a sentence. chosen, other: `Option`s."""
        sentence = (
            "Worth {worth} on average, {gain} better than {other}."
            if round(gain, 1)
            else "Worth {worth} on average; {other} is almost as good."
        )
        return say(sentence, worth=self.estimated_worth(chosen.mean), gain=decimal(gain), other=self.name(other.move))

    @abstractmethod
    def reasons(self, table: T, move: Move) -> list[str]:
        """What speaks for a move, to the seat whose view `table` is: a list of sentences ("You need one trick.")."""

    @abstractmethod
    def knowledge(self, table: T, worlds: int) -> str:
        """What a bot knew that had this view, as a sentence. worlds: how many it tried, 0 for none."""

    def reason_alone(self, table: T, move: Move) -> str:
        """Why nothing was compared with a move, though there were others, as a sentence."""
        return say("Every other move is worth the same.")


def hint(coach: Coach[Any], thought: Thought) -> Hint:
    """{"advice", "reasons", "figures", "rows"}: what to do, why, by how much, and what was compared."""
    return {
        "advice": coach.advice(thought.move),
        "reasons": coach.reasons(thought.table, thought.move) if len(thought.moves) > 1 else [],
        "figures": _figures(coach, thought),
        "rows": rows(coach, thought),
    }


def explain(coach: Coach[Any], thought: Thought, level: Level | None) -> Explanation:
    """{"knowledge", "sentence", "meaning", "unit", "rows"}: what a bot knew, why it moved so, and what it compared.

    level: the `search.Level` at which it thinks, or None. The sentence goes on from what it knew.
    """
    worlds = max((option.tries for option in thought.options), default=0)
    return {
        "knowledge": coach.knowledge(thought.table, worlds),
        "sentence": _why(coach, thought, level),
        "meaning": (coach.meaning if worlds else coach.estimate_meaning or coach.meaning) if thought.options else "",
        "unit": coach.unit if worlds else coach.estimate_unit or coach.unit,
        "rows": rows(coach, thought),
    }


def rows(coach: Coach[Any], thought: Thought) -> list[Row]:
    """The `Row`s of what was compared, the best first: of worlds the chosen move and those that were tried in all."""
    kept = _kept(thought.options)
    shown = [option for option in thought.options if option in kept or option.move == thought.move]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(option.mean),
            error=decimal(option.error) if option.tries else "",
            chosen=option.move == thought.move,
        )
        for option in sorted(shown, key=lambda option: -option.mean)
    ]


# Words that several games have

LEAD = lazy("Lead on average")
ONLY_A_TRUMP = lazy("Only a trump can beat it.")


def play(card: Card) -> str:
    return say("Play the {card}.", card=THE_CARDS[card])


def the_card(card: Card) -> str:
    return say_in("a move", "the {card}", card=SUBJECT_CARDS[card])


def points_on_average(number: float) -> str:
    if round(number, 1) == 1:
        return say_in("on average", "1 point")
    return say_in("on average", "{number} points", number=decimal(number))


def is_loss(number: float) -> bool:
    """Whether a number is below zero with one decimal."""
    return round(number, 1) < 0


def lead_of(number: float) -> str:
    sentence = "a loss of {number} points" if is_loss(number) else "a lead of {number} points"
    return say(sentence, number=decimal(abs(number)))


def still_out(cards: Sequence[Card]) -> str:
    """ "The ace and the king of hearts are still out." cards: those of one suit that beat another, the best first."""
    suit = SUIT_WORDS[cards[0][1]]
    if len(cards) > 3:
        one, many = "{number} higher {suit} is still out.", "{number} higher {suit} are still out."
        return say_count(len(cards), one, many, suit=suit)
    ranks = join_words([say_in("which is out", "the {rank}", rank=SUBJECT_RANKS[card[0]]) for card in cards])
    one, many = "{ranks} of {suit} is still out.", "{ranks} of {suit} are still out."
    return capital(say_count(len(cards), one, many, ranks=ranks, suit=suit))


decimal = tenths


def _kept(options: list[Option]) -> list[Option]:
    most = max((option.tries for option in options), default=0)
    return [option for option in options if option.tries == most]


def _chosen_and_next(thought: Thought) -> tuple[Option | None, Option | None]:
    """The `Option` of the move that is chosen and the best of the others; None for what there is not."""
    kept = _kept(thought.options)
    chosen = next((option for option in thought.options if option.move == thought.move), None)
    others = [option for option in kept if option.move != thought.move]
    return chosen, max(others, key=lambda option: option.gain, default=None)


def _is_sure(one: Option, other: Option) -> bool:
    """Whether the first of two Options is better by more than chance explains."""
    return one.gain - other.gain > BETTER * max(one.gain_error, other.gain_error)


def _figures(coach: Coach[Any], thought: Thought) -> str:
    """What the bot expects, as a sentence, or ""."""
    if len(thought.moves) == 1:
        return say("It is the only move you may make.")
    chosen, other = _chosen_and_next(thought)
    if chosen is None or other is None:
        return ""
    if not chosen.tries:
        return coach.estimate(chosen, other, chosen.gain - other.gain)
    places = {
        "worth": coach.worth(chosen.mean),
        "gain": decimal(abs(chosen.gain - other.gain)),
        "other": coach.name(other.move),
    }
    if _is_sure(chosen, other):
        one, many = (
            "In {number} possible deal of the hidden cards it brings {worth} on average, {gain} better than {other}.",
            "In {number} possible deals of the hidden cards it brings {worth} on average, {gain} better than {other}.",
        )
    else:
        one, many = (
            "In {number} possible deal of the hidden cards it brings {worth} on average; {other} is about as good.",
            "In {number} possible deals of the hidden cards it brings {worth} on average; {other} is about as good.",
        )
    return say_count(chosen.tries, one, many, **places)


def _why(coach: Coach[Any], thought: Thought, level: Level | None) -> str:
    if len(thought.moves) == 1:
        return say("It had no choice.")
    chosen, other = _chosen_and_next(thought)
    if chosen is None or other is None:
        return coach.reason_alone(thought.table, thought.move)
    of_rule = thought.options[0]
    places = {
        "move": coach.name(thought.move),
        "other": coach.name(other.move),
        "rule": coach.name(of_rule.move),
        "gain": coach.amount(abs(chosen.gain - other.gain)),
        "error": decimal(max(chosen.gain_error, other.gain_error)),
        "tolerance": coach.amount(level.tolerance if level else 0),
    }
    if thought.learned and chosen.tries:
        return _why_learned(chosen, other, places)
    if not chosen.tries:
        sentence = "By its estimate {move} promised most: {gain} more than {other}."
    elif level and level.tolerance and not _is_sure(chosen, other):
        sentence = "An easy bot: any move within {tolerance} of its rule of thumb ({rule}) will do. It chose {move}."
    elif chosen.move != of_rule.move:
        places |= {"gain": coach.amount(chosen.gain), "error": decimal(chosen.gain_error)}
        sentence = (
            "Its rule of thumb says {rule}, but over those ways {move} brought {gain} more, with a standard error of "
            "{error}: enough for it to leave the rule."
        )
    elif _is_sure(chosen, other):
        sentence = SURELY
    elif chosen.mean >= other.mean:
        sentence = "Its rule of thumb says {move}, and nothing that it tried came out better; next was {other}."
    else:
        sentence = (
            "Its rule of thumb says {move}. Over those ways {other} brought {gain} more, with a standard error of "
            "{error}: too little for it to leave the rule."
        )
    return say(sentence, **places)


SURELY = "Over those ways {move} brought {gain} more than {other}, with a standard error of {error}."


def _why_learned(chosen: Option, other: Option, places: Mapping[str, str]) -> str:
    if _is_sure(chosen, other):
        sentence = SURELY
    elif chosen.mean >= other.mean:
        sentence = "What it has learned says {move}, and nothing that it tried came out better; next was {other}."
    else:
        sentence = (
            "What it has learned says {move}. Over those ways {other} brought {gain} more, with a standard error of "
            "{error}: it goes by what it has learned."
        )
    return say(sentence, **places)
