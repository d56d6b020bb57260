"""A room: what the catalog needs to know of a game."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from games.kit.analysis import Analyst
from games.kit.claims import Claims
from games.kit.coach import Coach
from games.kit.contract import Bot, Rules
from games.kit.drawing import Drawing
from games.kit.facts import DealFacts, DealWords, Question, SheetColumn, Statistics
from games.kit.guide import Guide, Phrase, Word
from games.kit.language import Lazy


class Game(NamedTuple):
    """A room: all that is one game's, as the catalog finds it."""

    rules: tuple[Rules[Any, Any], ...]  # every version that a match may have begun under, the newest last
    bots: dict[str, Bot[Any]]  # by name; "sensible-1" is always among them
    drawing: Drawing[Any, Any]  # for all versions
    deal_words: DealWords  # what its players call a deal
    facts: Callable[[Any, Sequence[Any]], DealFacts]  # of a deal just scored: the sheet after it, and all its events
    facts_version: int = 1  # one more whenever a deal has other facts than before: those stored are made again then
    luck: str = ""  # sentences on what "worth" and "beyond" among the facts of seats mean, where those are there
    questions: tuple[Question, ...] = ()  # by which its deals are searched, in the order to ask them
    statistics: Statistics | None = None  # of somebody's deals
    sheet_columns: tuple[SheetColumn, ...] = ()  # of a plain sheet, besides points and scores
    pondering: float = 1.0  # how long a choice is thought about, by how many moves there are to choose from; 1 for few
    result_time: int = 10  # seconds for which the result of a deal stays, where several people play
    glossary: tuple[Word, ...] = ()  # in the order to list them
    phrases: tuple[Phrase, ...] = ()  # of its own, said with one tap
    guide: Guide[Any] | None = None  # the first deal of who is new to it
    claims: Claims[Any] | None = None  # "the rest are mine"; None where nobody can claim
    coach: Coach[Any] | None = None  # says why a move is good; None where nobody can yet
    analyst: Analyst[Any, Any, Any] | None = None  # for finished matches; None where there is none

    @property
    def newest(self) -> Rules[Any, Any]:
        """The rules that new matches are played by."""
        return self.rules[-1]

    @property
    def slug(self) -> str:
        return self.rules[-1].slug  # not by way of `newest`: a game is looked up by it several times a move

    @property
    def name(self) -> str:
        return self.newest.name

    @property
    def deal_word(self) -> Lazy:
        """What its players call a deal: "deal", "hand", "round"."""
        return self.deal_words.one

    @property
    def room(self) -> str:
        """What its folders are called: "oh_hell"."""
        return self.slug.replace("-", "_")


PARTS = {  # by module of a room, the fields of Game that are in it, in capitals
    "bots": ("bots",),
    "claims": ("claims",),
    "coach": ("analyst", "coach"),
    "facts": ("luck", "questions", "sheet_columns", "statistics"),
    "guide": ("glossary", "guide", "phrases"),
    "table": ("drawing",),
}


def room(package: str, **fields: Any) -> Game:
    """The Game of a room: these fields, and of PARTS whatever the room has."""
    for module, names in PARTS.items():
        if find_spec(f"{package}.{module}"):
            part = import_module(f"{package}.{module}")
            fields |= {name: getattr(part, name.upper()) for name in names if hasattr(part, name.upper())}
    return Game(**fields)
