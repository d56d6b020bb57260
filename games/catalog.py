"""The games, and their rules in every version. Whatever is not a game itself finds them here; it needs no Django."""

from games import belot, bids, bleven, oh_hell
from games.kit.contract import (
    CHANCE,
    Bot,
    IllegalMove,
    InvalidOptions,
    LevelWords,
    Meaning,
    RandomBot,
    Rules,
    UnknownGame,
    UnknownVersion,
)
from games.kit.facts import DEALS, DealWords
from games.kit.game import Game
from games.kit.language import lazy, lazy_in

__all__ = [
    "CHANCE",
    "LEVELS",
    "YARDSTICK",
    "IllegalMove",
    "InvalidOptions",
    "Meaning",
    "Rules",
    "UnknownGame",
    "all_games",
    "deal_words",
    "find_rules",
    "game_name",
    "get_bot",
    "get_game",
    "get_rules",
    "levels_of",
    "usual_bot",
]

_GAMES = [oh_hell.GAME, belot.GAME, bids.GAME, bleven.GAME]  # in the order they are shown

LEVELS = {
    "easy": LevelWords(
        lazy_in("a level of bots", "Easy"),
        lazy("Plays soundly, but now and then misses a better move."),
        bot=lazy("easy bot"),
        bots=lazy("easy bots"),
    ),
    "normal": LevelWords(
        lazy_in("a level of bots", "Normal"),
        lazy("Considers where the other cards may be before it plays."),
        bot=lazy("normal bot"),
        bots=lazy("normal bots"),
    ),
    "hard": LevelWords(
        lazy_in("a level of bots", "Hard"),
        lazy("Thinks longest, and misses little."),
        bot=lazy("hard bot"),
        bots=lazy("hard bots"),
    ),
}
USUAL_LEVEL = "normal"
YARDSTICK = "sensible-1"  # the bot that every game has and that never changes, so that others can be measured by it
_RANDOM = RandomBot()


def all_games() -> tuple[Game, ...]:
    """Every `Game`, a tuple in the order they are shown."""
    return tuple(_GAMES)


def get_game(slug: object) -> Game:
    """The `Game` of that slug. Raises `UnknownGame`."""
    for game in _GAMES:
        if game.slug == slug:
            return game
    raise UnknownGame(lazy("This site doesn’t have that game. Choose one in the lobby."))


def get_rules(slug: object, version: int | None = None) -> Rules:
    """The rules of a game, in the version that a match began under; the newest without one.

    Raises `UnknownGame`; where the game is known but not that version of it, `UnknownVersion`.
    """
    game = get_game(slug)
    if version is None:
        return game.newest
    for rules in game.rules:
        if rules.version == version:
            return rules
    raise UnknownVersion(lazy("Version {number} of the rules of {game} is not here.", number=version, game=game.name))


def find_rules(slug: object, version: int) -> Rules | None:
    """As `get_rules`, but None where they are not here."""
    try:
        return get_rules(slug, version)
    except UnknownGame:
        return None


def game_name(slug: str) -> str:
    """What a game is called; one that is not here, by its slug: "Six Card Whist"."""
    try:
        return get_game(slug).name
    except UnknownGame:
        return slug.replace("-", " ").title()


def deal_words(slug: str) -> DealWords:
    """What the players of a game call its deals; those of one that is not here, "deals"."""
    try:
        return get_game(slug).deal_words
    except UnknownGame:
        return DEALS


def get_bot(slug: object, name: str = "") -> Bot:
    """The bot that plays the game of this slug under this name: one of `LEVELS`, `YARDSTICK` or "random".

    A level that the game does not have yet, and a name that it does not have any more, are played by the yardstick.
    Raises `UnknownGame`.
    """
    bots = {"random": _RANDOM, **get_game(slug).bots}
    return bots.get(name) or bots[YARDSTICK]


def levels_of(slug: object) -> dict[str, LevelWords]:
    """The levels of bots that a game has, by name; none where it is not here, or its bots are all alike."""
    bots = next((game.bots for game in _GAMES if game.slug == slug), {})
    return {name: words for name, words in LEVELS.items() if name in bots}


def usual_bot(slug: object) -> str:
    """The name of the bot that takes a seat of this game where nobody has chosen one."""
    return USUAL_LEVEL if USUAL_LEVEL in levels_of(slug) else YARDSTICK
