"""The sensible Oh Hell player: bids what its hand is worth, then plays for just that many tricks.

Everything follows from two estimates, both made from what the seat knows: the chance of a card in hand to take a later
trick if it is kept, and its chance to take this trick if it is played. Together with the scoring they say how many
points to expect of every bid and of every card, and it takes the best. So it wins when it needs tricks, ducks when it
has enough, throws high cards away under higher ones, and takes what the scoring still gives when its bid is lost.

choose_bid and choose_card are the whole policy; they are what a search would play out deals with.
"""

import json
from itertools import pairwise
from math import exp, sumprod
from pathlib import Path
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, LOWER, NUMBER, OF_SUIT, PACK, SUIT, beats, members, to_set
from games.kit.cards import SUITS
from games.kit.tricks import find_voids, winning_place
from games.oh_hell.rules import points_of

WEIGHTS = json.loads(Path(__file__).with_name("weights.json").read_text())  # made by tools/fit_oh_hell.py


class OhHellBot:
    """Plays every number of seats, style and scoring. It draws no random numbers: one position, one move."""

    name = "sensible-1"

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        position = read_table(table)
        if table["phase"] == "bid":
            return {"type": "bid", "tricks": choose_bid(position, [move["tricks"] for move in moves])}
        return {"type": "play", "card": PACK[choose_card(position, [NUMBER[move["card"]] for move in moves])]}


class Rival(NamedTuple):
    """Another seat, as everybody knows it."""

    cards: int  # how many it holds
    need: int | None  # how many tricks it lacks for its bid, negative if it has too many; None before it bids
    voids: tuple  # by suit: whether it has shown that it holds none


class Position(NamedTuple):
    """What a seat knows when it is to act. Cards, suits and sets of cards are those of games.kit.card_sets."""

    scoring: str
    trump: int
    hand: int  # a set
    unseen: int  # a set: the cards that may be in other hands, or in none
    bid: int | None
    taken: int
    rivals: tuple  # in order of play, from the seat on the left
    following: int  # how many of them, the first ones, play to this trick after this seat
    led: int | None  # the suit led
    best: int | None  # the card that is winning this trick
    leads: bool  # whether this seat leads to this trick; in the bidding, to the first one


def read_table(table):
    """The `Position` of the seat whose view `table` is."""
    seat, seats = table["seat"], table["seats"]
    tricks = [
        (trick["leader"], [play["card"] for play in trick["plays"]]) for trick in [*table["tricks"], table["trick"]]
    ]
    trick = tricks[-1][1]
    hand = to_set(table["hand"])
    seen = to_set([table["turned"]] + [card for _, cards in tricks for card in cards])
    voids = find_voids(seats, tricks)
    rivals = []
    for other in [*range(seat + 1, seats), *range(seat)]:
        bid = table["bids"][other]
        need = None if bid is None else bid - table["taken"][other]
        rivals.append(Rival(table["hand_counts"][other], need, tuple(suit in voids[other] for suit in SUITS)))
    return Position(
        scoring=table["options"]["scoring_style"],
        trump=SUITS.index(table["trump"]),
        hand=hand,
        unseen=ALL & ~hand & ~seen,
        bid=table["bids"][seat],
        taken=table["taken"][seat],
        rivals=tuple(rivals),
        following=seats - 1 - len(trick),
        led=SUIT[NUMBER[trick[0]]] if trick else None,
        best=NUMBER[trick[winning_place(trick, table["trump"])]] if trick else None,
        leads=not trick if table["phase"] == "play" else (table["dealer"] + 1) % seats == seat,
    )


def choose_bid(position, bids):
    """The one of `bids` that promises the most points; of equals the first."""
    chances = later_chances(position).values()
    counts = range(len(chances) + 1)
    promises = {bid: expected(points(position.scoring, bid, counts), chances)[0] for bid in bids}
    return max(bids, key=promises.get)


def choose_card(position, cards):
    """The one of `cards` that promises the most points; of equals the first."""
    later = later_chances(position)
    worth = expected(worth_of_tricks(position), [chance for card, chance in later.items() if card not in cards])

    def promise(card):
        others = [later[other] for other in cards if other != card]
        return expected(worth, [winning_chance(position, card), *others])[0]

    return max(cards, key=promise)


def expected(worth, chances):
    """What 0, 1, 2, ... tricks are worth before cards that take one each with these chances.

    worth: the same after them, so that much longer.
    """
    for chance in chances:
        worth = [none + chance * (one - none) for none, one in pairwise(worth)]
    return worth


def points(scoring, bid, counts):
    """What a hand scores with this bid and each of these numbers of tricks."""
    return [points_of(scoring, bid, count) for count in counts]


def later_chances(position):
    """The chance of each card in hand to take a later trick if it is kept: {card: chance}."""
    weights = WEIGHTS["bid" if position.bid is None else "keep"]
    return {
        card: 1.0 / (1.0 + exp(-sumprod(weights[kind], numbers))) for card, kind, numbers in later_features(position)
    }


