"""In which language words are said: gettext, without Django.

Whoever draws says `with speaking("de"):`, and all that is put into words inside comes in German; outside it is English,
in which all is written. The language belongs to the thread or task that draws, so tables can be drawn in several at
once. Sentences come in whole, as they are written, and what changes has named places. `tools/messages.py` finds the
sentences where they are handed to a function of this module.

What is written before anybody reads it (constants, refusals) is `Lazy`: it is put into words when it is printed.
What is made once and kept is kept for each language: see `cache_by_language` and `ByLanguage`.
"""

import gettext as standard
import marshal
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from html import escape
from pathlib import Path
from typing import Any

ENGLISH = "en"
DOMAIN = "django"  # the name of the files, which Django wants so
FOLDERS = [Path(__file__).parents[2] / "locale"]  # that of the first is taken which has the language


@cache
def _catalog(language: str) -> standard.NullTranslations:
    main, _, variant = language.partition("-")
    locale = f"{main}_{variant.title() if len(variant) > 2 else variant.upper()}" if variant else main  # its folder
    for folder in FOLDERS:
        if language != ENGLISH and standard.find(DOMAIN, folder, [locale]):
            return standard.translation(DOMAIN, folder, [locale])
    return standard.NullTranslations()


_speaking: ContextVar[tuple[str, standard.NullTranslations]] = ContextVar(
    "speaking", default=(ENGLISH, standard.NullTranslations())
)


def language() -> str:
    """The code of the language that is spoken now: "en"."""
    return _speaking.get()[0]


def speak(language: str) -> None:
    """Speak a language from now on, in this thread or task. One that nobody has translated is English."""
    _speaking.set((language, _catalog(language)))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language within a `with`."""
    token = _speaking.set((language, _catalog(language)))
    try:
        yield
    finally:
        _speaking.reset(token)


# Now


def say(sentence: str, /, **places: Any) -> str:
    """ "{name} plays the {card}." in the language that is spoken, with its places filled."""
    code, catalog = _speaking.get()
    translated = catalog.gettext(sentence)
    return _filled(translated, sentence, places, code) if places else translated


def say_in(context: str, sentence: str, /, **places: Any) -> str:
    """Translate a sentence that has several meanings. context: which one, in English, for translators."""
    code, catalog = _speaking.get()
    translated = catalog.pgettext(context, sentence)
    return _filled(translated, sentence, places, code) if places else translated


def say_count(number: int, one: str, many: str, /, **places: Any) -> str:
    """The form of a sentence that goes with a number, with its places filled: "{number}" is one of them."""
    return _filled(form_of(number, one, many), many, places | {"number": number}, language())


def _filled(translated: str, sentence: str, places: dict[str, Any], language: str) -> str:
    """A translation with its places filled; in English where it asks for others: a slip of a pen stops no table."""
    try:
        filled = translated.format_map(places)
    except (KeyError, IndexError, ValueError, AttributeError):
        return sentence.format_map(places)
    return _SMOOTH[language](filled) if language in _SMOOTH else filled


# What depends on the sound of what fills a place, and no translation of a sentence can know

_HARSH = re.compile(  # "with" before s and z, in figures 7, 17, 70, 100 and their like; "in" before v and f
    r"\b(?:([Сс])(?= (?:<[^>]*>)*(?:[сСзЗsSzZ]|(?:17|7\d?|[17]\d\d)(?!\d)))|([Вв])(?= (?:<[^>]*>)*[вВфФvVfF])) "
)


def _smooth_bulgarian(text: str) -> str:
    """ "със зелена 4" and "във вторник" for "с зелена 4" and "в вторник"."""
    return _HARSH.sub(lambda found: f"{found[1]}ъс " if found[1] else f"{found[2]}ъв ", text)


_SMOOTH: dict[str, Callable[[str], str]] = {"bg": _smooth_bulgarian}


def form_of(number: int, one: str, many: str, context: str = "") -> str:
    """The form of a sentence that goes with a number, its places still to be filled."""
    catalog = _speaking.get()[1]
    return catalog.npgettext(context, one, many, number) if context else catalog.ngettext(one, many, number)


# Later


class Lazy(str):
    """Words that are put in the language of whoever prints them: by str(), in a template, as a place of others.

    As a str it is English: programs may compare, search and store it.
    """

    _made: tuple[Callable[..., str], tuple[Any, ...], dict[str, Any]]
    _said: dict[str, str]  # by language, once it has been printed: most are constants, such as the names of cards

    def __new__(cls, function: Callable[..., str], *arguments: Any, **places: Any) -> "Lazy":
        with speaking(ENGLISH):
            text = super().__new__(cls, function(*arguments, **places))
        text._made, text._said = (function, arguments, places), {}
        return text

    def __str__(self) -> str:
        code = _speaking.get()[0]
        if code not in self._said:
            function, arguments, places = self._made
            self._said[code] = function(*arguments, **places)
        return self._said[code]

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __html__(self) -> str:
        return escape(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _lazy, self._made


def _lazy(function: Callable[..., str], arguments: tuple[Any, ...], places: dict[str, Any]) -> Lazy:
    return Lazy(function, *arguments, **places)


def lazy(sentence: str, /, **places: Any) -> Lazy:
    """`say`, at the time of printing."""
    return Lazy(say, sentence, **places)


def lazy_in(context: str, sentence: str, /, **places: Any) -> Lazy:
    """`say_in`, at the time of printing."""
    return Lazy(say_in, context, sentence, **places)


def lazy_count(number: int, one: str, many: str, /, **places: Any) -> Lazy:
    """`say_count`, at the time of printing."""
    return Lazy(say_count, number, one, many, **places)


def lazy_all[K](sentences: dict[K, str], /) -> dict[K, Lazy]:
    """`lazy`, for each of several: {key: sentence}."""
    return {key: Lazy(say, sentence) for key, sentence in sentences.items()}


def lazy_all_in[K](context: str, sentences: dict[K, str], /) -> dict[K, Lazy]:
    """`lazy_in`, for each of several: {key: sentence}."""
    return {key: Lazy(say_in, context, sentence) for key, sentence in sentences.items()}


# Kept


def cache_by_language[**P, T](size: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `functools.lru_cache`, for what is made of words: each language has its own. size: None for no limit."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        caches: dict[str, Any] = defaultdict(lambda: lru_cache(size)(function))

        @wraps(function)
        def wrapper(*arguments: P.args, **named: P.kwargs) -> T:
            kept_here = caches[_speaking.get()[0]]
            result: T = kept_here(*arguments, **named) if named else kept_here(*arguments)
            return result

        return wrapper

    return decorated


def as_key(*things: Any) -> bytes:
    """Plain lists, dicts, strings and numbers as what a `kept` function can be given: equal things are packed alike."""
    return marshal.dumps(things, 2)  # later versions write what is met twice in another way


def from_key(known: bytes) -> Any:
    """What `packed` was given, a tuple."""
    return marshal.loads(known)


class ByLanguage[K, V]:
    """A dict that each language has its own of, made when it is first asked for."""

    def __init__(self, make: Callable[[K], V]):
        """make: the value of a key, in the language that is spoken."""
        self._make = make
        self._made: dict[tuple[str, K], V] = {}

    __iter__ = None  # it doesn't know its keys

    def __getitem__(self, key: K) -> V:
        place = _speaking.get()[0], key
        try:
            return self._made[place]
        except KeyError:
            made = self._made[place] = self._make(key)
            return made
