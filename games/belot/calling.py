"""The calls of the searching bots: the move that gains the most match points over a pass on the same cards.

A linear model estimates the gain, with weights for each kind of call in each situation. tools/fit_belot_calls.py fits
them to replays of the same deal with the call and with a pass. Only natural bids are made: a partner is a person, who
expects the jack or the nine behind a suit, and an ace behind no trumps.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from games.belot import bot
from games.belot.bot import Auction
from games.belot.rules.pack import ALL_TRUMPS, NO_TRUMPS
from games.kit.cards import SUITS
from games.kit.contract import Card, Move

type Weights = Mapping[str, Mapping[str, Sequence[float]]]  # by number of seats and `weights_key`

WEIGHTS: Weights = json.loads(Path(__file__).with_name("calls.json").read_text())
LENGTHS = {"suit": 17, NO_TRUMPS: 11, ALL_TRUMPS: 18}  # the number of `hand_features`
MARGIN = 0.3  # A bid must gain this many match points, because small gains are not worth the swings.
DOUBLE_MARGIN = 1.5  # The same for a double, which shows the others where the cards are.
NEVER = -99.0  # the gain of a call that is so rare that it has no weights


def choose_call(auction: Auction, moves: Sequence[Move], weights: Weights = WEIGHTS) -> Move:
    """Return the call with the highest gain over a pass, the first one of equals.

    weights: by number of seats, how much each feature of a hand adds to the gain of each kind of call. They come from
    many played deals. Without weights for this number of seats the simple bot chooses.
    """
    weights_of_calls = weights.get(str(auction.seats))
    if weights_of_calls is None:
        return bot.choose_call(auction, moves)
    return max(_natural_moves(auction, moves), key=lambda move: _gain(auction, move, weights_of_calls))


def gains(auction: Auction, moves: Sequence[Move]) -> dict[int, float]:
    """Return how many match points each call gains over a pass, as a dict by index in `moves`.

    Calls that a partner would not understand have no entry.
    """
    weights = WEIGHTS.get(str(auction.seats))
    if weights is None:  # Without weights for this number of seats the simple bot judges.
        worths = [bot.call_worth(auction, move) for move in moves]
        worth_of_pass = next((worth for worth, move in zip(worths, moves, strict=True) if move["type"] == "pass"), 0.0)
        return {index: worth - worth_of_pass for index, worth in enumerate(worths)}
    return {moves.index(move): _gain(auction, move, weights) for move in _natural_moves(auction, moves)}


def _natural_moves(auction: Auction, moves: Sequence[Move]) -> Sequence[Move]:
    """Return the natural moves. A dealer who must bid may have none, and then chooses among all."""
    return [move for move in moves if is_natural(auction.hand, move)] or moves


def is_natural(hand: Sequence[Card], move: Move) -> bool:
    """Return whether the hand is what a partner expects behind this call, so that the call does not mislead.

    A bid promises one of the highest cards: an ace in no trumps, a jack in all trumps. In a trump suit it is the jack
    with another card or the nine with two.
    """
    if move["type"] != "bid":
        return move["type"] != "surcontre"  # the third double, too rare to mean anything
    contract = move["contract"]
    if contract == NO_TRUMPS:
        return any(card[0] == "A" for card in hand)
    if contract == ALL_TRUMPS:
        return any(card[0] == "J" for card in hand)
    ranks = {card[0] for card in hand if card[1] == contract}
    return ("J" in ranks and len(ranks) >= 2) or ("9" in ranks and len(ranks) >= 3)


def _gain(auction: Auction, move: Move, weights: Mapping[str, Sequence[float]]) -> float:
    """Return how many match points a call gains over a pass on average, less a margin for the risk.

    weights: lists of weights for the features of a hand, by kind and situation of the call, see `weights_key`.
    """
    if move["type"] == "pass":
        return 0.0
    if move["type"] != "bid" and _has_best_trumps(auction):  # Such doubles are too rare to have weights.
        return bot.call_worth(auction, move) - bot.call_worth(auction, {"type": "pass"})
    key = weights_key(auction, move)
    if key not in weights:
        return NEVER
    numbers = call_features(auction, move)
    gain = sum(weight * number for weight, number in zip(weights[key], numbers, strict=True))
    return gain - (MARGIN if move["type"] == "bid" else DOUBLE_MARGIN)


def _has_best_trumps(auction: Auction) -> bool:
    """Return whether the hand has the jack, the nine, the ace and a fourth card of the suit that is bid."""
    ranks = {card[0] for card in auction.hand if card[1] == auction.contract}
    return len(ranks) > 3 and {"J", "9", "A"} <= ranks


def weights_key(auction: Auction, move: Move) -> str:
    """Return the key of the weights for a call: its kind and the situation, such as "double over theirs"."""
    kind: str = move.get("contract") or move["type"]
    return f"{'suit' if kind in SUITS else kind} {_situation(auction)}"


def _situation(auction: Auction) -> str:
    """Return the situation of a call: "first", or which side made the highest bid, and whether it is doubled.

    For example "over theirs" is a call after a bid of the other side, "ours doubled" one after a double of our own bid.
    """
    if auction.contract is None:
        return "first"
    owner = "theirs" if auction.role == "defend" else "ours"
    return f"{owner} doubled" if auction.level > 1 else f"over {owner}"


def call_features(auction: Auction, move: Move) -> list[float]:
    """Return the numbers that predict the gain of a call. Each is later multiplied by its weight, and all are added up.

    The first describe the hand in the contract that this call bids, if it is a bid. The next describe it in the highest
    bid so far, if there is one: a trump suit, no trumps or all trumps.
    """
    numbers: list[float] = []
    if move["type"] == "bid":
        numbers += hand_features(auction, move["contract"])
    if auction.contract is not None:
        # Each kind of contract has its own weights. So the list has places for the numbers of all three kinds, and two
        # kinds have only zeros. Before them three flags (0 or 1) say which kind it is.
        kind = "suit" if auction.contract in SUITS else auction.contract
        numbers += [float(kind == other) for other in LENGTHS]
        under_highest_bid = hand_features(auction, auction.contract)
        for other, length in LENGTHS.items():
            # Without the first number: it is always 1, as the flag is.
            numbers += under_highest_bid[1:] if kind == other else [0.0] * (length - 1)
    return numbers


def hand_features(auction: Auction, contract: str) -> list[float]:
    """Return the numbers that describe how good a hand is in a contract. The first is always 1.

    In all trumps, where the jack is the highest card of each suit and the nine the next, five more numbers follow.
    """
    numbers = [float(number) for number in bot.features(auction, contract)]
    if contract == ALL_TRUMPS:
        suits = [{card[0] for card in auction.hand if card[1] == suit} for suit in SUITS]  # the ranks of each suit
        jack_suits = [ranks for ranks in suits if "J" in ranks]
        numbers += [
            float(len(jack_suits) > 1),
            float(len(jack_suits) > 2),
            float(sum(len(ranks) == 1 for ranks in jack_suits)),  # jacks without another card of their suit
            float(len(jack_suits) == 2 and all("9" not in ranks for ranks in jack_suits)),  # just two, without nines
            float(sum(not ranks & {"J", "9"} and bool(ranks) for ranks in suits)),  # weak suits
        ]
    return numbers
