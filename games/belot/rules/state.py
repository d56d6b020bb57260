"""The position of a match of Belot, and how it is stored. Source: "Positions as stored" on the rules page.

With four seats a side is a team, with two or three it is a single seat. The side of a seat is `seat % sides`.
"""

from typing import NamedTuple

from games.belot.rules.pack import Match
from games.kit.contract import CHANCE, Card, Position, Seat
from games.kit.positions import as_lists, as_tuples, maker
from games.kit.tricks import Trick

type BySide = tuple[int, ...]
type Hands = tuple[tuple[Card, ...], ...]  # by seat, cards in canonical order
type CallPair = tuple[Seat, str]  # a seat and its contract, or the type of its other call
type BelotPair = tuple[Seat, str]  # a seat and the suit of its belot


class Contract(NamedTuple):
    """The highest bid. level: 1, or 2, 4 or 8 if it was doubled."""

    contract: str
    bidder: Seat
    level: int


class Declaration(NamedTuple):
    """A square or a sequence that a seat has declared. cards: as in the move."""

    seat: Seat
    kind: str
    points: int
    cards: tuple[Card, ...]


class ScoredDeal(NamedTuple):
    """A row of the score sheet, under its keys."""

    deal: int
    dealer: Seat
    contract: str
    bidder: Seat
    level: int
    outcome: str
    valat: int | None
    tricks: BySide
    cards: BySide
    last_trick: int
    declarations: BySide
    belots: BySide
    points: BySide
    pot: BySide
    kirtik: BySide
    marks: tuple[str, ...]
    mp: BySide
    hanging: int
    totals: BySide


class Deal(NamedTuple):
    """The part of a position that stays the same during the play.

    It describes the deal in progress. Between deals it describes the next one, or the last one if the match is over;
    only `calls` are then the calls of the previous deal.
    """

    match: Match
    lines: tuple[ScoredDeal, ...]  # In a sampled state there is only the previous deal, if any.
    totals: BySide
    hanging: int  # match points that the next decided deal awards
    number: int  # from 1; passed-out deals count
    dealer: Seat
    pack: tuple[Card, ...]  # the cards face down, in the order of dealing
    calls: tuple[CallPair, ...]
    contract: Contract | None


class State(NamedTuple):
    """A position.

    In the phases "deal" and "over" the tricks, declarations and belots belong to the deal that has just ended. Its
    hands are empty, unless it was passed out: such hands stay hidden, so the state keeps them.
    """

    deal: Deal
    phase: str  # "deal", "bid", "play" or "over"
    to_act: Seat | None
    hands: Hands
    leader: Seat | None  # of the trick in progress
    trick: tuple[Card, ...]  # in the order of play
    tricks: tuple[Trick, ...]  # the finished ones
    declared: tuple[Declaration, ...]  # in the order of the moves
    belots: tuple[BelotPair, ...]

    @property
    def contract(self) -> str:
        """The contract that is played."""
        assert self.deal.contract
        return self.deal.contract.contract

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand of the seat to act."""
        assert self.to_act is not None
        return self.hands[self.to_act]


state_of = maker(State)


# Between deals


def new_match(match: Match) -> State:
    """Return the state before the first deal."""
    return between_deals(Deal(match, (), (0,) * match.sides, 0, 1, match.seats - 1, (), (), None))


def first_seat(deal: Deal) -> Seat:
    return (deal.dealer + 1) % deal.match.seats


def next_deal(deal: Deal) -> Deal:
    return deal._replace(number=deal.number + 1, dealer=first_seat(deal))


def between_deals(
    deal: Deal,
    phase: str = "deal",
    hands: Hands = (),
    played: tuple[tuple[Trick, ...], tuple[Declaration, ...], tuple[BelotPair, ...]] = ((), (), ()),
) -> State:
    """Return the state between two deals: before this one, or after it if the phase is "over".

    The state still shows the previous deal. hands: its hands if everybody passed, else (). played: its tricks,
    its declarations, and its announced kings and queens of trumps (belots).
    """
    deal = deal._replace(pack=(), contract=None)
    to_act = CHANCE if phase == "deal" else None  # The next move is the shuffle, or there is none.
    hands = hands or ((),) * deal.match.seats
    tricks, declared, belots = played
    return State(deal, phase, to_act, hands, None, (), tricks, declared, belots)


# Positions as stored


def dump(state: State) -> Position:
    deal, *rest = state
    values = dict(zip(Deal._fields + State._fields[1:], (*deal, *rest), strict=True))
    return {name: as_lists(value) for name, value in values.items()}


def load(data: Position) -> State:
    values = {name: as_tuples(value) for name, value in data.items()}
    values["match"] = Match(*values["match"])
    values["lines"] = tuple(ScoredDeal(*line) for line in values["lines"])
    values["contract"] = values["contract"] and Contract(*values["contract"])
    values["tricks"] = tuple(Trick(*trick) for trick in values["tricks"])
    values["declared"] = tuple(Declaration(*declaration) for declaration in values["declared"])
    deal = Deal(*(values.pop(name) for name in Deal._fields))
    return State(deal, **values)
