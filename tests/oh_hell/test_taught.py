"""The thinking Oh Hell player: what its hand must take and can take, single cards, and its levels."""

from itertools import combinations, product
from random import Random
from statistics import mean

import pytest

from games.catalog import LEVELS, get_bot, get_rules
from games.kit.arena import Pairing, contest
from games.kit.card_sets import PACK, beats, members
from games.oh_hell import taught
from games.oh_hell.bot import OhHellBot, points, read_table, worth_of_tricks
from games.oh_hell.taught import certain_tricks, chance_of_one_card, chances_of_counts, possible_tricks
from tests.kit.test_bots import decisions
from tests.oh_hell.test_bot import NOBODY, behind, table

rules = get_rules("oh-hell")


# What a hand must take, and what it can


@pytest.mark.parametrize("level", LEVELS)
def test_no_bid_is_below_what_the_hand_must_take_or_above_what_it_can(level):
    rng = Random(level)
    for seats in rules.seat_counts:
        for number in range(60 if seats < 5 else 12):
            for state in bidding(seats, number, rng):
                seen, moves = rules.view(state, state.to_act), rules.legal_moves(state)
                position = read_table(seen)
                least, most = certain_tricks(position), possible_tricks(position)
                bid = get_bot("oh-hell", level).choose(seen, moves, rng)["tricks"]
                assert least <= bid <= most or not any(least <= move["tricks"] <= most for move in moves)


def bidding(seats, number, rng):
    """A state in which a seat is to bid, of some hand of a match; the others have bid by the rule of thumb."""
    sizes = rules.new_match(seats, {}).deal.match.sizes
    state = rules.new_match(seats, {"game_style": "long"})
    size = sizes[number % len(sizes)]
    deck = list(PACK)
    rng.shuffle(deck)
    match = state.deal.match
    place = match.sizes.index(size)
    lines = (None,) * place
    state = state._replace(deal=state.deal._replace(lines=lines, number=place + 1, cards=size))
    state = rules.apply(state, {"type": "deal", "deck": deck})
    while state.phase == "bid":
        yield state
        seen, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        state = rules.apply(state, OhHellBot().choose(seen, moves, rng))


@pytest.mark.parametrize(
    "hand, turned, tricks",
    [
        *(("AS", "5S", 1), ("KS", "5S", 0), ("KS", "AS", 1), ("KS QS JS", "5S", 2), ("KS JS", "5S", 0)),
        *(("AS QS", "5S", 1), ("AS QS", "KS", 2), ("AH AD AC", "5S", 0)),
    ],
)
def test_only_trumps_are_certain_of_tricks(hand, turned, tricks):
    assert certain_tricks(read_table(table(hand, NOBODY, first=0, turned=turned))) == tricks


def test_hand_that_never_leads_and_loses_to_every_lead_can_take_nothing():
    assert possible_tricks(read_table(table("2C 2D 3D", [None, 0, 0, 1]))) == 0
    assert possible_tricks(read_table(table("2C 2D 3D", NOBODY, first=0))) == 3
    assert possible_tricks(read_table(table("2C 4D", [None, 0, 0, 1]))) == 2


@pytest.mark.parametrize("card", ["AH", "7H", "2H", "AS", "9S", "2S"])
def test_chance_of_one_card_is_what_every_deal_says(card):
    seen = table(card, NOBODY, first=0) | {"seats": 3, "seat": 1, "dealer": 0, "bids": [None] * 3}
    seen |= {"hand_counts": [1, 1, 1], "taken": [0] * 3}
    position = read_table(seen)
    number = members(position.hand)[0]

    deals = list(combinations(members(position.unseen), 2))
    won = [not any(beats(other, number, position.trump) for other in deal) for deal in deals]

    assert chance_of_one_card(seen, position) == pytest.approx(mean(won))


def test_rival_that_bid_no_trick_makes_a_trump_better():
    chance = [chance_of_one_card(seen, read_table(seen)) for seen in (table("9S", [None, bid, 0, 0]) for bid in (0, 1))]

    assert chance[0] > chance[1]


# Its figures


def test_it_plays_as_the_rule_of_thumb_where_its_networks_say_nothing(monkeypatch):
    silent = {kind: network | {"out": [0.0] * len(network["out"])} for kind, network in taught.NETWORKS.items()}
    monkeypatch.setattr(taught, "NETWORKS", silent)

    for state in decisions(rules, 400):
        seen, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        if seen["phase"] == "play":
            scored = taught.scored_moves(seen, moves)
            assert max(scored, key=lambda each: each[1])[0] == OhHellBot().choose(seen, moves, None)


def test_chances_of_counts_are_what_every_outcome_says():
    rng = Random(1)
    chances = [rng.random() for _ in range(5)]

    expected = [0.0] * 6
    for outcome in product((0, 1), repeat=5):
        chance = 1.0
        for takes, each in zip(outcome, chances, strict=True):
            chance *= each if takes else 1.0 - each
        expected[sum(outcome)] += chance

    assert chances_of_counts(chances) == pytest.approx(expected)


def test_standing_is_part_of_what_it_thinks_of():
    seen = table("AH QH 2C", [2, 1, 1, 0], "7H JH 9H")
    moves = rules.legal_moves(behind(seen))
    last = seen | {"hand_number": 19, "totals": [0, 90, 90, 90]}

    assert taught.scored_moves(seen, moves) != taught.scored_moves(last, moves)


def test_points_of_every_scoring_are_those_of_the_rules():
    for scoring in ("positive", "neutral", "negative"):
        position = read_table(table("AH 2H", [1, 1, 1, 0], "7H KH 9H", scoring=scoring))
        assert worth_of_tricks(position) == points(scoring, 1, range(3))


@pytest.mark.whole
@pytest.mark.thorough
@pytest.mark.parametrize("seats", [4, 7])
def test_it_beats_the_rule_of_thumb(seats):
    bots = get_bot("oh-hell", "hard"), get_bot("oh-hell", "sensible-1")

    pairing = Pairing(rules, seats, {}, *bots, deals=1)
    leads = [mean(result.lead for result in contest(pairing, f"taught {seed}")) for seed in range(100)]

    assert mean(leads) > 0.2
