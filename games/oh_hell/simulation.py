"""Oh Hell played out fast: hands as bits of ints, and a policy that looks up most of what it thinks.

It plays by the rules of games.oh_hell.rules, to which the tests hold it; cards, suits and sets of cards are those of
games.kit.card_sets. The policy looks at the cards of the seat that plays and at what everybody knows.
"""

from functools import lru_cache
from math import exp, pi, sumprod
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, OF_SUIT, SUIT, any_of
from games.kit.positions import maker
from games.oh_hell.bot import WEIGHTS
from games.oh_hell.rules import MADE

RANKS = 13
SUIT_MASK = (1 << RANKS) - 1
CAUTION = 0.1  # tricks by which bids lie below what a hand promises
ODD = 0.1  # how often a seat makes any legal move: people do, and a search that expects no mistakes is too sure
FOLLOWS, RUFFS = 0.8, 0.6  # how often a rival that can beat a card does
ROUND = 0.1  # variance that is added, for a bell curve to stand for few chances
TURN = 2 * pi
MANY_TRUMPS = (0, 1, 2, 3, 4, 4, 6, 6, 6, 9, 9, 9, 9, 9)  # so many trumps outside are as good as so many
MOST_SUITS = 1 << 17
RANK = tuple(card % RANKS for card in range(52))
BEATING = tuple(  # by trump, then by card: the set of cards that beat it
    tuple(HIGHER[best] | (0 if SUIT[best] == trump else OF_SUIT[trump]) for best in range(52)) for trump in range(4)
)


class Turn(NamedTuple):
    """What a seat that is to play goes by, beside its hand."""

    need: int  # how many tricks more its bid needs
    scoring: str
    trump: int
    gone: int  # led, best, too: as in a `World`
    led: int | None
    best: int
    following: int  # how many play to this trick after it


turn_of = maker(Turn)


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
    seat, scoring, trump, hands, bids, taken, gone, led, best, best_seat, count = world
    hands, taken, seats = list(hands), list(taken), len(bids)
    beating, random = BEATING[trump], rng.random
    choose = choose or policy(seats, stock_of(world)).choose
    last = seats - 1
    while True:
        bit = 1 << card
        hands[seat] ^= bit
        gone |= bit
        if not count:
            led, best, best_seat = SUIT[card], card, seat
        elif beating[best] & bit:
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
            seat = (seat + 1) % seats
            hand = hands[seat]
        legal = hand if led is None else hand & OF_SUIT[led] or hand
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif random() < ODD:
            card = any_of(legal, random)
        else:
            need = bids[seat] - taken[seat]
            card = choose(hand, turn_of((need, scoring, trump, gone, led, best, last - count)))


def bid_out(world, bid, rng):
    """As `play_out`, if the seat to act bids so many tricks and those that have not bid what their hands promise.

    Nobody has played yet. Returns (the tricks that each seat takes, the bids).
    """
    seat, bids, rest = world.seat, list(world.bids), []
    bids[seat] = bid
    first = (seat + 1) % len(bids)
    while bids[first] is None:
        rest.append(first)
        first = (first + 1) % len(bids)
        bids[rest[-1]] = _usual_bid(world, rest[-1])
    if rest and sum(bids) == world.hands[seat].bit_count():  # what the dealer may not bid
        bids[rest[-1]] += 1
    world = world._replace(seat=first, bids=bids)
    hand = world.hands[first]
    choose = policy(len(bids), stock_of(world)).choose
    card = choose(hand, Turn(bids[first], world.scoring, world.trump, world.gone, None, 0, len(bids) - 1))
    return play_out(world, card, rng), bids


def _usual_bid(world, seat):
    turned = world.gone.bit_length() - 1
    promise = expected_tricks(world.hands[seat], world.trump, turned, len(world.bids), False)
    return max(round(promise - CAUTION), 0)


def stock_of(world):
    """How many cards nobody holds and nobody has seen."""
    return len(RANK) - world.gone.bit_count() - sum(hand.bit_count() for hand in world.hands)


def legal_cards(hand, led):
    """The set of cards that may be played to a trick with this lead (None: to a new one)."""
    return hand if led is None else hand & OF_SUIT[led] or hand


