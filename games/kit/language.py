"""Translation by gettext, without Django.

Inside `with using_language("de"):` all texts are in German. Outside they are in English, the language of the source.
Each thread or task has its own language, so tables can be drawn in several at once. Messages are whole sentences with
named places. `tools/messages.py` collects them from the calls of this module's functions.

Texts that are written before their language is known (constants, refusals) are `Lazy`: str() translates them. Caches of
texts have an entry for each language: see `cache_by_language` and `ByLanguage`.
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
DOMAIN = "django"  # the name of the files, which Django prescribes
FOLDERS = [Path(__file__).parents[2] / "locale"]  # The first folder that has a language supplies it.


@cache
def _catalog(language: str) -> standard.NullTranslations:
    """Return the translations of a language, or empty ones if no folder has it."""
    main, _, variant = language.partition("-")
    folder_name = main
    if variant:  # "pt-br" is in the folder "pt_BR", and "zh-hans" in "zh_Hans".
        folder_name += "_" + (variant.title() if len(variant) > 2 else variant.upper())
    for folder in FOLDERS:
        if language != ENGLISH and standard.find(DOMAIN, folder, [folder_name]):
            return standard.translation(DOMAIN, folder, [folder_name])
    return standard.NullTranslations()


# The code of the active language and its translations.
_active: ContextVar[tuple[str, standard.NullTranslations]] = ContextVar(
    "active_language", default=(ENGLISH, standard.NullTranslations())
)


def language() -> str:
    """Return the code of the active language: "en"."""
    return _active.get()[0]


def use_language(language: str) -> None:
    """Make a language the active one of this thread or task. Without translations its texts are in English."""
    _active.set((language, _catalog(language)))


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Use a language inside a `with` statement, and afterwards the previous one again."""
    token = _active.set((language, _catalog(language)))
    try:
        yield
    finally:
        _active.reset(token)


# Texts in the active language


def say(sentence: str, /, **places: object) -> str:
    """Translate a message like "{name} plays the {card}." and fill its places."""
    code, catalog = _active.get()
    translated = catalog.gettext(sentence)
    return _fill(translated, sentence, places, code) if places else translated


def say_in(context: str, sentence: str, /, **places: object) -> str:
    """Translate a message that has several meanings. context: the meaning, in English, for translators."""
    code, catalog = _active.get()
    translated = catalog.pgettext(context, sentence)
    return _fill(translated, sentence, places, code) if places else translated


def say_count(number: float, one: str, many: str, /, **places: object) -> str:
    """Translate a message in the singular or plural form for a number. Fill its places, among them {number}.

    places: may have another text for {number}, such as "1.8".
    """
    return _fill(plural_form(number, one, many), many, {"number": number} | places, language())


def _fill(translated: str, sentence: str, places: dict[str, object], language: str) -> str:
    """Fill the places of a translation, such as {name}. If it is faulty, fill the English sentence instead.

    A translator may have misspelt the name of a place. language: of the translation.
    """
    try:
        text = translated.format_map(places)
    except (KeyError, IndexError, ValueError, AttributeError):
        return sentence.format_map(places)
    # In some languages the spelling of a word depends on the next one, which may be a value.
    return _CORRECTIONS[language](text) if language in _CORRECTIONS else text


# Words that depend on the sound of the next one. Translations can't contain the right form if that is in a place.

_HARD_TO_SAY = re.compile(  # "with" before s and z, in figures 7, 17, 70, 100 and their like; "in" before v and f
    r"\b(?:([Сс])(?= (?:<[^>]*>)*(?:[сСзЗsSzZ]|(?:17|7\d?|[17]\d\d)(?!\d)))|([Вв])(?= (?:<[^>]*>)*[вВфФvVfF])) "
)


def _lengthen_prepositions(text: str) -> str:
    """Write "със зелена 4" and "във вторник" for "с зелена 4" and "в вторник", as Bulgarian spelling requires."""
    return _HARD_TO_SAY.sub(lambda match: f"{match[1]}ъс " if match[1] else f"{match[2]}ъв ", text)


_CORRECTIONS: dict[str, Callable[[str], str]] = {"bg": _lengthen_prepositions}


