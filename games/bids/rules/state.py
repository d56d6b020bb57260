"""The states of Bids and their stored form. Source: "Positions as stored" on the rules page."""

from collections.abc import Sequence
from typing import NamedTuple

from games.kit.contract import CHANCE, Card, Position, Score, Seat
from games.kit.positions import as_lists, as_tuples, maker

TRICKS = 10  # in a round. A hand has as many cards.
COLUMNS = ("trick_points", "doubling", "black_cards", "lucky_loser", "ally_change", "total")  # of a Line


class Match(NamedTuple):
    """The values that stay the same during a match. The options are in the order of `option_fields`."""

    seats: int
    rounds: int
    ally: bool
    minus5_2x: bool
    lowest: bool
    surprise: bool
    colour_bids: bool


class Line(NamedTuple):
    """A scored round on the score sheet. The COLUMNS are by seat. Half points are floats, all others ints."""

    trick_points: tuple[int, ...]
    doubling: tuple[int, ...]
    black_cards: tuple[int, ...]
    lucky_loser: tuple[int, ...]
    ally_change: tuple[Score, ...]
    total: tuple[Score, ...]
    ally: tuple[Seat, Seat] | None  # the seat that played the Ally and its partner


class Trick(NamedTuple):
    """A finished trick."""

    leader: Seat
    centre: Card
    under: Card | None  # the card under the Surprise card
    cards: tuple[Card, ...]  # the bids in the order played
    winner: Seat | None
    leads: Seat  # the leader of the next trick
    points: int  # of all black cards, won or lost
    doubling: int
    by_centre: bool  # whether the prize alone was best

    @property
    def prize(self) -> Card:
        return self.under or self.centre


class Round(NamedTuple):
    """The values that stay the same during a round: the current one, the next one, or the last of the match."""

    match: Match
    lines: tuple[Line, ...]  # the scored rounds


class State(NamedTuple):
    """A position. In the phases "deal" and "over" all hands and the centre are empty."""

    round: Round
    phase: str  # "deal", "play" or "over". Moves of that type are legal.
    to_act: Seat | None
    hand_pack: tuple[Card, ...] = ()  # the cards of all hands, only between the two shuffles of a round
    hands: tuple[tuple[Card, ...], ...] = ()  # by seat, in canonical order
    stock: tuple[Card, ...] = ()  # the next centre card first
    lowest: bool = False  # whether the lowest number wins this trick
    leader: Seat | None = None  # of the trick in progress
    centre: Card | None = None
    under: Card | None = None  # face down
    trick: tuple[Card, ...] = ()  # the bids so far, in the order played
    tricks: tuple[Trick, ...] = ()  # the finished tricks of this round, or of the last round after the match
    last_trick: Trick | None = None  # It may be of the round before.


state_of = maker(State)


# Rounds


def round_number(state: State) -> int:
    """Return the number, from 1, of the current round, the next one, or the last of the match."""
    return len(state.round.lines) + (state.phase != "over")


def first_leader(state: State) -> Seat:
    return (round_number(state) - 1) % state.round.match.seats


def between_rounds(match: Match, lines: tuple[Line, ...], tricks: tuple[Trick, ...], last_trick: Trick | None) -> State:
    """Return the state between rounds: before the next deal, or after the last round of the match.

    lines: the scores of the finished rounds. tricks: of the round just scored. last_trick: the latest one of the match,
    which tables still show.
    """
    over = len(lines) == match.rounds
    return State(
        round=Round(match, lines),
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        hands=((),) * match.seats,
        tricks=tricks if over else (),  # Before a deal, the tricks of the round before are gone.
        last_trick=last_trick,
    )


# Positions as stored


def dump(state: State) -> Position:
    """Return a state as plain JSON, for storage."""
    match, lines = state.round
    fields = dict(zip(State._fields[1:], state[1:], strict=True))  # all but `round`
    stored: dict[str, object] = {"match": match, **fields}
    stored = {name: as_lists(value) for name, value in stored.items()}
    # Late in a match most of a position are the lines, one for each scored round. Flat lists keep them short.
    stored["lines"] = [_flatten(line) for line in lines]
    return stored


def load(data: Position) -> State:
    stored = {name: as_tuples(value) for name, value in data.items()}
    stored["tricks"] = tuple(Trick(*trick) for trick in stored["tricks"])
    stored["last_trick"] = stored["last_trick"] and Trick(*stored["last_trick"])
    match, lines = Match(*stored.pop("match")), tuple(map(_load_line, stored.pop("lines")))
    return State(Round(match, lines), **stored)


def _flatten(line: Line) -> list[Score | None]:
    *columns, ally = line
    return [*(points for column in columns for points in column), *(ally or (None, None))]


def _load_line(values: Sequence[object]) -> Line:
    """Return the line of the score sheet that was stored as this flat list.

    The list has the columns of the line one after another, each with a value for every seat. The last two values are
    the two allied seats, or None and None.
    """
    *points, seat, partner = values
    seats = len(points) // len(COLUMNS)
    columns = (points[start : start + seats] for start in range(0, len(points), seats))
    return Line._make([*map(tuple, columns), None if seat is None else (seat, partner)])
