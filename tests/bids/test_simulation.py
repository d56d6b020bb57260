"""The fast Bids against the rules, position by position; and the worlds that the search deals."""

import random
from itertools import islice

import pytest

from games.bids.bot import read_table, winner_chances
from games.bids.brain import CENTRE_CODE, BidsBrain, read_world
from games.bids.rules.pack import NUMBER, in_order, make_pack, trick_outcome
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.simulation import ALLY_SET, Trick, card_bits, play_out, reverse_ranks, round_totals
from games.catalog import get_rules
from games.kit.card_sets import members
from tests.kit import playing

rules = get_rules("bids")


class Recorder:
    """Plays any card, and keeps what could be played and what was."""

    def __init__(self, rng):
        self.rng = rng
        self.choices = []

    def __call__(self, seat, hand, trick, out_of_play, *others):
        card = self.rng.choice(members(hand))
        self.choices.append((seat, hand, out_of_play, card))
        return card

    def random(self):
        return 1.0  # the policy makes no odd moves


def positions(count, seed):
    """Random states in which a card is to be played."""
    return playing.positions(rules, count, seed, lambda state: state.phase == "play", 80, rounds=2)


def as_set(low, cards):
    return sum(card_bits(low)[card] for card in cards)


def world_of(state, table):
    """The `World` of this very state."""
    return read_world(table)._replace(
        hands=[as_set(state.lowest, hand) for hand in state.hands],
        stock=[CENTRE_CODE[card] for card in reversed(state.stock)],
        under=state.under and CENTRE_CODE[state.under],
        null_worth=[LUCKY_LOSER[table["seats"]] * (1 + nulls) for nulls in table["score_sheet"]["null_rounds"]],
    )


def assert_same_to_the_end(state, seed):
    """From this position on the simulation offers the same cards as the rules, and the round is scored the same."""
    rng = random.Random(seed)
    table = rules.view(state, state.to_act)
    world = world_of(state, table)
    recorder = Recorder(rng)
    card = rng.choice(rules.legal_moves(state))["card"]

    end = play_out(world, as_set(state.lowest, [card]).bit_length() - 1, recorder, recorder)

    choices, lines = iter(recorder.choices), len(state.round.lines)
    while True:
        state = rules.apply(state, {"type": "play", "card": card})
        if len(state.round.lines) > lines:
            break
        hand = state.hands[state.to_act]
        card = hand[0]
        if len(hand) > 1:
            seat, held, out_of_play, chosen = next(choices)
            assert seat == state.to_act
            assert held == as_set(state.lowest, hand)
            assert out_of_play & as_set(state.lowest, {card for cards in state.hands for card in cards}) == 0
            assert {card for trick in state.tricks for card in trick.cards} <= names(state.lowest, out_of_play)
            (card,) = names(state.lowest, 1 << chosen)
    assert next(choices, None) is None
    line = state.round.lines[-1]
    assert end.points == [sum(both) for both in zip(line.trick_points, line.doubling, strict=True)]
    assert [not tricks for tricks in end.tricks] == [not black for black in line.black_cards]
    assert end.ally == line.ally
    assert round_totals(world, end) == list(line.total)


def names(low, cards):
    return {card for card, bit in card_bits(low).items() if bit & cards}


COUNTS = [
    150,
    pytest.param(1_000, marks=pytest.mark.whole),
    pytest.param(10_000, marks=[pytest.mark.whole, pytest.mark.thorough]),
]


@pytest.mark.parametrize("count", COUNTS)
def test_simulation_plays_by_the_rules(count):
    for seed, state in enumerate(positions(count, count)):
        assert_same_to_the_end(state, seed)


def test_worlds_of_the_search_are_deals_that_the_seat_may_be_in():
    cards = {code: card for card, code in CENTRE_CODE.items()}
    for seed, state in enumerate(positions(60, 3)):
        table = rules.view(state, state.to_act)
        for world in islice(BidsBrain().worlds(table, random.Random(seed)), 10):
            hands = tuple(in_order(names(world.lowest, hand)) for hand in world.hands)
            stock = tuple(cards[code] for code in reversed(world.stock))
            under = world.under and cards[world.under]
            same = state._replace(hands=hands, stock=stock, under=under)
            assert rules.view(same, table["seat"]) == table
            assert rules.hidden_from(same, table["seat"]) == rules.hidden_from(state, table["seat"])
            assert all(world.out_of_play & hand == 0 for hand in world.hands)


def test_where_the_lowest_wins_the_order_of_the_cards_is_turned():
    high, low = card_bits(False), card_bits(True)

    assert all(reverse_ranks(high[card]) == low[card] and reverse_ranks(low[card]) == high[card] for card in high)
    assert high["R14"] > high["R1"] > high["K-5"] > high["ALLY"]
    assert low["K-5"] > low["R1"] > low["R14"] > low["ALLY"]


def test_trick_goes_to_whom_the_rules_say_and_winners_are_known_before_they_bid():
    rng = random.Random(4)
    for _ in range(3000):
        seats, low, colour_bids = rng.choice(rules.seat_counts), rng.random() < 0.5, rng.random() < 0.8
        pack = make_pack(seats, ally=True, minus5_2x=True, lowest=False, surprise=False)
        prize, *cards = rng.sample([card for card in pack if card in card_bits(low)], seats + 1)
        if prize == "ALLY":
            continue
        trick = Trick(colour_bids, NUMBER[prize], low)
        for seat, card in enumerate(cards[:-1]):
            trick.add(seat, as_set(low, [card]).bit_length() - 1)
        last = as_set(low, cards[-1:])

        wins = trick.winning_cards(last & ~ALLY_SET) != 0
        trick.add(seats - 1, last.bit_length() - 1)

        ended = trick_outcome(cards, prize, lowest=low, colour_bids=colour_bids)
        assert (trick.tied, trick.winner) == (ended.winning is None, ended.leading)
        assert wins == (ended.winning == seats - 1)


def test_of_cards_with_the_same_chances_for_all_seats_one_is_tried():
    fewer = 0
    for state in positions(200, 5):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        chances_of = winner_chances(read_table(table), random.Random(0))
        hand = {move["card"]: frozenset(chances_of(move["card"]).items()) for move in moves}

        tried = [move["card"] for move in BidsBrain().candidates(table, moves, moves[-1])]

        others = [hand[card] for card in tried[1:]]
        assert tried[0] == moves[-1]["card"]
        assert len(set(others)) == len(others)
        assert {hand[card] for card in tried} == {*hand.values()}
        fewer += len(tried) < len(hand)
    assert fewer > 100
