"""Oh Hell played out fast: hands as bits of ints, and a policy of a few comparisons a card.

It plays by the rules of games.oh_hell.rules, to which the tests hold it; cards, suits and sets of cards are those of
games.kit.card_sets. The policy looks at the cards of the seat that plays and at what everybody knows.
"""

from functools import lru_cache
from math import exp, sumprod
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, LOWER, OF_SUIT, SUIT, any_of
from games.oh_hell.bot import WEIGHTS

RANKS = 13
SUIT_MASK = (1 << RANKS) - 1
ODD = 0.1  # how often a seat makes any legal move: people do, and a search that expects no mistakes is too sure
RANK = tuple(card % RANKS for card in range(52))


class World(NamedTuple):
    """A position in which everybody's cards are known. Lists go by seat, and are never changed."""

    seat: int  # to act
    scoring: str
    trump: int
    hands: list  # sets
    bids: list
    taken: list
    gone: int  # the set of cards that everybody has seen: played, or turned up
    led: int | None  # the suit led to the trick in progress
    best: int  # its best card so far, and the seat that played it; any before the lead
    best_seat: int
    count: int  # how many cards are in it


def play_out(world, card, rng, choose=None):
    """How many tricks each seat takes, a list, if the seat to act plays `card` and all go on by the policy.

    choose: another policy, for tests.
    """
    choose = choose or policy
    seat, scoring, trump, hands, bids, taken, gone, led, best, best_seat, count = world
    hands, taken, seats = list(hands), list(taken), len(bids)
    trumps, random, greedy = OF_SUIT[trump], rng.random, scoring == "positive"
    last = seats - 1
    while True:
        bit = 1 << card
        hands[seat] ^= bit
        gone |= bit
        if not count:
            led, best, best_seat = SUIT[card], card, seat
        elif HIGHER[best] & bit or (trumps & bit and not trumps >> best & 1):
            best, best_seat = card, seat
        if count == last:
            taken[best_seat] += 1
            seat, count = best_seat, 0
            hand = hands[seat]
            if not hand:
                return taken
            led = None
        else:
            count += 1
            seat += 1
            if seat == seats:
                seat = 0
            hand = hands[seat]
        if not hand & (hand - 1):
            card = hand.bit_length() - 1
        elif random() < ODD:
            card = any_of(legal_cards(hand, led), random)
        else:
            card = choose(hand, bids[seat] - taken[seat], greedy, trumps, gone, led, best, last - count)


def legal_cards(hand, led):
    """The set of cards that may be played to a trick with this lead (None: to a new one)."""
    return hand if led is None else hand & OF_SUIT[led] or hand


def policy(hand, need, greedy, trumps, gone, led, best, following):
    """The card that a seat plays which needs so many tricks more.

    greedy: whether tricks count where a bid is missed. trumps, gone: sets. led, best: as in a `World`. following: how
    many play to this trick after this seat.
    """
    wants = need > 0 or (greedy and need < 0)
    if led is None:
        unseen = ALL & ~(gone | hand)
        return _wanting_lead(hand, trumps, unseen) if wants else _ducking_lead(hand, trumps, unseen)
    if follow := hand & OF_SUIT[led]:
        winners = 0 if trumps >> best & 1 and not trumps & follow else follow & HIGHER[best]
        losers = follow ^ winners
        if not wants and losers:
            return losers.bit_length() - 1
        if not winners:
            return (follow & -follow).bit_length() - 1
        if wants == (following > 0):  # to hold against those that follow; or, last and in vain, to be rid of it
            return winners.bit_length() - 1
        return (winners & -winners).bit_length() - 1
    winners = hand & trumps
    if trumps >> best & 1:
        winners &= HIGHER[best]
    losers = hand ^ winners
    if losers and not wants:
        return _riddance(losers, trumps, gone | hand)
    if winners:
        return (winners & -winners).bit_length() - 1
    return _lowest(hand & ~trumps or hand)


