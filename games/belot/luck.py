"""What the cards of a deal were worth to a side: the match points that they bring on average. Source: "Facts".

Of every contract the bots' evaluator says what it promises to the side that would bid it, from all the cards that a
seat was dealt; what the best of them promises to each side, put right by what bots then really scored with such cards
(tools/fit_luck.py), is what they were worth. Its weights are its own: facts of old matches stay as they are when the
bots learn more.
"""

import json
from math import sumprod
from pathlib import Path

from games.belot.bot import Auction, features
from games.kit.cards import SUITS
from games.kit.language import lazily

WEIGHTS = json.loads(Path(__file__).with_name("luck.json").read_text())  # made by tools/fit_luck.py
LUCK = lazily(
    "What the cards were worth is what a side of our bots scores on average when the sides hold such cards. "
    "It knows nothing of the calls and the play: one deal says little, hundreds say how well you play."
)
CONTRACTS = (*SUITS, "NT", "AT")


def worths(sheet, row, events):
    """By side, in match points with one decimal. row: of the deal on the sheet. events: all of the deal."""
    seats, sides = sheet["seats"], len(sheet["sides"])
    hands = [[event["card"] for event in events if _plays(event, seat)] for seat in range(seats)]
    promised = promises(seats, sides, row["dealer"], hands)
    weights = WEIGHTS[str(seats)]["points"]
    dealing = row["dealer"] % sides
    return [round(sumprod(weights, numbers_of(promised, side, side == dealing)), 1) + 0.0 for side in range(sides)]


def _plays(event, seat):
    return event["type"] == "card_played" and event["seat"] == seat


def numbers_of(promised, side, deals):
    """What points are fitted to: 1, whether the side deals, what is promised to it and to the best of the others.

    promised: as `promises` returns it.
    """
    own, other = promised[side], max(each for place, each in enumerate(promised) if place != side)
    return [1.0, deals, own, other, max(own, other), own * own, other * other]


def promises(seats, sides, dealer, hands):
    """By side what its best contract promises it."""
    return [
        max(
            _promise(seats, sides, dealer, hands, bidder, contract)
            for bidder in range(side, seats, sides)
            for contract in CONTRACTS
        )
        for side in range(sides)
    ]


def _promise(seats, sides, dealer, hands, bidder, contract):
    """By how many match points a contract promises to put its side ahead: its bidder’s hand, and its partners’."""
    kind = "suit" if contract in SUITS else contract
    total = 0.0
    for seat in range(bidder % sides, seats, sides):
        auction = Auction(seats, tuple(hands[seat]), None, 1, "own", (dealer + 1) % seats == seat, False, False)
        weights = WEIGHTS[str(seats)]["own" if seat == bidder else "support"][kind]
        total += sumprod(weights, features(auction, contract))
    return total
