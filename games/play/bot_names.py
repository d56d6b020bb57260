"""The names of our bots. Seats store them in English. A page shows them in the alphabet of its reader."""

from django.conf import settings

from accounts.names import skeleton
from games.kit.language import lazy_all_in, using_language

BOT_NAMES = lazy_all_in(
    "the name of a bot",
    {
        "Ada": "Ada",
        "Basil": "Basil",
        "Cleo": "Cleo",
        "Dorian": "Dorian",
        "Edda": "Edda",
        "Felix": "Felix",
        "Greta": "Greta",
        "Hugo": "Hugo",
    },
)


def unused_bot_names(skeletons: set[str]) -> list[str]:
    """Return the names for bots that look like no name in use, in any language. skeletons: of the names in use."""
    return [name for name in BOT_NAMES if skeletons.isdisjoint(skeletons_of(name))]


def skeletons_of(bot_name: str) -> set[str]:
    """Return the skeletons of a bot's name in all languages. Names that look alike have the same skeleton.

    Bots of imported matches may have any name. It is the same in all languages.
    """
    skeletons = {skeleton(bot_name)}
    if bot_name in BOT_NAMES:
        for code, _ in settings.LANGUAGES:
            with using_language(code):
                skeletons.add(skeleton(str(BOT_NAMES[bot_name])))
    return skeletons
