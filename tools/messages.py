"""The messages of the site: found in code and templates, kept for each language in locale/, compiled for gettext.

    .venv/bin/python tools/messages.py            find, bring every language up to date, compile
    .venv/bin/python tools/messages.py hr de      the same, and begin these languages
    .venv/bin/python tools/messages.py --check    only say what the languages lack

A message of Python is what stands where one of KEYWORDS is called: as it is written, chosen by a condition, or by a
name that the same function or module gives it. One of a template is what `translate` or `blocktranslate` has. In a .po
file they stand in the order of the files that they come from; what is no longer said is dropped.
"""

import ast
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "locale"
PYTHON = ("accounts", "games", "config")
LEFT_OUT = {"migrations", "management", "tests"}  # what commands print is English

# By the name of a function, the places of its arguments: the context, then the sentence or each of its forms
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
    "note": (None, (3,)),  # of games.kit.guide, as the next
    "word": (None, (2,)),
    "numbers": FORMS,  # of games.kit.facts
    "Forms": (None, (0, 1)),  # of games.pages.sentences
    "gettext": SENTENCE,
    "_": SENTENCE,
    "gettext_lazy": SENTENCE,
    "pgettext": IN_CONTEXT,
    "pgettext_lazy": IN_CONTEXT,
    "ngettext": (None, (0, 1)),
    "ngettext_lazy": (None, (0, 1)),
}

# By the name of a function that takes several sentences, as many as are given: pairs of a place and a context
LABELS = ((1, None), (2, None))
SEVERAL = {
    "say_of": ((1, None), (2, None), (3, None), (4, None)),  # to whom it happens, and to the others
    "say_of_all": ((1, None), (2, None), (3, None), (3, "You and others")),  # to the one of them, of the one, of all
    "option": LABELS,  # of games.kit.contract, as the next
    "choice": LABELS,
    "label": tuple((place, None) for place in range(1, 100)),  # of accounts.labels
}
OF_TEMPLATES = {
    "gettext": None,
    "_": None,  # an argument of a tag or a filter
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}

PLACES = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
NUMBERS = {"{number}", "{count}", "{word}", "{players}", "{figure}", "%(number)s", "%(count)s", "%(counter)s"}
TAGS = re.compile(r"</?[a-z][a-z0-9]*")


class Message(NamedTuple):
    """A message as a catalog has it: its forms, its context or None, and the file that says it."""

    forms: tuple[str, ...]
    context: str | None
    path: str


def messages(unclear: list[str]) -> Iterator[Message]:
    """All messages of the site. unclear: is told where there is one that can't be found, and why."""
    for path in sorted(path for folder in PYTHON for path in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT)
        if not LEFT_OUT & set(name.parts):
            yield from of_python(path.read_text(), str(name), unclear)
    for path in sorted((ROOT / "templates").rglob("*.*")):
        yield from of_template(path.read_text(), str(path.relative_to(ROOT)))


# Python


def of_python(source: str, path: str, unclear: list[str]) -> Iterator[Message]:
    """The messages of a module."""
    tree = ast.parse(source)
    yield from _Module(path, unclear).messages(tree, [tree])


class _Module:
    def __init__(self, path: str, unclear: list[str]):
        self._path = path
        self._unclear = unclear

    def messages(self, node: ast.AST, scopes: list[ast.AST]) -> Iterator[Message]:
        """scopes: the functions around a node, from the module inwards."""
        if isinstance(node, ast.Call):
            yield from self._called(node, scopes)
        inner = [*scopes, node] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else scopes
        for child in ast.iter_child_nodes(node):
            yield from self.messages(child, inner)

    def _called(self, call: ast.Call, scopes: list[ast.AST]) -> Iterator[Message]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name not in SEVERAL and name not in KEYWORDS:
            return
        if any(isinstance(each, ast.Starred) for each in call.args[:4]):  # no message comes later
            self._complain(call, "what a star unpacks is no message")
        elif name in SEVERAL:
            for place, context in SEVERAL[name]:
                if place < len(call.args):
                    yield from self._of_forms(call, (place,), context, scopes)
        elif len(call.args) > max(KEYWORDS[name][1]):
            context, places = KEYWORDS[name]
            found = [None] if context is None else self._texts(call.args[context], scopes, call)
            yield from self._of_forms(call, places, found[0] if found else None, scopes)

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
                return self._given(name, scopes, call)
            case ast.Subscript(value=chosen_from):
                return self._texts(chosen_from, scopes, call)
            case ast.Dict(values=nodes) | ast.Tuple(elts=nodes) | ast.List(elts=nodes):
                return [text for each in nodes for text in self._texts(each, scopes, call)]
        self._complain(call, f"{ast.unparse(node)} is no message, nor a name for one")
        return []

    def _complain(self, call: ast.Call, sentence: str) -> None:
        self._unclear.append(f"{self._path}:{call.lineno}: {sentence}")

    def _given(self, name: str, scopes: list[ast.AST], call: ast.Call) -> list[str]:
        """The messages that a name in a call stands for: given to it in the innermost scope that gives it any."""
        for depth, scope in reversed(list(enumerate(scopes))):
            values = list(_given_to(name, scope))
            if values:
                return [text for value in values for text in self._texts(value, scopes[: depth + 1], call)]
            if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in {
                each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)
            }:
                return []  # whoever calls it has the message, in a function of KEYWORDS or lazily
        self._complain(call, f"nothing here gives {name} its message")
        return []


