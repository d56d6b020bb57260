"""Playing any game at random, through the contract alone."""

import json
import random
from itertools import islice

import pytest

from games.catalog import CHANCE, IllegalMove, Rules, all_games
from tests import whist


def random_options(rules, seats, rng):
    return {field.name: rng.choice(field.choices).value for field in rules.option_fields(seats)}


def random_move(rules, state, rng):
    if rules.to_act(state) == CHANCE:
        deck = rules.deck(state)
        rng.shuffle(deck)
        return {"type": "deal", "deck": deck}
    legal = rules.legal_moves(state)
    if rng.random() < 0.5:  # so that moves of a type with many numbers do not crowd out the others
        kind = rng.choice(list(dict.fromkeys(move["type"] for move in legal)))
        legal = [move for move in legal if move["type"] == kind]
        return legal[int(len(legal) * rng.random() ** 3)]  # mostly low numbers: high bets end an auction at once
    return rng.choice(legal)


def played_on(rules, state, rng):
    """Triples of the state before a move, the move and the state after, to the end of the match."""
    while rules.to_act(state) is not None:
        move = random_move(rules, state, rng)
        after = rules.apply(state, move)
        yield state, move, after
        state = after


def random_positions(rules, seats, rng, count):
    """Some positions of a random match with random options: the first, the last, and up to `count` in between."""
    states = [rules.new_match(seats, random_options(rules, seats, rng))]
    states += [after for _, _, after in played_on(rules, states[0], rng)]
    between = states[1:-1]
    return [states[0], *rng.sample(between, min(count, len(between))), states[-1]]


def same_move(move):
    """A text that two moves share if, and only if, they are the same move."""
    return json.dumps(move, sort_keys=True)


def positions(rules, count, seed, is_wanted, fresh, **options):
    """Random states for which `is_wanted`, as many of each number of seats. fresh: how many share matches."""
    rng, pools = random.Random(seed), {}
    for number in range(count):
        seats = rules.seat_counts[number % len(rules.seat_counts)]
        if not number % fresh:
            pools = {}
        while not pools.get(seats):
            start = rules.new_match(seats, random_options(rules, seats, rng) | options)
            pools[seats] = [state for state, _, _ in islice(played_on(rules, start, rng), 800) if is_wanted(state)]
        yield rng.choice(pools[seats])


def refusal(rules, state, move):
    """The text with which a move is refused."""
    with pytest.raises(IllegalMove) as caught:
        rules.apply(state, move)
    return str(caught.value)


def strings_in(value):
    """All strings anywhere in a JSON value, keys included."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(strings_in, value.keys()), *map(strings_in, value.values()))
    return set().union(*map(strings_in, value)) if isinstance(value, list) else set()


def rules_id(value):
    """What pytest calls a parameter that is rules."""
    return f"{value.slug}-{value.version}" if isinstance(value, Rules) else None


GAMES = [*all_games(), whist.GAME]  # the last lives in the tests only, in two versions
ALL_RULES = [rules for game in GAMES for rules in game.rules]


def recorded_rules(record):
    """The rules that a recorded match or count was made by."""
    made_by = record["game"], record.get("rules_version", 1)
    return next(rules for rules in ALL_RULES if (rules.slug, rules.version) == made_by)


every_game = pytest.mark.parametrize("rules", ALL_RULES, ids=rules_id)
every_table = pytest.mark.parametrize(
    ("rules", "seats"), [(rules, seats) for rules in ALL_RULES for seats in rules.seat_counts], ids=rules_id
)
