"""The analysis of Bleven: bluffs are no mistakes, bad moves are, and open cards are played to the end."""

import random
from collections import Counter

import pytest

from games.bleven.brain import BlevenBrain, is_alike
from games.bleven.coach import ANALYST, BlevenCoach
from games.bleven.endgame import SEARCH_LIMIT, worths
from games.bleven.mixed import solved_shares
from games.bleven.rules.pack import ASCENDING
from games.bleven.simulation import as_plain
from games.catalog import get_bot, get_rules
from games.kit.analysis import BLUNDER, MISTAKE, Turn, judge, verdict_words
from tests.bleven.positions import BETWEEN, LETTER, positions, world_of
from tests.bleven.test_bot import DECLARE, LEAVE, STAY, SUSPECT, dealt, predicts

rules = get_rules("bleven")
STRONG, WEAK = "KS KC KD", "5H 5D 5C"


def verdict(state, move, play_outs=600):
    return judge(ANALYST, Turn(rules, state, move), 1, play_outs)


# Marks


def test_strong_field_that_leaves_is_a_blunder():
    found = verdict(dealt("7H 7D JC", STRONG, said=[DECLARE]), LEAVE)

    assert found.mark == BLUNDER
    assert found.known[1].move == STAY


def test_prediction_that_cannot_come_true_must_not_be_believed_by_more():
    said = [DECLARE, STAY, predicts(10, 3, 1, 2, 3)]

    assert verdict(dealt(WEAK, STRONG, said=said), {"type": "out"}).mark == BLUNDER
    assert not verdict(dealt(WEAK, STRONG, said=said), SUSPECT).lost


def test_top_card_that_is_thrown_away_is_a_blunder():
    state = dealt("2H KC KS", "7H 7D JC", said=[{"type": "draw"}], pile="2D")

    assert verdict(state, {"type": "discard", "card": "KS"}).mark == BLUNDER
    assert not verdict(state, {"type": "discard", "card": "2H"}).lost


@pytest.mark.parametrize("options", [{}, LETTER])
def test_four_seats_see_a_raise_that_must_lose_accepted(options):
    said = [DECLARE, STAY, STAY, STAY, predicts(4, 3, 1, 2, 3), SUSPECT | {"plus": 6}]
    state = dealt("AH 6H JC", "JD QC KH", "5H 5C 6D", "JH QD KC", said=said, **options)

    assert verdict(state, {"type": "accept"}).mark in (MISTAKE, BLUNDER)


@pytest.mark.whole
def test_what_the_solved_strategy_may_do_loses_nothing():
    """Bluffs, too, though all of them were made before all others."""
    mixed = Counter()
    for seed in range(40):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, {}), {"type": "deal", "deck": deck})
        for move in (DECLARE, STAY, predicts(10, 2, 1, 2), None):
            table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
            for choice, _ in solved_shares(table):
                if choice in moves and len(moves) > 1:
                    found = verdict(state, choice, 150)
                    assert found is None or not found.lost
                    mixed[table["phase"]] += 1
            if move not in moves:
                break
            state = rules.apply(state, move)
    assert min(mixed[phase] for phase in ("turn", "poll", "predict", "reply")) > 10


def test_what_it_never_does_loses_by_comparison_with_what_it_does():
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY])

    found = verdict(state, predicts(5, 0))

    assert found.mark == BLUNDER
    table = rules.view(state, 0)
    lost_to = next(option for option in found.known if option.gain == found.lost)
    assert lost_to.move in [move for move, _ in solved_shares(table)]


@pytest.mark.whole
@pytest.mark.parametrize("options", [LETTER])
def test_where_nothing_is_solved_what_the_rule_of_thumb_does_loses_nothing_with_two_seats(options):
    """There is nothing by chance in it, so that it agrees with itself."""
    rng, judged = random.Random(2), 0
    for seed in range(6):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, options), {"type": "deal", "deck": deck})
        while state.phase not in BETWEEN:
            move = get_bot("bleven").choose(rules.view(state, state.to_act), rules.legal_moves(state), rng)
            found = verdict(state, move, 100) if len(rules.legal_moves(state)) > 1 else None
            assert found is None or not found.lost
            judged += found is not None
            state = rules.apply(state, move)
    assert judged > 20


# What is compared


@pytest.mark.whole
def test_a_few_moves_are_compared_and_none_twice():
    for state in positions(200, 11):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        if len(moves) == 1:
            continue
        rng = random.Random(1)
        usual, made = BlevenBrain().rule_move(table, moves, rng), rng.choice(moves)

        found = ANALYST.candidates(table, moves, made, usual)

        assert 1 < len({*map(str, found), str(made)}) <= 20
        assert all(move in moves for move in found)
        assert usual in found or is_alike(usual, made)
        assert not any(is_alike(one, made) for one in found if one != made)


# Open cards


def by_force(state, known):
    """What a position is worth to side 0 if both sides play as well as can be: by the rules alone."""
    if state.phase in BETWEEN:
        paid = state.lines[-1].paid
        return sum(stones if side == 0 else -stones for side, stones, _ in paid)
    key = state._replace(said=(), lines=())
    if key not in known:
        found = [by_force(rules.apply(state, move), known) for move in rules.legal_moves(state)]
        known[key] = min(found) if state.to_act % 2 else max(found)
    return known[key]


@pytest.mark.whole
def test_open_cards_are_as_every_line_of_play_says():
    checked = Counter()
    for state in positions(900, 12):
        if state.phase in ("raise", "side_bet", "side_reply") and len(rules.legal_moves(state)) < 12:
            moves = rules.legal_moves(state)
            found = worths(world_of(state), moves)
            if found is None:
                continue
            sign = -1 if state.to_act % 2 else 1
            assert found == [sign * by_force(rules.apply(state, move), {}) for move in moves]
            checked[state.phase] += 1
    assert checked["raise"] > 10
    assert checked["side_bet"] > 5


def test_open_cards_are_not_played_to_the_end_where_that_is_far():
    start = dealt(STRONG, WEAK)
    said = rules.apply(rules.apply(rules.apply(start, DECLARE), STAY), predicts(1, 0))

    assert worths(world_of(start), rules.legal_moves(start)) is None
    assert worths(world_of(said), rules.legal_moves(said)) is None
    assert SEARCH_LIMIT < 10_000  # so that no decision takes long


def test_open_raise_that_wins_is_accepted():
    said = [DECLARE, STAY, predicts(4, 3, 1, 2, 3), SUSPECT | {"plus": 6}]
    state = dealt(STRONG, WEAK, said=said)

    found = verdict(state, {"type": "out"})

    assert found.exact
    assert [option.mean for option in found.open] == [-5.0, 31.0]
    assert as_plain(found.open[1].move) == ("accept", 0, -1, 0)


def test_words_name_stones():
    words = verdict_words(BlevenCoach(), verdict(dealt("7H 7D JC", STRONG, said=[DECLARE]), LEAVE))

    assert "staying was " in words["known"]
    assert " stones better." in words["known"]