def _given_to(name: str, scope: ast.AST) -> Iterator[ast.AST]:
    """What a function, or a module outside its functions, gives a name by plain assignments.

    Of what several names are given by an entry of a dict, all is one's that it has.
    """
    nodes = ast.walk(scope) if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else iter(scope.body)
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
    """The messages of a template."""
    from django.utils.translation.template import templatize

    # In brackets, so that lines may begin anywhere.
    python = io.BytesIO(f"({templatize(source, origin=path)}\n)".encode())
    for _, found, _, context in extract("python", python, keywords=OF_TEMPLATES, options={"encoding": "utf-8"}):
        forms = found if isinstance(found, tuple) else (found,)
        yield Message(forms, context, path)


# Catalogs


def catalog_of_all(unclear: list[str] | None = None) -> Catalog:
    """All messages, without their translations. unclear: as of `messages`."""
    catalog = Catalog(project="Valat", charset="utf-8", fuzzy=False)
    unclear, known = [] if unclear is None else unclear, {}
    for forms, context, path in messages(unclear):
        if known.setdefault((context, forms[0]), forms) != forms:
            unclear.append(f"{path}: {forms[0]!r} has different plurals, or one here and none elsewhere")
        catalog.add(forms if len(forms) > 1 else forms[0], context=context, locations=[(path, 0)])
    return catalog


def languages() -> list[str]:
    """The codes of the languages that there are messages of."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def po_of(code: str) -> Path:
    """The file with the messages of a language."""
    return LOCALE / code / "LC_MESSAGES" / "django.po"


def read(code: str) -> Catalog:
    """The messages of a language, as they are stored."""
    with po_of(code).open("rb") as stored:
        return read_po(stored, locale=code)


def update(code: str, template: Catalog) -> Catalog:
    """Bring a language up to date and store it. Its new messages are empty."""
    catalog = read(code) if po_of(code).exists() else Catalog(locale=code, project="Valat", charset="utf-8")
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    po_of(code).parent.mkdir(parents=True, exist_ok=True)
    with po_of(code).open("wb") as stored:
        write_po(stored, catalog, width=120, ignore_obsolete=True, include_lineno=False, omit_header=False)
    compile_(code, catalog)
    return catalog


def missing(catalog: Catalog) -> list:
    """The messages of a language that lack a form."""
    found = [message for message in catalog if message.id]
    return [message for message in found if not all(message.string if message.pluralizable else [message.string])]


def compile_(code: str, catalog: Catalog, folder: Path = LOCALE) -> None:
    """Store a language as gettext reads it."""
    path = folder / code / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stored:
        write_mo(stored, catalog)


def check(code: str, template: Catalog) -> Iterator[str]:
    """Yield what is wrong with a language that is offered."""
    catalog, compiled = read(code), io.BytesIO()
    write_mo(compiled, catalog)
    if {_key(message) for message in catalog} != {_key(message) for message in template} or (
        (po_of(code).with_suffix(".mo")).read_bytes() != compiled.getvalue()
    ):
        yield "is out of date: run tools/messages.py"
    for message in missing(catalog):
        yield f"lacks {message.id}"
    for message in catalog:
        if message.id and message.fuzzy:
            yield f"guesses {message.id}"
        for form in _wrong_forms(message) if message.id else ():
            yield f"has other places or tags in {form!r}"


def _key(message: BabelMessage) -> tuple:
    return (tuple(message.id) if message.pluralizable else message.id), message.context


def _wrong_forms(message: BabelMessage) -> Iterator[str]:
    """Yield the forms that lack a place, or have other places or tags. The form for one may say the number itself."""
    ids = message.id if message.pluralizable else (message.id,)
    known, *others = [set(PLACES.findall(each)) for each in ids]
    shared = known.intersection(*others)
    tags = [sorted(TAGS.findall(each)) for each in ids]
    forms = message.string if message.pluralizable else (message.string,)
    for number, form in enumerate(filter(None, forms)):
        places = set(PLACES.findall(form))
        needed = shared - NUMBERS if number == 0 and message.pluralizable else set(PLACES.findall(ids[-1]))
        if not needed <= places <= known.union(*others) or sorted(TAGS.findall(form)) not in tags:
            yield form


def main() -> None:
    """Bring all languages up to date, and those named, or check them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    unclear: list[str] = []
    template = catalog_of_all(unclear)
    print(f"{len(template)} messages")
    if unclear:
        raise SystemExit("\n".join(["These can't be found:", *unclear]))
    if sys.argv[1:] == ["--check"]:
        faults = [f"{code} {fault}" for code in languages() for fault in check(code, template)]
        raise SystemExit("\n".join(faults) or None)
    for code in sorted({*languages(), *sys.argv[1:]}):
        catalog = update(code, template)
        print(f"{code}: {len(missing(catalog))} not translated")


if __name__ == "__main__":
    main()
