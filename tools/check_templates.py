"""Compile every template, check that its templates, static files and icons exist, and that names are marked as names.

A browser that translates a page should not translate names: `as_name` marks one within a sentence, translate="no" any
other.

.venv/bin/python tools/check_templates.py
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMES = re.compile(r"""{% (include|extends|static) ["']([^"']+)["'](?: with name="([\w-]+)" %})?""")
SENTENCE = re.compile(r"{% blocktranslate (?P<tag>.*?)%}(?P<body>.*?){% endblocktranslate %}", re.DOTALL)
PLACE = re.compile(r"{{ (\w+) }}")
NAME_PLACES = {"club", "dealer", "guest", "keeper", "name", "names", "other", "owner", "user"}
NAME = re.compile(
    r"{{ ((?:\w+\.)*(?:author|club|other|user|username)"
    r"|(?:comment|host|kept|member|pair|play|player|seat|side)\.name) }}"
)
# Titles have no elements within them, and comments are not shown.
WITHOUT_ELEMENTS = re.compile(r"{% block (?:title|subject|description) %}.*?{% endblock %}|{#.*?#}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)


def names_to_mark(template: str) -> Iterator[str]:
    """Yield each variable that prints a name where a browser may translate it."""
    text = WITHOUT_ELEMENTS.sub(_blanks, template)
    html = TAG.sub(_blanks, text)
    for sentence in SENTENCE.finditer(text):
        if "asvar" not in sentence["tag"] and not _is_in_tag(html, sentence.start()):
            for place in set(PLACE.findall(sentence["body"])) & NAME_PLACES:
                if not re.search(rf"\b{place}=[^=]*\|as_name\b", sentence["tag"]):
                    yield place
    text = SENTENCE.sub(_blanks, text)
    for variable in NAME.finditer(text):
        element = html[: variable.start()].rpartition("<")[2]
        if not _is_in_tag(html, variable.start()) and 'translate="no"' not in element:
            yield variable[1]


UNLOCALIZED = re.compile(r"{% localize off %}.*?{% endlocalize %}", re.DOTALL)
PLACE_IN_DRAWING = re.compile(
    r"<(?:svg|rect|line|text|circle|path)\b[^>]*\s(?:x|y|x1|x2|y1|y2|cx|cy|width|height|d|viewBox)=\"[^\"]*({{.*?}})"
)


def localized_places(template: str) -> list[str]:
    """Return the variables in places of drawings that would have a decimal comma in most languages."""
    return PLACE_IN_DRAWING.findall(UNLOCALIZED.sub("", template))


def _is_in_tag(html: str, place: int) -> bool:
    """Return whether a place is within the tag of an element, such as in an attribute."""
    return html.rfind("<", 0, place) > html.rfind(">", 0, place)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def faults() -> Iterator[str]:
    """Yield a sentence for each missing file, unmarked name or localized drawing. Raises TemplateSyntaxError."""
    from django.contrib.staticfiles.finders import find
    from django.template.loader import get_template

    icons = Path(find("img/icons.svg")).read_text()
    for path in sorted((ROOT / "templates").rglob("*.html")):
        get_template(str(path.relative_to(ROOT / "templates")))
        template = path.read_text()
        if "admin" not in path.parts:
            yield from (f"{path}: a browser would translate {name}" for name in names_to_mark(template))
        yield from (f"{path}: {place} needs {{% localize off %}}" for place in localized_places(template))
        for kind, name, icon in NAMES.findall(template):
            if kind == "static" and not find(name):
                yield f"{path}: {name} is missing"
            elif kind != "static":
                get_template(name)
            if name == "site/icon.html" and icon and f'id="{icon}"' not in icons:
                yield f"{path}: icons.svg has no {icon}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    raise SystemExit("\n".join(faults()) or None)
