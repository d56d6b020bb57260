"""Positions in which club players never err. Normal and hard do not err there either, in any seat and with any suits.

Each game has a list, `absurdities.json` in its folder. `right` are the only moves that a club player makes; `wrong` are
moves that no club player makes. A move is written as by `word_of`, or as those of its keys that count.
"""

import json
from functools import reduce
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from games.bids.rules.pack import COLOURS, in_order
from games.bleven.rules.pack import PACK
from games.catalog import CHANCE, get_bot, get_rules
from games.kit.cards import SUITS
from games.kit.tricks import cards_played, legal_plays
from tests.belot import test_bot as belot
from tests.bids import test_bot as bids
from tests.bleven import shorthand as bleven
from tests.oh_hell import test_bot as oh_hell

SEEDS, ALL_SEEDS = range(2), range(50)
SEATS = {"seat", "to_act", "leader", "first_leader", "winner", "dealer", "partner"}  # These keys hold a seat.
BY_SEAT = {  # These hold a list with an entry for each seat.
    *("hand_counts", "bids", "taken", "totals", "trick_points", "doubling", "black_cards", "null", "lucky_loser"),
    *("ally_change", "total", "null_rounds"),
}


# The same position from another seat, in other suits


def exchange(word, letters):
    """Return a card or a call in other suits, and any other text as it is. letters: the new suit of each suit."""
    if word in letters:
        return letters[word]
    if word[1:].isdigit():  # a card of Bids
        return letters.get(word[0], word[0]) + word[1:]
    return word[0] + letters.get(word[1], word[1]) + word[2:] if len(word) > 1 else word


def turned(value, turn, letters, seats, key=None):
    """Return a table, or its value under a key, with all seats `turn` further on and its suits exchanged."""
    if key in SEATS and value is not None:
        return (value + turn) % seats
    if key in BY_SEAT and value:
        return [value[(seat - turn) % seats] for seat in range(seats)]
    if isinstance(value, str):
        return exchange(value, letters)
    if isinstance(value, dict):
        return {name: turned(each, turn, letters, seats, name) for name, each in value.items()}
    return [turned(each, turn, letters, seats) for each in value] if isinstance(value, list) else value


# The table of the seat to act, and its moves, by game


def oh_hell_position(absurdity, turn, letters):
    fields = {key: absurdity[key] for key in absurdity.keys() - {"why", "right", "wrong"}}
    table = turned(oh_hell.table(**fields), turn, letters, len(absurdity["bids"]))
    table["hand"].sort(key=oh_hell.PACK.index)
    if table["phase"] == "bid":
        return table, [{"type": "bid", "tricks": bid} for bid in range(table["cards"] + 1) if bid != table["hook"]]
    cards = legal_plays(tuple(table["hand"]), cards_played(table["trick"]))
    return table, [{"type": "play", "card": card} for card in cards]


def bids_position(absurdity, turn, letters):
    seats = absurdity.get("seats", 4)
    table = bids.table(absurdity["tricks"], absurdity["hand"], seats, **absurdity.get("options", {}))
    table = turned(table, turn, letters, seats)
    table["hand"] = list(in_order(table["hand"]))
    return table, [{"type": "play", "card": card} for card in in_order(move["card"] for move in table["legal_moves"])]


def belot_position(absurdity, turn, letters):
    rules, seats = get_rules("belot"), len(absurdity["hands"])
    state = rules.new_match(seats, absurdity.get("options", {}))
    ordered = belot.deck(state, [hand.split() for hand in absurdity["hands"]])
    for _ in range(turn):
        passed = [{"type": "deal", "deck": rules.deck(state)}, *[{"type": "pass"}] * seats]
        state = reduce(rules.apply, passed, state)
    state = rules.apply(state, {"type": "deal", "deck": [exchange(card, letters) for card in ordered]})
    for word in absurdity["moves"].split():
        state = rules.apply(state, belot.as_move(state, exchange(word, letters)))
    return rules.view(state, rules.to_act(state)), rules.legal_moves(state)


def bleven_position(absurdity, turn, letters):
    """Turn the seats by rounds that the cutter wins at once. Its suits have an order, so none is exchanged."""
    rules, fields = get_rules("bleven"), [field.split() for field in absurdity["fields"]]
    seats = len(fields)
    state = rules.new_match(seats, absurdity.get("options", {}))
    for _ in range(turn):
        state = bleven.dealt(state, "KS KC KD", *["AH AD AC", "2H 2D 2C", "3H 3D 3C"][: seats - 1])
        state = bleven.play(state, "declare")
        while rules.to_act(state) != CHANCE:
            state = bleven.play(state, "leave")
    top = [card for cards in zip(*fields, strict=True) for card in cards] + absurdity.get("pile", "").split()
    deck = top + [card for card in PACK if card not in top]
    state = bleven.play(rules.apply(state, {"type": "deal", "deck": deck}), *absurdity["moves"])
    return rules.view(state, rules.to_act(state)), rules.legal_moves(state)


POSITIONS = {"oh-hell": oh_hell_position, "belot": belot_position, "bids": bids_position, "bleven": bleven_position}


# The runner


def read(game):
    file = Path(__file__).parent / game.replace("-", "_") / "absurdities.json"
    return json.loads(file.read_text())


def suits_of(game, absurdity):
    return {"bids": COLOURS[absurdity.get("seats", 4)], "bleven": ""}.get(game, SUITS)


def seats_of(absurdity):
    by_seat = next((absurdity[key] for key in ("hands", "fields", "bids") if key in absurdity), None)
    return len(by_seat) if by_seat else absurdity.get("seats", 4)


def word_of(move):
    word = next((move[key] for key in ("card", "contract", "tricks") if key in move), move["type"])
    return f"{word}+" if "belot" in move else word


def is_one_of(move, entries, letters):
    """Return whether a move is among these entries of a list, after their suits are exchanged."""
    return any(
        all(move.get(key) == value for key, value in entry.items())
        if isinstance(entry, dict)
        else word_of(move) == (exchange(entry, letters) if isinstance(entry, str) else entry)
        for entry in entries
    )


def errors(game, level, absurdity, seeds):
    """Yield each seed with which the bot errs, and its move."""
    suits = suits_of(game, absurdity)
    orders = list(permutations(suits))
    for seed in seeds:
        letters = dict(zip(suits, orders[(seed * 7 + seed // 24) % len(orders)], strict=True))
        table, moves = POSITIONS[game](absurdity, seed % seats_of(absurdity), letters)
        move = get_bot(game, level).choose(table, moves, Random(seed))
        is_right = "right" not in absurdity or is_one_of(move, absurdity["right"], letters)
        if not is_right or is_one_of(move, absurdity.get("wrong", []), letters):
            yield seed, move


CASES = [
    pytest.param(game, absurdity, id=f"{game} {absurdity['why']}") for game in POSITIONS for absurdity in read(game)
]


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("game, absurdity", CASES)
def test_no_move_is_absurd(game, absurdity, level):
    assert list(errors(game, level, absurdity, SEEDS)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("game", POSITIONS)
def test_no_move_is_absurd_with_many_seeds_seats_and_suits(game, level):
    found = {each["why"]: list(errors(game, level, each, ALL_SEEDS)) for each in read(game)}

    assert {why: moves for why, moves in found.items() if moves} == {}
    assert len(found) == len(read(game)) >= 25
