"""What a page, or the next one, is going to need: {% load loading %}, {% module_preloads "match/match.js" %}."""

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
LATER_STYLES = ["site/rules.css", "match/waiting.css"]  # of what no table with cards shows at first
IMPORT = re.compile(r'^(?:import|export)\b[^"\n]*"(\.[^"]+)"', re.MULTILINE)


@register.inclusion_tag("site/module_preloads.html")
def module_preloads(*scripts):
    """Links to scripts and to all that they import, so that browsers fetch it all together.

    Without them a browser hears of an import only when it has the file with it.
    """
    return {"modules": _with_imports(scripts)}


@register.inclusion_tag("lobby/prefetches.html")
def prefetches():
    """Links to what the page of a match needs, for while somebody looks at the front page."""
    of_games = [stylesheet(game.slug) for game in all_games()]
    styles = [*TABLE_STYLES, *LATER_STYLES, "coach/coach.css", "chat/chat.css", *of_games]
    return {"modules": _with_imports(("match/match.js", "chat/chat.js")), "styles": styles}


@register.inclusion_tag("match/styles.html")
def table_styles(slug):
    """Links to the style sheets of a table of a game."""
    return {"styles": [*TABLE_STYLES, *LATER_STYLES, *_own_styles(slug)]}


@register.inclusion_tag("match/styles.html")
def first_styles(slug):
    """Those of them that cards wait for: from many sites browsers fetch six files at a time."""
    return {"styles": [*TABLE_STYLES, *_own_styles(slug)]}


@register.inclusion_tag("match/styles.html")
def later_styles():
    """The others, for the end of a page: what stands above them is there before."""
    return {"styles": LATER_STYLES}


def _own_styles(slug):
    return filter(None, [stylesheet(slug)])


@cache
def _with_imports(scripts):
    found, ahead = [], list(scripts)
    for path in ahead:
        if path not in found:
            found.append(path)
            if file := finders.find(path):  # else the sources are elsewhere, and browsers hear of imports as they come
                ahead += [normpath(join(dirname(path), name)) for name in IMPORT.findall(Path(file).read_text())]
    return found
