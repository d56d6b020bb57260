"""The search of Bleven: its simulation plays by the rules, its worlds may be so, and its seats play on sensibly."""

import random
from collections import Counter
from itertools import combinations, islice

import pytest

from games.bleven import bot as rule_of_thumb
from games.bleven.brain import BlevenBrain
from games.bleven.mixed import solved_shares
from games.bleven.policy import choose
from games.bleven.prospects import early_odds, late_odds, other_players
from games.bleven.rules.pack import ASCENDING, POWER, VALUES, sort_cards
from games.bleven.simulation import LEFT, OUT, as_plain
from games.catalog import get_rules
from tests.bleven.positions import BETWEEN, LETTER, positions, told, world_of
from tests.bleven.test_bot import DECLARE, DEDUCE, STAY, dealt, predicts
from tests.kit.playing import random_move

rules = get_rules("bleven")


def assert_same_to_the_end(state, rng):
    """From this position on the simulation offers the same moves as the rules, and the round is scored the same."""
    world, before = world_of(state), state.totals
    while state.phase not in BETWEEN:
        moves = rules.legal_moves(state)
        assert world.moves() == list(map(as_plain, moves))
        assert told(world) == told(world_of(state))
        move = random_move(rules, state, rng)
        state = rules.apply(state, move)
        world.make(as_plain(move))
    assert world.phase == ""
    assert world.paid == tuple(after - total for after, total in zip(state.totals, before, strict=True))


COUNTS = [
    100,
    pytest.param(1_000, marks=pytest.mark.whole),
    pytest.param(10_000, marks=[pytest.mark.whole, pytest.mark.thorough]),
]


@pytest.mark.parametrize("count", COUNTS)
def test_simulation_plays_by_the_rules(count):
    rng = random.Random(count)
    for state in positions(count, count):
        assert_same_to_the_end(state, rng)


@pytest.mark.whole
def test_simulation_plays_by_the_first_rules_too():
    rng = random.Random(3)
    for state in positions(200, 3, get_rules("bleven", 1)):
        assert_same_to_the_end(state, rng)


def test_a_copy_is_no_part_of_the_position_that_it_is_of():
    rng = random.Random(4)
    for state in positions(40, 4):
        world = world_of(state)
        before = told(world.copy())
        other = world.copy()
        while other.phase:
            other.make(rng.choice(other.moves()))
        assert told(world) == before


@pytest.mark.whole
def test_worlds_of_the_search_are_positions_that_the_seat_may_be_in():
    for seed, state in enumerate(positions(80, 8)):
        table = rules.view(state, state.to_act)
        for world in islice(BlevenBrain().worlds(table, random.Random(seed)), 10):
            fields = tuple(tuple(ASCENDING[card] for card in field) for field in world.fields)
            same = state._replace(fields=fields, pile=tuple(ASCENDING[card] for card in reversed(world.pile)))
            assert fields == tuple(map(sort_cards, fields))
            assert rules.view(same, table["seat"]) == table
            assert rules.hidden_from(same, table["seat"]) == rules.hidden_from(state, table["seat"])
            assert told(world) == told(world_of(same))


def mean_sums(state, count=150):
    """The mean sum of each field in the worlds of the seat to act, by seat."""
    table = rules.view(state, state.to_act)
    worlds = list(islice(BlevenBrain().worlds(table, random.Random(1)), count))
    return [
        sum(VALUES[card] for world in worlds for card in world.fields[seat]) / count
        for seat in range(table["seats"])
        if all(world.status[seat] < LEFT for world in worlds)
    ]


@pytest.mark.parametrize("options", [{}, LETTER])
def test_who_predicts_much_is_taken_to_hold_high_cards(options):
    said = [DECLARE, STAY]
    high = mean_sums(dealt("KS KC KD", "7H JH QD", said=[*said, predicts(10, 3, 1, 2, 3)], **options))
    low = mean_sums(dealt("KS KC KD", "7H JH QD", said=[*said, predicts(10, 0)], **options))

    assert high[0] > low[0] + 1.5
    assert high[1] == low[1] == sum(VALUES[POWER[card]] for card in ("7H", "JH", "QD"))


def test_who_threw_a_card_away_is_taken_to_hold_higher_ones():
    draw = {"type": "draw"}
    state = dealt("JS QC KD", "5H 6D JC", said=[draw, {"type": "discard", "card": "JS"}], pile="KS")
    other = dealt("2H QC KD", "5H 6D JC", said=[draw, {"type": "discard", "card": "2H"}], pile="KS")

    assert mean_sums(state)[0] > mean_sums(other)[0] + 1


