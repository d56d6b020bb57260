"""Positions of Bleven and moves in short, for tests."""

from functools import partial, reduce

from games.bleven.rules.pack import PACK
from games.catalog import get_rules
from tests.kit import playing

rules = get_rules("bleven")
refusal = partial(playing.refusal, rules)
FIRST = {"leave_cost": 1, "counter": "double", "side_changes": "closed", "five": "must", "rounds": 0}  # of version 1

A = ("JC QD KS", "5C 6D 7S")  # seat 0 wins all three tricks
B = ("3C QH KD", "6S 7D JS")  # seat 1 wins the first, seat 0 the others
SHORT = ("AC 2C 3C", "AD 2D 3D")  # nobody can declare
LOW, HIGH = ("4D", "6D", "JD"), ("5D", "7D", "QD")  # in each trick the high card beats the low; both have 15


def start(seats=2, **options):
    """The start of a match with the values of version 1 where no others are given."""
    return rules.new_match(seats, FIRST | options)


def play(state, *moves):
    """The state after moves written in short: see `move`."""
    return reduce(rules.apply, map(move, moves), state)


def move(short):
    """A move from text.

    The first cards of a deck; a card, for its discard; "predict BET TRICKS POSITIONS", with "-" for no positions;
    "deduce" and "suspect", with a "PLUS", and "TRICKS", and "POSITIONS"; "bet BET", and "TRICKS", for a side bet.
    """
    kind, *values = short.split()
    if short in PACK:
        return {"type": "discard", "card": short}
    if kind in PACK:
        top = short.split()
        return {"type": "deal", "deck": top + [card for card in PACK if card not in top]}
    keys = ("plus", "tricks", "positions") if kind in ("deduce", "suspect") else ("bet", "tricks", "positions")
    values = [
        [int(place) for place in value if place != "-"] if key == "positions" else int(value)
        for key, value in zip(keys, values, strict=False)
    ]
    return {"type": "side_bet" if kind == "bet" else kind} | dict(zip(keys, values, strict=False))


def dealt(state, *fields):
    """The state after a deal of these fields, the cutter's first."""
    return play(state, " ".join(card for cards in zip(*map(str.split, fields), strict=True) for card in cards))


def passed(state):
    """The state after everybody has passed on side bets."""
    while rules.view(state, None)["phase"] == "side_bet":
        state = play(state, "pass")
    return state


def row(state):
    """The last row of the score sheet."""
    return rules.score_sheet(state)["rounds"][-1]


def paid(state):
    return [(payment["side"], payment["stones"], payment["for"]) for payment in row(state)["paid"]]


def shown(state, *keys):
    view = rules.view(state, None)
    return [view[key] for key in keys]


def of_type(state, kind):
    return [move for move in rules.legal_moves(state) if move["type"] == kind]


def fields_for(wins):
    """Two fields, of which the first wins just these tricks."""
    places = range(3)
    first = [HIGH[place] if place + 1 in wins else LOW[place] for place in places]
    return " ".join(first), " ".join(card for pair in zip(LOW, HIGH, strict=True) for card in pair if card not in first)


def two(wins=(1, 3), **options):
    """Two seats: seat 0 has declared, seat 1 stays; seat 0 will win just these tricks."""
    return play(dealt(start(**options), *fields_for(wins)), "declare", "stay")


def four(*fields, **options):
    """Four seats: seat 0 has declared, the others stay. fields: of seats 0 to 3, fifteen or more unless given."""
    default = ("5D 7D QD", "4D 6D JD", "5C 7C QC", "4C 6C JC")
    state = dealt(start(4, **options), *fields, *default[len(fields) :])
    return play(state, "declare", "stay", "stay", "stay")


def draw_and_discard(state):
    drawn = play(state, "draw")
    return rules.apply(drawn, {"type": "discard", "card": rules.view(drawn, rules.to_act(drawn))["drawn"]})


def at_round(number, *totals, **options):
    """The start of round `number` between two seats, with these totals."""
    position = rules.dump(play(dealt(start(**options), *A), "declare", "leave"))
    return rules.load(position | {"lines": position["lines"] * (number - 1), "totals": list(totals)})


def won_by_second(state):
    """The round is declared by who does not act first, and the cutter leaves: one stone."""
    return play(draw_and_discard(dealt(state, *A)), "declare", "leave")


def void(state):
    state = dealt(state, *SHORT)
    for _ in range(10):
        state = draw_and_discard(state)
    return play(state, "stay", "stay")
