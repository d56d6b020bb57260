"""Parts that the statistics of several games are made of."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from games.kit.language import counted, lazily
from games.kit.words import signed

# What is counted: words for a number of it, by its key. figure: that number as it is written.
COUNTED = {
    "bid": lambda number, figure: counted(number, "{figure} bid", "{figure} bids", figure=figure),
    "contract": lambda number, figure: counted(number, "{figure} contract", "{figure} contracts", figure=figure),
    "deal": lambda number, figure: counted(number, "{figure} deal", "{figure} deals", figure=figure),
    "hand": lambda number, figure: counted(number, "{figure} hand", "{figure} hands", figure=figure),
    "match": lambda number, figure: counted(number, "{figure} match", "{figure} matches", figure=figure),
    "player": lambda number, figure: counted(number, "{figure} player", "{figure} players", figure=figure),
    "point": lambda number, figure: counted(number, "{figure} point", "{figure} points", figure=figure),
    "prediction": lambda number, figure: counted(number, "{figure} prediction", "{figure} predictions", figure=figure),
    "round": lambda number, figure: counted(number, "{figure} round", "{figure} rounds", figure=figure),
    "stone": lambda number, figure: counted(number, "{figure} stone", "{figure} stones", figure=figure),
    "trick": lambda number, figure: counted(number, "{figure} trick", "{figure} tricks", figure=figure),
}
OF_HALVES = 5  # takes the form that languages with several plurals have for fractions


def of_unit(number, unit, figure=""):
    """ "7 bids"; a half as such: "10½ points". unit: a key of COUNTED. figure: the number, as it is to be written."""
    whole = number == int(number)
    return COUNTED[unit](int(number) if whole else OF_HALVES, figure or signed(number))


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


def every(facts):
    """Whatever the facts are."""
    return True


def number(head, holds=every):
    """A Figure: how many deals there are, or how many of them in which something holds."""
    return Figure(head, "number", holds)


def share(head, holds):
    """A Figure: in what share of the deals something holds."""
    return Figure(head, "share", holds)


def mean(head, fact="points"):
    """A Figure: the mean of a fact."""
    return Figure(head, "mean", every, fact)


def has(key, *values):
    """What holds of facts if that of this key has one of these values."""
    return lambda facts: facts[key] in values


def lines(key, words):
    """A Line for each value of a fact. words: {value: what it is called}."""
    return tuple(Line(head, has(key, value)) for value, head in words.items())


def luck(deals, points, every_deal, note, head="", parts=()):
    """The Breakdown of what cards were worth and what was made beyond that.

    deals, points, every_deal: what the game calls the numbers of deals, the points of one, and the line of all:
    "Hands", "Points a hand", "All hands". parts: Lines besides that of all deals. head: of their column.
    """
    figures = (
        number(deals),
        mean(points),
        mean(lazily("Cards worth"), "worth"),
        mean(lazily("Beyond the cards"), "beyond"),
    )
    return Breakdown(lazily("Luck"), head, (Line(every_deal, every), *parts), figures, drawn=3, note=note)
