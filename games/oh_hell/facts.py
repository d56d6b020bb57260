"""The facts of a hand of Oh Hell, the questions for searches, and the statistics. Source: "Facts".

The worth of a hand is the average points of its cards. The bots' evaluator estimates the points of the best bid, from
that seat and before any other bid. A correction is fitted to the scores of bots with such hands (tools/fit_luck.py).
The weights are a copy, so that facts of old matches stay the same when the bots change.
"""

import json
from collections.abc import Sequence
from math import exp, sumprod
from pathlib import Path

from games.kit.card_sets import ALL, NUMBER, SUIT, to_set
from games.kit.contract import Card, Event, Seat
from games.kit.facts import (
    EACH_DEAL,
    TRUMP,
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Line,
    SheetColumn,
    Statistics,
    cards_played,
    every,
    has,
    lines,
    luck,
    mean,
    number,
    numbers,
    question,
    share,
)
from games.kit.language import lazy, lazy_all, lazy_all_in, lazy_in
from games.kit.words import SUIT_WORDS
from games.oh_hell.bot import Position, Rival, expected, later_features, points
from games.oh_hell.types import ScoreSheet, SeatResult, SheetRow

WEIGHTS = json.loads(Path(__file__).with_name("luck.json").read_text())  # written by tools/fit_luck.py
LUCK = lazy(
    "What the cards of a hand were worth is what our bots score with such cards on average, before anybody has bid. "
    "It knows nothing of the other hands or of the bids: one hand says little, hundreds say how well you play."
)


def worths(sheet: ScoreSheet, row: SheetRow, events: Sequence[Event]) -> list[float]:
    """Return the worth of each seat's cards: the points that bots score on average with such cards.

    row: the hand in the score sheet. events: all events of the hand.
    """
    seats = len(row["seats"])
    hands = cards_played(events, seats)  # Every card of a hand has been played.
    weights = WEIGHTS["points"][sheet["scoring_style"]][str(seats)]
    by_seat = [luck_features(sheet["scoring_style"], row, seat, hand) for seat, hand in enumerate(hands)]
    return [round(sumprod(weights, features), 1) + 0.0 for features in by_seat]  # no "-0.0"


def luck_features(scoring: str, row: SheetRow, seat: Seat, hand: Sequence[Card]) -> list[float]:
    """Return the numbers that predict the points of a seat's cards. Their weighted sum is the prediction.

    They are 1, whether the seat deals, expected points and tricks, the number of cards, and products of these. The
    weights have the same order. They were fitted to the scores of bots.
    scoring: the scoring style. row: the hand in the score sheet. hand: the seat's cards.
    """
    points, tricks = expectation(scoring, row, seat, hand)
    cards, is_dealer = len(hand), row["dealer"] == seat
    return [1.0, is_dealer, points, tricks, cards, is_dealer * cards, points * cards, tricks * cards, cards * cards]


def expectation(scoring: str, row: SheetRow, seat: Seat, hand: Sequence[Card]) -> tuple[float, float]:
    """Return two numbers that bots expect of a seat's cards before any bid: the points of the best bid, and the tricks.

    scoring: the scoring style. row: the hand in the score sheet. hand: the seat's cards.
    """
    position = _position_before_bids(scoring, row, seat, hand)
    # For each card in hand, a logistic function of some numbers gives its chance to take a trick.
    chances = [1.0 / (1.0 + exp(-sumprod(WEIGHTS[kind], numbers))) for _, kind, numbers in later_features(position)]
    bids = counts = range(row["cards"] + 1)  # A seat may bid any number of the tricks, and take any number.
    best_points = max(expected(points(scoring, bid, counts), chances)[0] for bid in bids)
    return best_points, sum(chances)


def _position_before_bids(scoring: str, row: SheetRow, seat: Seat, hand: Sequence[Card]) -> Position:
    """Return what a seat knows before anybody has bid. Sets of cards are the bits of an int."""
    assert row["turned"]
    seats, cards, turned = len(row["seats"]), row["cards"], NUMBER[row["turned"]]
    own = to_set(hand)
    return Position(
        scoring=scoring,
        trump=SUIT[turned],
        hand=own,
        unseen=ALL & ~own & ~(1 << turned),
        bid=None,
        tricks_won=0,
        rivals=(Rival(cards, None, (False,) * 4),) * (seats - 1),
        following=seats - 1,
        led=None,
        best=None,
        leads=(row["dealer"] + 1) % seats == seat,
    )


SHEET_COLUMNS = (
    SheetColumn(lazy("Cards"), "deal_cards"),
    SheetColumn(lazy("Trumps"), "deal_trump", SUIT_WORDS),
    SheetColumn(lazy_in("noun", "Bid"), "bid"),
    SheetColumn(lazy("Tricks"), "tricks"),
)


def facts(sheet: ScoreSheet, events: Sequence[Event]) -> DealFacts:
    """Return the facts of the hand scored last, for searches and statistics: facts of the deal, and of each seat.

    sheet: the score sheet after the hand. events: all events of the hand.
    """
    row = sheet["hands"][sheet["hands_played"] - 1]
    deal = {"dealer": row["dealer"], "cards": row["cards"], "trump": row["trump"], "over_under": row["over_under"]}
    seats = row["seats"]
    # The place of each seat in the bidding, from 1. The dealer bids last.
    turns = [(seat - row["dealer"] - 1) % len(seats) + 1 for seat in range(len(seats))]
    return DealFacts(deal, tuple(map(_seat_facts, seats, turns, worths(sheet, row, events))))


