"""The sensible Belot player: bids what its hand promises, declares what may count, and plays for points.

A contract is judged by the match points by which it promises to put its side ahead, as its bidder, as the partner or as
a rival of the bidder: a weighed sum of what is in the hand. Of all calls it makes the one that promises the most. How
it plays its cards is told in belot_play.py.
"""

import json
from pathlib import Path
from typing import NamedTuple

from games.belot.bot.plays import choose_play
from games.belot.bot.plays import read_table as read_play
from games.belot.rules.declarations import open_declarations
from games.kit.cards import SUITS

WEIGHTS = json.loads(Path(__file__).with_name("weights.json").read_text())  # made by tools/fit_belot.py
STAKES = {"NT": 26, "AT": 26}  # match points in a deal; 16 with a trump suit
WON = 0.3  # the part of them by which a contract that is made puts its side ahead, on average
RESERVE = 4.0  # match points that a double must promise more than passing: the others may bid on, or redouble
DOUBT = 0.15  # how much less sure than it looks is what others have doubled or redoubled: they know why
LEVELS = {"double": 2, "redouble": 4, "surcontre": 8}


class BelotBot:
    """Plays every number of seats and all options. It draws no random numbers: one position, one move."""

    name = "sensible"

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        if table["phase"] == "bid":
            return choose_call(read_auction(table), moves)
        declarations = [move for move in moves if move["type"] == "declare"]
        if declarations and may_count(table):
            return declarations[0]  # the highest square, or a sequence if there is none
        return choose_play(read_play(table), [move for move in moves if move["type"] == "play"])


class Auction(NamedTuple):
    """What a seat knows when it is to call."""

    seats: int
    hand: tuple
    contract: str | None  # the highest bid so far
    level: int
    role: str  # what this seat is to it: "own", "support" or "defend"
    leads: bool  # whether this seat leads to the first trick
    partner_bid: bool  # whether the partner has bid anything
    rival_bid: bool  # whether a rival has


def read_auction(table):
    """The `Auction` as the seat whose view `table` is knows it."""
    seat, seats = table["seat"], table["seats"]
    sides = len(table["sides"])
    bidders = {call["seat"] for call in table["calls"] if call["call"] == "bid"}
    contract = table["contract"] or {"contract": None, "bidder": seat, "level": 1}
    bidder = contract["bidder"]
    return Auction(
        seats=seats,
        hand=tuple(table["hand"]),
        contract=contract["contract"],
        level=contract["level"],
        role="own" if bidder == seat else "support" if bidder % sides == seat % sides else "defend",
        leads=(table["dealer"] + 1) % seats == seat,
        partner_bid=any(other != seat and other % sides == seat % sides for other in bidders),
        rival_bid=any(other % sides != seat % sides for other in bidders),
    )


def choose_call(auction, moves):
    """The one of `moves` that promises the most match points; of equals the first."""
    return max(moves, key=lambda move: _call_worth(auction, move))


def _call_worth(auction, move):
    """By how many match points this call promises to put the seat's side ahead."""
    kind, contract, role = move["type"], auction.contract, auction.role
    if kind == "pass":
        return contract_worth(auction, contract, role, auction.level) if contract else 0.0
    if kind == "bid":
        return contract_worth(auction, move["contract"], "own", 1)
    return contract_worth(auction, contract, role, LEVELS[kind]) - RESERVE


def contract_worth(auction, contract, role, level):
    """By how many match points this contract promises to put the seat's side ahead of the mean of the others."""
    promise = promised(auction, contract, role)
    rivals = 2 if auction.seats == 3 else 1
    if level > 1:  # all or nothing: from the promise follows the chance, and from that the promise of the higher stake
        stake = STAKES.get(contract, 16)
        loss = stake / rivals  # they share the points of a contract that is lost
        chance = (promise + loss) / (WON * stake + loss)
        if role != "defend":
            chance -= DOUBT
        elif auction.level > 2:
            chance += DOUBT
        chance = min(max(chance, 0.0), 1.0)
        promise = level * (chance * stake - (1 - chance) * loss)
    return -promise / rivals if role == "defend" else promise


