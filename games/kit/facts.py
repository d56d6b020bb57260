"""What games say of their deals: what they call them, facts of scored ones, questions, statistics and feats."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from games.kit.language import Lazy, lazy, lazy_count, lazy_in, say_count
from games.kit.words import SUIT_TITLES, with_sign


class DealWords(NamedTuple):
    """A game's word for a deal, in the forms that pages need."""

    unit: str  # the key of words for a number of them: of COUNTED
    one: Lazy  # "hand"
    many: Lazy  # "hands", within a sentence
    heading: Lazy  # "Hands"


DEALS = DealWords(
    "deal",
    lazy_in("what players call one deal", "deal"),
    lazy_in("what players call deals", "deals"),
    lazy("Deals"),
)
HANDS = DealWords(
    "hand",
    lazy_in("what players call one deal", "hand"),
    lazy_in("what players call deals", "hands"),
    lazy("Hands"),
)
ROUNDS = DealWords(
    "round",
    lazy_in("what players call one deal", "round"),
    lazy_in("what players call deals", "rounds"),
    lazy("Rounds"),
)


class DealFacts(NamedTuple):
    """What there is to know of a scored deal: of all of it, and of each seat, by number.

    Each fact is a string, a number or a bool, or None where there is none, under a key of the game's rules page. Of
    each seat there are at least "points", what the deal gave it or its side, and "score", what it has after the deal.
    """

    deal: dict[str, Any]
    seats: tuple[dict[str, Any], ...]


def cards_played(events: Iterable[Mapping[str, Any]], seats: int) -> list[list[str]]:
    """By seat the cards that it played, in order."""
    played: list[list[str]] = [[] for _ in range(seats)]
    for event in events:
        if event["type"] == "card_played":
            played[event["seat"]].append(event["card"])
    return played


class SheetColumn(NamedTuple):
    """A fact that stands on a plain score sheet, the one without drawings: its head, and words for its values, if any.

    Facts of the whole deal have "deal_" before them. Those of seats are left out where partners share a column.
    """

    head: str
    fact: str
    words: Mapping[Any, str] = {}


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

    def sentence_about(self, who: str = "") -> str:
        """The whole sentence. who: did it, where it is of a seat's fact."""
        return str(self.sentence).format(who=who)


class Question(NamedTuple):
    """Something that deals are searched by: a fact, and what it may be. of_seat: each seat has that fact of its own."""

    fact: str
    label: str
    answers: tuple[Answer, ...]
    of_seat: bool = True


def question(fact: str, label: str, *answers: Answer, of_seat: bool = True) -> Question:
    return Question(fact, label, answers, of_seat)


def numbers(values: Iterable[int], one: str, many: str) -> tuple[Answer, ...]:
    """An Answer for each number. one, many: the sentence with {who} and {number}, in its two forms."""
    return tuple(Answer(str(value), str(value), lazy_count(value, one, many, who=WHO), value) for value in values)


def yes(words: str, sentence: Lazy) -> Answer:
    """The only answer that is worth a search: that it is so."""
    return Answer("yes", words, sentence, True)


def points(sentence: Lazy, values: Iterable[int], below: str = "") -> Question:
    """The Question of the points of a deal. sentence: with {points}, of so many or more. below: of less than none.

    Both are Lazy.
    """
    lost = (Answer("lost", lazy("Below zero"), below, 0, "lt"),) if below else ()
    won = [
        Answer(
            str(value),
            lazy("{points} or more", points=with_sign(value)),
            Lazy(_with_points, sentence, value),
            value,
            "gte",
        )
        for value in values
    ]
    return Question("points", lazy("Points"), (*lost, *won))


def _with_points(sentence: Lazy, value: int) -> str:
    return str(sentence).format(who=WHO, points=with_sign(value))


SUITS = tuple(Answer(suit, words, lazy("{suit} were trumps.", suit=words), suit) for suit, words in SUIT_TITLES.items())
TRUMP = Question("trump", lazy("Trumps"), SUITS, of_seat=False)


# What is counted: words for a number of it, by its key. figure: that number as it is written.
COUNTED = {
    "bid": lambda number, figure: say_count(number, "{figure} bid", "{figure} bids", figure=figure),
    "contract": lambda number, figure: say_count(number, "{figure} contract", "{figure} contracts", figure=figure),
    "deal": lambda number, figure: say_count(number, "{figure} deal", "{figure} deals", figure=figure),
    "hand": lambda number, figure: say_count(number, "{figure} hand", "{figure} hands", figure=figure),
    "match": lambda number, figure: say_count(number, "{figure} match", "{figure} matches", figure=figure),
    "player": lambda number, figure: say_count(number, "{figure} player", "{figure} players", figure=figure),
    "point": lambda number, figure: say_count(number, "{figure} point", "{figure} points", figure=figure),
    "prediction": lambda number, figure: say_count(
        number, "{figure} prediction", "{figure} predictions", figure=figure
    ),
    "round": lambda number, figure: say_count(number, "{figure} round", "{figure} rounds", figure=figure),
    "stone": lambda number, figure: say_count(number, "{figure} stone", "{figure} stones", figure=figure),
    "trick": lambda number, figure: say_count(number, "{figure} trick", "{figure} tricks", figure=figure),
}
OF_HALVES = 5  # takes the form that languages with several plurals have for fractions