def _seat_facts(line: SeatResult, turn: int, worth: float) -> dict[str, object]:
    bid, tricks, points = line["bid"], line["taken"], line["points"]
    assert bid is not None
    assert tricks is not None
    assert points is not None
    return {
        "points": points,
        "score": line["total"],
        "turn": turn,
        "bid": bid,
        "tricks": tricks,
        "off": tricks - bid,
        "made": tricks == bid,
        "worth": worth,
        "beyond": round(points - worth, 1) + 0.0,
    }


TRICKS = range(11)
TURNS = lazy_all_in("to bid", {1: "First", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth", 6: "Sixth", 7: "Seventh"})
SENTENCES_OF_TURNS = lazy_all(
    {
        1: "{who} bid first.",
        2: "{who} bid second.",
        3: "{who} bid third.",
        4: "{who} bid fourth.",
        5: "{who} bid fifth.",
        6: "{who} bid sixth.",
        7: "{who} bid seventh.",
    }
)

QUESTIONS = (
    question(
        "bid",
        lazy_in("noun", "Bid"),
        Answer("0", lazy("Zero"), lazy("{who} bid zero."), 0),
        *numbers(TRICKS[1:], "{who} bid {number} trick.", "{who} bid {number} tricks."),
    ),
    question(
        "tricks", lazy("Tricks taken"), *numbers(TRICKS, "{who} took {number} trick.", "{who} took {number} tricks.")
    ),
    question(
        "off",
        lazy("Outcome of the bid"),
        Answer("made", lazy_in("a bid", "Made"), lazy("{who} made the bid."), 0),
        Answer("over-by-2", lazy("Over by two or more"), lazy("{who} took two tricks too many, or more."), 2, "gte"),
        Answer("over", lazy_in("the bid", "Over"), lazy("{who} took too many tricks."), 0, "gt"),
        Answer("under", lazy_in("the bid", "Under"), lazy("{who} took too few tricks."), 0, "lt"),
        Answer("under-by-2", lazy("Under by two or more"), lazy("{who} took two tricks too few, or fewer."), -2, "lte"),
        Answer("over-1", lazy("Over by one"), lazy("{who} took one trick too many."), 1),
        Answer("over-2", lazy("Over by two"), lazy("{who} took two tricks too many."), 2),
        Answer(
            "over-by-3", lazy("Over by three or more"), lazy("{who} took three tricks too many, or more."), 3, "gte"
        ),
        Answer("under-1", lazy("Under by one"), lazy("{who} took one trick too few."), -1),
        Answer("under-2", lazy("Under by two"), lazy("{who} took two tricks too few."), -2),
        Answer(
            "under-by-3", lazy("Under by three or more"), lazy("{who} took three tricks too few, or fewer."), -3, "lte"
        ),
    ),
    question(
        "turn",
        lazy("Turn to bid"),
        *[Answer(str(turn), words, SENTENCES_OF_TURNS[turn], turn) for turn, words in TURNS.items()],
    ),
    question(
        "cards",
        lazy("Cards in hand"),
        *numbers(TRICKS[1:], "Everybody held {number} card.", "Everybody held {number} cards."),
        of_seat=False,
    ),
    TRUMP,
    question(
        "over_under",
        lazy("All bids together"),
        Answer("over", lazy("More than the tricks"), lazy("The bids came to more than the tricks."), 0, "gt"),
        Answer("under", lazy("Fewer than the tricks"), lazy("The bids came to fewer than the tricks."), 0, "lt"),
        of_seat=False,
    ),
    EACH_DEAL,
)


HANDS = tuple(range(1, 11))
OFF = lazy_all({-2: "2 under", -1: "1 under", 0: "As bid", 1: "1 over", 2: "2 over"})


FIGURES = (
    number(lazy("Hands")),
    share(lazy_in("a bid", "Made"), has("off", 0)),
    share(lazy_in("the bid", "Over"), has("off", 0, "gt")),
    share(lazy_in("the bid", "Under"), has("off", 0, "lt")),
    mean(lazy("Points a hand")),
)

STATISTICS = Statistics(
    facts=("deal_cards", "turn", "bid", "off"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown(lazy("Bids"), "", (Line(lazy("All hands"), every),), FIGURES, drawn=1),
        Breakdown(
            lazy("Bids by hand size"),
            lazy("Cards"),
            lines("deal_cards", {n: str(n) for n in HANDS}),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Bids by seat"),
            lazy_in("noun", "Bid"),
            lines("turn", TURNS),
            FIGURES,
            drawn=1,
            note=lazy("Who bids first sits after the dealer; the dealer bids last."),
        ),
        Breakdown(
            lazy("Bids by what was bid"),
            lazy_in("noun", "Bid"),
            lines("bid", {n: str(n) for n in (0, *HANDS)}),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Tricks over and under the bid"),
            lazy("Tricks"),
            (
                Line(lazy("3 or more under"), has("off", -3, "lte")),
                *lines("off", OFF),
                Line(lazy("3 or more over"), has("off", 3, "gte")),
            ),
            (number(lazy("Hands")), mean(lazy("Points a hand"))),
            drawn=0,
        ),
        luck(lazy("All hands"), (FIGURES[0], FIGURES[-1]), LUCK),
    ),
    feats=(
        Feat(lazy("Most points in a hand"), "most", fact="points", unit="point"),
        Feat(lazy("Highest bid made"), "most", {"made": True}, fact="bid", unit="trick"),
        Feat(lazy("Longest run of made bids"), "run", {"made": True}, unit="bid"),
        Feat(lazy("First zero bid made"), "first", {"made": True, "bid": 0}),
        Feat(lazy("First bid of ten made"), "first", {"made": True, "bid": 10}),
    ),
)