class Policy:
    """Plays for what makes its bid likeliest, by a bell curve around the tricks to expect: nearly the rule of thumb.

    What a suit is worth is kept by its cards, those outside and the trumps: in many play-outs of a deal it comes again.
    seats, stock: as many there are, and as many cards that nobody holds.
    """

    def __init__(self, seats, stock):
        self.rivals = seats - 1
        self.stock = stock
        self.suits = {}
        self.cards = {}
        self.missing = [self._missing(left) for left in range(RANKS + 1)]

    def choose(self, hand, turn):
        """The card that a seat with this hand plays, of those that it may."""
        need, scoring, trump, gone, led, best, following = turn
        unseen = ALL & ~(gone | hand)
        tricks, variance, suits = self._kept(hand, unseen, trump)
        options = []  # the card, its chance to take a trick if it is kept, and its chance to take this one
        if led is None:
            options = [(13 * suit + rank, kept, now) for suit, ranks in suits for rank, kept, _, now in ranks]
        else:
            missing, of_led = self.missing[hand.bit_count()], (unseen & OF_SUIT[led]).bit_count()
            trumps_out = (unseen & OF_SUIT[trump]).bit_count()
            ruff = 0.0 if led == trump else missing[of_led] * (1.0 - missing[trumps_out])
            best_suit, best_rank = SUIT[best], RANK[best]
            for suit, ranks in [each for each in suits if each[0] == led] or suits:
                for rank, kept, higher, _ in ranks:
                    now = 0.0
                    if rank > best_rank if suit == best_suit else suit == trump:
                        over = 1.0 - missing[higher]
                        lost = FOLLOWS * over + RUFFS * ruff if suit == led else RUFFS * missing[of_led] * over
                        now = (1.0 - lost) ** following
                    options.append((13 * suit + rank, kept, now))
        left = hand.bit_count()
        found, most = options[0][0], -1e9
        for card, kept, now in options:
            mean = tricks - kept + now
            if not 0 <= need <= left:
                worth = mean if scoring == "positive" else -mean
            else:
                about = variance - kept * (1.0 - kept) + now * (1.0 - now)
                worth = MADE * exp((need - mean) ** 2 / (-2.0 * about)) / (TURN * about) ** 0.5
                if scoring == "positive":
                    worth += mean
                elif scoring == "negative":
                    worth -= MADE * ((need - mean) ** 2 + about) ** 0.5
            if worth > most:
                found, most = card, worth
        return found

    def _kept(self, hand, unseen, trump):
        """(tricks to expect of the hand, their variance, [(suit, what `_suit` finds of its cards)])."""
        trumps = hand & OF_SUIT[trump]
        shared = MANY_TRUMPS[(unseen & OF_SUIT[trump]).bit_count()] << 26 | hand.bit_count() << 34
        of_side = shared | min(trumps.bit_count(), 4) << 30
        tricks, variance, found, suits = 0.0, ROUND, [], self.suits
        for suit in range(4):
            cards = hand >> RANKS * suit & SUIT_MASK
            if not cards:
                continue
            key = cards | (unseen >> RANKS * suit & SUIT_MASK) << RANKS
            key |= shared | 1 << 38 if suit == trump else of_side
            known = suits.get(key)
            if known is None:
                if len(suits) > MOST_SUITS:
                    suits.clear()
                known = suits[key] = self._suit(key)
            tricks += known[0]
            variance += known[1]
            found.append((suit, known[2]))
        return tricks, variance, found

    def _suit(self, key):
        """(tricks to expect of a suit, their variance, its cards).

        Its cards are a list of (rank, chance to take a trick if kept, higher ones outside, chance if led).
        """
        own, outside, shared = key & SUIT_MASK, key >> RANKS & SUIT_MASK, key >> 26
        length, out = own.bit_count(), outside.bit_count()
        tricks, variance, found = 0.0, 0.0, []
        while own:
            rank = own.bit_length() - 1
            own ^= 1 << rank
            higher = (outside >> rank).bit_count()
            case = higher | out << 4 | length << 8 | shared << 12
            known = self.cards.get(case)
            if known is None:
                known = self.cards[case] = self._card(higher, out, length, shared)
            kept, led = known
            tricks += kept
            variance += kept * (1.0 - kept)
            found.append((rank, kept, higher, led))
        return tricks, variance, found

    def _card(self, higher, out, length, shared):
        """(the chance of a card to take a trick if it is kept, and if it is led), as games.oh_hell.bot has them."""
        trumps_out, trumps, left, is_trump = shared & 15, shared >> 4 & 15, shared >> 8 & 15, shared >> 12
        dealt, missing = self.rivals * left / (self.rivals * left + self.stock), self.missing[left]
        ruff = 0.0 if is_trump else missing[out] * (1.0 - missing[trumps_out])
        highest = exp(-dealt * higher)
        numbers = [1.0, dealt * higher, dealt * (out - higher), highest, length, 0.0, 0.0, 1.0 / left]
        if is_trump:
            kept = _chance("keep", "trump", [*numbers, 0.5, left, 0.0])
        else:
            kept = _chance("keep", "side", [*numbers, ruff * self.rivals * highest, trumps / left, 0.0])
        return kept, (1.0 - FOLLOWS * (1.0 - missing[higher]) - RUFFS * ruff) ** self.rivals

    def _missing(self, left):
        """By a number of unseen cards the chance that a rival holds none of them, when it holds so many."""
        share = left / (self.rivals * left + self.stock) if left else 0.0
        return [(1.0 - share) ** count for count in range(RANKS + 1)]


