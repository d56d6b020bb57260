"""Parts that the statistics of several games are made of."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


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
    "deal_" before them. fact: of which the most is wanted. unit: what is counted: "point", "bid". among: what a run is
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


def luck(deal, note, head="", parts=()):
    """The Breakdown of what cards were worth and what was made beyond that. deal: the game’s word for it.

    parts: Lines besides that of all deals. head: of their column.
    """
    figures = (
        number(f"{deal.capitalize()}s"),
        mean(f"Points a {deal}"),
        mean("Cards worth", "worth"),
        mean("Beyond the cards", "beyond"),
    )
    return Breakdown("Luck", head, (Line(f"All {deal}s", every), *parts), figures, drawn=3, note=note)