@pytest.mark.parametrize("fields", [("5H 7S KD", "6H JC QH"), ("5H 7S KD", "6H JC QH", "4S 6S 7C", "3D QD JH")])
def test_odds_before_the_tricks_are_near_those_of_the_rule_of_thumb(fields):
    state = dealt(*fields)
    position = rule_of_thumb.read_table(rules.view(state, 0))
    (odds,) = rule_of_thumb.odds_of(position, [position.hand], random.Random(1), 2000)
    world = world_of(state)

    assert early_odds(world.fields[0], *other_players(world)) == pytest.approx(odds, abs=0.12)


@pytest.mark.parametrize("played", [1, 2])
def test_odds_after_a_trick_count_all_higher_cards(played):
    state = dealt("5H 7S KD", "6H JC QH", said=[DECLARE, STAY, predicts(1, 2), DEDUCE])
    world = world_of(state)
    world.trick_count, world.tricks_won = played, 0
    low = world.fields[1][played - 1]
    counts = [0] * 8
    for cards in combinations(range(low + 1, 40), 3 - played):
        for place, card in enumerate(cards):
            counts[1 << played + place] += world.fields[0][played + place] > card
    fields = len(list(combinations(range(low + 1, 40), 3 - played)))

    odds = late_odds(world, 0)

    for place in range(played, 3):
        chance = sum(share for won, share in enumerate(odds) if won >> place & 1)
        assert chance == pytest.approx(counts[1 << place] / fields)
    assert sum(odds) == pytest.approx(1)


@pytest.mark.parametrize("playing", [False, True])
def test_partners_may_win_what_the_own_card_does_not(playing):
    fields = ["5H 6D 7C", "6H 7D KH", "AS JS KS", "5S 7H QC"]
    state = dealt(*fields, said=[DECLARE, STAY, STAY, STAY, predicts(1, 2), DEDUCE])
    world = world_of(state)
    assert world.trick_count == 1
    if not playing:
        world.status[2] = OUT

    chance = sum(share for won, share in enumerate(late_odds(world, 0)) if won >> 2)

    assert chance < 0.05 or playing
    assert chance > 0.1 or not playing


@pytest.mark.whole
def test_seats_make_legal_moves():
    rng = random.Random(5)
    for state in positions(400, 5):
        world = world_of(state)
        while world.phase:
            move = choose(world, rng)
            assert move in world.moves()
            world.make(move)


@pytest.mark.whole
def test_seats_go_by_what_they_know():
    """With the hidden cards dealt anew, and the same chances, a seat makes the same move."""
    rng = random.Random(6)
    for number, state in enumerate(positions(400, 6)):
        other = rules.sample(rules.view(state, state.to_act), rng)
        one, two = (choose(world_of(each), random.Random(number)) for each in (state, other))
        assert one == two


@pytest.mark.whole
def test_two_seats_draw_by_the_solved_strategy():
    known = 0
    for seed in range(12):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, {}), {"type": "deal", "deck": deck})
        for move in (DECLARE, STAY, predicts(4, 2, 1, 2)):
            table = rules.view(state, state.to_act)
            shares = Counter()
            for choice, share in solved_shares(table):
                shares[as_plain(choice)] += share
            rng, world = random.Random(seed), world_of(state)
            chosen = Counter(choose(world, rng) for _ in range(400))

            assert chosen.keys() <= shares.keys()
            assert all(chosen[choice] / 400 == pytest.approx(share, abs=0.1) for choice, share in shares.items())
            known += len(shares) > 1
            if move not in rules.legal_moves(state):
                break
            state = rules.apply(state, move)
    assert known > 5


@pytest.mark.whole
def test_seats_do_about_what_promises_most():
    """Where nothing is solved, by the rule of thumb, whose odds are exact."""
    odd = asked = 0
    for state in positions(400, 7):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        if table["phase"] in ("turn", "poll", "discard") or table["seats"] == 4 or solved_shares(table):
            continue
        position = rule_of_thumb.read_table(table)
        odds = rule_of_thumb.adjust_for_claim(position.world, rule_of_thumb.odds_of(position, [position.hand], None)[0])
        promises = {
            as_plain(move): rule_of_thumb.expected_stones(position.world, odds, as_plain(move)) for move in moves
        }
        odd += promises[choose(world_of(state), random.Random(1))] < max(promises.values()) - 2.0
        asked += 1

    assert asked > 30
    assert odd <= asked / 5
