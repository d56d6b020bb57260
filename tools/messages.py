"""Collect the messages of the site from code and templates, update the languages in locale/, and compile them.

    .venv/bin/python tools/messages.py            Collect, update every language, compile.
    .venv/bin/python tools/messages.py hr de      The same, and add these languages.
    .venv/bin/python tools/messages.py --check    Only print what the languages lack.

A message in Python is an argument of one of KEYWORDS: a string, a choice between strings, or a name that the same
function or module assigns a string to. A message in a template is in `translate` or `blocktranslate`. A message in a
script is an argument of SCRIPT_KEYWORDS, the functions of static/tallies/words.js. A .po file has them in the order of
the source files, without the messages that are no longer used.
"""

import ast
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools import wording

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "locale"
PYTHON = ("accounts", "games", "config")
EXCLUDED = {"migrations", "management", "tests"}  # The output of commands is English.

# The positions of a function's arguments: of the context or None, and of the sentence or its forms.
SENTENCE = (None, (0,))
IN_CONTEXT = (0, (1,))
FORMS = (None, (1, 2))
KEYWORDS = {
    "say": SENTENCE,
    "lazy": SENTENCE,
    "say_in": IN_CONTEXT,
    "lazy_in": IN_CONTEXT,
    "lazy_all": SENTENCE,
    "lazy_all_in": IN_CONTEXT,
    "say_count": FORMS,
    "lazy_count": FORMS,
    "count_tenths": FORMS,  # from games.kit.words
    "note": (None, (3,)),  # from games.kit.guide
    "word": (None, (2,)),  # from games.kit.guide
    "numbers": FORMS,  # from games.kit.facts
    "Forms": (None, (0, 1)),  # from games.pages.sentences
    "gettext": SENTENCE,
    "_": SENTENCE,
    "gettext_lazy": SENTENCE,
    "pgettext": IN_CONTEXT,
    "pgettext_lazy": IN_CONTEXT,
    "ngettext": (None, (0, 1)),
    "ngettext_lazy": (None, (0, 1)),
}

