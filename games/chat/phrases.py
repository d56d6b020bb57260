"""What can be said with one tap: at every table, and at those of one game."""

from games.catalog import UnknownGame, get_game
from games.kit.guide import Phrase
from games.kit.language import lazily, lazily_in

REACTIONS = (
    Phrase("like", lazily_in("after a name", "likes that"), "thumbs-up"),
    Phrase("smile", lazily_in("after a name", "smiles"), "smile"),
    Phrase("laugh", lazily_in("after a name", "laughs"), "laugh"),
    Phrase("sigh", lazily_in("after a name", "sighs"), "frown"),
    Phrase("love", lazily_in("after a name", "loves that"), "heart"),
)
WHEN_NEEDED = (  # what a player may have to say at any moment
    Phrase("moment", lazily("One moment, please.")),
    Phrase("back", lazily("I’m back.")),
)
PHRASES = (
    Phrase("hello", lazily("Hello!")),
    Phrase("luck", lazily("Good luck!")),
    Phrase("well-played", lazily("Well played!")),
    Phrase("thanks", lazily("Thank you!")),
    Phrase("ouch", lazily("Ouch!")),
    Phrase("sorry", lazily("Sorry!")),
    *WHEN_NEEDED,
    Phrase("good-game", lazily("Good game!")),
    Phrase("again", lazily("Another one?")),
    Phrase("bye", lazily("I have to go. Bye!")),
)


def phrases_of(slug: str) -> dict[str, Phrase]:
    """All that can be said at tables of a game, by key, in the order to offer it: words first, then reactions."""
    try:
        own = get_game(slug).phrases
    except UnknownGame:
        own = ()
    return {phrase.key: phrase for phrase in (*PHRASES, *own, *REACTIONS)}
