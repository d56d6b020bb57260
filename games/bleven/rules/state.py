"""Positions of Bleven, how they are stored, and questions about them that moves, scoring and views share.

Source: "Seats and pack" and "Positions as stored" on the rules page.
"""

from itertools import combinations
from typing import NamedTuple

from games.bleven.rules.pack import POWER, Cards
from games.kit.contract import Card, Move, Options, Position, Seat
from games.kit.positions import as_dict, as_tuples

type Side = int  # 0 or 1
type Trick = tuple[tuple[Seat, Card], ...]  # in the order of play
type SpokenMove = tuple[tuple[str, object], ...]  # the items of the move
type Payment = tuple[Side, int, str]  # the side that is paid, the stones, and what they are for

FIELD_SIZE = 3  # A round has as many tricks.
FULL_RESERVE = 5
SPOKEN_KEYS = ("type", "bet", "plus", "tricks", "positions")
MIN_SUM = 15  # Fields with a lower sum may not declare and, with four seats, may not play.
CROWN = 30  # stones

ANSWERS = ("deduce", "suspect")
BETWEEN_ROUNDS = ("deal", "over")  # In these phases the last round is still on the table.

VERSION_1_OPTIONS = ("crowns", "max_bet", "deduced_miss")

# By number of tricks, from 0 to 3: the positions that may be named with it. The shortest come first.
POSITIONS: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((),),
    *(
        tuple(positions for count in range(tricks + 1) for positions in combinations((1, 2, 3), count))
        for tricks in range(1, FIELD_SIZE + 1)
    ),
)


class Match(NamedTuple):
    """The number of seats and the options of a match."""

    seats: int
    crowns: int
    max_bet: int
    deduced_miss: str
    # Version 1 of the rules lacks the options from here on. The defaults are how it is played.
    leave_cost: int = 1
    counter: str = "double"  # or "any"
    side_changes: str = "closed"  # or "open"
    five: str = "must"  # or "may"
    rounds: int = 0  # the number of rounds after which the match is decided; 0 for no limit


def complete_options(options: Options) -> Options:
    """Return the options of a view, with defaults for the options that version 1 of the rules lacks."""
    return Match._field_defaults | options


class Prediction(NamedTuple):
    """How many tricks the declaring side will win, and the positions of some of them: from 1, ascending."""

    tricks: int
    positions: tuple[int, ...]


class Line(NamedTuple):
    """A scored round, with its fields in the order of the keys on the score sheet."""

    result: str | None  # "played", "left", "out", "under15" or "void"; None in a blank line
    winner: Side | None
    declarer: Seat | None
    prediction: Prediction | None
    replier: Seat | None
    answer: str | None  # "deduce" or "suspect"
    offered: int  # stones, as the next two
    bet: int
    side_bets: int
    tricks: tuple[Trick, ...]
    right: bool | None
    counted: tuple[int, int] | None  # how many tricks and how many positions count for the points
    paid: tuple[Payment, ...]  # in the order of payment
    totals: tuple[int, ...]  # by side, after this round
    out: tuple[Seat, ...]  # the first to go out comes first
    left: tuple[Seat, ...]  # the first to leave comes first
    faced: tuple[Seat, ...]


class State(NamedTuple):
    """A position.

    In the phases "deal" and "over" everything from `fields` on is as the last round left it, except for the pile.
    """

    match: Match
    lines: tuple[Line | None, ...]  # the scored rounds; None where a sampled state does not know them
    totals: tuple[int, ...]  # stones by side
    winner: Side | None  # of the match
    phase: str  # "deal", "turn", "discard", "poll", "predict", "reply", "raise", "side_bet", "side_reply" or "over"
    to_act: Seat | None
    fields: tuple[Cards, ...]  # by seat, ascending, including cards that are played or faced
    reserves: tuple[Cards, ...]  # by seat, in the order of the discards
    drawn: Card | None = None  # the card just drawn by the seat to act, already in its field
    pile: Cards = ()  # the top card first
    status: tuple[str | None, ...] = ()  # by seat: "undecided", "stayed", "left", "out" or "faced"; None before a deal
    declarer: Seat | None = None
    prediction: Prediction | None = None
    replier: Seat | None = None
    answer: str | None = None
    offered: int = 0  # stones, as the next two
    accepted: int = 0
    side_bets: int = 0
    side_offer: tuple[Seat, int] | None = None  # the seat that bets and its stones, until that is answered
    window: tuple[Seat, ...] = ()  # the seats that may still make a side bet after the seat to act, in order
    tricks: tuple[Trick, ...] = ()
    said: tuple[tuple[Seat, SpokenMove], ...] = ()  # the moves so far, without draws and discards


