"""A first deal with a guide: a match prepared for who is new to a game, with notes at the things themselves.

The match is a real one against bots, of which one deal is played. Its seed is fixed, so that everybody is dealt the
same cards; what players do with them is up to them, so notes look at the table and never count on one line of play.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.kit.contract import Move, Table


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
