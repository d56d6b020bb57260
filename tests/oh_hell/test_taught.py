"""The taught Oh Hell player: what its networks are given, what they may change, and how it plays deals out."""

import random
from itertools import product
from statistics import mean

import pytest

from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, contest
from games.kit.card_sets import NUMBER, PACK, members, to_set
from games.kit.search import lead
from games.oh_hell import simulation, taught
from games.oh_hell.bot import OhHellBot, choose_card, points, read_table
from games.oh_hell.brain import OhHellBrain, read_world
from games.oh_hell.simulation import distinct, legal_cards, play_out, position_of
from games.oh_hell.taught import TaughtBot, best_card, chances_of_counts
from tests.kit.test_bots import decisions
from tests.oh_hell.test_simulation import Recorder, positions

rules = get_rules("oh-hell")


def choices(count):
    """(table, moves) where there is a choice, with all styles and scorings."""
    for state in decisions(rules, count):
        moves = rules.legal_moves(state)
        if len(moves) > 1:
            yield rules.view(state, state.to_act), moves


def is_taught(table):
    return table["options"]["scoring_style"] == taught.SCORING


def test_it_plays_as_the_rule_of_thumb_where_its_networks_say_nothing(monkeypatch):
    silent = {kind: network | {"out": [0.0] * len(network["out"])} for kind, network in taught.NETWORKS.items()}
    monkeypatch.setattr(taught, "NETWORKS", silent)

    for table, moves in choices(400):
        assert TaughtBot().choose(table, moves, None) == OhHellBot().choose(table, moves, None)


def test_its_networks_change_some_moves_and_none_in_scorings_that_they_were_not_taught():
    changed = tried = 0
    for table, moves in choices(400):
        is_same = TaughtBot().choose(table, moves, None) == OhHellBot().choose(table, moves, None)
        if is_taught(table):
            tried += 1
            changed += not is_same
        else:
            assert is_same

    assert 0.05 < changed / tried < 0.6


def test_chances_of_counts_are_what_every_outcome_says():
    rng = random.Random(1)
    chances = [rng.random() for _ in range(5)]

    expected = [0.0] * 6
    for outcome in product((0, 1), repeat=5):
        chance = 1.0
        for takes, each in zip(outcome, chances, strict=True):
            chance *= each if takes else 1.0 - each
        expected[sum(outcome)] += chance

    assert chances_of_counts(chances) == pytest.approx(expected)


def test_what_a_card_promises_is_what_its_chances_say():
    position = next(read_table(table) for table, _ in choices(400) if table["phase"] == "play" and is_taught(table))
    counts, now = [0.2, 0.5, 0.3], 0.25

    promised = taught._promise(position, counts, now)

    worth = points("positive", position.bid, range(position.taken, position.taken + 4))
    assert promised == pytest.approx(
        sum(counts[later] * ((1 - now) * worth[later] + now * worth[later + 1]) for later in range(3))
    )


def test_a_position_played_out_is_what_the_seat_would_see():
    for state in positions(200, "play", 11):
        table = rules.view(state, state.to_act)
        world = read_world(table)._replace(hands=[to_set(hand) for hand in state.hands])

        assert position_of(world) == read_table(table)


def test_the_taught_seat_is_asked_what_it_sees_and_no_other_seat_is(monkeypatch):
    for seed, state in enumerate(positions(100, "play", 12)):
        rng = random.Random(seed)
        recorder, asked = Recorder(rng), []

        def any_card(position, cards, winner, rng=rng, recorder=recorder, asked=asked):
            card = rng.choice(cards)
            asked.append((position, winner))
            recorder.choices.append((position.hand, None, cards, card))
            return card

        monkeypatch.setattr(simulation, "best_card", any_card)
        seat = rng.randrange(len(state.hands))
        world = read_world(rules.view(state, state.to_act))._replace(hands=[to_set(hand) for hand in state.hands])
        card = rng.choice(rules.legal_moves(state))["card"]

        play_out(world, NUMBER[card], recorder, recorder, seat)

        state = rules.apply(state, {"type": "play", "card": card})
        made, seen = iter(recorder.choices), []
        while state.phase == "play":
            legal = rules.legal_moves(state)
            card = NUMBER[legal[0]["card"]]
            if len(legal) > 1:
                card = next(made)[-1]
                if state.to_act == seat:
                    table = rules.view(state, seat)
                    seen.append((read_table(table), taught._need_of_winner(table)))
            state = rules.apply(state, {"type": "play", "card": PACK[card]})
        assert asked == seen


def test_of_cards_that_are_as_good_the_lowest_is_tried_in_play_outs():
    cards, unseen = to_set(["2C", "4C", "5C", "2D", "9D"]), to_set(["3C", "AC", "3D"])

    assert [PACK[card] for card in distinct(cards, unseen)] == ["2C", "4C", "2D", "9D"]
    assert [PACK[card] for card in distinct(cards, to_set(["3S"]))] == ["2C", "2D"]


def test_only_the_hand_of_the_seat_and_what_all_see_decide_a_card_in_play_outs():
    for state in positions(100, "play", 13):
        table = rules.view(state, state.to_act)
        one, other = (
            read_world(table)._replace(hands=[to_set(hand) for hand in rules.sample(table, random.Random(seed)).hands])
            for seed in (1, 2)
        )

        assert position_of(one) == position_of(other)


def test_the_best_card_is_one_of_those_that_may_be_played():
    for table, moves in choices(300):
        if table["phase"] == "play" and is_taught(table):
            position = read_table(table)
            cards = [NUMBER[move["card"]] for move in moves]
            assert sorted(members(legal_cards(position.hand, position.led))) == sorted(cards)
            assert best_card(position, cards, taught._need_of_winner(table)) in cards
            assert choose_card(position, cards) in cards


def test_a_move_is_worth_what_the_seat_is_ahead_of_the_others():
    assert lead([12, 3, 0, 0], 0) == 11
    assert lead([12, 3, 0, 0], 1) == -1

    for state in positions(20, "play", 14):
        table = rules.view(state, state.to_act)
        world = read_world(table)._replace(hands=[to_set(hand) for hand in state.hands])
        if len(state.hands[state.to_act]) > 1 or table["trick"]["plays"]:
            continue
        over = state
        while over.phase == "play":  # the last trick: all is forced
            over = rules.apply(over, rules.legal_moves(over)[0])
        scored = list(over.deal.lines[-1].points)
        own = scored.pop(state.to_act)
        move = rules.legal_moves(state)[0]
        assert OhHellBrain(taught=True).outcome(world, move, random.Random(1)) == own - mean(scored)


@pytest.mark.whole
@pytest.mark.thorough
def test_it_beats_the_rule_of_thumb():
    bots = get_bot("oh-hell", "hard"), get_bot("oh-hell", "sensible-1")

    pairing = Pairing(rules, 4, {}, *bots, deals=1)
    leads = [mean(result.lead for result in contest(pairing, f"taught {seed}")) for seed in range(100)]

    assert mean(leads) > 0.4  # on average 1.2; the mean of so many deals has an error of 0.25