@lru_cache(maxsize=64)
def policy(seats, stock):
    """The `Policy` of deals with so many seats and cards in the stock."""
    return Policy(seats, stock)


# What a hand promises


class Deal(NamedTuple):
    """Before anybody has bid: the cards of each hand, the seats, and whether this one leads to the first trick."""

    cards: int
    seats: int
    leads: bool


def expected_tricks(hand, trump, turned, seats, leads):
    """The tricks to expect of a hand before anybody has bid: what games.oh_hell.bot does, by suits.

    turned: the card turned up. leads: whether its seat leads to the first trick.
    """
    deal = Deal(hand.bit_count(), seats, leads)
    suits = [hand >> RANKS * suit & SUIT_MASK for suit in range(4)]
    own = suits[trump]
    length = own.bit_count()
    tricks, voids = 0.0, 0
    for suit, ranks in enumerate(suits):
        if suit != trump:
            if not ranks & (ranks - 1):
                voids += 1 if ranks else 2
            if ranks:
                tricks += _side_tricks(ranks, length, deal)
    return tricks + _trump_tricks(own, RANK[turned], voids, deal) if own else tricks


@lru_cache(maxsize=1 << 16)
def _side_tricks(ranks, trumps, deal):
    cards, seats, leads = deal
    unseen = 51 - cards
    misses = 1 - cards / unseen
    length = ranks.bit_count()
    ruffs = (seats - 1) * misses ** (RANKS - length) * (1 - misses ** (RANKS - 1 - trumps))
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            shared = _shared_numbers(ranks, rank, 0, deal)
            lead = shared[3] * exp(-ruffs) / cards if leads else 0.0
            tricks += _chance("bid", "side", [*shared, ruffs * shared[3], trumps / cards, lead])
    return tricks


@lru_cache(maxsize=1 << 16)
def _trump_tricks(ranks, turned, voids, deal):
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            numbers = [voids / 2, deal.cards, 1 / deal.cards if deal.leads else 0.0]
            tricks += _chance("bid", "trump", _shared_numbers(ranks, rank, 1 << turned, deal) + numbers)
    return tricks


def _shared_numbers(ranks, rank, gone, deal):
    """What `games.oh_hell.bot.later_features` puts first, where all rivals want their fair share."""
    cards, seats, _ = deal
    dealt = (seats - 1) * cards / (51 - cards)
    unseen = SUIT_MASK & ~ranks & ~gone
    higher = dealt * (unseen >> rank).bit_count()
    lower = dealt * (unseen & (1 << rank) - 1).bit_count()
    return [1.0, higher, lower, exp(-higher), ranks.bit_count(), 0.0, 0.0, 1 / cards]


def _chance(when, kind, numbers):
    return 1.0 / (1.0 + exp(-sumprod(WEIGHTS[when][kind], numbers)))
