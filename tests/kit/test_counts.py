"""How many lines of play there are, 1, 2, 3 moves deep, from recorded positions; and a second opinion on whole matches.

The counts recorded are those of a plain implementation that shares no code with the rules.
"""

import json
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from tests.kit.playing import GAMES, every_table, random_move, random_options, recorded_rules

COUNTS = sorted((Path(__file__).parents[1] / "data").glob("*/counts/*.json"))
PLAIN = {game.slug: import_module(f"tests.{game.room}.plain").PlainMatch for game in GAMES}


def plain_match(rules, seats, options, moves=()):
    """The match as the plain implementation has it, which is told the version where there is more than one."""
    version = {} if rules.version == 1 else {"version": rules.version}
    return PLAIN[rules.slug](seats, **options, moves=moves, **version)


class RulesMatch:
    """The rules, asked in the way that a plain implementation is."""

    def __init__(self, rules, state):
        self.rules, self.state = rules, state

    def legal_moves(self):
        return self.rules.legal_moves(self.state)

    def after(self, move):
        return RulesMatch(self.rules, self.rules.apply(self.state, move))


def count_lines(match, depth):
    moves = match.legal_moves()
    return len(moves) if depth == 1 else sum(count_lines(match.after(move), depth - 1) for move in moves)


def counts_by_first_move(match, depth):
    return {json.dumps(move): count_lines(match.after(move), depth - 1) for move in match.legal_moves()}


@pytest.mark.whole
@pytest.mark.parametrize("path", COUNTS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_number_of_lines_of_play(path):
    record = json.loads(path.read_text())
    rules = recorded_rules(record)
    state = reduce(rules.apply, record["moves"], rules.new_match(record["seats"], record["options"]))
    ours = RulesMatch(rules, state)
    plain = plain_match(rules, record["seats"], record["options"], record["moves"])

    for depth, expected in enumerate(record["counts"], 1):
        if count_lines(ours, depth) != expected:
            assert counts_by_first_move(ours, depth) == counts_by_first_move(plain, depth)
            pytest.fail(f"the record says {expected} at depth {depth}, and both implementations something else")


@pytest.mark.whole
@every_table
def test_whole_matches_agree_with_the_plain_implementation(rules, seats, rng):
    moves = 0
    while moves < 400:  # in some games that is a match, in others several
        moves += length_of_agreed_match(rules, seats, random_options(rules, seats, rng), rng)


def length_of_agreed_match(rules, seats, options, rng):
    """Plays a match in both implementations and compares all they say. Returns the number of its moves."""
    state, plain = rules.new_match(seats, options), plain_match(rules, seats, options)
    moves = 0

    while rules.to_act(state) is not None:
        legal = rules.legal_moves(state)
        assert rules.to_act(state) == plain.to_act()
        assert legal == plain.legal_moves()
        looks = rng.random() < 0.03
        if looks:
            assert rules.score_sheet(state) == plain.score_sheet()
            assert [rules.view(state, seat) for seat in range(seats)] == [plain.view(seat) for seat in range(seats)]
            assert rules.view(state, None) == plain.view(None)
        # The first of the legal moves is often a pass, without which every bidding would go to its end.
        move = random_move(rules, state, rng) if len(legal) == 1 or rng.random() < 0.7 else legal[0]
        after = rules.apply(state, move)
        events = rules.events(state, move, after)
        if looks or len(events) > 2:  # a deal has been scored
            assert events == plain.events(move)
        state, plain, moves = after, plain.after(move), moves + 1

    assert rules.score_sheet(state) == plain.score_sheet()
    assert rules.standings(state) == plain.standings()
    assert [rules.view(state, seat) for seat in range(seats)] == [plain.view(seat) for seat in range(seats)]
    return moves
