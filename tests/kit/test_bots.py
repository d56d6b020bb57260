"""What holds for every bot of every game."""

import random
from functools import cache

import pytest

from games.catalog import CHANCE, LEVELS, YARDSTICK, all_games, get_bot
from games.kit.search import Searcher
from tests.kit.playing import played_on, random_move, random_options

NAMES = [(game.newest, name) for game in all_games() for name in (*game.bots, "random")]


class Player:
    """A bot, and how much of what it does is looked at.

    How well it plays is not asked here: one that searches does with a few play-outs only, and thinks a hundred times as
    long as others even so.
    """

    def __init__(self, rules, name):
        self.rules, self.bot = rules, get_bot(rules.slug, name)
        self.is_level = name not in (YARDSTICK, "random")
        self.searches = isinstance(self.bot, Searcher)
        if self.searches:
            self.bot = Searcher(name, self.bot.brain, self.bot.level._replace(play_outs=8))

    def __str__(self):
        return f"{self.rules.slug}-{self.bot.name}"

    def decisions(self, count):
        return decisions(self.rules, count // 4 if self.searches else count)

    def options(self, seats):
        """Sets of options for whole matches. Levels look at few of them themselves: two of the shortest matches do."""
        found = list(every_options(self.rules, seats))
        return [each | self.rules.formats[0].options for each in found[:2]] if self.is_level else found


def players():
    """All that choose in another way: levels that differ in their play-outs only are one."""
    found = {}
    for rules, name in NAMES:
        player = Player(rules, name)
        found.setdefault((player.bot.brain, player.bot.level) if player.searches else player, player)
    return list(found.values())


by_name = pytest.mark.parametrize("rules, name", NAMES, ids=lambda value: getattr(value, "slug", value))
by_player = pytest.mark.parametrize("player", players(), ids=str)


@by_name
def test_bot_is_found_by_its_name(rules, name):
    assert get_bot(rules.slug, name).name == name


@pytest.mark.parametrize("rules", [game.newest for game in all_games()], ids=lambda rules: rules.slug)
@pytest.mark.parametrize("name", ["", "sensible", "a bot of long ago"])
def test_stored_seats_are_played_by_the_yardstick_under_any_other_name(rules, name):
    assert get_bot(rules.slug, name).name == YARDSTICK


@pytest.mark.parametrize("rules", [game.newest for game in all_games()], ids=lambda rules: rules.slug)
def test_every_level_is_played_in_every_game(rules):
    for level in LEVELS:
        assert get_bot(rules.slug, level).name in (level, YARDSTICK)


@pytest.mark.thorough
@pytest.mark.whole
@by_player
def test_bot_plays_whole_matches_by_the_rules(player):
    rules = player.rules
    for seats in rules.seat_counts:
        for options in player.options(seats):
            rng = random.Random(f"{seats}:{options}")
            state = rules.new_match(seats, options)
            while rules.to_act(state) is not None:
                state = rules.apply(state, move_of(player.bot, rules, state, rng))

            assert rules.standings(state)


@pytest.mark.whole
@by_player
def test_bot_copes_with_what_random_players_did(player):
    for state in player.decisions(300):
        assert move_of(player.bot, player.rules, state, random.Random(1)) in player.rules.legal_moves(state)


@pytest.mark.whole
@by_player
def test_same_seed_gives_the_same_move(player):
    for seed, state in enumerate(player.decisions(100)):
        moves = [move_of(player.bot, player.rules, state, random.Random(seed)) for _ in range(2)]

        assert moves[0] == moves[1]


@pytest.mark.whole
@by_player
def test_hidden_cards_make_no_difference(player):
    rules, differ = player.rules, 0
    states = player.decisions(200)
    for seed, state in enumerate(states):
        seat = rules.to_act(state)
        other = rules.sample(rules.view(state, seat), random.Random(seed))
        differ += any(rules.view(other, rival) != rules.view(state, rival) for rival in seats_of(rules, state))

        moves = [move_of(player.bot, rules, each, random.Random(seed)) for each in (state, other)]

        assert moves[0] == moves[1]
    assert differ > len(states) / 2  # there was something to peek at


@pytest.mark.whole
@by_player
def test_table_and_moves_are_left_as_they_were(player):
    rules = player.rules
    for state in player.decisions(50):
        table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)

        player.bot.choose(table, moves, random.Random(1))

        assert (table, moves) == (rules.view(state, rules.to_act(state)), rules.legal_moves(state))


def test_random_bot_plays_every_move():
    moves = [{"type": "bid", "tricks": tricks} for tricks in range(5)]
    rng = random.Random(1)

    chosen = [get_bot("oh-hell", "random").choose({}, moves, rng)["tricks"] for _ in range(100)]

    assert set(chosen) == {0, 1, 2, 3, 4}


def every_options(rules, seats):
    """Sets of options that have each value of each option at least once, the others drawn at random.

    Of an option with many values, a range of numbers, only the ends and a few between.
    """
    rng = random.Random(seats)
    for field in rules.option_fields(seats):
        between = field.choices[1:-1]
        for choice in dict.fromkeys((field.choices[0], *rng.sample(between, min(len(between), 5)), field.choices[-1])):
            yield random_options(rules, seats, rng) | {field.name: choice.value}


def decisions(rules, count):
    """Positions of random matches in which a seat is to act."""
    return random.Random(1).sample(_some_decisions(rules, max(count, 300)), count)


@cache
def _some_decisions(rules, count):
    rng = random.Random(1)
    found = []
    while len(found) < count:
        for seats in rules.seat_counts:
            start = rules.new_match(seats, random_options(rules, seats, rng))
            found += [state for state, _, _ in played_on(rules, start, rng) if rules.to_act(state) != CHANCE]
    return found


def move_of(bot, rules, state, rng):
    """The move of `bot`, or of chance."""
    seat = rules.to_act(state)
    if seat == CHANCE:
        return random_move(rules, state, rng)
    return bot.choose(rules.view(state, seat), rules.legal_moves(state), rng)


def seats_of(rules, state):
    return range(rules.view(state, None)["seats"])
