"""Hints for players, and explanations of bots' moves, from the figures of a bot.

A game's `Coach` names its moves, their values and their reasons. The rest is the same in all games. All texts use only
the view of the seat to move, and a bot's figures from that view.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, TypedDict

from games.kit.contract import Card, Move, Table
from games.kit.language import lazy, say, say_count, say_in
from games.kit.search import Level, Option
from games.kit.tricks import Play
from games.kit.words import (
    SUBJECT_CARDS,
    SUBJECT_RANKS,
    SUIT_WORDS,
    THE_CARDS,
    capital,
    count_tenths,
    join_words,
    tenths,
)

SURE_ERRORS = 1.0  # A move is surely better than another if it is ahead by this many standard errors.


class Thought(NamedTuple):
    """A decision, and a bot's figures for it."""

    table: Table  # the view of the seat to act
    moves: list[Move]  # the legal moves
    move: Move  # the bot's choice
    options: list[Option]  # the moves compared, after a search the rule of thumb's first; empty if it has no figures
    learned: bool = False  # whether the choice was learned


class Row(NamedTuple):
    """A row of a table of compared moves."""

    name: str
    worth: str
    error: str  # the standard error, or "" for an estimate
    chosen: bool


class Hint(TypedDict):
    """Advice for a player."""

    advice: str  # a sentence
    reasons: list[str]  # sentences
    figures: str  # a sentence, or ""
    rows: list[Row]


class Explanation(TypedDict):
    """The explanation of a bot's move."""

    knowledge: str  # a sentence about what the bot knew
    sentence: str  # the reason, which follows on that
    meaning: str  # a sentence about the figures, or ""
    unit: str  # of the figures
    rows: list[Row]


class Coach[T: Table](ABC):
    """The words of one game. The names of cards and moves have the form that they have within a sentence."""

    teacher = "hard"  # the bot that hints come from
    unit: str  # the unit of the figures, as the head of a column: "Points"
    meaning: str  # a sentence about what the figures count
    estimate_unit: str = ""  # the unit of figures without a search, if it differs
    estimate_meaning: str = ""

    @abstractmethod
    def advice(self, move: Move) -> str:
        """Return the advice to make a move: "Play the ten of hearts." """

    @abstractmethod
    def name(self, move: Move) -> str:
        """Return the name of a move within a sentence: "the ten of hearts"."""

    @abstractmethod
    def amount(self, number: float) -> str:
        """Return a number of the unit, which is not negative: "1.4 points"."""

    def worth(self, number: float) -> str:
        """Return the value of a move after a search: "1.4 points", "a lead of 1.4 points"."""
        return self.amount(number)

    def estimated_worth(self, number: float) -> str:
        """Return the value of a move without a search."""
        return self.worth(number)

    def estimate(self, chosen: Option, other: Option, gain: float) -> str:
        """Return a sentence about the value of a bot's move, by the estimate of its rule of thumb.

        chosen, other: that move and the best other one, with their figures. gain: the advantage over the other.
        """
        # A gain that would read "0.0 better" is not worth a number.
        sentence = (
            "Worth {worth} on average, {gain} better than {other}."
            if round(gain, 1)
            else "Worth {worth} on average; {other} is almost as good."
        )
        return say(sentence, worth=self.estimated_worth(chosen.mean), gain=decimal(gain), other=self.name(other.move))

    @abstractmethod
    def reasons(self, table: T, move: Move) -> list[str]:
        """Return the reasons for a move, for the seat with this view, in sentences ("You need one trick.")."""

    def contrast(self, table: T, made: Move, better: Move) -> str:
        """Return a fact that makes one move better than another, in a sentence, or "" if nothing is sure.

        It says what is certain, or what the rule of thumb counts with, for the seat with this view. It speaks to nobody
        ("The ten of hearts can’t take this trick"), because anybody may read about anybody's moves.

        table: the view before the move. made: the move that was made. better: the one that brings more.
        """
        return ""

    def setting(self, table: T) -> str:
        """Return what else a player must know to judge a position, in sentences: the trump suit, the contract."""
        return ""

    def trick(self, table: T) -> Sequence[Play]:
        """Return the cards in the trick so far."""
        plays: Sequence[Play] = table["trick"]["plays"]
        return plays

    @abstractmethod
    def knowledge(self, table: T, worlds: int) -> str:
        """Return a sentence about what a bot with this view knew. worlds: the number of worlds it tried, or 0."""

    def reason_alone(self, table: T, move: Move) -> str:
        """Return the reason for a move that was compared with no other legal move, as a sentence."""
        return say("Every other move is worth the same.")


