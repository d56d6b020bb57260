"""Templates that are rendered several times a move, each compiled to one Python function.

Django walks a tree of nodes each time; here it is walked once for each language, and what `translate` says is looked up
then. What this module does not know of is left to Django, node by node, so that any template comes out as by Django.
`whole` says where the lines of such templates may be broken.
"""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.template import Template
from django.template.loader import get_template
from django.utils.safestring import SafeString

from games.kit.language import cache_by_language
from games.kit.markup import in_ascii
from games.templating.source import Source

EXTENDS = re.compile(r'{% extends "(.*?)" %}')
BLOCK = re.compile(r"{% block (\w+) %}(.*?){% endblock %}", re.DOTALL)  # none within another
INCLUDE = re.compile(r'{% include "(.*?)"(?: (with .*?))? %}')


def render(name: str, context: dict[str, Any], within: str | None = None) -> SafeString:
    """A template as HTML, without what Django does for context processors. within: as for `whole`."""
    make = compiled if settings.DEBUG else _kept
    html = make(name, within)(context)
    return html if html.isascii() else SafeString(in_ascii(html))


def compiled(name: str, within: str | None = None) -> Callable[[dict[str, Any]], SafeString]:
    """The function that renders a template in the language spoken now, given its context. within: as for `whole`."""
    return Source(whole(name, within)).function()


_kept = cache_by_language(100)(compiled)  # there are fewer


def whole(name: str, within: str | None = None) -> Template:
    """A template in one piece, with all that it extends and includes.

    within: a template that is filled with its blocks in place of the one that it extends.

    White space with a line break in it is left out between two tags, of HTML or of templates, and is one space
    elsewhere. So lines may be broken between tags, and a space that shows there stands within a line. No <pre> here.
    """
    found = get_template(name).template
    between_tags = re.sub(r"(?<=[>}])\s*\n\s*(?=[<{])", "", _whole_text(name, within=within))
    return Template(re.sub(r"\s*\n\s*", " ", between_tags), found.origin, name, found.engine)


def _whole_text(name: str, blocks: dict[str, str] | None = None, within: str | None = None) -> str:
    """blocks: by name, what a template that extends this one has in place of its blocks. within: as for `whole`."""
    text, blocks = get_template(name).template.source, blocks or {}
    extends = EXTENDS.search(text)
    base = within or (extends[1] if extends else None)
    if base:
        return _whole_text(base, dict(BLOCK.findall(text)) | blocks)
    in_place = BLOCK.sub(lambda block: blocks.get(block[1], block[2]), text)
    return INCLUDE.sub(_included, in_place).strip()


def _included(include: re.Match[str]) -> str:
    text = _whole_text(include[1])
    return f"{{% {include[2]} %}}{text}{{% endwith %}}" if include[2] else text
