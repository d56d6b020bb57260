"""What a position of Belot is made of, and how it is stored. Source: "Positions as stored" on the rules page.

A side is a team with four seats, else a single seat: `seat % sides`.
"""

from typing import NamedTuple

from games.belot.rules.pack import PACKS
from games.kit.contract import CHANCE
from games.kit.positions import as_lists, as_tuples, maker
from games.kit.tricks import Trick


class Match(NamedTuple):
    """What stays the same through a match: the number of seats and the options, under their names."""

    seats: int
    target: int
    deal: str
    dealer_pass: str
    third_double: bool
    trumping: str
    shared_cards: bool
    belot_reply: str
    last_trick_ten: bool
    hanging: bool
    kirtik: bool

    @property
    def sides(self):
        return 3 if self.seats == 3 else 2

    @property
    def pack(self):
        return PACKS[self.seats]

    @property
    def packets(self):
        """How many cards each seat gets at a time; the last ones after the bidding."""
        return tuple(map(int, self.deal.split("+")))


class Contract(NamedTuple):
    """The highest bid and how often it has been doubled. level: 1, 2, 4 or 8."""

    contract: str
    bidder: int
    level: int


class Declaration(NamedTuple):
    """A square or a sequence that a seat has declared. cards: as in the move."""

    seat: int
    kind: str
    points: int
    cards: tuple


class Line(NamedTuple):
    """A scored deal: a row of the score sheet, under its keys. Tuples are by side."""

    deal: int
    dealer: int
    contract: str
    bidder: int
    level: int
    outcome: str
    valat: int | None
    tricks: tuple
    cards: tuple
    last_trick: int
    declarations: tuple
    belots: tuple
    points: tuple
    pot: tuple
    kirtik: tuple
    marks: tuple
    mp: tuple
    hanging: int
    totals: tuple


class Deal(NamedTuple):
    """What stays the same through the play of a deal: the one in progress, to come, or the last of the match.

    Between deals `calls` are those of the deal just ended, and the rest is as before a deal.
    """

    match: Match
    lines: tuple  # a Line for each scored deal; in a sampled state, for the deal just ended at most
    totals: tuple  # by side
    hanging: int  # match points that wait for the next decided deal
    number: int  # from 1, passed-out deals included
    dealer: int
    pack: tuple  # cards face down, in the order in which they will be dealt
    calls: tuple  # pairs of a seat and its call: a contract or the type of the move
    contract: Contract | None


class State(NamedTuple):
    """A position. Between deals, in the phases "deal" and "over", all but hands is that of the deal just ended.

    Its hands are empty then; only those of a deal that was passed out are kept, because they stay hidden.
    """

    deal: Deal
    phase: str  # "deal", "bid", "play" or "over"
    to_act: int | None
    hands: tuple  # by seat, tuples of cards in canonical order
    leader: int | None  # of the trick in progress
    trick: tuple  # its cards, in the order played
    tricks: tuple  # the finished ones
    declared: tuple  # a Declaration each, in the order made
    belots: tuple  # those announced, pairs of a seat and a suit


state_of = maker(State)


# Between deals


def new_match(match):
    """The state before the first deal."""
    return between_deals(Deal(match, (), (0,) * match.sides, 0, 1, match.seats - 1, (), (), None))


def first_seat(deal):
    return (deal.dealer + 1) % deal.match.seats


def next_deal(deal):
    return deal._replace(number=deal.number + 1, dealer=first_seat(deal))


def between_deals(deal, phase="deal", hands=(), played=((), (), ())):
    """The state before this deal, or after the last one, in the phase "over".

    hands, played: of the deal just ended. played: its tricks, declarations and belots.
    """
    deal = deal._replace(pack=(), contract=None)
    to_act = CHANCE if phase == "deal" else None
    return State(deal, phase, to_act, hands or ((),) * deal.match.seats, None, (), *played)


# Positions as stored


def dump(state):
    deal, *rest = state
    values = dict(zip(Deal._fields + State._fields[1:], (*deal, *rest), strict=True))
    return {name: as_lists(value) for name, value in values.items()}


def load(data):
    values = {name: as_tuples(value) for name, value in data.items()}
    values["match"] = Match(*values["match"])
    values["lines"] = tuple(Line(*line) for line in values["lines"])
    values["contract"] = values["contract"] and Contract(*values["contract"])
    values["tricks"] = tuple(Trick(*trick) for trick in values["tricks"])
    values["declared"] = tuple(Declaration(*declaration) for declaration in values["declared"])
    deal = Deal(*(values.pop(name) for name in Deal._fields))
    return State(deal, **values)