def of_unit(number: float, unit: str, figure: str = "") -> str:
    """ "7 bids"; a half as such: "10½ points". unit: a key of COUNTED. figure: the number, as it is to be written."""
    whole = number == int(number)
    return COUNTED[unit](int(number) if whole else OF_HALVES, figure or with_sign(number))


class Tally(NamedTuple):
    """Somebody's deals that have the same facts: those facts, how many deals they are, and sums over them, by fact."""

    facts: Mapping[str, Any]
    deals: int
    sums: Mapping[str, float]


class Figure(NamedTuple):
    """A column of a Breakdown: how many deals of a line there are, in what share something holds, or a mean.

    kind: "number", "share" or "mean". holds: of the facts of a deal; it is counted. fact: of which the mean is taken.
    """

    head: str
    kind: str
    holds: Callable[[Mapping[str, Any]], bool]
    fact: str = ""


class Line(NamedTuple):
    """A line of a Breakdown: what it is called, and which deals are of it."""

    head: str
    holds: Callable[[Mapping[str, Any]], bool]


class Breakdown(NamedTuple):
    """A table of somebody's deals. head: of the column of `lines`. drawn: the place of the figure to draw."""

    title: str
    head: str
    lines: tuple[Line, ...]
    figures: tuple[Figure, ...]
    drawn: int
    note: str = ""


class Feat(NamedTuple):
    """Something that a player has done in a deal, to be looked up: the first time, the most of it, the longest run.

    kind: "first", "most" or "run". where: facts with the values that they must have; those of the whole deal have
    "deal_" before them. fact: of which the most is wanted. unit: what is counted, of COUNTED. among: what a run is
    looked for among, other deals don't end it: facts, each with the values that it may have.
    """

    words: str
    kind: str
    where: Mapping[str, Any] = {}
    fact: str = ""
    unit: str = ""
    among: Mapping[str, tuple[Any, ...]] = {}


class Statistics(NamedTuple):
    """What a game tells of all the deals of somebody.

    facts: by which deals are tallied; each has few values. sums: which are added up. Those of the whole deal have
    "deal_" before them. with_partner: figures of the deals with each partner, where there are partners.
    """

    facts: tuple[str, ...]
    sums: tuple[str, ...]
    breakdowns: tuple[Breakdown, ...]
    feats: tuple[Feat, ...] = ()
    with_partner: tuple[Figure, ...] = ()


def every(facts: Mapping[str, Any]) -> bool:
    """Whatever the facts are."""
    return True


def number(head: str, holds: Callable[[Mapping[str, Any]], bool] = every) -> Figure:
    """A Figure: how many deals there are, or how many of them in which something holds."""
    return Figure(head, "number", holds)


def share(head: str, holds: Callable[[Mapping[str, Any]], bool]) -> Figure:
    """A Figure: in what share of the deals something holds."""
    return Figure(head, "share", holds)


def mean(head: str, fact: str = "points") -> Figure:
    """A Figure: the mean of a fact."""
    return Figure(head, "mean", every, fact)


def has(key: str, *values: Any) -> Callable[[Mapping[str, Any]], bool]:
    """What holds of facts if that of this key has one of these values."""
    return lambda facts: facts[key] in values


def lines(key: str, words: Mapping[Any, str]) -> tuple[Line, ...]:
    """A Line for each value of a fact. words: {value: what it is called}."""
    return tuple(Line(head, has(key, value)) for value, head in words.items())


def luck(
    every_deal: str, figures: tuple[Figure, ...], note: str, head: str = "", parts: tuple[Line, ...] = ()
) -> Breakdown:
    """The Breakdown of what cards were worth and what was made beyond that.

    every_deal: the head of the line of all deals. figures: the number of deals and the mean of points. parts: Lines
    besides that of all deals. head: of their column.
    """
    figures += mean(lazy("Cards worth"), "worth"), mean(lazy("Beyond the cards"), "beyond")
    return Breakdown(lazy("Luck"), head, (Line(every_deal, every), *parts), figures, drawn=3, note=note)
