"""Positions are nested tuples. This module makes them fast, and converts them to the plain JSON that is stored."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple


def maker[T: tuple[Any, ...]](kind: type[T]) -> Callable[[Iterable[Any]], T]:
    """Return a function that makes a `kind` of NamedTuple from all its values. Calling `kind` takes twice the time."""
    return partial(tuple.__new__, kind)


def as_lists(value: Any) -> Any:
    """Return `value` with lists in place of all its tuples, as JSON does."""
    return [as_lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def as_tuples(value: Any) -> Any:
    """Return `value` with tuples in place of all its lists: the inverse of `as_lists`."""
    return tuple(as_tuples(item) for item in value) if isinstance(value, (list, tuple)) else value


def as_dict(record: NamedTuple) -> Any:
    """Return a NamedTuple as a dict of plain JSON types, by the names of its fields."""
    return {name: as_lists(value) for name, value in zip(record._fields, record, strict=True)}


def from_dict[T: NamedTuple](kind: type[T], data: Mapping[str, Any]) -> T:
    """Return the `kind` of NamedTuple with its fields from `data`. Lists become tuples."""
    return kind(*(as_tuples(data[name]) for name in kind._fields))
