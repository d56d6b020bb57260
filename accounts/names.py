"""Rules for the names of users, and a comparison of names that look alike."""

import unicodedata
from itertools import pairwise

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

DIGITS = "0123456789"
SHORT_I = "и\u0306"  # й

SHORTEST = 3
LONGEST = 20

# Capital letters first, then small ones. A capital and its small letter may look like different
# letters of another script (Greek Ν like N, ν like v), so names are compared as they are written.
LOOK_ALIKES = str.maketrans(
    {
        # Cyrillic that looks Latin, or like a digit
        **dict(zip("АВЕЅІЈКМНОРСТУҮХҺԚԜӀ", "ABESIJKMHOPCTYYXHQWl", strict=True)),
        **dict(zip("авеѕіјкмнорстуүхһԁԛԝӏ", "abesijkmhopctyyxhdqwl", strict=True)),
        **dict(zip("гЗзбЬь", "r336bb", strict=True)),
        # Greek that looks Latin
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
        **dict(zip("αβγεηικμνοσρτυχω", "abyenikuvooptuxw", strict=True)),
        # Greek that looks Cyrillic
        **dict(zip("ΓΠΦφπΛλ", "ГПФфпЛл", strict=True)),
        # Latin letters whose stroke or shape is no separate mark
        **dict(zip("ŁłØøĐđÐðĦħŦŧıĸŊŋ", "LlOoDdDdHhTtiknn", strict=True)),
    }
)
AFTER_FOLDING = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn"})

AS_ACCENTED = str.maketrans({"đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ґ": "г"})
AS_TYPED = AS_ACCENTED | str.maketrans({"ŧ": "t", "ı": "i", "ŋ": "n", "þ": "th"})

LATIN_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZßæÆðÐøØþÞđĐħĦıĸłŁŋŊœŒŧŦ")


def normalize(name: str) -> str:
    """Return a name as it is stored and shown: in Unicode's NFKC form, without spaces at its ends."""
    return unicodedata.normalize("NFKC", name).strip()


def casefold(name: str) -> str:
    """Return a key for finding a name. Names that differ only in case or in Unicode form have the same key."""
    return unicodedata.normalize("NFKC", normalize(name).casefold()).strip()


def search_key(name: str) -> str:
    """Return a key for a search: without case and accents, so that "sasa" finds "Saša". But й is not и."""
    return without_accents(casefold(name)).translate(AS_TYPED)


def without_accents(text: str) -> str:
    """Drop the accents of small letters. й is a letter of its own."""
    pairs = pairwise(" " + unicodedata.normalize("NFD", text))
    base_letters = (mark for letter, mark in pairs if unicodedata.category(mark) != "Mn" or letter + mark == SHORT_I)
    return unicodedata.normalize("NFC", "".join(base_letters))


def skeleton(name: str) -> str:
    """Return a key that is equal for names that look alike.

    It drops accents and case, replaces Greek and Cyrillic letters by the Latin letters or digits they resemble, and
    then replaces 0 by o, 1 and i by l, and m by rn.
    """
    plain = _without_marks(normalize(name)).translate(LOOK_ALIKES)
    return _without_marks(plain.casefold()).translate(AFTER_FOLDING)


def _without_marks(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFD", text) if unicodedata.category(part) != "Mn")


RESERVED_NAMES = """
    admin administrator anonymous bot bots computer dealer deleted deleted-player deleted_player everybody everyone
    guests help host me mod moderator moderators nobody none null operator owner player players robot root server
    site somebody staff superuser support system table team undefined unknown user valat webmaster you админ
    администратор бот гост модератор играч система
"""
RESERVED = frozenset(skeleton(name) for name in RESERVED_NAMES.split())
RESERVED_STARTS = (skeleton("guest"), skeleton("valat"))

# No part of a name between - or _ may be one of these, with or without digits: it could pass for the site's staff.
OFFICE_NAMES = """
    admin administrator host mod moderator operator owner root staff superuser support system webmaster админ
    администратор модератор система
"""
OFFICES = frozenset(skeleton(name) for name in OFFICE_NAMES.split())
BOTS = frozenset(skeleton(name) for name in ("bot", "bots", "бот"))  # The site's own bots have these with a number.


def validate_name(name: str, *, allow_reserved: bool = False) -> None:
    """Raise ValidationError, with a sentence for the player, if nobody may choose this name.

    name: normalized. allow_reserved: also accept names that are reserved for the site.
    """
    if not SHORTEST <= len(name) <= LONGEST:
        words = gettext("Choose a name with {shortest} to {longest} characters.")
        raise ValidationError(words.format(shortest=SHORTEST, longest=LONGEST), code="length")
    letters = [letter for letter in name if letter not in DIGITS + "-_"]
    scripts = {script_of(letter) for letter in letters}
    if "" in scripts:
        words = gettext("Use only Latin, Cyrillic or Greek letters, digits, - and _, without spaces.")
        raise ValidationError(words, code="characters")
    if not letters:
        raise ValidationError(gettext("A name needs at least one letter. Add one."), code="letters")
    if len(scripts) > 1:
        raise ValidationError(_describe_mixture(scripts), code="mixed")
    if not allow_reserved and _is_reserved(name):
        raise ValidationError(gettext("This name is reserved. Please choose another."), code="reserved")


def _describe_mixture(scripts: set[str]) -> str:
    """Return the error message for a name with letters of several scripts."""
    words: dict[tuple[str, ...], str] = {
        ("Cyrillic", "Greek"): gettext("This name mixes Cyrillic and Greek letters. Use one alphabet."),
        ("Cyrillic", "Latin"): gettext("This name mixes Cyrillic and Latin letters. Use one alphabet."),
        ("Greek", "Latin"): gettext("This name mixes Greek and Latin letters. Use one alphabet."),
    }
    return words.get(tuple(sorted(scripts))) or gettext("This name mixes three alphabets. Use one of them.")


def _is_reserved(name: str) -> bool:
    """Return whether a name is reserved, or could pass for a moderator or a bot of the site: "Mod-Ana", "bot7".

    We compare skeletons, which are equal for words that look alike.
    """
    name_skeleton = skeleton(name)
    belongs_to_site = name_skeleton in RESERVED or name_skeleton.startswith(RESERVED_STARTS)
    pieces = name.replace("_", "-").split("-")
    words = {skeleton(piece.strip(DIGITS)) for piece in pieces}
    joined_words = skeleton("".join(pieces).strip(DIGITS))
    claims_office = joined_words in OFFICES | BOTS or bool(words & OFFICES)
    return belongs_to_site or claims_office


def script_of(letter: str) -> str:
    """Return "Latin", "Cyrillic" or "Greek", or "" if names may not contain the letter."""
    base = unicodedata.normalize("NFD", letter)[0]
    if not base.isalpha():
        return ""
    if base in LATIN_LETTERS:
        return "Latin"
    if "\u0400" <= base <= "\u04ff":
        return "Cyrillic"
    if "\u0391" <= base <= "\u03c9":
        return "Greek"
    return ""
