"""Templates that people can read, and that name what there is."""

import ast
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find
from django.template import engines
from django.template.loader import get_template

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))
LONGEST = 160


def name_of(path):
    return path.relative_to(TEMPLATES).as_posix()


def matches(pattern):
    """(template, what the pattern has found in it) for every template of ours."""
    return [(name_of(path), found) for path in PAGES for found in re.findall(pattern, path.read_text())]


def test_no_line_is_longer_than_a_person_reads():
    long = [
        f"{name_of(path)}:{number}"
        for path in PAGES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]

    assert long == []


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_template_compiles(path):
    engines["django"].from_string(path.read_text())


def test_every_template_that_is_included_or_extended_is_there():
    named = matches(r"""{% (?:include|extends) ["']([^"']+)["']""")

    assert named
    for _, name in named:
        get_template(name)


def test_every_static_file_is_there():
    named = matches(r"""{% static ["']([^"']+)["']""")

    assert named
    assert [(name, path) for name, path in named if not find(path)] == []


def test_every_icon_is_in_the_picture_of_icons():
    drawn = set(re.findall(r'id="([\w-]+)"', Path(find("img/icons.svg")).read_text()))
    named = matches(r'{% include "site/icon.html" with name="([\w-]+)" %}')

    assert named
    assert [(name, icon) for name, icon in named if icon not in drawn] == []


def test_every_template_is_named_by_a_program_or_another_template():
    names = {name_of(path) for path in PAGES}
    programs = [*(ROOT / "games").rglob("*.py"), *(ROOT / "accounts").rglob("*.py")]
    told = "\n".join(path.read_text() for path in [*PAGES, *programs])
    by_convention = ("account/", "mfa/", "usersessions/", "allauth/", "admin/")
    roles = ("felt.html", "mine.html", "sheet.html", "rules.html")  # of every game

    unnamed = [
        name
        for name in names
        if name not in told and not name.startswith(by_convention) and not name.endswith(roles) and "/" in name
    ]

    assert unnamed == []


def test_blocks_of_a_fragment_are_those_of_its_base_and_lie_in_no_other():
    blocks = dict.fromkeys(("match/felt.html", "match/mine.html"))
    for base in blocks:
        tags = re.findall(r"{% (block \w+|endblock) %}", (TEMPLATES / base).read_text())
        assert tags[1::2] == ["endblock"] * (len(tags) // 2)
        blocks[base] = set(tags[::2])

    extended = matches(r'{% extends "(match/(?:felt|mine)\.html)" %}')

    assert extended
    for name, base in extended:
        tags = re.findall(r"{% (block \w+|endblock) %}", (TEMPLATES / name).read_text())
        assert tags[1::2] == ["endblock"] * (len(tags) // 2), name
        assert set(tags[::2]) <= blocks[base], name


# HTML is in templates, and what is made once and kept in one module


def strings_in(path):
    """The string literals of a module but for its docstrings, those of f-strings piece by piece."""
    tree = ast.parse(path.read_text())
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements
    ]


def test_html_is_written_in_templates_and_in_the_markup_of_the_kit():
    allowed = {"kit/markup.py", "admin.py", "chat/admin.py"}  # Django's own way in the admin: format_html
    found = {
        path.relative_to(ROOT / "games").as_posix()
        for path in (ROOT / "games").rglob("*.py")
        if any(re.search(r"</?[a-z][a-z0-9]*[\s/>]", text) for text in strings_in(path))
    }

    assert found == allowed
