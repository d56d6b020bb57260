"""A move as the database holds it: its JSON in a few bytes, {"type": "play", "card": "AS"} in five.

What was stored is read for ever, so nothing here ever changes but by addition. The first byte says how to read on:

- below 128: it is JSON as text, in UTF-8, as what is no object always is;
- `OBJECT` and the eight that follow it: an object, written as below. All others are free for other ways.

A value is a byte, and what that byte calls for:

- below `WORD_AND_BYTE`: the word of that number in `words_of_moves.txt`;
- `WORD_AND_BYTE` and the seven that follow it: a word of a higher number, of which the next byte has the lowest bits;
- `OBJECT` or `LIST`, and the eight that follow each: with so many entries, or, for the last of them, with as many as a
  number says. An object's are each a key and a value, both written as values;
- from `INTEGER` on: the integers from 0; `MORE` and `MINUS`: a number says by how much it is above those, or below -1;
- `NULL`, `FALSE`, `TRUE`; `FRACTION`: a number that says how many characters follow, as JSON writes it;
- `TEXT` and the seven that follow it: a string of so many bytes in UTF-8, for the first of as many as a number says.

A number is written in sevens of bits, the lowest first; all bytes but the last have the bit 128.
"""

import json
from itertools import chain
from pathlib import Path
from typing import Any

# A word that is not here costs its letters and a byte. New ones go to the end, and are such as only the moves of a new
# game have: during an update, a process that lacks a word can't read moves with it.
WORDS = (Path(__file__).parent / "words_of_moves.txt").read_text(encoding="utf-8").split()

WORD_AND_BYTE = 192
OBJECT = 200
LIST = 209
INTEGER = 218
MORE = 240
MINUS, NULL, FALSE, TRUE, FRACTION, TEXT = range(241, 247)
MANY = 8  # entries, or bytes of a string, from which on a number says how many there are


class Damaged(ValueError):
    """These bytes are no move that was packed, or one with words of a later release."""


def pack(move: Any) -> bytes:
    """A value of JSON in bytes, from which `unpack` makes an equal one, an object's keys in the same order.

    Tuples are taken for lists, and whatever else JSON has another type for, as `json` takes it. Raises TypeError where
    it takes it for nothing.
    """
    if type(move) is not dict:
        return json.dumps(move).encode()
    try:
        return _packed(move)
    except KeyError:  # of a type that JSON has not
        return _packed(json.loads(json.dumps(move)))


def unpack(data: bytes) -> Any:
    """The value that `pack` has made `data` of, a new one. Raises Damaged."""
    try:
        if data[0] < 128:
            return json.loads(data)
        if not OBJECT <= data[0] <= OBJECT + MANY:
            raise Damaged("It is written in a way that is not known here.")
        value, end = _read(data, 0)
    except Damaged:
        raise
    except (IndexError, RecursionError, ValueError) as reason:
        raise Damaged(f"It can’t be read: {reason!r}") from None
    if end != len(data):
        raise Damaged("Something follows it.")
    return value


# Packing


def _packed(value: Any) -> bytes:
    """A value. Raises KeyError where it is of a type that JSON has not."""
    if type(value) is str:
        return CODES.get(value) or _text(value)
    return PACKERS[type(value)](value)


def _object(value: dict) -> bytes:
    if not all(type(key) is str for key in value):
        raise KeyError("JSON has strings as keys.")
    return _counted(OBJECT, len(value)) + b"".join(map(_packed, chain.from_iterable(value.items())))


def _list(value: list | tuple) -> bytes:
    return _counted(LIST, len(value)) + b"".join(map(_packed, value))


def _counted(tag: int, count: int) -> bytes:
    return bytes((tag + count,)) if count < MANY else bytes((tag + MANY,)) + _number(count)


def _integer(value: int) -> bytes:
    if value < 0:
        return bytes((MINUS,)) + _number(-1 - value)
    small = INTEGER + value
    return bytes((small,)) if small < MORE else bytes((MORE,)) + _number(small - MORE)


def _fraction(value: float) -> bytes:
    text = json.dumps(value).encode()
    return bytes((FRACTION,)) + _number(len(text)) + text


def _text(value: str) -> bytes:
    text = value.encode("utf-8", "surrogatepass")
    count = len(text)
    return (bytes((TEXT + count,)) if 0 < count < MANY else bytes((TEXT,)) + _number(count)) + text


def _number(value: int) -> bytes:
    sevens = bytearray()
    while value > 127:
        sevens.append(value & 127 | 128)
        value >>= 7
    sevens.append(value)
    return bytes(sevens)


def _code(number: int) -> bytes:
    if number < WORD_AND_BYTE:
        return bytes((number,))
    high, low = divmod(number - WORD_AND_BYTE, 256)
    return bytes((WORD_AND_BYTE + high, low))


CODES = {word: _code(number) for number, word in enumerate(WORDS)}
PACKERS = {
    dict: _object,
    list: _list,
    tuple: _list,
    int: _integer,
    float: _fraction,
    bool: lambda value: bytes((TRUE if value else FALSE,)),
    type(None): lambda value: bytes((NULL,)),
}


# Unpacking


def _read(data: bytes, at: int) -> tuple[Any, int]:
    """The value that begins at a place, and the place after it."""
    tag = data[at]
    at += 1
    if tag < WORD_AND_BYTE:
        return WORDS[tag], at
    if tag < OBJECT:
        return WORDS[WORD_AND_BYTE + (tag - WORD_AND_BYTE) * 256 + data[at]], at + 1
    if INTEGER <= tag < MORE:
        return tag - INTEGER, at
    if tag < INTEGER:
        return _read_object(data, tag, at) if tag < LIST else _read_list(data, tag, at)
    if NULL <= tag <= TRUE:
        return (None, False, True)[tag - NULL], at
    if tag >= TEXT + MANY:
        raise Damaged("No value begins so.")
    if tag > TEXT:
        count = tag - TEXT
    else:
        count, at = _read_number(data, at)
        if tag == MORE:
            return MORE - INTEGER + count, at
        if tag == MINUS:
            return -1 - count, at
    text, at = data[at : at + count], at + count
    if at > len(data):
        raise Damaged("It breaks off.")
    return json.loads(text) if tag == FRACTION else text.decode("utf-8", "surrogatepass"), at


def _read_object(data: bytes, tag: int, at: int) -> tuple[dict[str, Any], int]:
    count = tag - OBJECT
    if count == MANY:
        count, at = _read_number(data, at)
    value = {}
    for _ in range(count):
        key, at = _read(data, at)
        if type(key) is not str:
            raise Damaged("A key is none.")
        value[key], at = _read(data, at)
    return value, at


def _read_list(data: bytes, tag: int, at: int) -> tuple[list[Any], int]:
    count = tag - LIST
    if count == MANY:
        count, at = _read_number(data, at)
    value = []
    for _ in range(count):
        if data[at] < WORD_AND_BYTE:  # as all of a deck are
            value.append(WORDS[data[at]])
            at += 1
        else:
            part, at = _read(data, at)
            value.append(part)
    return value, at


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
        shift += 7
