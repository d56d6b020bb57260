"""The fast play of Belot against the rules, position by position; and the worlds that the search deals."""

import random
from itertools import islice

import pytest

from games.belot.brain import BelotBrain, Settlements, read_world, sound_plays
from games.belot.rules.pack import card_points
from games.belot.simulation import best_play, play_out
from games.catalog import get_rules
from tests.kit import playing

pytestmark = pytest.mark.whole

rules = get_rules("belot")


class Recorder:
    """Plays any legal card, and keeps what could be played and what was."""

    def __init__(self, rng):
        self.rng = rng
        self.choices = []

    def __call__(self, world, seat, legal, unseen, trick):
        card = self.rng.choice([card for card in range(32) if legal >> card & 1])
        self.choices.append((seat, legal, card))
        return card

    def random(self):
        return 1.0  # the policy makes no odd moves


def positions(count, seed):
    """Random states in which a card is to be played."""
    return playing.positions(rules, count, seed, lambda state: state.phase == "play", 30)


def as_set(number, cards):
    return sum(1 << number[card] for card in cards)


def assert_same_to_the_end(state, seed):
    """From this position on the simulation offers the same cards as the rules, and the deal comes to the same."""
    rng = random.Random(seed)
    table = rules.view(state, state.to_act)
    world = read_world(table)
    number, name = world.cards.number, world.cards.name
    world = world._replace(hands=[as_set(number, hand) for hand in state.hands])
    card = rng.choice([move["card"] for move in rules.legal_moves(state) if move["type"] == "play"])
    recorder = Recorder(rng)

    points, tricks = play_out(world, number[card], recorder, recorder)

    choices = iter(recorder.choices)
    settlements = Settlements(table)
    while True:
        before = state
        state = rules.apply(state, announcing(state, card))
        if state.phase != "play":
            break
        hand = state.hands[state.to_act]
        legal = [move["card"] for move in rules.legal_moves(state) if move["type"] == "play"]
        card = next(iter(dict.fromkeys(legal)))
        if len(set(legal)) > 1:
            seat, offered, chosen = next(choices)
            assert seat == state.to_act
            assert offered == as_set(number, set(legal))
            card = name[chosen]
        assert card in hand
    line = state.deal.lines[-1]
    side, sides = table["seat"] % len(line.points), len(line.points)
    last = [world.last_trick_points if side == line.last_trick else 0 for side in range(sides)]
    assert next(choices, None) is None
    assert tricks == list(line.tricks)
    assert points == [sum(each) for each in zip(line.cards, line.belots, last, strict=True)]
    ahead = line.mp[side] - (sum(line.mp) - line.mp[side]) / (sides - 1)
    more = line.points[side] - (sum(line.points) - line.points[side]) / (sides - 1)
    assert settlements.worth(points, tricks, list(before.declared)) == pytest.approx(ahead + 0.01 * more)


def announcing(state, card):
    """The move that plays this card, with belot wherever that may be announced."""
    return next(move for move in reversed(rules.legal_moves(state)) if move.get("card") == card)


@pytest.mark.parametrize(
    "count",
    [450, pytest.param(1_000, marks=pytest.mark.whole), pytest.param(10_000, marks=pytest.mark.thorough)],
)
def test_simulation_plays_by_the_rules(count):
    for seed, state in enumerate(positions(count, 2)):
        assert_same_to_the_end(state, seed)


def test_worlds_of_the_search_are_deals_that_the_seat_may_be_in():
    for seed, state in enumerate(positions(90, 3)):
        table = rules.view(state, state.to_act)
        for dealt in islice(BelotBrain(sound_plays).worlds(table, random.Random(seed)), 10):
            world = dealt.world
            hands = [[world.cards.name[card] for card in range(32) if hand >> card & 1] for hand in world.hands]
            assert sorted(hands[table["seat"]]) == sorted(table["hand"])
            assert [len(hand) for hand in hands] == table["hand_counts"]
            assert len(set().union(*hands)) == sum(map(len, hands))
            assert all(world.absent & hand == 0 for hand in world.hands)
            assert set().union(*hands) <= set(rules.deck(rules.new_match(table["seats"], {})))


def best_by_the_rules(state, friends, worth):
    """What the deal comes to if all play as well as can be, by trying every card with the rules themselves."""
    if state.phase != "play":
        return worth(state)
    best = max if state.to_act in friends else min
    cards = {move["card"] for move in rules.legal_moves(state) if move["type"] == "play"}
    return best(best_by_the_rules(rules.apply(state, announcing(state, card)), friends, worth) for card in cards)


@pytest.mark.whole
def test_last_tricks_are_played_as_well_as_can_be():
    ends = [state for state in positions(3000, 4) if 3 < sum(map(len, state.hands)) <= 8][:60]
    for state in ends:
        table, seat = rules.view(state, state.to_act), state.to_act
        settlements, sides = Settlements(table), len(table["sides"])
        bidder = state.deal.contract.bidder
        if sides == 3:
            friends = [each for each in range(3) if (each == bidder) == (seat == bidder)]
        else:
            friends = [each for each in range(len(state.hands)) if each % sides == seat % sides]

        def worth(end, settlements=settlements, side=seat % sides):
            line = end.deal.lines[-1]
            ahead, more = (each[side] - (sum(each) - each[side]) / (len(each) - 1) for each in (line.mp, line.points))
            return ahead + 0.01 * more

        world = read_world(table)
        number = world.cards.number
        world = world._replace(hands=[as_set(number, hand) for hand in state.hands])
        for card in {move["card"] for move in rules.legal_moves(state) if move["type"] == "play"}:
            found = best_play(world, number[card], lambda *taken: settlements.worth(*taken, list(state.declared)))  # noqa: B023

            after = rules.apply(state, announcing(state, card))
            assert found == pytest.approx(best_by_the_rules(after, friends, worth))
    assert len(ends) == 60


def test_of_cards_that_are_as_good_one_is_tried_and_belot_is_announced():
    fewer = 0
    for state in positions(300, 5):
        table = rules.view(state, state.to_act)
        moves = sound_plays(table, rules.legal_moves(state))
        rule_move = next(move for move in reversed(moves) if move["type"] == "play")

        tried = BelotBrain(sound_plays).candidates(table, moves, rule_move)

        cards = [move["card"] for move in tried]
        worth = card_points(table["contract"]["contract"])
        legal = {move["card"] for move in moves if move["type"] == "play"}
        assert rule_move in tried
        assert len(set(cards)) == len(cards)
        assert all(move == announcing(state, move["card"]) for move in tried)
        assert {card for card in legal if worth[card]} <= set(cards)  # equals are worth nothing
        assert {(card[1], worth[card]) for card in legal} == {(card[1], worth[card]) for card in cards}
        fewer += len(cards) < len(legal)
    assert fewer > 2
