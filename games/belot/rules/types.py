"""The view, the score sheet and the events as plain JSON.

Source: "View", "Score sheet" and "Events" on the rules page, which explains each key.
"""

from typing import Literal, NotRequired, TypedDict

from games.kit.contract import Card, Options, Seat
from games.kit.tricks import CurrentTrick, FinishedTrick


class Call(TypedDict):
    """An entry of the auction. contract: of a bid only."""

    seat: Seat
    call: str
    contract: NotRequired[str]


class HighestBid(TypedDict):
    """The highest bid so far, and after the bidding the contract."""

    contract: str
    bidder: Seat
    level: int


class DeclarationEntry(TypedDict):
    """A declaration. cards: None where they are hidden."""

    seat: Seat
    kind: str
    points: int
    cards: list[Card] | None


class ScoredDeclaration(TypedDict):
    """A declaration of a deal that is over. counted: whether its side counts it."""

    seat: Seat
    kind: str
    points: int
    cards: list[Card]
    counted: bool


class BelotEntry(TypedDict):
    """An announced belot."""

    seat: Seat
    suit: str


class SheetRow(TypedDict):
    """A scored deal. Lists go by side; mp: match points."""

    deal: int
    dealer: Seat
    contract: str
    bidder: Seat
    level: int
    outcome: Literal["made", "inside", "hanging"]
    valat: int | None
    tricks: list[int]
    cards: list[int]
    last_trick: int
    declarations: list[int]
    belots: list[int]
    points: list[int]
    pot: list[int]
    kirtik: list[int]
    marks: list[str]
    mp: list[int]
    hanging: int
    totals: list[int]


class PlayedDeal(SheetRow):
    """The deal that has just been scored."""

    calls: list[Call]
    declared: list[ScoredDeclaration]
    announced: list[BelotEntry]
    played: list[FinishedTrick]


class PassedDeal(TypedDict):
    """The deal that has just been passed out."""

    deal: int
    dealer: Seat
    outcome: Literal["passed"]
    calls: list[Call]


class View(TypedDict):
    """The table as a seat, or a spectator (None), may see it."""

    game: str
    seat: Seat | None
    seats: int
    sides: list[list[Seat]]
    options: Options
    phase: str
    to_act: Seat | None
    deal_number: int
    dealer: Seat
    pack: int
    hand: list[Card]
    hand_counts: list[int]
    calls: list[Call]
    contract: HighestBid | None
    trick: CurrentTrick
    tricks: list[FinishedTrick]
    tricks_won: list[int]
    declared: list[DeclarationEntry]
    belots: list[BelotEntry]
    hanging: int
    totals: list[int]
    last_hand: PlayedDeal | PassedDeal | None


class ScoreSheet(TypedDict):
    """The scored deals. rows: in order. hanging, totals: after the last one."""

    game: str
    seats: int
    sides: list[list[Seat]]
    target: int
    rows: list[SheetRow]
    hanging: int
    totals: list[int]


class HandDealt(TypedDict):
    """The event of a new deal."""

    type: Literal["hand_dealt"]
    deal: int
    dealer: Seat


class Called(Call):
    """The event of a call."""

    type: Literal["called"]


class BiddingClosed(HighestBid):
    """The event of the last call of an auction with a contract."""

    type: Literal["bidding_closed"]


class Declared(TypedDict):
    """The event of a declaration. Its cards stay hidden."""

    type: Literal["declared"]
    seat: Seat
    kind: str
    points: int


class BelotAnnounced(BelotEntry):
    """The event of playing the first or the second card of a belot."""

    type: Literal["belot", "rebelot"]


class HandScored(SheetRow):
    """The event of the end of a deal."""

    type: Literal["hand_scored"]
    declared: list[ScoredDeclaration]