# Functions with several messages: the position and the context of each. Missing arguments are ignored.
LABELS = ((1, None), (2, None))
SEVERAL = {
    "say_of": ((1, None), (2, None), (3, None), (4, None)),  # to whom it happens, and to the others
    "say_of_all": ((1, None), (2, None), (3, None), (3, "You and others")),  # to the one of them, of the one, of all
    "option": LABELS,  # from games.kit.contract
    "choice": LABELS,  # from games.kit.contract
    "label": tuple((place, None) for place in range(1, 100)),  # from accounts.labels
}
OF_TEMPLATES = {
    "gettext": None,
    "_": None,  # in arguments of tags and filters
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
SCRIPT_KEYWORDS = {"say": None, "word": None, "sayIn": ((1, "c"), 2), "sayCount": (2, 3)}

PLACES = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
NUMBERS = {"{number}", "{count}", "{word}", "{players}", "{figure}", "%(number)s", "%(count)s", "%(counter)s"}
TAGS = re.compile(r"</?[a-z][a-z0-9]*")


class Message(NamedTuple):
    """A message of a catalog. forms: the singular, and the plural if there is one. path: the source file."""

    forms: tuple[str, ...]
    context: str | None
    path: str


def messages(unclear: list[str]) -> Iterator[Message]:
    """Yield all messages of the site. unclear: receives a sentence for each call whose message can't be found."""
    for path in sorted(path for folder in PYTHON for path in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT)
        if not EXCLUDED & set(name.parts):
            yield from of_python(path.read_text(), str(name), unclear)
    for path in sorted((ROOT / "templates").rglob("*.*")):
        yield from of_template(path.read_text(), str(path.relative_to(ROOT)))
    for path in sorted((ROOT / "static").rglob("*.js")):
        if path.name == "words.js" or 'words.js"' in path.read_text():
            yield from of_script(path.read_text(), str(path.relative_to(ROOT)))


# Scripts


def of_script(source: str, path: str) -> Iterator[Message]:
    """Yield the messages of a script that imports static/tallies/words.js."""
    options = {"parse_template_string": True}
    for _, text, _, context in extract(
        "javascript", io.BytesIO(source.encode()), keywords=SCRIPT_KEYWORDS, options=options
    ):
        yield Message(text if isinstance(text, tuple) else (text,), context, path)


# Python


def of_python(source: str, path: str, unclear: list[str]) -> Iterator[Message]:
    """Yield the messages of a module."""
    tree = ast.parse(source)
    yield from _Module(path, unclear).messages(tree, [tree])


class _Module:
    def __init__(self, path: str, unclear: list[str]) -> None:
        self._path = path
        self._unclear = unclear

    def messages(self, node: ast.AST, scopes: list[ast.AST]) -> Iterator[Message]:
        """Yield the messages in a node. scopes: the module and the functions around the node, the innermost last."""
        if isinstance(node, ast.Call):
            yield from self._of_call(node, scopes)
        inner = [*scopes, node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else scopes
        for child in ast.iter_child_nodes(node):
            yield from self.messages(child, inner)

    def _of_call(self, call: ast.Call, scopes: list[ast.AST]) -> Iterator[Message]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name not in SEVERAL and name not in KEYWORDS:
            return
        if any(isinstance(each, ast.Starred) for each in call.args[:4]):  # Later arguments are no messages.
            self._complain(call, "what a star unpacks is no message")
        elif name in SEVERAL:
            for place, context in SEVERAL[name]:
                if place < len(call.args):
                    yield from self._of_forms(call, (place,), context, scopes)
        elif len(call.args) > max(KEYWORDS[name][1]):
            context_place, places = KEYWORDS[name]
            contexts = [] if context_place is None else self._texts(call.args[context_place], scopes, call)
            yield from self._of_forms(call, places, contexts[0] if contexts else None, scopes)

    def _of_forms(
        self, call: ast.Call, places: tuple[int, ...], context: str | None, scopes: list[ast.AST]
    ) -> Iterator[Message]:
        forms = [self._texts(call.args[place], scopes, call) for place in places]
        if len({len(texts) for texts in forms}) > 1:
            self._complain(call, "not as many singulars as plurals")
        for each in zip(*forms, strict=False):
            yield Message(each, context, self._path)

    def _texts(self, node: ast.AST, scopes: list[ast.AST], call: ast.Call) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=body, orelse=orelse):
                return self._texts(body, scopes, call) + self._texts(orelse, scopes, call)
            case ast.Name(id=name):
                return self._texts_of_name(name, scopes, call)
            case ast.Subscript(value=container):
                return self._texts(container, scopes, call)
            case ast.Dict(values=nodes) | ast.Tuple(elts=nodes) | ast.List(elts=nodes):
                return [text for each in nodes for text in self._texts(each, scopes, call)]
        self._complain(call, f"{ast.unparse(node)} is no message, nor a name for one")
        return []

    def _complain(self, call: ast.Call, sentence: str) -> None:
        self._unclear.append(f"{self._path}:{call.lineno}: {sentence}")

    def _texts_of_name(self, name: str, scopes: list[ast.AST], call: ast.Call) -> list[str]:
        """Return the texts that the innermost scope with assignments to a name assigns to it."""
        for depth, scope in reversed(list(enumerate(scopes))):
            values = list(_assigned_values(name, scope))
            if values:
                return [text for value in values for text in self._texts(value, scopes[: depth + 1], call)]
            if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in {
                each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)
            }:
                return []  # It is an argument, so the caller has the message.
        self._complain(call, f"nothing here gives {name} its message")
        return []


