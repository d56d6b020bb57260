"""What the players of a game call its deals: "deals", "hands", "rounds"."""

from typing import NamedTuple

from games.kit.language import Lazy, lazily, lazily_in


class DealWords(NamedTuple):
    """A game's word for a deal, in the forms that pages need."""

    unit: str  # the key of words for a number of them: of games.kit.statistics.COUNTED
    one: Lazy  # "hand"
    many: Lazy  # "hands", within a sentence
    heading: Lazy  # "Hands"


DEALS = DealWords(
    "deal",
    lazily_in("what players call one deal", "deal"),
    lazily_in("what players call deals", "deals"),
    lazily("Deals"),
)
HANDS = DealWords(
    "hand",
    lazily_in("what players call one deal", "hand"),
    lazily_in("what players call deals", "hands"),
    lazily("Hands"),
)
ROUNDS = DealWords(
    "round",
    lazily_in("what players call one deal", "round"),
    lazily_in("what players call deals", "rounds"),
    lazily("Rounds"),
)
