"""Links to scripts and style sheets: {% load loading %}, {% module_preloads "match/match.js" %}."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders

from games.catalog import all_games
from games.pages.templatetags.cards import stylesheet

register = template.Library()

TABLE_STYLES = [
    "match/table.css",
    "match/hand.css",
    "match/sheet.css",
    "match/match.css",
    "match/words.css",
]
LATER_STYLES = ["site/rules.css", "match/waiting.css"]  # A table with cards does not need these at first.
IMPORT = re.compile(r'^(?:import|export)\b[^"\n]*"(\.[^"]+)"', re.MULTILINE)


@register.inclusion_tag("site/module_preloads.html")
def module_preloads(*scripts: str) -> dict[str, list[str]]:
    """Link to scripts and to everything that they import, so that browsers fetch all of it at once.

    Without the links a browser finds an import only after it has fetched the importing file.
    """
    return {"modules": with_imports(scripts)}


@register.inclusion_tag("lobby/prefetches.html")
def prefetches() -> dict[str, list[str]]:
    """Link from the front page to the files of match pages, so that browsers fetch them in advance."""
    game_styles = [stylesheet(game.slug) for game in all_games()]
    styles = [*TABLE_STYLES, *LATER_STYLES, "coach/coach.css", "chat/chat.css", *game_styles]
    return {"modules": with_imports(("match/match.js", "chat/chat.js")), "styles": styles}


@register.inclusion_tag("match/styles.html")
def table_styles(slug: str) -> dict[str, list[str]]:
    """Link to all style sheets of a table."""
    return {"styles": [*TABLE_STYLES, *LATER_STYLES, *_own_styles(slug)]}


@register.inclusion_tag("match/styles.html")
def first_styles(slug: str) -> dict[str, list[str]]:
    """Link to the style sheets that the cards need. From many sites, browsers fetch only six files at a time."""
    return {"styles": [*TABLE_STYLES, *_own_styles(slug)]}


@register.inclusion_tag("match/styles.html")
def later_styles() -> dict[str, list[str]]:
    """Link to the other style sheets of a table. At the end of the page they do not delay its drawing."""
    return {"styles": LATER_STYLES}


def _own_styles(slug: str) -> list[str]:
    return list(filter(None, [stylesheet(slug)]))


@cache
def with_imports(scripts: tuple[str, ...]) -> list[str]:
    """Return these scripts and everything that they import, directly or not, as paths in the static files."""
    paths: list[str] = []
    queue = list(scripts)
    for path in queue:
        if path not in paths:
            paths.append(path)
            if file := finders.find(path):  # Some servers have no sources. There browsers find imports themselves.
                queue += [normpath(join(dirname(path), name)) for name in IMPORT.findall(Path(file).read_text())]
    return paths
