"""Moves as the database holds them: what was packed is read for ever, and what is damaged is said to be."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.packing import WORDS, Damaged, pack, unpack
from tests.kit.playing import GAMES

ROOT = Path(__file__).parents[2]
IN_DATABASES = {
    '{"type": "play", "card": "AS"}': "ca 00 02 01 5b",
    '{"type": "bid", "tricks": 13}': "ca 00 04 03 e7",
    '{"type": "bid", "tricks": 300, "of": -2}': "cb 00 04 03 f09602 f86f66 f101",
    '{"type": "play", "card": "QH", "belot": true}': "cb 00 02 01 4c 21 f4",
    '{"a": null, "b": false, "c": 0.5, "e": {"": "abcdefgh"}}': (
        "cc f761 f2 f762 f3 f763 f503302e35 f765 c9 f600 f6086162636465666768"
    ),
    '{"type": ["x", "x", "x", "x", "x", "x", "x", "x", "x"]}': "c9 00 d909 f778f778f778f778f778f778f778f778f778",
    '{"0": 21, "1": 22, "2": 23, "3": 24, "4": 25, "5": 26, "6": 27, "7": 28}': (
        "d008 f730ef f731f000 f732f001 f733f002 f734f003 f735f004 f736f005 f737f006"
    ),
    '[1, "\\u0161"]': "5b312c20225c7530313631225d",
}
PLAY = 11  # bytes that leave a row at its smallest: see games.models.Move
PIECES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-1, 30),
    st.floats(allow_nan=False),
    st.text(),
    st.sampled_from(WORDS),
)
VALUES = st.recursive(
    PIECES,
    lambda inner: (
        st.lists(inner, max_size=12) | st.dictionaries(st.text() | st.sampled_from(WORDS), inner, max_size=12)
    ),
    max_leaves=40,
)


def recorded(game):
    """All moves of the recorded matches of a game."""
    records = [json.loads(path.read_text()) for path in ROOT.glob(f"tests/data/{game.room}/matches/*.json")]
    return [move for record in records for move in record["moves"]]


@given(VALUES)
def test_what_is_packed_comes_back(value):
    assert json.dumps(unpack(pack(value))) == json.dumps(value)  # where true is not 1, nor 1 1.0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_move_comes_back_and_most_are_small(game):
    moves = recorded(game)

    assert [json.dumps(unpack(pack(move))) for move in moves] == [json.dumps(move) for move in moves]
    small = sum(len(pack(move)) <= PLAY for move in moves)
    assert small / len(moves) > 0.9


@pytest.mark.parametrize("text", IN_DATABASES)
def test_what_was_stored_once_is_read_and_written_for_ever(text):
    data = bytes.fromhex(IN_DATABASES[text])

    assert json.dumps(unpack(data)) == text
    assert pack(json.loads(text)) == data


def test_words_are_only_added_and_none_is_there_twice():
    first = " ".join(WORDS[:167]).encode()

    assert hashlib.sha256(first).hexdigest() == "9ae0f5f9e9b2ec26d207cbc5e17b61ce82c5157be770ffec387a94d3771b7ddf"
    assert len(set(WORDS)) == len(WORDS)


def test_words_of_high_numbers_take_two_bytes(monkeypatch):
    words = [f"word {number}" for number in range(192 + 2048)]
    monkeypatch.setattr("games.kit.packing.WORDS", words)

    assert unpack(bytes.fromhex("c9 bf c0 00")) == {words[191]: words[192]}
    assert unpack(bytes.fromhex("c9 c0 01 c7 ff")) == {words[193]: words[-1]}


class Text(str):
    """A string of another type, as the members of an enumeration are."""


def test_types_that_json_takes_for_its_own_are_taken():
    assert unpack(pack({Text("type"): Text("play"), "cards": ("AS", "KS"), 1: 2})) == {
        "type": "play",
        "cards": ["AS", "KS"],
        "1": 2,
    }


@pytest.mark.parametrize("value", [{"type": {1, 2}}, {"type": object()}, MappingProxyType({}), b"AS"])
def test_what_is_not_of_json_is_refused(value):
    with pytest.raises(TypeError):
        pack(value)


def test_an_unpacked_move_is_a_new_one():
    data = pack({"type": "deal", "deck": ["AS", "KS"]})
    unpack(data)["deck"].clear()

    assert unpack(data) == {"type": "deal", "deck": ["AS", "KS"]}


@given(st.binary() | st.binary().map(lambda rest: b"\xca" + rest))
def test_any_bytes_are_a_value_or_damaged(data):
    with suppress(Damaged):
        assert json.dumps(unpack(data))


@pytest.mark.parametrize(
    "data",
    [
        "",  # nothing
        "ca",  # no entries
        "ca 00 02 01",  # an entry less
        "ca 00 02 01 5b 5b",  # one more
        "c9 00 bf",  # a word that is not here
        "c9 00 c7 ff",
        "c9 e0 00",  # a key that is none
        "c9 c8 00",
        "c9 00 fe",  # what begins no value
        "c9 00 f9 61",  # a text that breaks off
        "c9 00 f7 ff",  # a text that is none
        "c9 00 f5 01 78",  # a fraction that is none
        "c9 00 f0",  # a number that breaks off
        "c9 00 f0 ff",
        "c9 00 d9 ff ff ff ff 7f",  # a list longer than all that follows
        "80",  # a way to write that is not known
        "ff 00",
        "7b",  # JSON that breaks off
        "7b 22 ff 22 7d",
        "c9 00" + "d2" * 5000,  # too deep
        "5b" * 100_000,
    ],
)
def test_what_is_damaged_is_said_to_be(data):
    with pytest.raises(Damaged):
        unpack(bytes.fromhex(data))