def plural_form(number: float, one: str, many: str, context: str = "") -> str:
    """Translate a message in the singular or plural form for a number, without filling its places."""
    code, catalog = _active.get()
    number = _with_form_of(number, code)
    return catalog.npgettext(context, one, many, number) if context else catalog.ngettext(one, many, number)


# Below these numbers decimals take the singular: in French "1,8 point". Elsewhere they take the form of two, which in
# Croatian is the genitive: "1,8 boda".
_SINGULAR_BELOW = {"fr": 2}


def _with_form_of(number: float, code: str) -> int:
    """Return a whole number with the plural form of this number, because catalogs only know whole numbers."""
    if number == int(number):
        return int(number)
    return 1 if abs(number) < _SINGULAR_BELOW.get(code, 0) else 2


# Texts that are translated later


class Lazy(str):
    """A text that is translated when it is printed: by str(), in a template, or in a place of another text.

    As a str it is English, so programs can compare, search and store it.
    """

    _call: tuple[Callable[..., str], tuple[object, ...], dict[str, object]]
    _translations: dict[str, str]  # A cache by language. Most lazy texts are constants, such as the names of cards.

    def __new__(cls, function: Callable[..., str], *arguments: object, **places: object) -> "Lazy":
        with using_language(ENGLISH):
            text = super().__new__(cls, function(*arguments, **places))
        text._call, text._translations = (function, arguments, places), {}
        return text

    def __str__(self) -> str:
        code = _active.get()[0]
        if code not in self._translations:
            function, arguments, places = self._call
            self._translations[code] = function(*arguments, **places)
        return self._translations[code]

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __html__(self) -> str:
        return escape(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return _lazy, self._call


def _lazy(function: Callable[..., str], arguments: tuple[object, ...], places: dict[str, object]) -> Lazy:
    return Lazy(function, *arguments, **places)


def lazy(sentence: str, /, **places: object) -> Lazy:
    """Return the text of `say`, translated when it is printed."""
    return Lazy(say, sentence, **places)


def lazy_in(context: str, sentence: str, /, **places: object) -> Lazy:
    """Return the text of `say_in`, translated when it is printed."""
    return Lazy(say_in, context, sentence, **places)


def lazy_count(number: int, one: str, many: str, /, **places: object) -> Lazy:
    """Return the text of `say_count`, translated when it is printed."""
    return Lazy(say_count, number, one, many, **places)


def lazy_all[K](sentences: dict[K, str], /) -> dict[K, Lazy]:
    """Return the `lazy` text of each sentence, by the same keys."""
    return {key: Lazy(say, sentence) for key, sentence in sentences.items()}


def lazy_all_in[K](context: str, sentences: dict[K, str], /) -> dict[K, Lazy]:
    """Return the `lazy_in` text of each sentence, by the same keys."""
    return {key: Lazy(say_in, context, sentence) for key, sentence in sentences.items()}


# Caches


def cache_by_language[**P, T](size: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function's results like `functools.lru_cache`, in a cache for each language.

    It is for functions whose result depends on the active language. size: of each cache, or None for no limit.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        caches: dict[str, Callable[..., T]] = defaultdict(lambda: lru_cache(size)(function))

        @wraps(function)
        def wrapper(*arguments: P.args, **keywords: P.kwargs) -> T:
            cached = caches[_active.get()[0]]
            return cached(*arguments, **keywords) if keywords else cached(*arguments)

        return wrapper

    return decorate


def as_key(*values: Any) -> bytes:
    """Convert lists, dicts, strings and numbers to an argument for a cached function. Equal values give equal keys."""
    return marshal.dumps(values, 2)  # Later formats depend on the identity of values.


def from_key(key: bytes) -> Any:
    """Return the values of a key as a tuple."""
    return marshal.loads(key)


class ByLanguage[K, V]:
    """A lazy mapping that has its own values in each language."""

    def __init__(self, make: Callable[[K], V]):
        """make: returns the value of a key in the active language."""
        self._make = make
        self._values: dict[tuple[str, K], V] = {}

    __iter__ = None  # It does not know its keys.

    def __getitem__(self, key: K) -> V:
        language_and_key = _active.get()[0], key
        try:
            return self._values[language_and_key]
        except KeyError:
            return self._values.setdefault(language_and_key, self._make(key))
