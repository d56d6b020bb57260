"""Parts of a game for newcomers: a glossary, phrases for the chat, and a first deal with notes.

The first deal is a real match against bots. Its seed is fixed, so everybody has the same cards. Players may play them
in any way, so the notes look at the table and never rely on one line of play.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.kit.contract import Move, Table
from games.kit.language import lazy, lazy_in


class Word(NamedTuple):
    """An entry of the glossary."""

    name: str  # the key in templates
    term: str
    means: str
    section: str = ""  # the id of its section on the rules page, if that is not "word-" and the name

    @property
    def anchor(self) -> str:
        """The id of its section on the rules page."""
        return self.section or f"word-{self.name}"


def word(name: str, term: str, means: str, section: str = "", /, **places: object) -> Word:
    """Return a Word. The message `means` is formatted with `places`."""
    return Word(name, term, lazy(means, **places), section)


TRICK = word("trick", lazy("Trick"), "One card from each player. The best of them takes the trick.")
TRUMP = word(
    "trump",
    lazy("Trumps"),
    "The suit that beats the others: even its lowest card beats the highest of any other suit.",
)
LEAD = word(
    "lead",
    lazy_in("the first card of a trick", "Lead"),
    "The first card of a trick. The others must follow its suit if they can.",
)
DEALER = word(
    "dealer",
    lazy_in("role", "Dealer"),
    "The player who dealt the cards. The next player acts first.",
    "deal",
)


class Phrase(NamedTuple):
    """A message that players can send with one tap. It must reveal nothing about cards."""

    key: str  # The database stores it.
    words: str
    icon: str = ""  # in static/img/icons.svg; a reaction shows it instead of the words


class Note[T: Table](NamedTuple):
    """A note that players see once, next to a part of the table."""

    name: str  # unique in its guide
    at: tuple[str, ...]  # Selectors. The note points at the first one on the page. "{seat}" is the reader's seat.
    words: str
    # Whether to show it, from the reader's view and legal moves. Out of turn there are no moves.
    when: Callable[[T, list[Move]], bool]


def note[T: Table](
    name: str, at: tuple[str, ...], when: Callable[[T, list[Move]], bool], words: str, /, **places: object
) -> Note[T]:
    """Return a Note, which newcomers see once in their first match, next to a part of the table.

    at: CSS selectors of that part. when: a function of the reader's view of the table and the legal moves that returns
    whether to show the note now. words: the message, with places like {name} for the values in `places`.
    """
    return Note(name, at, lazy(words, **places), when)


def is_bidding(table: Table, moves: list[Move]) -> bool:
    return table["phase"] == "bid" and bool(moves)


def is_playing(table: Table, moves: list[Move]) -> bool:
    return table["phase"] == "play" and bool(moves)


def suit_led(table: Table) -> str:
    """Return the suit led to the trick in progress, or ""."""
    plays = table["trick"]["plays"]
    return plays[0]["card"][1] if plays else ""


def follows(table: Table, moves: list[Move]) -> bool:
    """Return whether it is the reader's turn to play and they hold the suit led."""
    return is_playing(table, moves) and any(card[1] == suit_led(table) for card in table["hand"])


def leads(table: Table, moves: list[Move]) -> bool:
    return is_playing(table, moves) and not suit_led(table)


MOST_NOTES = 12  # in one deal


class Guide[T: Table](NamedTuple):
    """The first match of a newcomer: a short one with the usual options, and its notes."""

    seats: int
    seed: str  # In hex. It gives the newcomer, who sits down first, the cards that the notes are about.
    notes: tuple[Note[T], ...]  # in reading order
    closing: int = 2  # the number of MOST_NOTES that the result needs

    @property
    def room(self) -> int:
        """The largest number of notes before the result."""
        return MOST_NOTES - self.closing

    def notes_for(self, table: T, moves: list[Move]) -> list[dict[str, str]]:
        """Return the notes to show to a newcomer now: dicts of "name", "at" and "words".

        A note explains a part of the table. "at" holds CSS selectors, separated by "|", and the note points at the
        first one that is on the page. In a selector "{seat}" stands for the newcomer's seat.

        table: what the newcomer can see. moves: the legal moves, empty if it is not the newcomer's turn.
        """
        return [
            {"name": note.name, "at": "|".join(note.at).replace("{seat}", str(table["seat"])), "words": note.words}
            for note in self.notes
            if note.when(table, moves)
        ]
