"""Words, facts, questions and statistics of deals, which each game declares."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from games.kit.contract import Card, Event
from games.kit.language import Lazy, lazy, lazy_count, lazy_in, say_count
from games.kit.words import CARD_NAMES, SUIT_TITLES, with_sign


class DealWords(NamedTuple):
    """A game's word for a deal, in the forms that pages need."""

    unit: str  # the key in COUNTED
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


type Facts = Mapping[str, Any]  # strings, numbers, bools or None, under the keys of the game's rules page
type Condition = Callable[[Facts], bool]


class DealFacts(NamedTuple):
    """The facts of a scored deal and of each of its seats.

    Every seat has at least "points", the points of the deal for it or its side, and "score", the score after the deal.
    """

    deal: Facts
    seats: tuple[Facts, ...]  # by seat


def cards_played(events: Iterable[Event], seats: int) -> list[list[Card]]:
    """Return the cards that each seat played, in order."""
    cards: list[list[Card]] = [[] for _ in range(seats)]
    for event in events:
        if event["type"] == "card_played":
            cards[event["seat"]].append(event["card"])
    return cards


class SheetColumn(NamedTuple):
    """A column of the plain score sheet, which shows a fact. Facts of seats are omitted if partners share a column."""

    head: str
    fact: str  # with the prefix "deal_" if it is a fact of the whole deal
    words: Mapping[Any, str] = {}  # for its values, if they need words


WHO = "{who}"  # Keeps this place open when the other places of a sentence are filled.


class Answer(NamedTuple):
    """One answer to a Question."""

    slug: str  # in URLs
    words: str  # in a menu: "Zero"
    sentence: str  # Lazy. For a fact of a seat it has the place {who}: "{who} bid zero."
    value: str | int | float | bool | tuple[str, ...] | None
    compared: str = "exact"  # the comparison of the fact with `value`: "exact", "gt", "gte", "lt", "lte" or "in"

    def sentence_about(self, who: str = "") -> str:
        """Return the sentence. who: the player, if it is about a fact of a seat."""
        return str(self.sentence).format(who=who)


class Question(NamedTuple):
    """A question for a search of deals: a fact and its possible values."""

    fact: str
    label: str
    answers: tuple[Answer, ...]
    of_seat: bool = True  # whether it is a fact of a seat, not of the whole deal
    other_name: str = ""  # for a fact of the whole deal, if seats have a fact of the same name

    @property
    def name(self) -> str:
        """The name of the question in addresses."""
        return self.other_name or self.fact


COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {"gt": gt, "gte": ge, "lt": lt, "lte": le}


def compare(fact: Any, value: Any, compared: str) -> bool:
    """Return whether a fact compares with a value as in `Answer.compared`. A missing fact (None) only equals None."""
    if compared == "exact":
        return fact == value and isinstance(fact, bool) == isinstance(value, bool)  # In Python True equals 1.
    if compared == "in":
        return fact in value
    return fact is not None and COMPARED[compared](fact, value)


def question(fact: str, label: str, *answers: Answer, of_seat: bool = True) -> Question:
    return Question(fact, label, answers, of_seat)


def numbers(values: Iterable[int], one: str, many: str) -> tuple[Answer, ...]:
    """Return an Answer for each number. one, many: the sentence with {who} and {number}, in its two forms."""
    return tuple(Answer(str(value), str(value), lazy_count(value, one, many, who=WHO), value) for value in values)


def yes(words: str, sentence: Lazy) -> Answer:
    """Return the answer "yes", the only one that is worth a search."""
    return Answer("yes", words, sentence, True)


def card_won(did: Lazy, did_not: Lazy) -> tuple[Answer, Answer]:
    """Return the answers to whether a player won a card. did, did_not: the sentences."""
    return yes(lazy("Won it"), did), Answer("no", lazy("Did not win it"), did_not, False)


def points(sentence: Lazy, values: Iterable[int], below: str = "") -> Question:
    """Return the question on points for the form that searches deals. Each of `values` is an answer: "10 or more".

    sentence: says that the player had this number of points or more, with the places {who} and {points}.
    below: says that {who} had less than zero. If it is "", the form does not offer that answer.
    """
    negative = (Answer("lost", lazy("Below zero"), below, 0, compared="lt"),) if below else ()
    at_least = [
        Answer(
            str(value),
            lazy("{points} or more", points=with_sign(value)),
            Lazy(_fill_points, sentence, value),
            value,
            compared="gte",
        )
        for value in values
    ]
    return Question("points", lazy("Points"), (*negative, *at_least))


def _fill_points(sentence: Lazy, value: int) -> str:
    """Fill the place {points}, and keep {who} open for `Answer.sentence_about`."""
    return str(sentence).format(who=WHO, points=with_sign(value))


SUITS = tuple(Answer(suit, words, lazy("{suit} were trumps.", suit=words), suit) for suit, words in SUIT_TITLES.items())
TRUMP = Question("trump", lazy("Trumps"), SUITS, of_seat=False)

LOWEST_SCORE = -(10**9)  # Below every score.
EACH_DEAL = question(
    "score", lazy("List them all"), Answer("any", lazy("Yes"), lazy("{who} took part."), LOWEST_SCORE, "gt")
)

HAND = Question("hand", lazy("Cards held"), ())  # Its answers are cards. All of them must be in the same hand.


