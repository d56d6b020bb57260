"""What a game has for newcomers: the words of its trade, what can be said with one tap, a first deal with notes.

The first deal is a real match against bots. Its seed is fixed, so that everybody is dealt the same cards; what players
do with them is up to them, so notes look at the table and never count on one line of play."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from games.kit.contract import Move, Table
from games.kit.language import lazy, lazy_in


class Word(NamedTuple):
    """name: as templates know it. section: the id of its place on the rules page, without it "word-" and the name."""

    name: str
    term: str
    means: str
    section: str = ""

    @property
    def anchor(self) -> str:
        """The id on the rules page at which more is section."""
        return self.section or f"word-{self.name}"


def word(name: str, term: str, means: str, section: str = "", /, **places: Any) -> Word:
    """A Word. means: a message, whose places are filled from `places`."""
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
    """Something that can be said, stored by its key. It must tell nothing of cards that anybody holds."""

    key: str
    words: str
    icon: str = ""  # of static/img/icons.svg: of a reaction, which shows it in place of its words


class Note[T: Mapping[str, Any]](NamedTuple):
    """One thing said once, beside what it speaks of.

    at: selectors, the first of which that the page shows is pointed at; "{seat}" is the reader's seat.
    when: whether it is the moment, from the reader's table (`rules.view`) and their legal moves, none out of turn.
    """

    name: str  # no other note of its guide has it
    at: tuple[str, ...]
    words: str
    when: Callable[[T, list[Move]], bool]


def note[T: Mapping[str, Any]](
    name: str, at: tuple[str, ...], when: Callable[[T, list[Move]], bool], words: str, /, **places: Any
) -> Note[T]:
    """A Note. words: a message, whose places are filled from `places`."""
    return Note(name, at, lazy(words, **places), when)


def is_bidding(table: Table, moves: list[Move]) -> bool:
    return table["phase"] == "bid" and bool(moves)


def is_playing(table: Table, moves: list[Move]) -> bool:
    return table["phase"] == "play" and bool(moves)


def suit_led(table: Table) -> str:
    """The suit that was led to the trick in progress, or ""."""
    plays = table["trick"]["plays"]
    return plays[0]["card"][1] if plays else ""


def follows(table: Table, moves: list[Move]) -> bool:
    """Whether the reader is to play and holds the suit that was led."""
    return is_playing(table, moves) and any(card[1] == suit_led(table) for card in table["hand"])


def leads(table: Table, moves: list[Move]) -> bool:
    return is_playing(table, moves) and not suit_led(table)


MOST_NOTES = 12  # in one deal


class Guide[T: Mapping[str, Any]](NamedTuple):
    """The match, a short one at the usual options, and its notes, in the order they are read in at any one moment.

    closing: how many notes the result may have; before it there is only room for the others of MOST_NOTES.
    """

    seats: int
    seed: str  # hex; with it the newcomer, who sits down first, is dealt what the notes are about
    notes: tuple[Note[T], ...]
    closing: int = 2

    @property
    def room(self) -> int:
        """How many notes may be shown before the result."""
        return MOST_NOTES - self.closing

    def notes_for(self, table: T, moves: list[Move]) -> list[dict[str, str]]:
        """The notes of the moment as dicts for templates: "name", "at" (selectors, "|" between them), "words"."""
        return [
            {"name": note.name, "at": "|".join(note.at).replace("{seat}", str(table["seat"])), "words": note.words}
            for note in self.notes
            if note.when(table, moves)
        ]
