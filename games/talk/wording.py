"""Words of people's own, made clean or refused: without what can't be seen, and without words that the host forbids."""

import re
import unicodedata

from accounts.names import skeleton
from games.kit.language import lazily, lazily_counted
from games.play.errors import Refused
from games.talk.models import LONGEST, Word

MARKS = 2  # combining marks on one letter: more of them would climb over other lines
REPEATED = re.compile(r"(.)\1{9,}", re.DOTALL)
LETTERS = re.compile(r"[^\W_]+")


def clean_text(text: object, longest: int = LONGEST) -> str:
    """A text in one line, as it is stored. Raises Refused."""
    if not isinstance(text, str):
        raise Refused(lazily("That is no text."))
    one, many = "That is too long: {number} character at most.", "That is too long: {number} characters at most."
    if len(text) > 4 * longest:
        raise Refused(lazily_counted(longest, one, many))
    cleaned = without_unseen(unicodedata.normalize("NFC", text))
    if not cleaned:
        raise Refused(lazily("There is nothing in that to say."))
    if len(cleaned) > longest:
        raise Refused(lazily_counted(longest, one, many))
    _demand_allowed(cleaned)
    return cleaned


def without_unseen(text: str) -> str:
    """White space as single spaces; no control, format or private characters, nor heaps of marks; runs cut short."""
    kept, marks = [], 0
    for letter in text:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zs", "Zl", "Zp", "Cc"):
            kept.append(" ")
        elif (kind[0] != "C" and marks <= MARKS) or letter == "\u200d":
            kept.append(letter)
    cleaned = " ".join("".join(kept).split()).strip("\u200d ")
    return REPEATED.sub(lambda run: run[0][:9], cleaned)


def _demand_allowed(text: str) -> None:
    """Raises Refused for a text with a word of the host's list, spelled with gaps or letters that look alike too."""
    forbidden = list(Word.objects.values_list("word", flat=True))
    if not forbidden:
        return
    words = LETTERS.findall(skeleton(text.replace("\u200d", "")))
    words += _spelled_out(words)
    for each in forbidden:
        stem = skeleton(each.rstrip("*"))
        if any(word.startswith(stem) if each.endswith("*") else word == stem for word in words):
            raise Refused(lazily("There is a word in that which nobody may write here. Please put it another way."))


def _spelled_out(words: list[str]) -> list[str]:
    """What single letters in a row make: "b a d"."""
    runs, run = [], ""
    for word in [*words, ""]:
        if len(word) == 1:
            run += word
            continue
        runs.append(run)
        run = ""
    return [run for run in runs if len(run) > 1]
