"""The dicts of plain JSON that the rules of Oh Hell return: views, the score sheet and events.

Source: "Score sheet", "View" and "Events" on the rules page, which explains each key.
"""

from typing import Literal, TypedDict

from games.kit.contract import Card, Seat
from games.kit.tricks import CardPlayed, CurrentTrick, FinishedTrick, MatchOver, TrickWon


class SeatResult(TypedDict):
    """A seat's part of a hand on the score sheet. Values that are not yet known are None."""

    bid: int | None
    taken: int | None
    points: int | None
    total: int | None


class SheetRow(TypedDict):
    """A hand on the score sheet, played or to come."""

    hand: int
    cards: int
    dealer: Seat
    turned: Card | None
    trump: str | None
    over_under: int | None
    seats: list[SeatResult]


class ScoreSheet(TypedDict):
    game: str
    seats: int
    game_style: str
    scoring_style: str
    hands_played: int
    hands: list[SheetRow]
    totals: list[int]


class OptionValues(TypedDict):
    game_style: str
    scoring_style: str


class LastHand(TypedDict):
    """The hand just scored. Lists are by seat."""

    hand: int
    cards: int
    dealer: Seat
    turned: Card
    trump: str
    bids: list[int]
    taken: list[int]
    points: list[int]
    tricks: list[FinishedTrick]


class View(TypedDict):
    game: str
    seat: Seat | None
    seats: int
    options: OptionValues
    phase: str
    to_act: Seat | None
    hand_number: int
    hands_total: int
    cards: int
    dealer: Seat
    turned: Card | None
    trump: str | None
    stock: int
    hand: list[Card]
    hand_counts: list[int]
    bids: list[int | None]
    hook: int | None
    taken: list[int]
    trick: CurrentTrick
    tricks: list[FinishedTrick]
    totals: list[int]
    last_hand: LastHand | None


class HandDealt(TypedDict):
    type: Literal["hand_dealt"]
    hand: int
    cards: int
    dealer: Seat
    turned: Card
    trump: str


class BidMade(TypedDict):
    type: Literal["bid"]
    seat: Seat
    tricks: int


class BiddingClosed(TypedDict):
    type: Literal["bidding_closed"]
    bids: list[int]
    bid_total: int
    over_under: int


class HandScored(TypedDict):
    type: Literal["hand_scored"]
    hand: int
    bids: list[int]
    taken: list[int]
    points: list[int]
    totals: list[int]


type Event = HandDealt | BidMade | BiddingClosed | CardPlayed | TrickWon | HandScored | MatchOver
