"""All games of the site, with all versions of their rules. Other code finds games only here. It needs no Django."""

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
    State,
    Table,
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

_GAMES = [oh_hell.GAME, belot.GAME, bids.GAME, bleven.GAME]  # in display order

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
YARDSTICK = "sensible-1"  # Every game has this bot. It never changes, so others can be measured against it.
_RANDOM = RandomBot()


def all_games() -> tuple[Game, ...]:
    """Return all games in display order."""
    return tuple(_GAMES)


def get_game(slug: object) -> Game:
    """Return the game with a slug such as "oh-hell", which may be any value. Raise `UnknownGame` if there is none."""
    for game in _GAMES:
        if game.slug == slug:
            return game
    raise UnknownGame(lazy("This site doesn’t have that game. Choose one in the lobby."))


def get_rules(slug: object, version: int | None = None) -> Rules[State, Table]:
    """Return the rules of a game in the version of a match, by default the newest.

    Raise `UnknownGame`, or `UnknownVersion` if only the version is unknown.
    """
    game = get_game(slug)
    if version is None:
        return game.newest
    for rules in game.rules:
        if rules.version == version:
            return rules
    raise UnknownVersion(lazy("Version {number} of the rules of {game} is not here.", number=version, game=game.name))


def games_with_scores() -> list[Game]:
    """Return the games whose score can be kept at a real table."""
    return [game for game in _GAMES if game.scorer]


def find_rules(slug: object, version: int) -> Rules[State, Table] | None:
    """Return the rules of a game in the version of a match, or None if the game or the version is unknown."""
    try:
        return get_rules(slug, version)
    except UnknownGame:
        return None


def game_name(slug: str) -> str:
    """Return the name of a game. An unknown one is named after its slug: "Six Card Whist"."""
    try:
        return get_game(slug).name
    except UnknownGame:
        return slug.replace("-", " ").title()


def deal_words(slug: str) -> DealWords:
    """Return a game's words for deals. An unknown game has "deals"."""
    try:
        return get_game(slug).deal_words
    except UnknownGame:
        return DEALS


def get_bot(slug: object, name: str = "") -> Bot[Table]:
    """Return a bot of a game. Raise `UnknownGame` if there is no such game.

    name: a level such as "hard", the yardstick (the bot that all others are measured against), or "random". A level or
    name that the game does not have, or no longer has, gives the yardstick.
    """
    bots = {"random": _RANDOM, **get_game(slug).bots}
    return bots.get(name) or bots[YARDSTICK]


def levels_of(slug: object) -> dict[str, LevelWords]:
    """Return a game's levels of bots, by name. An unknown game has none, nor has one whose bots are all alike."""
    bots = next((game.bots for game in _GAMES if game.slug == slug), {})
    return {name: words for name, words in LEVELS.items() if name in bots}


def usual_bot(slug: object) -> str:
    """Return the name of the bot that a game uses by default."""
    return USUAL_LEVEL if USUAL_LEVEL in levels_of(slug) else YARDSTICK
