"""The words of a game's trade, each explained in a sentence or two where it stands at the table."""

from typing import NamedTuple

from games.kit.language import lazily, lazily_in


class Word(NamedTuple):
    """name: as templates know it. told: the id of its place on the rules page, without it "word-" and the name."""

    name: str
    term: str
    means: str
    told: str = ""

    @property
    def place(self) -> str:
        """The id on the rules page at which more is told."""
        return self.told or f"word-{self.name}"


TRICK = Word("trick", lazily("Trick"), lazily("One card from each player. The best of them takes the trick."))
TRUMP = Word(
    "trump",
    lazily("Trumps"),
    lazily("The suit that beats the others: even its lowest card beats the highest of any other suit."),
)
LEAD = Word(
    "lead",
    lazily_in("the first card of a trick", "Lead"),
    lazily("The first card of a trick. The others must follow its suit if they can."),
)
DEALER = Word(
    "dealer",
    lazily_in("role", "Dealer"),
    lazily("Whoever dealt the cards. The next player after the dealer is the first to act."),
    "deal",
)
