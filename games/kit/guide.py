"""What a game has for newcomers: the words of its trade, what can be said with one tap, a first deal with notes.

The first deal is a real match against bots. Its seed is fixed, so that everybody is dealt the same cards; what players
do with them is up to them, so notes look at the table and never count on one line of play."""

from collections.abc import Callable
from typing import NamedTuple

from games.kit.contract import Move, Table
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


class Phrase(NamedTuple):
    """Something that can be said, stored by its key. It must tell nothing of cards that anybody holds."""

    key: str
    words: str
    icon: str = ""  # of static/img/icons.svg: of a reaction, which shows it in place of its words


class Note(NamedTuple):
    """One thing said once, beside what it speaks of.

    at: selectors, the first of which that the page shows is pointed at; "{seat}" is the reader's seat.
    when: whether it is the moment, from the reader's table (`rules.view`) and their legal moves, none out of turn.
    """

    name: str  # no other note of its guide has it
    at: tuple[str, ...]
    words: str
    when: Callable[[Table, list[Move]], bool]


MOST_NOTES = 12  # in one deal


class Guide(NamedTuple):
    """The match, a short one at the usual options, and its notes, in the order they are read in at any one moment.

    closing: how many notes the result may have; before it there is only room for the others of MOST_NOTES.
    """

    seats: int
    seed: str  # hex; with it the newcomer, who sits down first, is dealt what the notes are about
    notes: tuple[Note, ...]
    closing: int = 2

    @property
    def room(self) -> int:
        """How many notes may be shown before the result."""
        return MOST_NOTES - self.closing

    def notes_for(self, table: Table, moves: list[Move]) -> list[dict[str, str]]:
        """The notes of the moment as dicts for templates: "name", "at" (selectors, "|" between them), "words"."""
        return [
            {"name": note.name, "at": "|".join(note.at).replace("{seat}", str(table["seat"])), "words": note.words}
            for note in self.notes
            if note.when(table, moves)
        ]
