"""The parts of a game that the catalog serves to the rest of the site."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from games.kit.analysis import Analyst
from games.kit.claims import Claims
from games.kit.coach import Coach
from games.kit.contract import Bot, Event, Rules, Sheet, State, Table
from games.kit.drawing import Drawing
from games.kit.facts import DealFacts, DealWords, Question, SheetColumn, Statistics
from games.kit.guide import Guide, Phrase, Word
from games.kit.language import Lazy
from games.kit.tallies import Scorer


class Game(NamedTuple):
    """All parts of one game."""

    rules: tuple[Rules[State, Table], ...]  # every version that stored matches may have, the newest last
    bots: dict[str, Bot[Table]]  # by name; "sensible-1" is always one of them
    drawing: Drawing[Table, Sheet]  # for all versions
    deal_words: DealWords
    facts: Callable[[Sheet, Sequence[Event]], DealFacts]  # of a scored deal: from the sheet after it and all its events
    facts_version: int = 1  # Raise it if the facts of a deal change. Stored facts are then computed again.
    luck: str = ""  # sentences that explain "worth" and "beyond", if these are facts of seats
    questions: tuple[Question, ...] = ()  # for searches of deals, in display order
    statistics: Statistics | None = None  # of a player's deals
    sheet_columns: tuple[SheetColumn, ...] = ()  # of a plain sheet, without points and scores
    pondering: float = 1.0  # the relative time to think about a move, larger if there are many to choose from
    result_time: int = 10  # the seconds that the result of a deal stays on screen if several people play
    glossary: tuple[Word, ...] = ()  # in display order
    phrases: tuple[Phrase, ...] = ()  # of this game only
    guide: Guide[Table] | None = None  # the first deal for newcomers
    claims: Claims[Table] | None = None  # None if players cannot claim
    coach: Coach[Table] | None = None
    analyst: Analyst[State, Table, Any] | None = None  # of finished matches
    scorer: type[Scorer[Any]] | None = None  # None if no tally can be kept

    @property
    def newest(self) -> Rules[State, Table]:
        """The rules of new matches."""
        return self.rules[-1]

    @property
    def slug(self) -> str:
        return self.rules[-1].slug  # Not `newest.slug`: every move looks up the slug several times.

    @property
    def name(self) -> str:
        return self.newest.name

    @property
    def deal_word(self) -> Lazy:
        """The players' word for a deal: "deal", "hand", "round"."""
        return self.deal_words.one

    @property
    def room(self) -> str:
        """The name of its folders: "oh_hell"."""
        return self.slug.replace("-", "_")


PARTS = {  # by module of a game's package, the fields of Game that it may define as constants
    "bots": ("bots",),
    "claims": ("claims",),
    "coach": ("analyst", "coach"),
    "facts": ("luck", "questions", "sheet_columns", "statistics"),
    "guide": ("glossary", "guide", "phrases"),
    "table": ("drawing",),
    "tally": ("scorer",),
}


def room(package: str, **fields: Any) -> Game:
    """Return the Game that a Python package defines. Some of its fields are constants of the package's modules.

    For example, CLAIMS in `claims.py` becomes the field "claims". All modules and constants are optional.
    fields: the other fields of the Game.
    """
    for module, names in PARTS.items():
        if find_spec(f"{package}.{module}"):
            part = import_module(f"{package}.{module}")
            fields |= {name: getattr(part, name.upper()) for name in names if hasattr(part, name.upper())}
    return Game(**fields)