def _wanting_lead(hand, trumps, unseen):
    """The highest card left of a suit, the longer outside the better, else a low one of the shortest side suit."""
    found, most = 0, -99
    for suit in OF_SUIT:
        if own := hand & suit:
            top = own.bit_length() - 1
            others = unseen & suit
            if others and not others & HIGHER[top]:
                worth = 50 + others.bit_count()
            else:
                top = (own & -own).bit_length() - 1
                worth = -3 * own.bit_count()
            if suit == trumps:
                worth -= 20
            if worth > most:
                found, most = top, worth
    return found


def _ducking_lead(hand, trumps, unseen):
    """The card with the most higher and the fewest lower ones outside; trumps and what nobody can beat come last."""
    found, most = 0, -99
    for suit in OF_SUIT:
        if own := hand & suit:
            card = (own & -own).bit_length() - 1
            others = unseen & suit
            worth = 2 * (others & HIGHER[card]).bit_count() - (others & LOWER[card]).bit_count() if others else -50
            if suit == trumps:
                worth -= 3
            if worth > most:
                found, most = card, worth
    return found


def _riddance(cards, trumps, seen):
    """The card of the set that is likeliest to take an unwanted trick later: a trump, or high in a short suit."""
    if own := cards & trumps:
        return own.bit_length() - 1
    found, most = 0, -99
    for suit in OF_SUIT:
        if own := cards & suit:
            card = own.bit_length() - 1
            worth = RANK[card] - 2 * own.bit_count() if suit & ~seen else -30
            if worth > most:
                found, most = card, worth
    return found


def _lowest(cards):
    """The card of the lowest rank."""
    found, rank = 0, RANKS
    for suit in OF_SUIT:
        if own := cards & suit:
            card = (own & -own).bit_length() - 1
            if RANK[card] < rank:
                found, rank = card, RANK[card]
    return found


# What a hand promises


def expected_tricks(hand, trump, turned, seats, leads):
    """The tricks to expect of a hand before anybody has bid: what games.oh_hell.bot does, by suits.

    turned: the card turned up. leads: whether its seat leads to the first trick.
    """
    cards = hand.bit_count()
    suits = [hand >> RANKS * suit & SUIT_MASK for suit in range(4)]
    own = suits[trump]
    length = own.bit_count()
    tricks, voids = 0.0, 0
    for suit, ranks in enumerate(suits):
        if suit != trump:
            if not ranks & (ranks - 1):
                voids += 1 if ranks else 2
            if ranks:
                tricks += _side_tricks(ranks, length, cards, seats, leads)
    return tricks + _trump_tricks(own, RANK[turned], voids, cards, seats, leads) if own else tricks


@lru_cache(maxsize=1 << 16)
def _side_tricks(ranks, trumps, cards, seats, leads):
    unseen = 51 - cards
    misses = 1 - cards / unseen
    length = ranks.bit_count()
    ruffs = (seats - 1) * misses ** (RANKS - length) * (1 - misses ** (RANKS - 1 - trumps))
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            shared = _shared_numbers(ranks, rank, 0, cards, seats)
            lead = shared[3] * exp(-ruffs) / cards if leads else 0.0
            tricks += _chance("side", [*shared, ruffs * shared[3], trumps / cards, lead])
    return tricks


@lru_cache(maxsize=1 << 16)
def _trump_tricks(ranks, turned, voids, cards, seats, leads):
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            numbers = [voids / 2, cards, 1 / cards if leads else 0.0]
            tricks += _chance("trump", _shared_numbers(ranks, rank, 1 << turned, cards, seats) + numbers)
    return tricks


def _shared_numbers(ranks, rank, gone, cards, seats):
    """What `games.oh_hell.bot.later_features` puts first, where all rivals want their fair share."""
    dealt = (seats - 1) * cards / (51 - cards)
    unseen = SUIT_MASK & ~ranks & ~gone
    higher = dealt * (unseen >> rank).bit_count()
    lower = dealt * (unseen & (1 << rank) - 1).bit_count()
    return [1.0, higher, lower, exp(-higher), ranks.bit_count(), 0.0, 0.0, 1 / cards]


def _chance(kind, numbers):
    return 1.0 / (1.0 + exp(-sumprod(WEIGHTS["bid"][kind], numbers)))
