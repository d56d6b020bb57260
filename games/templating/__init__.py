"""Templates that are rendered several times a move. Each is compiled to a Python function.

Django walks a tree of nodes for every rendering. This package walks it once for each language and translates the texts
then. It leaves nodes that it does not support to Django, so the output of any template is the same as Django's, except
for white space (see `join_template`).
"""

import re
from collections.abc import Mapping

from django.conf import settings
from django.template import Template
from django.template.loader import get_template
from django.utils.safestring import SafeString

from games.kit.language import cache_by_language
from games.kit.markup import in_ascii
from games.templating.source import Renderer, Source

EXTENDS = re.compile(r'{% extends "(.*?)" %}')
BLOCK = re.compile(r"{% block (\w+) %}(.*?){% endblock %}", re.DOTALL)  # Blocks cannot be nested.
INCLUDE = re.compile(r'{% include "(.*?)"(?: (with .*?))? %}')


def render(name: str, context: Mapping[str, object], within: str | None = None) -> SafeString:
    """Render a template in the active language, without context processors. Return HTML.

    within: a template to extend instead of the one that the template names.
    """
    make_renderer = compile_template if settings.DEBUG else _cached  # Developers see changes of templates at once.
    html = make_renderer(name, within)(context)
    return html if html.isascii() else SafeString(in_ascii(html))


def compile_template(name: str, within: str | None = None) -> Renderer:
    """Return the function that renders a template in the active language. within: as for `render`."""
    return Source(join_template(name, within)).function()


_cached = cache_by_language(100)(compile_template)  # There are fewer templates.


def join_template(name: str, within: str | None = None) -> Template:
    """Join a template with all others that it extends and includes. Return it as a single template.

    White space that contains a line break is removed between two tags, of HTML or of templates. Elsewhere it becomes a
    single space. So a template may break a line between tags, and a visible space must be inside a line. <pre> is not
    supported.

    within: a template to extend instead of the one that the template names.
    """
    template = get_template(name).template
    # First the line breaks between two tags, then all others.
    between_tags = re.sub(r"(?<=[>}])\s*\n\s*(?=[<{])", "", _join_text(name, within=within))
    return Template(re.sub(r"\s*\n\s*", " ", between_tags), template.origin, name, template.engine)


def _join_text(name: str, blocks: dict[str, str] | None = None, within: str | None = None) -> str:
    """Return the text of a template, joined with the text of all templates that it extends and includes.

    blocks: by name, the text of blocks that a template extending this one has overridden. within: a template to extend
    instead of the one that the text names.
    """
    text, blocks = get_template(name).template.source, blocks or {}
    extends = EXTENDS.search(text)
    base = within or (extends[1] if extends else None)
    if base:  # Of a template that extends another, only the blocks are printed, in their places in the other one.
        return _join_text(base, dict(BLOCK.findall(text)) | blocks)
    # Each block has a name (1) and a text (2), which is printed unless another template has overridden it.
    filled = BLOCK.sub(lambda block: blocks.get(block[1], block[2]), text)
    return INCLUDE.sub(_include, filled).strip()


def _include(include: re.Match[str]) -> str:
    """Return the text that replaces an {% include %}. Its "with" becomes a {% with %} around the text."""
    text = _join_text(include[1])
    return f"{{% {include[2]} %}}{text}{{% endwith %}}" if include[2] else text
