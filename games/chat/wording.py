"""Clean free text of invisible characters, and refuse words that the host forbids."""

import unicodedata

import regex

from accounts.names import skeleton
from games.chat.models import LONGEST, ForbiddenWord
from games.kit.language import lazy, lazy_count
from games.play.errors import Refused

REPEATED = regex.compile(r"(.)\1{9,}", regex.DOTALL)
EMPTY_LINES = regex.compile(r"\n{3,}")
LETTERS = regex.compile(r"[^\W_]+")
# These show nothing, but no Unicode property says so: Braille and hieroglyph blanks, a placeholder, an empty note.
BLANKS = r"\u2800\U00013441\U00013442"
EMPTY = r"\ufffc\U0001d159"
SPACES = regex.compile(rf"[\p{{Z}}\p{{Cc}}{BLANKS}]+")
# Invisible parts of emoji change how others look: selectors after one, joiners between two, the box of a keycap.
PARTS_OF_EMOJI = (
    r"(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)[\ufe0e\ufe0f]"
    r"|(?<=[#*0-9])\ufe0f(?=\u20e3)"
    r"|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})"
)
UNSEEN = regex.compile(rf"(?:{PARTS_OF_EMOJI})(*SKIP)(*FAIL)|[\p{{Default_Ignorable_Code_Point}}\p{{C}}{EMPTY}]")
# More than two marks on one letter would cover other lines.
HEAPED_MARKS = regex.compile(r"(?<=[\p{Mn}\p{Me}]{2})[\p{Mn}\p{Me}]+")


def clean_text(text: object, longest: int = LONGEST) -> str:
    """Return a text as one line without invisible characters. Raise Refused if it is empty, too long or forbidden.

    longest: the most characters.
    """
    if not isinstance(text, str):
        raise Refused(lazy("A message is text. Write something first."))
    one, many = (
        "That is too long. Shorten it to {number} character.",
        "That is too long. Shorten it to {number} characters.",
    )
    if len(text) > 4 * longest:  # Do not spend time on cleaning it.
        raise Refused(lazy_count(longest, one, many))
    cleaned = REPEATED.sub(lambda repeats: repeats[0][:9], without_unseen(text))  # At most nine equal letters in a row.
    if not cleaned:
        raise Refused(lazy("Write something first."))
    if len(cleaned) > longest:
        raise Refused(lazy_count(longest, one, many))
    _demand_allowed(cleaned)
    return cleaned


def clean_lines(text: object, longest: int) -> str:
    """Return a text with its line breaks, otherwise as `clean_text` does. Raise Refused."""
    clean_text(text, longest)
    lines = [without_unseen(line) for line in str(text).splitlines()]
    cleaned = REPEATED.sub(lambda repeats: repeats[0][:9], "\n".join(lines))
    return EMPTY_LINES.sub("\n\n", cleaned).strip("\n")


def without_unseen(text: str) -> str:
    """Return a text without characters that show nothing, and with single spaces in place of other white space.

    A letter keeps at most two marks (such as accents), because a heap of marks would cover other lines.
    """
    visible = UNSEEN.sub("", SPACES.sub(" ", text))
    visible = HEAPED_MARKS.sub("", unicodedata.normalize("NFC", visible))
    return " ".join(visible.split())


def _demand_allowed(text: str) -> None:
    """Raise Refused if a text has a forbidden word, even if it is spelled with gaps or with similar letters.

    A skeleton is the same for all words that look alike. A forbidden word that ends with "*" forbids all words that
    begin like it.
    """
    forbidden = list(ForbiddenWord.objects.values_list("word", flat=True))
    if not forbidden:
        return
    words = LETTERS.findall(skeleton(text))
    words += _join_single_letters(words)
    for entry in forbidden:
        stem = skeleton(entry.rstrip("*"))
        if any(word.startswith(stem) if entry.endswith("*") else word == stem for word in words):
            raise Refused(lazy("That contains a word that is forbidden here. Please put it another way."))


def _join_single_letters(words: list[str]) -> list[str]:
    """Return the words that single letters in a row spell: "bad" for the words "so", "b", "a", "d"."""
    spellings, spelling = [], ""
    for word in [*words, ""]:  # The empty word ends the last spelling.
        if len(word) == 1:
            spelling += word
            continue
        spellings.append(spelling)
        spelling = ""
    return [spelling for spelling in spellings if len(spelling) > 1]