def holds(card: Card) -> Answer:
    """Return the answer that a hand holds a card."""
    return Answer(card, CARD_NAMES[card], lazy("{who} held the card."), card, "holds")


# Functions that return a number with its unit. figure: the number in figures.
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


def of_unit(number: float, unit: str, figure: str = "") -> str:
    """Return a number with its unit: "7 bids", "10½ points". unit: a key of COUNTED. figure: the number in figures."""
    return COUNTED[unit](number, figure or with_sign(number))


class Term(NamedTuple):
    """A comparison of one fact. Facts of the whole deal have the prefix "deal_"."""

    fact: str
    value: Any
    compared: str = "exact"


@dataclass(frozen=True)
class Has:
    """The condition that all terms are true. Unlike other conditions it can become a search: see `answers_for`."""

    terms: tuple[Term, ...] = ()

    def __call__(self, facts: Facts) -> bool:
        return all(compare(facts[fact], value, compared) for fact, value, compared in self.terms)


class Tally(NamedTuple):
    """The number of a player's deals that share some facts."""

    facts: Facts
    deals: int
    sums: Mapping[str, float]  # over these deals, by fact


class Figure(NamedTuple):
    """A column of a Breakdown."""

    head: str
    kind: str  # "number" or "share" of the deals that meet a condition, or "mean" of a fact
    holds: Condition
    fact: str = ""  # for a mean


class Line(NamedTuple):
    """A line of a Breakdown, for the deals that meet a condition."""

    head: str
    holds: Condition


class Breakdown(NamedTuple):
    """A table of a player's deals."""

    title: str
    head: str  # of the column of `lines`
    lines: tuple[Line, ...]
    figures: tuple[Figure, ...]
    drawn: int  # the index of the figure that is also drawn as a chart
    note: str = ""


class Feat(NamedTuple):
    """An achievement of a player in the deals of a game. Facts of the whole deal have the prefix "deal_"."""

    words: str
    kind: str  # "first" for the first such deal, "most" for the largest value of a fact, "run" for the longest run
    where: Facts = {}  # the facts that such a deal has
    fact: str = ""  # for "most"
    unit: str = ""  # a key of COUNTED
    among: Mapping[str, tuple[object, ...]] = {}  # the possible facts of deals that can end a run; others do not count


class Statistics(NamedTuple):
    """A game's statistics of all deals of a player. Facts of the whole deal have the prefix "deal_"."""

    facts: tuple[str, ...]  # Deals are tallied by these. Each should have few values.
    sums: tuple[str, ...]  # the facts to add up
    breakdowns: tuple[Breakdown, ...]
    feats: tuple[Feat, ...] = ()
    with_partner: tuple[Figure, ...] = ()  # for the deals with each partner


every = Has()  # The condition that all deals meet.


def number(head: str, holds: Condition = every) -> Figure:
    """Return the Figure for the number of deals that meet a condition."""
    return Figure(head, "number", holds)


def share(head: str, holds: Condition) -> Figure:
    """Return the Figure for the share of deals that meet a condition."""
    return Figure(head, "share", holds)


def mean(head: str, fact: str = "points") -> Figure:
    """Return the Figure for the mean of a fact."""
    return Figure(head, "mean", every, fact)


def has(fact: str, value: object, compared: str = "exact") -> Has:
    """Return the condition that a fact compares with a value as in `Answer.compared`."""
    return Has((Term(fact, value, compared),))


def answers_for(questions: Sequence[Question], *conditions: Condition) -> dict[str, str] | None:
    """Return the answers that a search for the deals with these conditions needs: slugs by the name of the question.

    Without terms, the search lists all deals. None if no search can ask for exactly these. questions: of the game.
    """
    slugs: dict[str, str] = {}
    for condition in conditions:
        if not isinstance(condition, Has):
            return None
        for term in condition.terms:
            fact, of_seat = term.fact.removeprefix("deal_"), not term.fact.startswith("deal_")
            answers = [
                (question.name, answer.slug)
                for question in questions
                if (question.fact, question.of_seat) == (fact, of_seat)
                for answer in question.answers
                if answer.compared == term.compared and compare(answer.value, term.value, "exact")
            ]
            if not answers:
                return None
            name, slug = answers[0]
            if slugs.setdefault(name, slug) != slug:
                return None
    return slugs or {EACH_DEAL.name: EACH_DEAL.answers[0].slug}


def lines[K](key: str, words: Mapping[K, str]) -> tuple[Line, ...]:
    """Return a Line for each value of a fact. words: the names of the values."""
    return tuple(Line(head, has(key, value)) for value, head in words.items())


def luck(
    every_deal: str, figures: tuple[Figure, ...], note: str, head: str = "", parts: tuple[Line, ...] = ()
) -> Breakdown:
    """Return a table that divides a player's points into luck, which is the worth of the cards, and the rest.

    every_deal: the heading of the line for all deals. figures: the first columns, the number of deals and their mean of
    points. note: a sentence below the table. head: the heading above the headings of lines. parts: more lines, each for
    some of the deals.
    """
    columns = (*figures, mean(lazy("Cards worth"), "worth"), mean(lazy("Beyond the cards"), "beyond"))
    charted = len(columns) - 1  # A chart shows the points beyond the cards.
    return Breakdown(lazy("Luck"), head, (Line(every_deal, every), *parts), columns, drawn=charted, note=note)
