"""The dicts that travel between the rules of Bleven and other layers, with the keys of the rules page.

Source: "Score sheet", "Moves", "View" and "Events" on the rules page.
"""

from typing import TypedDict

from games.kit.contract import Card, Move, Options, Seat
from games.kit.tricks import Play


class PredictionRow(TypedDict):
    tricks: int
    positions: list[int]


class TrickRow(TypedDict):
    leader: Seat
    plays: list[Play]
    winner: Seat
    side: int


PaymentRow = TypedDict("PaymentRow", {"side": int, "stones": int, "for": str})


class Counted(TypedDict):
    tricks: int
    positions: int


class Round(TypedDict):
    """A round of the score sheet."""

    round: int
    dealer: Seat
    result: str | None
    winner: int | None
    declarer: Seat | None
    prediction: PredictionRow | None
    replier: Seat | None
    answer: str | None
    offered: int
    bet: int
    side_bets: int
    tricks: list[TrickRow]
    right: bool | None
    counted: Counted | None
    points: int
    paid: list[PaymentRow]
    stones: list[int]
    totals: list[int]
    crowns: list[int]
    out: list[Seat]
    left: list[Seat]
    faced: list[Seat]


class LastRound(Round):
    said: list[Move]  # with the "seat" of each
    reserves: list[list[Card]]
    shown: list[list[Card] | None]


class SideRow(TypedDict):
    side: int
    seats: list[Seat]
    total: int
    crowns: int
    stones: int
    black: int
    white: int


class Sheet(TypedDict):
    target: int
    sides: list[SideRow]
    rounds: list[Round]


class Bet(TypedDict):
    accepted: int
    offered: int
    side_bets: int
    room: int


class SideOffer(TypedDict):
    seat: Seat
    bet: int


class Table(TypedDict):
    """A view."""

    game: str
    seat: Seat | None
    seats: int
    sides: list[list[Seat]]
    options: Options
    phase: str
    to_act: Seat | None
    round: int
    dealer: Seat
    pile: int
    hand: list[Card]
    drawn: Card | None
    hand_counts: list[int]
    reserves: list[list[Card]]
    status: list[str | None]
    faced: list[list[Card] | None]
    declarer: Seat | None
    prediction: PredictionRow | None
    replier: Seat | None
    answer: str | None
    bet: Bet
    side_offer: SideOffer | None
    window: list[Seat]
    tricks: list[TrickRow]
    won: list[int]
    said: list[Move]  # with the "seat" of each
    totals: list[int]
    winner: int | None
    last_round: LastRound | None
