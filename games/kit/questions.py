"""What deals of several games are searched by, and answers that many questions have."""

from typing import NamedTuple

from games.kit.words import SUIT_WORDS, plural, said, signed


class Answer(NamedTuple):
    """One answer to a Question: its slug in addresses, its words in a menu ("Zero"), and as a whole sentence.

    sentence: of a seat's fact it says {who} did it, in the past: "{who} bid zero."
    compared: "exact", "gt", "gte", "lt" or "lte", how the fact compares with `value`.
    """

    slug: str
    words: str
    sentence: str
    value: str | int | float | bool
    compared: str = "exact"


class Question(NamedTuple):
    """Something that deals are searched by: a fact, and what it may be. of_seat: each seat has that fact of its own."""

    fact: str
    label: str
    answers: tuple[Answer, ...]
    of_seat: bool = True


def numbers(values, sentence, unit):
    """An Answer for each number. sentence: with {amount}, "1 trick" or "3 tricks", where {unit} is "trick"."""
    return tuple(
        Answer(str(value), str(value), sentence.replace("{amount}", plural(value, unit)), value) for value in values
    )


def yes(words, sentence):
    """The only answer that is worth a search: that it is so."""
    return (Answer("yes", words, sentence, True),)


def points(sentence, values, below=""):
    """The Question of the points of a deal. sentence: with {points}, of so many or more. below: of less than none."""
    lost = (Answer("lost", "Below zero", below, 0, "lt"),) if below else ()
    won = [
        Answer(str(value), f"{signed(value)} or more", sentence.replace("{points}", signed(value)), value, "gte")
        for value in values
    ]
    return Question("points", "Points", (*lost, *won))


SUITS = tuple(
    Answer(suit, words.capitalize(), said("{suit} were trumps.", suit=words.capitalize()), suit)
    for suit, words in SUIT_WORDS.items()
)
TRUMP = Question("trump", "Trumps", SUITS, of_seat=False)
