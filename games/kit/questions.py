"""What deals of several games are searched by, and answers that many questions have."""

from typing import NamedTuple

from games.kit.language import Lazy, lazily, lazily_counted
from games.kit.words import SUIT_TITLES, signed

WHO = "{who}"  # in a sentence whose other places are filled


class Answer(NamedTuple):
    """One answer to a Question: its slug in addresses, its words in a menu ("Zero"), and as a whole sentence.

    sentence: Lazy; of a seat's fact it says {who} did it, in the past: "{who} bid zero."
    compared: "exact", "gt", "gte", "lt" or "lte", how the fact compares with `value`.
    """

    slug: str
    words: str
    sentence: str
    value: str | int | float | bool
    compared: str = "exact"

    def told(self, who=""):
        """The whole sentence. who: did it, where it is of a seat's fact."""
        return str(self.sentence).format(who=who)


class Question(NamedTuple):
    """Something that deals are searched by: a fact, and what it may be. of_seat: each seat has that fact of its own."""

    fact: str
    label: str
    answers: tuple[Answer, ...]
    of_seat: bool = True


def numbers(values, one, many):
    """An Answer for each number. one, many: the sentence with {who} and {number}, in its two forms."""
    return tuple(Answer(str(value), str(value), lazily_counted(value, one, many, who=WHO), value) for value in values)


def yes(words, sentence):
    """The only answer that is worth a search: that it is so."""
    return (Answer("yes", words, sentence, True),)


def points(sentence, values, below=""):
    """The Question of the points of a deal. sentence: with {points}, of so many or more. below: of less than none.

    Both are Lazy.
    """
    lost = (Answer("lost", lazily("Below zero"), below, 0, "lt"),) if below else ()
    won = [
        Answer(
            str(value),
            lazily("{points} or more", points=signed(value)),
            Lazy(_with_points, sentence, value),
            value,
            "gte",
        )
        for value in values
    ]
    return Question("points", lazily("Points"), (*lost, *won))


def _with_points(sentence, value):
    return str(sentence).format(who=WHO, points=signed(value))


SUITS = tuple(
    Answer(suit, words, lazily("{suit} were trumps.", suit=words), suit) for suit, words in SUIT_TITLES.items()
)
TRUMP = Question("trump", lazily("Trumps"), SUITS, of_seat=False)
