"""What a position of Bleven is made of, how it is stored, and questions about it that moves, scoring and views share.

Source: "Seats and pack" and "Positions as stored" on the rules page.
"""

from itertools import combinations
from typing import NamedTuple

from games.bleven.rules.pack import POWER
from games.kit.positions import as_dict, as_tuples

CARDS = 3  # in a field; tricks in a round too
FULL_RESERVE = 5
SPOKEN_KEYS = ("type", "bet", "plus", "tricks", "positions")  # the keys that moves said aloud may have
ENOUGH = 15  # the sum of a field with which one may declare, and with four seats play
CROWN = 30  # stones

ANSWERS = ("deduce", "suspect")  # to a prediction
BETWEEN_ROUNDS = ("deal", "over")  # phases in which the last round still lies on the table

FIRST_OPTIONS = ("crowns", "max_bet", "deduced_miss")  # those of version 1

# The positions that may go with a number of tricks, from 0 to 3: none first, then one, two, three.
POSITIONS = (
    ((),),
    *(
        tuple(chosen for count in range(tricks + 1) for chosen in combinations((1, 2, 3), count))
        for tricks in range(1, CARDS + 1)
    ),
)


class Match(NamedTuple):
    """What stays the same through a match."""

    seats: int
    crowns: int
    max_bet: int
    deduced_miss: str
    # Version 1 of the rules knows no choice from here on: these are its values.
    leave_cost: int = 1
    counter: str = "double"  # or "any"
    side_changes: str = "closed"  # or "open"
    five: str = "must"  # or "may"
    rounds: int = 0  # after which the match is decided; 0 for none


def all_terms(options):
    """The options that a view tells, with those that version 1 of the rules does not have."""
    return Match._field_defaults | options


class Prediction(NamedTuple):
    """How many tricks the declarer's side will win, and some of those it will win, from 1, ascending."""

    tricks: int
    positions: tuple


class Line(NamedTuple):
    """A scored round on the score sheet. Sides are 0 and 1; the order is that of the sheet's keys."""

    result: str  # "played", "left", "out", "under15" or "void"
    winner: int | None  # a side
    declarer: int | None
    prediction: Prediction | None
    replier: int | None
    answer: str | None  # "deduce" or "suspect"
    offered: int  # stones, as the next two
    bet: int
    side_bets: int
    tricks: tuple  # as in State
    right: bool | None
    counted: tuple | None  # tricks and positions that count for the points
    paid: tuple  # triples of a side, its stones and what they are for, in the order of payment
    totals: tuple  # by side, after this round
    out: tuple  # seats in the order they said so
    left: tuple  # the same
    faced: tuple  # seats


class State(NamedTuple):
    """A position. In the phases "deal" and "over" all from `fields` on is as the last round left it, less the pile."""

    match: Match
    lines: tuple  # a Line for each scored round, or None for one that is not known in a sampled state
    totals: tuple  # stones by side
    winner: int | None  # the side that has won the match
    phase: str  # "deal", "turn", "discard", "poll", "predict", "reply", "raise", "side_bet", "side_reply" or "over"
    to_act: int | None
    fields: tuple  # by seat, tuples of cards, ascending; cards played or laid open stay in them
    reserves: tuple  # by seat, tuples of cards in the order discarded
    drawn: str | None = None  # the card just drawn by the seat to act, in its field already
    pile: tuple = ()  # the top card first
    status: tuple = ()  # by seat: "undecided", "stayed", "left", "out" or "faced"; None before the first round
    declarer: int | None = None
    prediction: Prediction | None = None
    replier: int | None = None
    answer: str | None = None
    offered: int = 0  # stones, as the next two
    accepted: int = 0
    side_bets: int = 0
    side_offer: tuple | None = None  # the seat that bets and its stones, while that is being answered
    window: tuple = ()  # seats whose turn to make a side bet is still to come, after the seat to act
    tricks: tuple = ()  # each a tuple of pairs of seat and card, in the order played
    said: tuple = ()  # pairs of a seat and the items of its move; draws and discards are not among them


def cleared(match, phase, to_act, lines=(), totals=(0, 0)):
    """The state in which nothing of a round is on the table."""
    nothing = ((),) * match.seats
    return State(
        match=match,
        lines=lines,
        totals=totals,
        winner=None,
        phase=phase,
        to_act=to_act,
        fields=nothing,
        reserves=nothing,
        status=(None,) * match.seats,
    )


def words_of(move):
    """The items of a move said aloud as a tuple, in an order that is the same for equal moves."""
    return tuple([(key, as_tuples(move[key])) for key in SPOKEN_KEYS if key in move])


def changed(values, seat, value):
    """The tuple `values`, by seat, with another value for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


# Rounds and seats


def between_rounds(state):
    return state.phase in BETWEEN_ROUNDS


def round_number(state):
    """The number, from 1, of the round in progress, about to be dealt, or last of the match."""
    return len(state.lines) + (state.phase != "over")


def dealer_of(match, number):
    return (number - 2) % match.seats


def cutter_of(match, number):
    return (number - 1) % match.seats


def seats_from(first, seats):
    """All seats in turn, `first` the first."""
    return [(first + step) % seats for step in range(seats)]


def side_of(seat):
    return seat % 2


def seats_of(side, seats):
    return range(side, seats, 2)


def stayed(state, seat):
    return state.status[seat] == "stayed"


def first_stayed(state, first):
    """The first seat in turn, from `first` on, that is stayed. There must be one."""
    return next(seat for seat in seats_from(first, state.match.seats) if stayed(state, seat))


def first_opponent(state, seat):
    """The first stayed opponent of `seat`, counted from its left. There must be one."""
    return next(opponent for opponent in seats_from(seat, state.match.seats)[1::2] if stayed(state, opponent))


def stayed_partner(state, seat):
    """The partner of `seat` if it has one that is stayed, else None."""
    partner = (seat + 2) % state.match.seats
    return partner if partner != seat and stayed(state, partner) else None


def may_draw(state):
    """Whether the seat to act, still undecided, may draw a card."""
    full = len(state.reserves[state.to_act]) >= FULL_RESERVE
    return not full or (state.match.five == "may" and bool(state.pile))


# Cards


def played_cards(state, seat):
    """The cards that `seat` has played, in that order: so many of the lowest of its field."""
    return [card for trick in state.tricks for player, card in trick if player == seat]


def hand_of(state, seat):
    """The cards that `seat` holds unseen by the others, ascending: its field less those played, or laid open."""
    if state.status[seat] == "faced":
        return []
    played = played_cards(state, seat)
    return [card for card in state.fields[seat] if card not in played]


def shown_field(state, seat):
    """The whole field of `seat` if everybody has seen all of it in this round, else None."""
    if state.status[seat] == "faced" or len(played_cards(state, seat)) == CARDS:
        return state.fields[seat]
    return None


# Tricks


def winner_of(trick):
    return max(trick, key=lambda play: POWER[play[1]])[0]


def tricks_won(state):
    """How many tricks of this round each side has won, a list."""
    winners = [side_of(winner_of(trick)) for trick in state.tricks]
    return [winners.count(0), winners.count(1)]


# Positions as stored


def dump(state):
    return as_dict(state)


def load(data):
    values = {name: as_tuples(value) for name, value in data.items()}
    values["match"] = Match(*values["match"])
    values["lines"] = tuple(line and _loaded_line(line) for line in values["lines"])
    values["prediction"] = values["prediction"] and Prediction(*values["prediction"])
    return State(**values)


def _loaded_line(values):
    line = Line(*values)
    return line._replace(prediction=line.prediction and Prediction(*line.prediction))