def promised(auction, contract, role):
    """By how many match points this contract, not doubled, promises to put the bidder's side ahead."""
    weights = WEIGHTS[str(auction.seats)][role][_kind(contract)]
    return sum(weight * number for weight, number in zip(weights, features(auction, contract), strict=True))


def features(auction, contract):
    """What is in a hand for or against a contract, as numbers."""
    hand = set(auction.hand)
    numbers = [1, auction.leads, auction.partner_bid, auction.rival_bid, len(hand) == 6]
    suits = {suit: {card[0] for card in hand if card[1] == suit} for suit in SUITS}
    if contract in suits:
        numbers += _trump_suit_features(suits[contract], [ranks for suit, ranks in suits.items() if suit != contract])
    else:
        numbers += (_no_trump_features if contract == "NT" else _all_trump_features)(suits.values())
    if contract != "NT":
        numbers.append(sum(each.points for each in open_declarations(0, auction.hand, (), False)) / 20)
    return numbers


def _trump_suit_features(trumps, others):
    """J, 9, A, T, the number of trumps and those beyond three, belot; aces, tens and voids beside them."""
    return [
        *(rank in trumps for rank in "J9AT"),
        len(trumps),
        max(len(trumps) - 3, 0),
        {"K", "Q"} <= trumps,
        sum("A" in ranks for ranks in others),
        sum({"A", "T"} <= ranks for ranks in others),
        sum("T" in ranks and "A" not in ranks for ranks in others),
        sum(not ranks for ranks in others),
    ]


def _no_trump_features(suits):
    """Aces; tens with the ace, with another card, alone; kings with ace and ten; cards beyond two with an ace."""
    return [
        sum("A" in ranks for ranks in suits),
        sum({"A", "T"} <= ranks for ranks in suits),
        sum("T" in ranks and "A" not in ranks and len(ranks) > 1 for ranks in suits),
        sum(ranks == {"T"} for ranks in suits),
        sum({"A", "T", "K"} <= ranks for ranks in suits),
        sum(max(len(ranks) - 2, 0) for ranks in suits if "A" in ranks),
    ]


def _all_trump_features(suits):
    """Jacks; nines with the jack, with another card, alone; aces with J and 9; cards beyond two with a J; belots."""
    return [
        sum("J" in ranks for ranks in suits),
        sum({"J", "9"} <= ranks for ranks in suits),
        sum("9" in ranks and "J" not in ranks and len(ranks) > 1 for ranks in suits),
        sum(ranks == {"9"} for ranks in suits),
        sum({"J", "9", "A"} <= ranks for ranks in suits),
        sum(max(len(ranks) - 2, 0) for ranks in suits if "J" in ranks),
        sum({"K", "Q"} <= ranks for ranks in suits),
    ]


def may_count(table):
    """Whether the declarations of this seat may still count: no rival has told of a higher one than its side can."""
    sides, options = len(table["sides"]), table["options"]
    side = table["seat"] % sides
    if any(each["seat"] == table["seat"] for each in table["declared"]):
        return True  # it has begun to
    own = open_declarations(table["seat"], table["hand"], (), options["shared_cards"])
    ours = [_height(each.kind, each.points) for each in own]
    ours += [_height(each["kind"], each["points"]) for each in table["declared"] if each["seat"] % sides == side]
    theirs = [_height(each["kind"], each["points"]) for each in table["declared"] if each["seat"] % sides != side]
    return not theirs or max(ours) >= max(theirs)


def _height(kind, points):
    """What is known of a declaration's rank before its cards are shown."""
    return kind == "square", points


def _kind(contract):
    return contract if contract in STAKES else "suit"
