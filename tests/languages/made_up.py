"""A language that nobody speaks: every message comes out in brackets, with accents, and a third longer.

What a page has outside the brackets has not been handed to gettext. It goes by the code of Esperanto, so that Django
knows what it is.
"""

import re
from html.parser import HTMLParser

from tools.messages import catalog_of_all, compile_

CODE = "eo"
OPEN, CLOSE = "⟦", "⟧"
ACCENTS = str.maketrans("aceghijlnorsuwyzACEGHIJLNORSUWYZ", "ȧċėġħïĵļńöŕşüŵÿžȦĊĖĠĦÏĴĻŃÖŔŞÜŴŸŽ")
KEPT = re.compile(r"(\{\w*\}|%\(\w+\)[sd]|%%|<[^>]*>|&\w+;)")  # places, markup


def made_up(message):
    """A message in the made-up language."""
    parts = [part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(message)]
    longer = "~" * (len(KEPT.sub("", message)) // 3)
    return f"{OPEN}{''.join(parts)}{longer}{CLOSE}"


def build(folder):
    """Compile the language into a folder for gettext."""
    catalog = catalog_of_all()
    for message in catalog:
        if message.id:
            forms = message.id if message.pluralizable else (message.id,)
            said = tuple(made_up(form) for form in forms)
            message.string = said if message.pluralizable else said[0]
    compile_(CODE, catalog, folder)


# What is outside the brackets

SPOKEN = ("aria-label", "title", "placeholder", "alt", "content", "aria-description", "data-words", "data-print")
WORD = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
ADDRESS = re.compile(r"\S+/\S*")
LOUD = {"script", "style", "svg", "code", "pre", "noscript", "textarea"}  # what is within is not said


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.said = []  # all that a page says, in the order in which it stands there
        self._within = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in LOUD or given.get("translate") == "no":
            self._within.append(tag)
        if self._within:
            return
        if tag == "meta" and given.get("name") != "description":
            return
        self.said += [given[name] or "" for name in SPOKEN if name in given]
        if tag == "input" and given.get("type") in ("submit", "button"):
            self.said.append(given.get("value", ""))

    def handle_endtag(self, tag):
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data):
        if not self._within:
            self.said.append(data)


def unsaid(html, names=()):
    """What HTML says outside the brackets, a list of texts. names: of people and things, which nobody translates."""
    reader = _Reader()
    reader.feed(html)
    return unsaid_of_texts(reader.said, names)


def unsaid_of_texts(texts, names=()):
    """The same of texts. Brackets may span several of them, where there is markup within a sentence."""
    found, depth = [], 0
    for text in texts:
        outside = []
        for character in str(text):
            depth += (character == OPEN) - (character == CLOSE)
            outside.append(character if depth == 0 else " ")
        left = ADDRESS.sub(" ", "".join(outside).replace(CLOSE, " "))
        for name in names:
            left = left.replace(name, " ")
        if WORD.search(left):
            found.append(" ".join(str(text).split()))
    return found
