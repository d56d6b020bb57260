"""The order of names in lists, as in the reader's language.

It equals the order of ICU for words of the scripts that names may have, in our languages. We do not ask the database:
SQLite knows no language, and PostgreSQL need not.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from operator import attrgetter

from django.utils.translation import get_language

from accounts.names import AS_ACCENTED, without_accents

LAST = "\U0010fffd"  # "c" and this follow all words with "c", but precede "d".
MARKS = str.maketrans({"_": "!"})  # Before the other marks, and so before digits and letters.
# Separate letters, by the letter before them. Others have an accent, or stay in the order of Unicode.
BEFORE = {"ŧ": "t", "ı": "i", "ŋ": "n"} | dict(zip("ђєіјљњћџ", "деийлнтч", strict=True))
LETTERS = str.maketrans({letter: before + LAST for letter, before in BEFORE.items()})
CROATIAN = {"č": "c", "ć": f"c{LAST}", "dž": "d", "đ": f"d{LAST}", "lj": "l", "nj": "n", "š": "s", "ž": "z"}
CROATIAN_LETTER = re.compile("|".join(CROATIAN))
CYRILLIC_FIRST = {code: code + 0x2000 for code in range(ord("a"), 0x400)}  # Latin and Greek stand after Cyrillic.


def sort_key(name: str) -> tuple[str, str, str]:
    """Return a key that sorts names as the language of the page does: letters first, then accents, then capitals."""
    language, plain = get_language(), unicodedata.normalize("NFC", name).casefold().translate(MARKS)
    letters = plain
    if language == "hr":
        letters = CROATIAN_LETTER.sub(lambda found: CROATIAN[found[0]] + LAST, letters)
    letters = without_accents(letters).translate(AS_ACCENTED | LETTERS)
    if language == "bg":
        letters = letters.translate(CYRILLIC_FIRST)
    return letters, unicodedata.normalize("NFD", plain), name.swapcase()  # Small letters before capitals.


def by_name[T](rows: Iterable[T], name_of: Callable[[T], str] = attrgetter("username")) -> list[T]:
    """Sort users, or other rows, by their names. name_of: returns the name of a row."""
    return sorted(rows, key=lambda row: sort_key(name_of(row)))
