"""Phrases that can be said with one tap: at every table, and at the tables of one game."""

from games.catalog import UnknownGame, get_game
from games.kit.guide import Phrase
from games.kit.language import lazy, lazy_in

REACTIONS = (
    Phrase("like", lazy_in("after a name", "likes that"), "thumbs-up"),
    Phrase("smile", lazy_in("after a name", "smiles"), "smile"),
    Phrase("laugh", lazy_in("after a name", "laughs"), "laugh"),
    Phrase("sigh", lazy_in("after a name", "sighs"), "frown"),
    Phrase("love", lazy_in("after a name", "loves that"), "heart"),
)
WHEN_NEEDED = (  # A player may need these at any moment.
    Phrase("moment", lazy("One moment, please.")),
    Phrase("back", lazy("I’m back.")),
)
PHRASES = (
    Phrase("hello", lazy("Hello!")),
    Phrase("luck", lazy("Good luck!")),
    Phrase("well-played", lazy("Well played!")),
    Phrase("thanks", lazy("Thank you!")),
    Phrase("ouch", lazy("Ouch!")),
    Phrase("sorry", lazy("Sorry!")),
    *WHEN_NEEDED,
    Phrase("good-game", lazy("Good game!")),
    Phrase("again", lazy("Another one?")),
    Phrase("bye", lazy("I have to go. Bye!")),
)


def phrases_of(slug: str) -> dict[str, Phrase]:
    """Return the ready-made phrases for the chat of a game, by key, in display order: words first, then reactions."""
    try:
        own = get_game(slug).phrases
    except UnknownGame:  # A match of a game that this site no longer has can still be read.
        own = ()
    return {phrase.key: phrase for phrase in (*PHRASES, *own, *REACTIONS)}
