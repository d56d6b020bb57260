"""The words of a game's trade, each explained in a sentence or two where it stands at the table."""

from typing import NamedTuple


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


TRICK = Word("trick", "Trick", "One card from each player. The best of them takes the trick.")
TRUMP = Word(
    "trump", "Trumps", "The suit that beats the others: even its lowest card beats the highest of any other suit."
)
LEAD = Word("lead", "Lead", "The first card of a trick. The others must follow its suit if they can.")
DEALER = Word(
    "dealer", "Dealer", "Whoever dealt the cards. The next player after the dealer is the first to act.", "deal"
)
