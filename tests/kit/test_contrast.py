"""Reasons of verdicts are true: the rest of the trick is dealt and played at random, and nothing contradicts them."""

import re
from itertools import permutations
from random import Random

import pytest

from games.catalog import CHANCE, get_game, get_rules
from games.kit.words import capital
from tests.kit.playing import played_on, random_options

pytestmark = pytest.mark.whole

TAKES = (
    r"(?:^|\. )(?P<card>[^.;]+) is sure to take this trick",
    r"(?:^|\. )(?P<card>[^.;]+) makes sure of this trick",
    r"(?:^|\. )(?P<card>[^.;]+) takes this trick as surely",
    r"^The trick is safe: (?P<card>[^,]+) adds",
)
LOSES = (
    r"; (?P<card>[^.;]+) can’t take it\.",
    r"; (?P<card>[^.;]+) can’t\.",
    r": (?P<card>[^.;:]+) can’t take this trick\.",
    r"; with (?P<card>[^.;]+) it is lost\.",
    r"^(?P<card>[^.;]+) can’t save this trick",
    r"(?:^|\. )(?P<card>[^.;]+) is sure to lose;",
)
SIDES = {
    "oh-hell": lambda state: len(state.hands),
    "belot": lambda state: state.deal.match.sides,
    "bids": lambda state: len(state.hands),
}


def choices(slug, number, seed):
    """So many states of random matches with a choice between cards."""
    rng, rules, found = Random(seed), get_rules(slug), 0
    while found < number:
        seats = rng.choice(rules.seat_counts)
        for state, _, _ in played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng):
            if rules.to_act(state) in (None, CHANCE) or state.phase != "play" or rng.random() > 0.2:
                continue
            moves = [move for move in rules.legal_moves(state) if move["type"] == "play"]
            if len(moves) > 1:
                yield rules, state, moves
                found += 1


def wins_of(rules, state, move, side_count, rng):
    """Whether the side of the seat takes the trick with a move: in a few possible deals, played on at random."""
    seat, table, wins = state.to_act, rules.view(state, state.to_act), set()
    for _ in range(12):
        there = rules.apply(rules.sample(table, rng), move)
        while there.trick:
            there = rules.apply(there, rng.choice(rules.legal_moves(there)))
        winner = (there.tricks or [there.last_trick])[-1].winner
        wins.add(winner is not None and winner % side_count == seat % side_count)
    return wins


@pytest.mark.parametrize("slug", SIDES)
def test_what_is_sure_of_a_trick_always_happens(slug):
    coach, rng, checked = get_game(slug).coach, Random(2), {True: 0, False: 0}
    for rules, state, moves in choices(slug, 120, 1):
        table = rules.view(state, state.to_act)
        by_name = {capital(coach.name(move)): move for move in moves}
        for made, better in list(permutations(moves, 2))[:20]:
            sentence = coach.contrast(table, made, better)
            for patterns, happens in ((TAKES, True), (LOSES, False)):
                for card in [found["card"] for pattern in patterns for found in re.finditer(pattern, sentence)]:
                    wins = wins_of(rules, state, by_name[capital(card)], SIDES[slug](state), rng)
                    assert wins == {happens}, (sentence, table)
                    checked[happens] += 1
    assert min(checked.values()) > 40


def test_no_reason_speaks_for_both_of_two_cards():
    coach, reasons = get_game("oh-hell").coach, 0
    for rules, state, moves in choices("oh-hell", 60, 3):
        table = rules.view(state, state.to_act)
        for one, other in permutations(moves, 2):
            reason = coach.contrast(table, one, other)
            assert not (reason and coach.contrast(table, other, one))
            reasons += bool(reason)
    assert reasons > 100
