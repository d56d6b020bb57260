"""What people read: with ’ for an apostrophe, as a printer would set it, and where it can be translated."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STRAIGHT = re.compile(r"(?:^|[\w}>])'(?:s|t|re|ll|ve|d|m)\b|[a-z]s' [a-z]")
CODE = re.compile(r"{#.*?#}|{% comment.*?endcomment %}|{%.*?%}|<(?:script|code).*?</(?:script|code)>", re.DOTALL)
SPOKEN = re.compile(r"{%.*?\bwords=\"([^\"]*)\".*?%}")
SENTENCE = re.compile(r"""["'`](?:\$\{[^}]*\}\W*)?[A-Z]\w* [^"'`<>#]*["'`]|["'`][^"'`]* [^"'`]*\w[.?!…]["'`]""")
SCRIPT_COMMENTS = re.compile(r"/\*.*?\*/|(?:^|\s)//[^\n]*", re.DOTALL)


def test_sentences_in_python_have_no_straight_apostrophe():
    # Left out: models, whose help texts stand in migrations too, and commands, which write to a terminal
    rooms = [path for folder in ("accounts", "games") for path in (ROOT / folder).rglob("*.py")]
    paths = [path for path in rooms if not {"migrations", "management", "models", "models.py"} & set(path.parts)]

    assert straight(paths, strings_of) == []


def test_templates_have_no_straight_apostrophe():
    assert straight((ROOT / "templates").rglob("*.*"), words_of_template) == []


def test_scripts_have_no_straight_apostrophe():
    paths = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]

    assert straight(paths, words_of_script) == []


def test_scripts_make_no_sentences():
    """They say what the page hands over: games/pages/sentences.py. Errors are for the console."""
    paths = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]

    assert [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted(paths)
        for line in words_of_script(path)
        if SENTENCE.search(line) and "new Error(" not in line
    ] == []


def straight(paths, words_of):
    return [
        f"{path.relative_to(ROOT)}: {words}"
        for path in sorted(paths)
        for words in words_of(path)
        if STRAIGHT.search(words)
    ]


def strings_of(path):
    """The strings of a module, those within f-strings too, without docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [node.value for node in constants if isinstance(node.value, str)]


def words_of_template(path):
    page = path.read_text()
    return [*SPOKEN.findall(page), *CODE.sub("", page).splitlines()]


def words_of_script(path):
    return SCRIPT_COMMENTS.sub("", path.read_text()).splitlines()
