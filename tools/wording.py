"""Find words that read wrongly in a language, for `tools/messages.py --check`.

Rows of tools/wording.toml name a language, a pattern, and what to say instead. Two other checks find words of English
that serve different things, for which other languages have two words: a button and a heading, or participles, which
agree with a noun elsewhere.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Message

DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())

# Elements by what their words are: the name of a thing, something to do, or one of several answers.
KINDS = dict.fromkeys(("th", "caption", "legend", "summary", "h1", "h2", "h3", "h4"), "head")
KINDS |= {"button": "act", "option": "choice"}
TAG = re.compile(r"<(/?)(th|td|caption|button|option|label|legend|summary|h[1-6]|a|p|li|dt|dd|span)\b[^>]*>")
COUNTED = re.compile(r"{(\w+)} (?:match )?(?:points|tricks|stones|cards|deals|rounds)\b")
PARTICIPLE = re.compile(r"\w+(ed|wn)", re.IGNORECASE)
WORD = re.compile(r'{% translate "(\w+)" %}')


class Row(NamedTuple):
    """Words that read wrongly in a language, as a pattern, and what to say instead.

    forms: "one" looks at the form for one thing only, "all" at every form. english: a pattern that the English message
    must match too. paths: a pattern that all source files of the message must match.
    """

    language: str
    pattern: str
    instead: str
    forms: str = "all"
    english: str = ""
    paths: str = ""

    def matches(self, message: Message) -> str:
        """Return the form of a message that has the words, or ""."""
        ids = _forms(message.id)
        texts = ids if self.language == "en" else _forms(message.string)
        if self.forms == "one":
            texts = texts[:1] if message.pluralizable else ()
        if not re.search(self.english, ids[-1]) or not all(re.match(self.paths, path) for path, _ in message.locations):
            return ""
        return next((text for text in texts if re.search(self.pattern, text)), "")


ROWS = [Row(**row) for row in DATA["rows"]]


def _forms(text: str | Iterable[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def wrong_words(language: str, messages: Iterable[Message], rows: Iterable[Row] = ROWS) -> Iterator[str]:
    """Yield a sentence for each message that has wrong words. language: of the translations, or "en"."""
    own_rows = [row for row in rows if row.language == language]
    for message in messages:
        if not message.id or _forms(message.id)[0] in DATA["accepted_words"]:
            continue
        for row in own_rows:
            if text := row.matches(message):
                yield f"says {text!r}: {row.instead}"


def uncounted_decimals(sources: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each message with a decimal before its noun that has one form only. sources: by path."""
    for path, source in sources.items():
        for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)):
            nodes = list(ast.walk(function))
            texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
            counted = {place for text in texts for place in COUNTED.findall(text)}
            for place in sorted(counted & set(_decimal_places(nodes))):
                yield f"has a decimal at {{{place}}} in {path}:{function.lineno}, which needs forms: use count_tenths"


def _decimal_places(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the places that calls and dicts fill with a decimal, such as "gain" for `gain=decimal(gain)`."""
    for node in nodes:
        fields: list[tuple[object, ast.AST]] = []
        if isinstance(node, ast.Call):
            fields = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            fields = [(getattr(key, "value", None), value) for key, value in zip(node.keys, node.values, strict=True)]
        for name, value in fields:
            if isinstance(value, ast.Call) and getattr(value.func, "id", "") in ("decimal", "tenths"):
                yield str(name)


def mixed_messages(templates: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each word without a context that serves elements of different kinds. templates: by path."""
    places = defaultdict(lambda: defaultdict(set))
    for path, source in templates.items():
        for word, kind in _words(source):
            places[word][kind].add(path)
    for word, paths in sorted(places.items()):
        if len(paths) > 1 and word not in DATA["accepted_places"]:
            where = "; ".join(f"{kind} in {', '.join(sorted(paths[kind]))}" for kind in sorted(paths))
            yield f"{word!r} is one message for different things ({where}). Give one of them a context."


def mixed_participles(messages: Iterable[Message]) -> Iterator[str]:
    """Yield a sentence for each participle without a context that several places use: it may go with several nouns."""
    accepted = DATA["accepted_participles"]
    for message in messages:
        if message.context or not PARTICIPLE.fullmatch(_forms(message.id)[0]) or message.id in accepted:
            continue
        places = {_place(path) for path, _ in message.locations}
        if len(places) > 1:
            yield f"{message.id!r} is one message in {', '.join(sorted(places))}. Give each its context."


def _place(path: str) -> str:
    """Return the room and the name of a source file: "belot/tally" for "games/belot/tally.py" and its script."""
    return f"{Path(path).parts[1]}/{Path(path).stem}"


def _words(source: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of one word in a template that stand directly in an element of a kind, with the kind."""
    around: list[str] = []
    found = sorted([*TAG.finditer(source), *WORD.finditer(source)], key=re.Match.start)
    for match in found:
        if match.re is WORD:
            inner = [tag for tag in around if tag != "span"]
            if inner and inner[-1] in KINDS:
                yield match[1], KINDS[inner[-1]]
        elif not match[1]:
            around.append(match[2])
        elif match[2] in around:
            del around[len(around) - 1 - around[::-1].index(match[2]) :]
