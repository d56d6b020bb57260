"""The dicts of plain JSON that the rules of Bids return: views and the score sheet.

Source: "Score sheet" and "View" on the rules page, which explains each key.
"""

from typing import Literal, TypedDict

from games.kit.contract import Card, Move, Score, Seat, Standing
from games.kit.tricks import MatchOver, Play


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


class OptionValues(TypedDict):
    rounds: int
    ally: bool
    minus5_2x: bool
    lowest: bool
    surprise: bool
    colour_bids: bool


class View(TypedDict):
    seat: Seat | None
    seats: int
    options: OptionValues
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


class Dealt(TypedDict):
    type: Literal["dealt"]
    round: int
    leader: Seat


class CentreTurned(TypedDict):
    type: Literal["centre"]
    trick: int
    card: Card


class LowestTurned(TypedDict):
    type: Literal["lowest"]
    trick: int


class CardPlayed(TypedDict):
    type: Literal["played"]
    seat: Seat
    card: Card


class Revealed(TypedDict):
    type: Literal["revealed"]
    card: Card


class TrickBurnt(TypedDict):
    type: Literal["trick_burnt"]
    trick: int
    points: int
    by_centre: bool
    leads: Seat


class TrickWon(TypedDict):
    type: Literal["trick_won"]
    trick: int
    seat: Seat
    points: int
    black: list[Card]


class Doubled(TypedDict):
    type: Literal["doubled"]
    seat: Seat
    before: int
    after: int


class Allied(TypedDict):
    type: Literal["allied"]
    seat: Seat
    partner: Seat


class LuckyLoser(TypedDict):
    type: Literal["lucky_loser"]
    round: int
    seat: Seat
    null_rounds: int
    points: int


class PointsShared(TypedDict):
    type: Literal["shared"]
    round: int
    seat: Seat
    partner: Seat
    each: Score


class RoundScored(TypedDict):
    type: Literal["round_scored"]
    round: int
    total: list[Score]


type Event = (
    Dealt
    | CentreTurned
    | LowestTurned
    | CardPlayed
    | Revealed
    | TrickBurnt
    | TrickWon
    | Doubled
    | Allied
    | LuckyLoser
    | PointsShared
    | RoundScored
    | MatchOver
)
