"""What deals of several games are searched by, and answers that many questions have."""

from games.kit.contract import Answer, Question
from games.kit.words import SUIT_WORDS, plural, said, signed


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
