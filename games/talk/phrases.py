"""What can be said with one tap: at every table, and at those of one game."""

from games.catalog import UnknownGame, get_game
from games.kit.phrases import Phrase

REACTIONS = (
    Phrase("like", "likes that", "thumbs-up"),
    Phrase("smile", "smiles", "smile"),
    Phrase("laugh", "laughs", "laugh"),
    Phrase("sigh", "sighs", "frown"),
    Phrase("love", "loves that", "heart"),
)
WHEN_NEEDED = (  # what a player may have to say at any moment
    Phrase("moment", "One moment, please."),
    Phrase("back", "I’m back."),
)
PHRASES = (
    Phrase("hello", "Hello!"),
    Phrase("luck", "Good luck!"),
    Phrase("well-played", "Well played!"),
    Phrase("thanks", "Thank you!"),
    Phrase("ouch", "Ouch!"),
    Phrase("sorry", "Sorry!"),
    *WHEN_NEEDED,
    Phrase("good-game", "Good game!"),
    Phrase("again", "Another one?"),
    Phrase("bye", "I have to go. Bye!"),
)


def phrases_of(slug: str) -> dict[str, Phrase]:
    """All that can be said at tables of a game, by key, in the order to offer it: words first, then reactions."""
    try:
        own = get_game(slug).phrases
    except UnknownGame:
        own = ()
    return {phrase.key: phrase for phrase in (*PHRASES, *own, *REACTIONS)}
