"""What the cards of a hand were worth: the points that they bring on average, whoever plays them. Source: "Facts".

It is what the bots' evaluator promises for the best bid on those cards, from that seat, before anybody has bid; and
that, put right by what bots then really scored with such hands (tools/fit_luck.py). Its weights are its own: facts of
old matches stay as they are when the bots learn more.
"""

import json
from math import exp, sumprod
from pathlib import Path

from games.kit.card_sets import ALL, to_set
from games.kit.cards import SUITS
from games.kit.language import lazily
from games.oh_hell.bot import Position, Rival, expected, later_features, points

WEIGHTS = json.loads(Path(__file__).with_name("luck.json").read_text())  # made by tools/fit_luck.py
LUCK = lazily(
    "What the cards of a hand were worth is what our bots score with such cards on average, before anybody has bid. "
    "It knows nothing of the other hands or of the bids: one hand says little, hundreds say how well you play."
)


def worths(sheet, row, events):
    """By seat, in points with one decimal. row: of the hand on the sheet. events: all of the hand."""
    seats = len(row["seats"])
    hands = [[event["card"] for event in events if _plays(event, seat)] for seat in range(seats)]
    weights = WEIGHTS["points"][sheet["scoring_style"]][str(seats)]
    numbers = [numbers_of(sheet["scoring_style"], row, seat, hand) for seat, hand in enumerate(hands)]
    return [round(sumprod(weights, of_seat), 1) + 0.0 for of_seat in numbers]


def _plays(event, seat):
    return event["type"] == "card_played" and event["seat"] == seat


def numbers_of(scoring, row, seat, hand):
    """What points are fitted to: 1, whether it deals, points and tricks promised, the cards, and products of them."""
    promised, tricks = promises(scoring, row, seat, hand)
    cards, deals = len(hand), row["dealer"] == seat
    return [1.0, deals, promised, tricks, cards, deals * cards, promised * cards, tricks * cards, cards * cards]


def promises(scoring, row, seat, hand):
    """(points, tricks) that the evaluator expects of a hand, before anybody has bid."""
    seats, cards, turned = len(row["seats"]), row["cards"], to_set([row["turned"]])
    held = to_set(hand)
    position = Position(
        scoring=scoring,
        trump=SUITS.index(row["trump"]),
        hand=held,
        unseen=ALL & ~held & ~turned,
        bid=None,
        taken=0,
        rivals=(Rival(cards, None, (False,) * 4),) * (seats - 1),
        following=seats - 1,
        led=None,
        best=None,
        leads=(row["dealer"] + 1) % seats == seat,
    )
    chances = [1.0 / (1.0 + exp(-sumprod(WEIGHTS[kind], numbers))) for _, kind, numbers in later_features(position)]
    counts = range(cards + 1)
    best = max(expected(points(scoring, bid, counts), chances)[0] for bid in counts)
    return best, sum(chances)
