"""The search, on a game of three boxes; and the laws that deals of unseen cards keep in every game."""

import random

from games.catalog import CHANCE
from games.kit.search import Brain, Level, Searcher, choose_option, evaluate, likelier
from tests.kit.playing import every_game, played_on, random_options

MOVES = [{"type": "open", "box": box} for box in range(6)]


class Boxes(Brain):
    """Each box holds what its place is worth, more or less; the rule of thumb opens the second."""

    def __init__(self, noise=1.0, worth=(0, 1, 2, 3, 4, 5)):
        self.noise = noise
        self.worth = worth
        self.outcomes = 0

    def rule_move(self, table, moves, rng):
        return moves[1]

    def candidates(self, table, moves, rule_move):
        return [move for move in moves if move["box"] != 5]

    def worlds(self, table, rng):
        while True:
            yield rng.gauss(0, 10)

    def outcome(self, world, move, rng):
        self.outcomes += 1
        return world + self.worth[move["box"]] + rng.gauss(0, self.noise)


def options_of(brain, level, seed=1):
    return Searcher("searcher", brain, level).options({}, MOVES, random.Random(seed))


def test_best_candidate_is_found_where_worlds_differ_more_than_moves():
    bot = Searcher("searcher", Boxes(), Level(play_outs=200, guard=1.0))

    assert all(bot.choose({}, MOVES, random.Random(seed)) == MOVES[4] for seed in range(20))


def test_play_outs_are_the_most_that_are_made():
    brain = Boxes()

    options_of(brain, Level(play_outs=203, guard=1.0))

    assert 195 <= brain.outcomes <= 203


def test_worse_half_is_dropped_on_the_way_and_the_rules_move_never():
    tries = [option.tries for option in options_of(Boxes(worth=(5, 0, 4, 3, 2)), Level(play_outs=400, guard=1.0))]

    assert tries[0] == max(tries)  # of the rule's move, the worst of all
    assert sorted(set(tries))[0] == 8


def test_gains_are_known_better_than_means():
    for option in options_of(Boxes(), Level(play_outs=200, guard=1.0))[1:]:
        assert option.gain_error < option.error / 2


def test_rules_move_is_kept_unless_another_is_surely_better():
    alike = Boxes(noise=0.0, worth=(1, 1, 1, 1, 1))
    bot = Searcher("searcher", alike, Level(play_outs=100, guard=1.0))

    assert {bot.choose({}, MOVES, random.Random(seed))["box"] for seed in range(20)} == {1}


def test_a_lead_in_one_world_is_no_certainty():
    boxes, rng, level = Boxes(noise=0.0), random.Random(1), Level(play_outs=3, guard=1.0)

    options = evaluate(lambda: boxes.worlds({}, rng), boxes.outcome, [MOVES[1], MOVES[0], MOVES[2]], level, rng)

    assert [option.tries for option in options] == [1, 1, 1]
    assert choose_option(options, Level(play_outs=3, guard=1.0), random.Random(1)) == MOVES[1]


def test_tolerance_chooses_among_what_is_nearly_as_good_as_the_rules_move_and_nothing_else():
    worth = (0, 3, 2, -1, 2.5, 9)
    bot = Searcher("searcher", Boxes(noise=0.1, worth=worth), Level(play_outs=100, guard=1.0, tolerance=1.5))

    assert {bot.choose({}, MOVES, random.Random(seed))["box"] for seed in range(40)} == {1, 2, 4}


def test_tolerance_never_gives_away_what_is_only_perhaps_as_good():
    bot = Searcher("searcher", Boxes(noise=30.0, worth=(0,) * 6), Level(play_outs=50, guard=1.0, tolerance=0.1))

    chosen_boxes = [bot.choose({}, MOVES, random.Random(seed))["box"] for seed in range(40)]

    assert chosen_boxes.count(1) > 25


def test_a_forced_move_is_not_thought_about():
    brain = Boxes()

    move = Searcher("searcher", brain, Level(play_outs=100, guard=1.0)).choose({}, MOVES[:1], random.Random(1))

    assert (move, brain.outcomes) == (MOVES[0], 0)


def test_fuse_ends_the_search():
    brain = Boxes()

    options_of(brain, Level(play_outs=10**9, guard=1.0, seconds=0.01))

    assert brain.outcomes < 10**6


def test_likelier_deals_come_up_more_often_and_none_many_times():
    deals = list(range(4000))

    picked = list(likelier(deals, lambda deal: 1 + deal % 2, 4, random.Random(1)))

    assert len(set(picked)) == len(picked) == 1000
    assert 600 < sum(deal % 2 for deal in picked) < 730  # two in three


def tables_of(rules, count=40):
    """Pairs of a state in which a seat is to act and that seat's view of it."""
    rng = random.Random(2)
    found = []
    for seats in rules.seat_counts:
        start = rules.new_match(seats, random_options(rules, seats, rng))
        states = [state for state, _, _ in played_on(rules, start, rng) if rules.to_act(state) != CHANCE]
        found += rng.sample(states, min(len(states), count // len(rules.seat_counts)))
    return [(state, rules.view(state, rules.to_act(state))) for state in found]


@every_game
def test_all_states_of_one_sampling_look_as_they_should_and_can_be_played_on(rules):
    for state, table in tables_of(rules):
        sampled = rules.sample_many(table, random.Random(3), 4)

        assert [rules.view(each, table["seat"]) for each in sampled] == [table] * 4
        assert [rules.legal_moves(each) for each in sampled] == [rules.legal_moves(state)] * 4
        assert all(rules.apply(each, rules.legal_moves(each)[0]) for each in sampled)


@every_game
def test_one_sampling_deals_hidden_cards_anew_each_time(rules):
    differ = 0
    for state, table in tables_of(rules):
        hidden = [rules.hidden_from(each, table["seat"]) for each in rules.sample_many(table, random.Random(3), 4)]
        assert hidden == [rules.hidden_from(state, table["seat"])] * 4  # the same cards,
        dumps = [rules.dump(each) for each in rules.sample_many(table, random.Random(3), 4)]
        differ += any(dump != dumps[0] for dump in dumps)

    assert differ > 10  # in other hands


@every_game
def test_one_sampling_is_the_same_for_the_same_seed(rules):
    for _, table in tables_of(rules, 8):
        once, again = (rules.sample_many(table, random.Random(4), 3) for _ in range(2))

        assert once == again