def later_features(position):
    """What decides whether a card takes a later trick: for each card in hand (card, "side" or "trump", numbers).

    The numbers are weighed by the weights of that kind, in this order: 1; the higher and the lower cards of the suit
    that rivals may hold; about the chance that they hold no higher one; the length of the suit in this hand; how much
    the rivals want, beyond their fair share, and how much this seat wants, as parts of the tricks left; 1 / tricks
    left. Then for a trump: voids in this hand, a singleton counting half; tricks left; the lead. For another card: the
    rivals that may ruff it, if it is high; trumps in this hand for each trick left; its chance to hold up if led now.
    """
    trump, hand, unseen, rivals = position.trump, position.hand, position.unseen, position.rivals
    left = hand.bit_count()
    dealt = sum(rival.cards for rival in rivals) / unseen.bit_count()  # what part of the unseen cards rivals hold
    trumps = (unseen & OF_SUIT[trump]).bit_count()
    lengths = [(hand & suit).bit_count() for suit in OF_SUIT]
    voids = sum((1.0, 0.5)[length] for suit, length in enumerate(lengths) if length < 2 and suit != trump)
    ruffs = [
        sum(_ruff_chance(position, rival, suit, trumps) for rival in rivals) if length and suit != trump else 0.0
        for suit, length in enumerate(lengths)
    ]
    demand = _wanted(rivals, left) / left - len(rivals) / (len(rivals) + 1)
    lead = position.leads / left
    shared = [demand, _wanted_share(position), 1 / left]

    for card in members(hand):
        suit = SUIT[card]
        higher = dealt * (unseen & HIGHER[card]).bit_count()
        lower = dealt * (unseen & LOWER[card]).bit_count()
        highest = exp(-higher)
        numbers = [1.0, higher, lower, highest, lengths[suit], *shared]
        if suit == trump:
            yield card, "trump", [*numbers, voids, left, lead]
        else:
            own = [ruffs[suit] * highest, lengths[trump] / left, lead * highest * exp(-ruffs[suit])]
            yield card, "side", numbers + own


def winning_chance(position, card):
    """The chance of `card` to take this trick if it is played."""
    if position.best is not None and not beats(card, position.best, position.trump):
        return 0.0
    return standing_chance(position, card)


def standing_chance(position, card):
    """The chance that none of the rivals that still play to this trick beats `card`, the best so far."""
    chance = 1.0
    for hungry, over, ruff in threats(position, card):
        follows, ruffs = WEIGHTS["hungry" if hungry else "sated"]  # how often a rival that can does
        chance *= 1.0 - follows * over - ruffs * ruff
    return chance


def threats(position, card):
    """What the rivals that still play to this trick could do to `card`, if it is the best so far.

    For each (whether it wants tricks, its chance to hold a higher card of the suit led, its chance to be able to ruff).
    """
    trump, unseen = position.trump, position.unseen
    led = SUIT[card] if position.led is None else position.led
    higher = (unseen & HIGHER[card]).bit_count()
    trumps = higher if SUIT[card] == trump else (unseen & OF_SUIT[trump]).bit_count()
    found = []
    for rival in position.rivals[: position.following]:
        hungry = rival.need > 0 or (rival.need < 0 and position.scoring == "positive")
        follows = SUIT[card] == led and not rival.voids[led]
        over = _chance_of_any(position, rival, higher) if follows else 0.0
        ruff = _ruff_chance(position, rival, led, trumps) if led != trump else 0.0
        found.append((hungry, over, ruff))
    return found


def _chance_of_any(position, rival, count):
    """The chance that `rival` holds at least one of `count` unseen cards."""
    return 1.0 - (1.0 - rival.cards / position.unseen.bit_count()) ** count


def _ruff_chance(position, rival, suit, trumps):
    """The chance that `rival` is void in `suit` and holds one of `trumps` unseen trumps."""
    if rival.voids[position.trump]:
        return 0.0
    of_suit = (position.unseen & OF_SUIT[suit]).bit_count()
    void = 1.0 if rival.voids[suit] else 1.0 - _chance_of_any(position, rival, of_suit)
    return void * _chance_of_any(position, rival, trumps)


def _wanted(rivals, left):
    """How many of the tricks left the rivals want; one that has not bid, its fair share."""
    return sum(left / (len(rivals) + 1) if rival.need is None else max(rival.need, 0) for rival in rivals)


def _wanted_share(position):
    """What part of the tricks left this seat wants, 0 while it has not bid."""
    if position.bid is None:
        return 0.0
    need = position.bid - position.taken
    if need < 0 and position.scoring == "positive":
        return 1.0
    return min(max(need / position.hand.bit_count(), 0.0), 1.0)


def worth_of_tricks(position):
    """What taking 0, 1, 2, ... of the tricks left is worth to this seat."""
    left = position.hand.bit_count()
    if position.scoring == "neutral" and not 0 <= position.bid - position.taken <= left:
        # Nothing to gain but that others miss their bids: take what they fight for, else leave them too much.
        contested = _wanted(position.rivals, left) >= left
        return [count if contested else -count for count in range(left + 1)]
    return points(position.scoring, position.bid, range(position.taken, position.taken + left + 1))
