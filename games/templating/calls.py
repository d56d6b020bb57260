"""The helpers of compiled templates. They print, look up and compare values as Django does."""

import html
import operator
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from django.template import Context, Template
from django.template.base import Node, Variable, render_value_in_context
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from games.kit.language import Lazy, plural_form
from games.kit.markup import Markup, in_ascii


class _Nothing(tuple[()]):
    """The value of a name that does not exist. Like any empty tuple, it is false in conditions."""

    __slots__ = ()


NONE: Any = _Nothing()
OF_DICTS = frozenset(dir(dict))
_PLAIN = Context()
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


def _get(value: Any, name: str) -> Any:
    """Return what Django finds for `value.name` in a template: an entry, an attribute or an item of a list.

    Return NONE if it does not exist. The first cases are the most frequent ones. They are faster here than in Django.
    """
    if type(value) is dict:
        entry = value.get(name, NONE)
        if entry is not NONE or name not in OF_DICTS:  # Otherwise it is a method of dicts, such as "items".
            return entry
    if value is NONE:  # What does not exist has no parts.
        return value
    if isinstance(value, tuple) and not name.isdigit():  # A field of a NamedTuple. Methods are left to Django.
        attribute = getattr(value, name, NONE)
        if not callable(attribute):
            return attribute
    return Variable(f"value.{name}").resolve(Context({"value": value})) if _has_entry(value, name) else NONE


def _has_entry(value: Any, name: str) -> bool:
    """Return whether `value.name` of a template exists: as an attribute, an entry of a dict, or an index of a list."""
    if hasattr(value, name):
        return True
    try:
        value[int(name) if name.isdigit() else name]
    except (TypeError, KeyError, IndexError):
        return False
    return True


def _or_default(value: Any, otherwise: Any = None) -> Any:
    """Return a value, or `otherwise` if it does not exist in the context."""
    return otherwise if value is NONE else value


def text(value: Any) -> str:
    """Return a value as HTML, as Django prints {{ value }}. Strings are escaped unless they are marked as safe.

    The order is that of frequency.
    """
    kind = type(value)
    if kind is Markup or kind is SafeString:  # Both are safe.
        return value
    if kind is str:
        return _escaped(value)
    if kind is Lazy:  # Our own text, translated now.
        return _escaped(str(value))
    if isinstance(value, Promise):  # Django's own lazy text, for a text of the template itself: _("Last trick")
        words = str(value)
        return words if isinstance(words, SafeString) else _escaped(words)
    return "" if value is NONE else str(render_value_in_context(value, _PLAIN))


@lru_cache(4096)  # Names and our own words are printed again and again.
def _escaped(words: str) -> str:
    return in_ascii(html.escape(words))


_form_in_ascii = lru_cache(4096)(in_ascii)


def _as_list(values: Any) -> Any:
    """Return the values of a loop as a list or a tuple, whose length is known. A missing value gives an empty one."""
    if values is NONE or values is None:
        return ()
    return values if isinstance(values, (list, tuple)) else list(values)


def _with_counters(values: list[Any] | tuple[Any, ...]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield, for each value of a loop, Django's `forloop` with the entries that our templates use, and the value."""
    for index, value in enumerate(values):
        yield {"counter": index + 1, "counter0": index, "first": not index, "last": index + 1 == len(values)}, value


def _compare(comparison: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Compare two values. As in Django, the result is False if they cannot be compared."""
    try:
        return comparison(left, right)
    except TypeError:
        return False


@cache
def _static_url(path: str) -> str:
    """Return the URL of a static file. It does not change while a process runs."""
    return html.escape(static(path))


def _by_django(node: Node, context: dict[str, Any], names: dict[str, Any]) -> str:
    """Let Django render a node (a tag or a variable of a template) that we do not compile ourselves.

    context: of the template. names: the values of variables that `for` and `with` tags around the node have set. NONE
    stands for a variable that does not exist.
    """
    in_django = Context({name: value for name, value in (context | names).items() if value is not NONE})
    with in_django.bind_template(_no_template()):  # Sentences need its engine for missing values.
        return str(node.render(in_django))


def _fill_places(form: str, message: str, places: dict[str, str]) -> str:
    """Fill the places of a translated message, such as %(name)s, as Django does.

    form: the translation. message: the English message, which is used if the translation has other places.
    """
    try:
        return _form_in_ascii(form) % places
    except (KeyError, ValueError, TypeError):
        return message % places


@cache
def _no_template() -> Template:
    return Template("")


HELPERS = {
    "Markup": Markup,
    "get": _get,
    "found": _or_default,
    "text": text,
    "escaped": _escaped,
    "listed": _as_list,
    "counted": _with_counters,
    "compared": _compare,
    "by_django": _by_django,
    "address_of": _static_url,
    "plural_form": plural_form,
    "filled": _fill_places,
    "SafeString": SafeString,
    "NONE": NONE,
}
