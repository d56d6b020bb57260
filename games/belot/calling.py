"""What the levels call in Belot: by how many match points each call is better than a pass on the same cards.

The figures come from replays of the same deal with the call and with a pass instead, one regression for each kind of
call in each kind of auction (tools/fit_belot_calls.py). Only natural bids are made: a partner is a person, who reads
the jack or the nine behind a suit and the ace behind no trumps.
"""

import json
from pathlib import Path

from games.belot import bot
from games.kit.cards import SUITS

WEIGHTS = json.loads(Path(__file__).with_name("calls.json").read_text())  # made by tools/fit_belot_calls.py
LENGTHS = {"suit": 17, "NT": 11, "AT": 18}  # of `hand_numbers`
MARGIN = 0.3  # match points that a call must promise: what is level is not worth the swings
DOUBTFUL = 1.5  # and a double, which tells the others where the cards are


def choose_call(auction, moves, weights=None):
    """The one of `moves` that promises most over a pass; of equals the first. auction: as `bot.read_auction` makes it.

    weights: others than those of the room, for the fit. For a number of seats that they are not made for, the rule of
    thumb calls; it has no partner there.
    """
    weights = (WEIGHTS if weights is None else weights).get(str(auction.seats))
    if weights is None:
        return bot.choose_call(auction, moves)
    return max(_natural(auction, moves), key=lambda move: gain(auction, move, weights))


def gains(auction, moves):
    """{the place of a move among `moves`: as `gain`} of those that `choose_call` chooses among."""
    weights = WEIGHTS.get(str(auction.seats))
    if weights is None:
        worth = [bot.call_worth(auction, move) for move in moves]
        passed = next((each for each, move in zip(worth, moves, strict=True) if move["type"] == "pass"), 0.0)
        return {place: each - passed for place, each in enumerate(worth)}
    return {moves.index(move): gain(auction, move, weights) for move in _natural(auction, moves)}


def _natural(auction, moves):
    """The natural ones of these moves; all of them where there is none: the dealer must bid, and has nothing."""
    return [move for move in moves if is_natural(auction.hand, move)] or moves


def is_natural(hand, move):
    """Whether a partner would find in a hand like this what the call tells."""
    if move["type"] != "bid":
        return move["type"] != "surcontre"
    contract = move["contract"]
    if contract == "NT":
        return any(card[0] == "A" for card in hand)
    if contract == "AT":
        return any(card[0] == "J" for card in hand)
    ranks = [card[0] for card in hand if card[1] == contract]
    return len(ranks) > 1 and ("J" in ranks or "9" in ranks)


def gain(auction, move, weights):
    """By how many match points the call promises to be better than a pass, less what it must promise."""
    if move["type"] == "pass":
        return 0.0
    cell = cell_of(auction, move)
    if cell not in weights:
        return -99.0
    numbers = numbers_of(auction, move)
    promise = sum(weight * number for weight, number in zip(weights[cell], numbers, strict=True))
    return promise - (MARGIN if move["type"] == "bid" else DOUBTFUL)


def cell_of(auction, move):
    """The kind of call and the kind of auction it is made in, as the keys of the table."""
    kind = move.get("contract", move["type"])
    return f"{'suit' if kind in SUITS else kind} {situation_of(auction)}"


def situation_of(auction):
    """Whose the highest bid is: nobody's, that of this side or of another one, doubled or not."""
    if auction.contract is None:
        return "first"
    whose = "theirs" if auction.role == "defend" else "ours"
    return f"{whose} doubled" if auction.level > 1 else f"over {whose}"


def numbers_of(auction, move):
    """What speaks for or against a call, as numbers: the hand under its contract, and under that it would replace."""
    numbers = []
    if move["type"] == "bid":
        numbers += hand_numbers(auction, move["contract"])
    if auction.contract is not None:
        kind = auction.contract if auction.contract not in SUITS else "suit"
        numbers += [float(kind == each) for each in LENGTHS]
        under = hand_numbers(auction, auction.contract)
        for each, most in LENGTHS.items():
            numbers += under[1:] if kind == each else [0.0] * (most - 1)
    return numbers


def hand_numbers(auction, contract):
    """The features of a hand under a contract, the first of them 1."""
    numbers = [float(number) for number in bot.features(auction, contract)]
    if contract == "AT":
        suits = [{card[0] for card in auction.hand if card[1] == suit} for suit in SUITS]
        jacks = [ranks for ranks in suits if "J" in ranks]
        numbers += [
            float(len(jacks) > 1),
            float(len(jacks) > 2),
            float(sum(len(ranks) == 1 for ranks in jacks)),
            float(len(jacks) == 2 and all("9" not in ranks for ranks in jacks)),
            float(sum(not ranks & {"J", "9"} and bool(ranks) for ranks in suits)),
        ]
    return numbers