def hint(coach: Coach[Table], thought: Thought) -> Hint:
    """Return advice for a player, with reasons and figures.

    coach: the words of the game. thought: what a bot would do in the player's seat, with the moves that it compared.
    """
    return {
        "advice": coach.advice(thought.move),
        "reasons": coach.reasons(thought.table, thought.move) if len(thought.moves) > 1 else [],
        "figures": _value_sentence(coach, thought),
        "rows": rows(coach, thought),
    }


def explain(coach: Coach[Table], thought: Thought, level: Level | None) -> Explanation:
    """Explain a bot's move: what the bot knew, why it chose the move, and a table of the moves that it compared.

    coach: the words of the game. thought: the bot's decision. level: the settings of its search, or None without one.
    """
    # A world is a possible layout of the hidden cards. If the bot tried none, its figures are estimates.
    worlds = max((option.tries for option in thought.options), default=0)
    meaning, unit = coach.meaning, coach.unit
    if not worlds:
        meaning, unit = coach.estimate_meaning or meaning, coach.estimate_unit or unit
    return {
        "knowledge": coach.knowledge(thought.table, worlds),
        "sentence": _choice_reason(coach, thought, level),
        "meaning": meaning if thought.options else "",
        "unit": unit,
        "rows": rows(coach, thought),
    }


def rows(coach: Coach[Table], thought: Thought) -> list[Row]:
    """Return a table of the moves that a bot compared, the best first. The bot's own choice is marked.

    The search drops bad moves early. Unless the bot chose them, they have no row, because their figures are vague.
    """
    survivors = _survivors(thought.options)
    options = [option for option in thought.options if option in survivors or option.move == thought.move]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(option.mean),
            error=decimal(option.error) if option.tries else "",
            chosen=option.move == thought.move,
        )
        for option in sorted(options, key=lambda option: -option.mean)
    ]


# Words that several games have

LEAD = lazy("Lead on average")
ONLY_A_TRUMP = lazy("Only a trump can beat it.")


def play(card: Card) -> str:
    return say("Play the {card}.", card=THE_CARDS[card])


def the_card(card: Card) -> str:
    return say_in("a move", "the {card}", card=SUBJECT_CARDS[card])


class Chance(IntEnum):
    """What a card may do in its trick, from the view of a seat."""

    LOSES = 0  # for certain
    OPEN = 1
    TAKES = 2  # for certain


def contrast_in_trick(made: str, better: str, chances: tuple[Chance, Chance]) -> str:
    """Say which of two cards can take this trick, in a sentence.

    made, better: the names of the cards. chances: of both. They differ.
    """
    low, high = sorted(chances)
    one, other = (made, better) if chances[0] == high else (better, made)
    if high == Chance.OPEN:
        sentence = "{one} may take this trick; {other} can’t."
    elif low == Chance.OPEN:
        sentence = "{one} is sure to take this trick; {other} can still be beaten."
    else:
        sentence = "{one} is sure to take this trick; {other} can’t take it."
    return capital(say(sentence, one=one, other=other))


def as_good_to_lose(made: str, better: str) -> str:
    return capital(
        say("{made} is sure to lose; {better} is as good, and the stronger card stays.", made=made, better=better)
    )


def as_good_to_win(made: str, better: str) -> str:
    sentence = "{better} takes this trick as surely, and {made} stays for another."
    return capital(say(sentence, made=made, better=better))


def safe_moment(card: str) -> str:
    return say("This is a safe moment for a strong card: {card} can’t take this trick.", card=card)


def easier_to_beat(one: str, other: str) -> str:
    return capital(say("{one} is easier to beat than {other}.", one=one, other=other))


def points_on_average(number: float) -> str:
    return count_tenths(number, "{number} point", "{number} points")


def is_loss(number: float) -> bool:
    """Return whether a number is below zero after rounding to one decimal."""
    return round(number, 1) < 0


def lead_of(number: float) -> str:
    """Return "a lead of 1.4 points", or "a loss of" for a number below zero."""
    if is_loss(number):
        return count_tenths(-number, "a loss of {number} point", "a loss of {number} points")
    return count_tenths(number, "a lead of {number} point", "a lead of {number} points")


def still_out(cards: Sequence[Card]) -> str:
    """Say that some cards have not been played: "The ace and the king of hearts are still out."

    cards: of one suit, the best first. A card is its rank and its suit: "TH".
    """
    suit = SUIT_WORDS[cards[0][1]]
    if len(cards) > 3:  # Too many to list.
        one, many = "{number} higher {suit} is still out.", "{number} higher {suit} are still out."
        return say_count(len(cards), one, many, suit=suit)
    ranks = join_words([say_in("which is out", "the {rank}", rank=SUBJECT_RANKS[card[0]]) for card in cards])
    one, many = "{ranks} of {suit} is still out.", "{ranks} of {suit} are still out."
    return capital(say_count(len(cards), one, many, ranks=ranks, suit=suit))