def _assigned_values(name: str, scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the values that a function, or a module outside of its functions, assigns to a name.

    If an entry of a dict is unpacked into several names, the whole dict counts as the value of each.
    """
    nodes = ast.walk(scope) if not isinstance(scope, ast.Module) else iter(scope.body)
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id == name:
                yield node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for each, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(each, ast.Name) and each.id == name:
                        yield value
            elif isinstance(target, ast.Tuple) and any(getattr(each, "id", "") == name for each in target.elts):
                yield node.value


# Templates


def of_template(source: str, path: str) -> Iterator[Message]:
    """Yield the messages of a template."""
    from django.utils.translation.template import templatize

    # The brackets allow lines with any indentation.
    python = io.BytesIO(f"({templatize(source, origin=path)}\n)".encode())
    for _, text, _, context in extract("python", python, keywords=OF_TEMPLATES, options={"encoding": "utf-8"}):
        forms = text if isinstance(text, tuple) else (text,)
        yield Message(forms, context, path)


# Catalogs


def catalog_of_all(unclear: list[str] | None = None) -> Catalog:
    """Return a catalog of all messages, without translations. unclear: see `messages`."""
    catalog = Catalog(project="Valat", charset="utf-8", fuzzy=False)
    unclear = [] if unclear is None else unclear
    first_forms: dict[tuple[str | None, str], tuple[str, ...]] = {}
    for forms, context, path in messages(unclear):
        if first_forms.setdefault((context, forms[0]), forms) != forms:
            unclear.append(f"{path}: {forms[0]!r} has different plurals, or one here and none elsewhere")
        catalog.add(forms if len(forms) > 1 else forms[0], context=context, locations=[(path, 0)])
    return catalog


def languages() -> list[str]:
    """Return the codes of the languages in locale/."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def po_of(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "django.po"


def read(code: str) -> Catalog:
    """Return the stored catalog of a language."""
    with po_of(code).open("rb") as file:
        return read_po(file, locale=code)


def update(code: str, template: Catalog) -> Catalog:
    """Update and store the catalog of a language. New messages have no translation."""
    catalog = read(code) if po_of(code).exists() else Catalog(locale=code, project="Valat", charset="utf-8")
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    po_of(code).parent.mkdir(parents=True, exist_ok=True)
    with po_of(code).open("wb") as file:
        write_po(file, catalog, width=120, ignore_obsolete=True, include_lineno=False, omit_header=False)
    compile_(code, catalog)
    return catalog


def missing(catalog: Catalog) -> list[BabelMessage]:
    """Return the messages without a translation, or with an incomplete one."""
    return [message for message in catalog if message.id and not all(_forms(message.string))]


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def compile_(code: str, catalog: Catalog, folder: Path = LOCALE) -> None:
    """Write the compiled catalog of a language."""
    path = folder / code / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, catalog)


def check(code: str, template: Catalog) -> Iterator[str]:
    """Yield the faults of a language."""
    catalog = read(code)
    if {_key(message) for message in catalog} != {_key(message) for message in template}:
        yield "is out of date: run tools/messages.py"
    for message in missing(catalog):
        yield f"lacks {message.id}"
    for message in catalog:
        if message.id and message.fuzzy:
            yield f"guesses {message.id}"
        for form in _wrong_forms(message) if message.id else ():
            yield f"has other places or tags in {form!r}"
    yield from wording.wrong_words(code, catalog)


def check_english(template: Catalog) -> Iterator[str]:
    """Yield the faults of the messages themselves."""
    yield from wording.wrong_words("en", template)
    yield from wording.mixed_participles(template)
    templates = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "templates").rglob("*.html")}
    yield from wording.mixed_messages(templates)
    sources = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "games").rglob("*.py")}
    yield from wording.uncounted_decimals(sources)


def _key(message: BabelMessage) -> tuple:
    return (tuple(message.id) if message.pluralizable else message.id), message.context


def _wrong_forms(message: BabelMessage) -> Iterator[str]:
    """Yield the translated forms whose places or tags differ from the message. A singular may leave out the number."""
    ids = _forms(message.id)
    singular, *plurals = [set(PLACES.findall(each)) for each in ids]
    shared = singular.intersection(*plurals)
    tags = [sorted(TAGS.findall(each)) for each in ids]
    for number, form in enumerate(filter(None, _forms(message.string))):
        places = set(PLACES.findall(form))
        needed = shared - NUMBERS if number == 0 and message.pluralizable else set(PLACES.findall(ids[-1]))
        if not needed <= places <= singular.union(*plurals) or sorted(TAGS.findall(form)) not in tags:
            yield form


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    unclear: list[str] = []
    template = catalog_of_all(unclear)
    print(f"{len(template)} messages")
    if unclear:
        raise SystemExit("\n".join(["These can't be found:", *unclear]))
    if sys.argv[1:] == ["--check"]:
        faults = [f"{code} {fault}" for code in languages() for fault in check(code, template)]
        faults += [f"en {fault}" for fault in check_english(template)]
        raise SystemExit("\n".join(faults) or None)
    for code in sorted({*languages(), *sys.argv[1:]}):
        catalog = update(code, template)
        print(f"{code}: {len(missing(catalog))} not translated")


if __name__ == "__main__":
    main()
