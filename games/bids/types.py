"""The dicts of plain JSON that the rules of Bids return: views and the score sheet.

Source: "Score sheet" and "View" on the rules page, which explains each key.
"""

from typing import TypedDict

from games.kit.contract import Card, Move, Options, Score, Seat, Standing


class Play(TypedDict):
    seat: Seat
    card: Card


class Alliance(TypedDict):
    """The seat that played the Ally, and the winner of that trick."""

    seat: Seat
    partner: Seat


class RoundInProgress(TypedDict):
    """The current round on the score sheet. Lists are by seat."""

    round: int
    trick_points: list[int]
    doubling: list[int]
    black_cards: list[int]
    ally: Alliance | None


class ScoredRound(RoundInProgress):
    """A finished round on the score sheet. Lists are by seat."""

    null: list[bool]
    lucky_loser: list[int]
    ally_change: list[Score]
    total: list[Score]


class ScoreSheet(TypedDict):
    rounds: list[ScoredRound]
    current: RoundInProgress | None
    null_rounds: list[int]
    totals: list[Score]


class FinishedTrick(TypedDict):
    trick: int
    leader: Seat
    centre: Card
    under: Card | None
    prize: Card
    plays: list[Play]
    winner: Seat | None
    leads: Seat
    points: int
    doubling: int
    by_centre: bool


class View(TypedDict):
    seat: Seat | None
    seats: int
    options: Options
    phase: str
    round: int
    trick: int
    first_leader: Seat
    leader: Seat | None
    to_act: Seat | None
    lowest: bool
    centre: Card | None
    plays: list[Play]
    hand: list[Card]
    hand_counts: list[int]
    stock_count: int
    tricks: list[FinishedTrick]
    last_trick: FinishedTrick | None
    score_sheet: ScoreSheet
    standings: list[Standing]
    legal_moves: list[Move]
