"""The fast Oh Hell against the rules, position by position; and the worlds that the search deals."""

import random
from itertools import islice, pairwise

import pytest

from games.catalog import get_rules
from games.kit.card_sets import NUMBER, PACK, SUIT, members, to_set
from games.kit.cards import SUITS
from games.oh_hell.bot import OhHellBot, later_chances, read_table
from games.oh_hell.brain import OhHellBrain, read_world
from games.oh_hell.simulation import expected_tricks, legal_cards, play_out
from tests.kit import playing

rules = get_rules("oh-hell")


class Recorder:
    """Plays any legal card, and keeps what could be played and what was."""

    def __init__(self, rng):
        self.rng = rng
        self.choices = []

    def __call__(self, hand, turn):
        legal = members(legal_cards(hand, turn.led))
        card = self.rng.choice(legal)
        self.choices.append((hand, turn.need, legal, card))
        return card

    def random(self):
        return 1.0  # the policy makes no odd moves


def positions(count, phase, seed):
    """Random states of this phase."""
    return playing.positions(rules, count, seed, lambda state: state.phase == phase, 100)


def assert_same_to_the_end(state, seed):
    """From this position on the simulation offers the same cards as the rules, and scores the same tricks."""
    recorder = Recorder(random.Random(seed))
    table = rules.view(state, state.to_act)
    world = read_world(table)._replace(hands=[to_set(hand) for hand in state.hands])

    card = recorder.rng.choice(rules.legal_moves(state))["card"]

    taken = play_out(world, NUMBER[card], recorder, recorder)

    choices = iter(recorder.choices)
    state = rules.apply(state, {"type": "play", "card": card})
    while state.phase == "play":
        may = [NUMBER[move["card"]] for move in rules.legal_moves(state)]
        card = may[0]
        if len(may) > 1:
            held, need, legal, card = next(choices)
            assert held == to_set(state.hands[state.to_act])
            assert need == state.bids[state.to_act] - rules.view(state, None)["taken"][state.to_act]
            assert legal == may
        state = rules.apply(state, {"type": "play", "card": PACK[card]})
    last = rules.score_sheet(state)["hands"][len(state.deal.lines) - 1]["seats"]
    assert taken == [line["taken"] for line in last]
    assert next(choices, None) is None


@pytest.mark.parametrize(
    "count",
    [300, pytest.param(1_000, marks=pytest.mark.whole), pytest.param(10_000, marks=pytest.mark.thorough)],
)
def test_simulation_plays_by_the_rules(count):
    for seed, state in enumerate(positions(count, "play", 2)):
        assert_same_to_the_end(state, seed)


@pytest.mark.whole
def test_worlds_of_the_search_are_deals_that_the_seat_may_be_in():
    for seed, state in enumerate(positions(60, "play", 3)):
        table = rules.view(state, state.to_act)
        for world in islice(OhHellBrain().worlds(table, random.Random(seed)), 20):
            hands = tuple(tuple(PACK[card] for card in members(hand)) for hand in world.hands)
            assert rules.view(state._replace(hands=hands), table["seat"]) == table
            assert len(set().union(*hands)) == sum(map(len, hands))
            assert set().union(*hands).isdisjoint(PACK[card] for card in members(world.public))
            for trick in table["tricks"]:
                led = trick["plays"][0]["card"][1]
                for play in trick["plays"]:
                    if play["card"][1] != led and play["seat"] != table["seat"]:
                        assert all(card[1] != led for card in hands[play["seat"]])


def test_hands_that_explain_a_bid_come_up_more_often():
    state = next(each for each in positions(10**6, "play", 4) if each.deal.cards == 5 and not each.tricks)
    seat = (state.to_act + 1) % len(state.bids)
    mean = {}
    for bid in (0, 4):
        bids = tuple(bid if other == seat else 1 for other in range(len(state.bids)))
        table = rules.view(state._replace(bids=bids), state.to_act)
        worlds = [world.hands[seat] for world in islice(OhHellBrain().worlds(table, random.Random(5)), 200)]
        numbers = SUITS.index(table["trump"]), NUMBER[table["turned"]], table["seats"]
        mean[bid] = sum(expected_tricks(hand, *numbers, False) for hand in worlds) / 200

    assert mean[4] > mean[0] + 0.3


def test_what_a_hand_promises_is_what_the_rule_expects():
    for state in positions(200, "bid", 6):
        if any(bid is not None for bid in state.bids):
            continue
        table = rules.view(state, state.to_act)
        position = read_table(table)

        promise = expected_tricks(position.hand, position.trump, NUMBER[table["turned"]], table["seats"], True)

        assert promise == pytest.approx(sum(later_chances(position).values()))


def test_of_cards_that_are_as_good_one_is_tried():
    for state in positions(200, "play", 8):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        rule_move = OhHellBot().choose(table, moves, random.Random(1))

        tried = OhHellBrain().candidates(table, moves, rule_move)

        assert rule_move in tried
        unseen = set(PACK) - set(table["hand"]) - {table["turned"]}
        unseen -= {play["card"] for trick in [*table["tricks"], table["trick"]] for play in trick["plays"]}
        cards = sorted(NUMBER[move["card"]] for move in tried)
        for low, high in pairwise(cards):
            between = {PACK[card] for card in range(low, high)} & unseen
            assert between or SUIT[low] != SUIT[high]
