"""The view and the score sheet as plain JSON. Source: "View" and "Score sheet" on the rules page."""

from typing import Literal, NotRequired, TypedDict

from games.kit.contract import Card, Seat


class Call(TypedDict):
    """An entry of the auction. contract: of a bid only."""

    seat: Seat
    call: str
    contract: NotRequired[str]


class HighestBid(TypedDict):
    """The contract, or the one that stands while the bidding goes on."""

    contract: str
    bidder: Seat
    level: int


class Play(TypedDict):
    """A card of a trick."""

    seat: Seat
    card: Card


class OpenTrick(TypedDict):
    """The trick in progress."""

    leader: Seat | None
    plays: list[Play]


class FinishedTrick(TypedDict):
    """A trick with the seat that took it."""

    leader: Seat
    plays: list[Play]
    winner: Seat


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


class OptionValues(TypedDict):
    """All options of a match."""

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


class View(TypedDict):
    """The table as a seat, or a spectator (None), may see it."""

    game: str
    seat: Seat | None
    seats: int
    sides: list[list[Seat]]
    options: OptionValues
    phase: str
    to_act: Seat | None
    deal_number: int
    dealer: Seat
    pack: int
    hand: list[Card]
    hand_counts: list[int]
    calls: list[Call]
    contract: HighestBid | None
    trick: OpenTrick
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