decimal = tenths


def _survivors(options: list[Option]) -> list[Option]:
    """Return the options that the search did not drop early."""
    most = max((option.tries for option in options), default=0)
    return [option for option in options if option.tries == most]


def _chosen_and_next(thought: Thought) -> tuple[Option | None, Option | None]:
    """Return a bot's move and the best other one, each with its figures. Either is None if it has none.

    Moves that the search dropped early as bad are not considered for the other one.
    """
    chosen = next((option for option in thought.options if option.move == thought.move), None)
    others = [option for option in _survivors(thought.options) if option.move != thought.move]
    return chosen, max(others, key=lambda option: option.gain, default=None)


def _is_sure(one: Option, other: Option) -> bool:
    """Return whether the first option is better by more than chance explains."""
    return one.gain - other.gain > SURE_ERRORS * max(one.gain_error, other.gain_error)


def _value_sentence(coach: Coach[Table], thought: Thought) -> str:
    """Return the sentence of a hint that compares the advised move with the best other one.

    It is "" if the bot has no figures for both. coach: the words of the game. thought: the advising bot's decision,
    with the moves that it compared.
    """
    if len(thought.moves) == 1:
        return say("It is the only move you may make.")
    chosen, other = _chosen_and_next(thought)
    if chosen is None or other is None:
        return ""
    if not chosen.tries:  # The figures come from the rule of thumb, without a search.
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


def _choice_reason(coach: Coach[Table], thought: Thought, level: Level | None) -> str:
    """Return the sentence that says why a bot chose its move: by rule of thumb, by search or by what it has learned.

    coach: the words of the game. thought: the bot's decision, with the moves that it compared. level: the settings of
    its search, or None without one.
    """
    if len(thought.moves) == 1:
        return say("It had no choice.")
    chosen, other = _chosen_and_next(thought)
    if chosen is None or other is None:
        return coach.reason_alone(thought.table, thought.move)
    rule_option = thought.options[0]
    places = {
        "move": coach.name(thought.move),
        "other": coach.name(other.move),
        "rule": coach.name(rule_option.move),
        "gain": coach.amount(abs(chosen.gain - other.gain)),
        "error": decimal(max(chosen.gain_error, other.gain_error)),
        "tolerance": coach.amount(level.tolerance if level else 0),
    }
    if thought.learned and chosen.tries:
        return _learned_choice_reason(chosen, other, places)
    if not chosen.tries:
        sentence = "By its estimate {move} promised most: {gain} more than {other}."
    elif level and level.tolerance and not _is_sure(chosen, other):
        sentence = "An easy bot: any move within {tolerance} of its rule of thumb ({rule}) will do. It chose {move}."
    elif chosen.move != rule_option.move:
        places |= {"gain": coach.amount(chosen.gain), "error": decimal(chosen.gain_error)}
        sentence = (
            "Its rule of thumb says {rule}, but over those ways {move} brought {gain} more (± {error}): "
            "enough for it to leave the rule."
        )
    elif _is_sure(chosen, other):
        sentence = SURE_GAIN
    elif chosen.mean >= other.mean:
        sentence = "Its rule of thumb says {move}, and nothing that it tried came out better; next was {other}."
    else:
        sentence = (
            "Its rule of thumb says {move}. Over those ways {other} brought {gain} more (± {error}): "
            "too little for it to leave the rule."
        )
    return say(sentence, **places)


SURE_GAIN = "Over those ways {move} brought {gain} more than {other} (± {error})."


def _learned_choice_reason(chosen: Option, other: Option, places: Mapping[str, str]) -> str:
    """Return the sentence that says why a trained bot chose its move. Its search does not choose, it only compares.

    "Those ways" are the layouts of the hidden cards that it tried, which the sentence before mentions.
    chosen, other: its move and the best other one, with their figures. places: the values of the places in sentences.
    """
    if _is_sure(chosen, other):
        sentence = SURE_GAIN
    elif chosen.mean >= other.mean:
        sentence = "What it has learned says {move}, and nothing that it tried came out better; next was {other}."
    else:
        sentence = (
            "What it has learned says {move}. Over those ways {other} brought {gain} more (± {error}): "
            "it goes by what it has learned."
        )
    return say(sentence, **places)