def empty_state(
    match: Match,
    phase: str,
    to_act: Seat | None,
    lines: tuple[Line | None, ...] = (),
    totals: tuple[int, ...] = (0, 0),
) -> State:
    """Return a state with no cards on the table.

    lines: the scored rounds. totals: the stones (points) of each side so far.
    """
    no_cards = ((),) * match.seats
    return State(
        match=match,
        lines=lines,
        totals=totals,
        winner=None,
        phase=phase,
        to_act=to_act,
        fields=no_cards,
        reserves=no_cards,
        status=(None,) * match.seats,
    )


def spoken_move(move: Move) -> SpokenMove:
    """Return the items of a move as a tuple. Equal moves give equal tuples, for any order of their keys."""
    return tuple([(key, as_tuples(move[key])) for key in SPOKEN_KEYS if key in move])


def replace_at[T](values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


# What must be there while a round is played


def seat_to_act(state: State) -> Seat:
    assert state.to_act is not None
    return state.to_act


def declaring_side(state: State) -> Side:
    assert state.declarer is not None
    return side_of(state.declarer)


def standing_prediction(state: State) -> Prediction:
    assert state.prediction is not None
    return state.prediction


# Rounds and seats


def is_between_rounds(state: State) -> bool:
    return state.phase in BETWEEN_ROUNDS


def round_number(state: State) -> int:
    """Return the number, from 1, of the round that is played or will be dealt next. After the match, of the last."""
    return len(state.lines) + (state.phase != "over")


def dealer_of(match: Match, number: int) -> Seat:
    return (number - 2) % match.seats


def cutter_of(match: Match, number: int) -> Seat:
    return (number - 1) % match.seats


def seats_from(first: Seat, seats: int) -> list[Seat]:
    """Return all seats in turn, starting with `first`. Numbers beyond the last seat wrap around."""
    return [(first + step) % seats for step in range(seats)]


def side_of(seat: Seat) -> Side:
    return seat % 2


def seats_of(side: Side, seats: int) -> range:
    return range(side, seats, 2)


def has_stayed(state: State, seat: Seat) -> bool:
    return state.status[seat] == "stayed"


def first_stayed(state: State, first: Seat) -> Seat:
    """Return the first stayed seat in turn, starting with `first`. There must be one."""
    return next(seat for seat in seats_from(first, state.match.seats) if has_stayed(state, seat))


def first_opponent(state: State, seat: Seat) -> Seat:
    """Return the first stayed opponent from the left of `seat`. There must be one."""
    return next(opponent for opponent in seats_from(seat, state.match.seats)[1::2] if has_stayed(state, opponent))


def stayed_partner(state: State, seat: Seat) -> Seat | None:
    """Return the partner of `seat` if there is one and it has stayed."""
    partner = (seat + 2) % state.match.seats
    return partner if partner != seat and has_stayed(state, partner) else None


def may_draw(state: State) -> bool:
    """Return whether the seat to act, still undecided, may draw a card."""
    full = len(state.reserves[seat_to_act(state)]) >= FULL_RESERVE
    return not full or (state.match.five == "may" and bool(state.pile))


# Cards


def played_cards(state: State, seat: Seat) -> list[Card]:
    return [card for trick in state.tricks for player, card in trick if player == seat]


def hand_of(state: State, seat: Seat) -> list[Card]:
    """Return the cards that only `seat` sees, ascending: its field (three cards) without the cards it has played."""
    if state.status[seat] == "faced":  # Everybody sees its whole field.
        return []
    played = played_cards(state, seat)
    return [card for card in state.fields[seat] if card not in played]


def public_field(state: State, seat: Seat) -> Cards | None:
    """Return the field of `seat` (its three cards) if everybody has seen all of it in this round, else None."""
    is_laid_open = state.status[seat] == "faced"
    if is_laid_open or len(played_cards(state, seat)) == FIELD_SIZE:
        return state.fields[seat]
    return None


# Tricks


def winner_of(trick: Trick) -> Seat:
    return max(trick, key=lambda play: POWER[play[1]])[0]


def tricks_won(state: State) -> list[int]:
    """Return how many tricks of this round each side has won."""
    winners = [side_of(winner_of(trick)) for trick in state.tricks]
    return [winners.count(0), winners.count(1)]


# Positions as stored


def dump(state: State) -> Position:
    return as_dict(state)


def load(data: Position) -> State:
    values = {name: as_tuples(value) for name, value in data.items()}
    values["match"] = Match(*values["match"])
    values["lines"] = tuple(line and _with_prediction(Line(*line)) for line in values["lines"])
    return _with_prediction(State(**values))


def _with_prediction[T: (Line, State)](record: T) -> T:
    """Return a copy whose prediction is a `Prediction` instead of a plain tuple."""
    return record._replace(prediction=record.prediction and Prediction(*record.prediction))
