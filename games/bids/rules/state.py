"""What a position of Bids is made of, and how it is stored. Source: "Positions as stored" on the rules page."""

from typing import NamedTuple

from games.kit.contract import CHANCE
from games.kit.positions import as_lists, as_tuples, maker

TRICKS = 10  # of a round; the cards of a hand too
COLUMNS = ("trick_points", "doubling", "black_cards", "lucky_loser", "ally_change", "total")  # of a round, by seat


class Match(NamedTuple):
    """What stays the same through a match: the seats and the options, in the order of `option_fields`."""

    seats: int
    rounds: int
    ally: bool
    minus5_2x: bool
    lowest: bool
    surprise: bool
    colour_bids: bool


class Line(NamedTuple):
    """A scored round on the score sheet. The COLUMNS are tuples of points by seat; halves are floats, all else ints."""

    trick_points: tuple
    doubling: tuple
    black_cards: tuple
    lucky_loser: tuple
    ally_change: tuple
    total: tuple
    ally: tuple | None  # the seat that played the Ally and its partner


class Trick(NamedTuple):
    """A finished trick. cards: the bids in the order played, the first by the leader."""

    leader: int
    centre: str
    under: str | None  # the card that lay under the Surprise card
    cards: tuple
    winner: int | None
    leads: int  # to the next trick
    points: int  # of all black cards, won or lost
    doubling: int
    by_centre: bool  # the prize alone was best

    @property
    def prize(self):
        return self.under or self.centre


class Round(NamedTuple):
    """What stays the same through a round: the one in progress, about to be dealt, or the last of the match."""

    match: Match
    lines: tuple  # a Line for each scored round


class State(NamedTuple):
    """A position. In the phases "deal" and "over" nothing is held and nothing lies in the centre.

    hand_pack: the cards of all hands between the first and the second shuffle of a round, otherwise empty.
    """

    round: Round
    phase: str  # "deal", "play" or "over"; the type of the moves that fit it
    to_act: int | None
    hand_pack: tuple = ()
    hands: tuple = ()  # by seat, tuples of cards in canonical order
    stock: tuple = ()  # the next centre card first
    lowest: bool = False  # whether the lowest number wins this trick
    leader: int | None = None  # of the trick in progress
    centre: str | None = None
    under: str | None = None  # face down
    trick: tuple = ()  # its bids, in the order played
    tricks: tuple = ()  # the finished tricks of this round; of the last round when the match is over
    last_trick: Trick | None = None  # finished last, also if in the round before


state_of = maker(State)


# Rounds


def round_number(state):
    """The round, from 1: the one in progress or about to be dealt, or the last."""
    return len(state.round.lines) + (state.phase != "over")


def first_leader(state):
    return (round_number(state) - 1) % state.round.match.seats


def before_round(match, lines, tricks, last_trick):
    """The state before a round is dealt, or at the end of the match. tricks: of the round just scored."""
    over = len(lines) == match.rounds
    return State(
        round=Round(match, lines),
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        hands=((),) * match.seats,
        tricks=tricks if over else (),
        last_trick=last_trick,
    )


# Positions as stored


def dump(state):
    match, lines = state.round
    stored = {"match": match, **dict(zip(State._fields[1:], state[1:], strict=True))}
    stored = {name: as_lists(value) for name, value in stored.items()}
    # One flat list a line: late in a match lines are most of a position, which is stored with every move.
    stored["lines"] = [_flat(line) for line in lines]
    return stored


def load(data):
    stored = {name: as_tuples(value) for name, value in data.items()}
    stored["tricks"] = tuple(Trick(*trick) for trick in stored["tricks"])
    stored["last_trick"] = stored["last_trick"] and Trick(*stored["last_trick"])
    match, lines = Match(*stored.pop("match")), tuple(map(_loaded_line, stored.pop("lines")))
    return State(Round(match, lines), **stored)


def _flat(line):
    """The Line as one list, without its names."""
    *columns, ally = line
    return [*(points for column in columns for points in column), *(ally or (None, None))]


def _loaded_line(flat):
    """The Line that `_flat` made plain."""
    *points, seat, partner = flat
    seats = len(points) // len(COLUMNS)
    columns = (points[start : start + seats] for start in range(0, len(points), seats))
    return Line(*map(tuple, columns), None if seat is None else (seat, partner))
