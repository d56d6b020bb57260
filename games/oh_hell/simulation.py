"""A fast simulation of hands of Oh Hell: hands as sets of bits, and a policy that looks up most of its estimates.

Tests compare it with games.oh_hell.rules. Cards, suits and sets are ints, see games.kit.card_sets. The policy uses only
the hand of the seat that plays and what everybody can see.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp, pi, sumprod
from random import Random
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, OF_SUIT, SUIT, any_of
from games.kit.contract import Seat
from games.kit.positions import maker
from games.oh_hell.bot import WEIGHTS
from games.oh_hell.rules import MADE

RANKS = 13
SUIT_MASK = (1 << RANKS) - 1
NO_BID = -1
CAUTION = 0.1  # Bids are this many tricks below the expectation of the hand.
RANDOM_PLAYS = 0.1  # the share of random cards. People err, and a search that expects no mistakes is too confident.
FOLLOWS, RUFFS = 0.8, 0.6  # how often a rival beats a card if it can: with a higher card, with a trump
MIN_VARIANCE = 0.1  # Added to each variance, because a bell curve fits a few chances badly.
TWO_PI = 2 * pi
MANY_TRUMPS = (0, 1, 2, 3, 4, 4, 6, 6, 6, 9, 9, 9, 9, 9)  # by the number of unseen trumps, a number about as good
MAX_CACHED_SUITS = 1 << 17  # Then the cache starts again.
RANK = tuple(card % RANKS for card in range(52))
BEATING = tuple(  # by trump, then by card: the set of cards that beat it
    tuple(HIGHER[best] | (0 if SUIT[best] == trump else OF_SUIT[trump]) for best in range(52)) for trump in range(4)
)

# rank, chance to take a later trick if it is kept, number of higher cards outside, chance to take a trick if it is led
type CardValues = tuple[int, float, int, float]


class Turn(NamedTuple):
    """The public knowledge that a seat plays by, in addition to its hand."""

    need: int  # the number of tricks missing for its bid
    scoring: str
    trump: int
    public: int  # as in a World, like led and best
    led: int | None
    best: int
    following: int  # the number of seats that play to this trick after this one


turn_of = maker(Turn)
type Choose = Callable[[int, Turn], int]  # chooses a card of a hand


class World(NamedTuple):
    """A position with all cards open. Lists are by seat, and nobody changes them."""

    seat: Seat  # to act
    scoring: str
    trump: int
    hands: list[int]  # sets
    bids: list[int]  # NO_BID for seats that have not bid
    tricks_won: list[int]
    public: int  # the set of cards that everybody has seen: the card turned up and the cards played
    led: int | None  # the suit led to the trick in progress
    best: int  # its best card so far, and the seat that played it. Before the lead they mean nothing.
    best_seat: Seat
    trick_size: int  # the number of cards in it


def play_out(world: World, card: int, rng: Random, choose: Choose | None = None) -> list[int]:
    """Play a hand to its end and return the number of tricks of each seat.

    The seat to act plays `card`, and then all seats follow the policy, a quick rule for the choice of a card. Now and
    then they play any card, as people err. Cards are numbers from 0 to 51, and a hand is a set of bits. choose: a
    replacement for the policy, for tests.
    """
    seat, scoring, trump, hands, bids, tricks_won, public, led, best, best_seat, size = world
    hands, tricks_won, seats = list(hands), list(tricks_won), len(bids)
    beating, random = BEATING[trump], rng.random
    choose = choose or policy(seats, stock_of(world)).choose
    last = seats - 1  # the size of a trick that lacks one card
    while True:
        bit = 1 << card  # The card is played.
        hands[seat] ^= bit
        public |= bit
        if not size:  # The card is led.
            led, best, best_seat = SUIT[card], card, seat
        elif beating[best] & bit:
            best, best_seat = card, seat
        if size == last:  # The trick is full. Its winner leads to the next one.
            tricks_won[best_seat] += 1
            seat, size = best_seat, 0
            hand = hands[seat]
            if not hand:
                return tricks_won
            led = None
        else:
            size += 1
            seat = (seat + 1) % seats
            hand = hands[seat]
        legal = hand if led is None else hand & OF_SUIT[led] or hand  # A seat must follow suit if it can.
        if not legal & (legal - 1):  # It is a single card.
            card = legal.bit_length() - 1
        elif random() < RANDOM_PLAYS:  # People err too.
            card = any_of(legal, random)
        else:
            need = bids[seat] - tricks_won[seat]
            card = choose(hand, turn_of((need, scoring, trump, public, led, best, last - size)))


def bid_out(world: World, bid: int, rng: Random) -> tuple[list[int], list[int]]:
    """Finish the bidding, play the hand to its end, and return the number of tricks of each seat, and the bids.

    The seat to act bids `bid`, and the seats after it bid what they expect of their hands. Then all follow the policy,
    a quick rule for the choice of a card. The seat after the dealer bids first and leads first.
    """
    # Go round the table. The first seat that has a bid is the one after the dealer.
    seat, bids, later_bidders = world.seat, list(world.bids), []
    bids[seat] = bid
    first = (seat + 1) % len(bids)
    while bids[first] == NO_BID:
        later_bidders.append(first)
        bids[first] = _usual_bid(world, first)
        first = (first + 1) % len(bids)
    # The dealer, who bids last, may not make the sum of all bids equal the number of tricks.
    if later_bidders and sum(bids) == world.hands[seat].bit_count():
        bids[later_bidders[-1]] += 1
    world = world._replace(seat=first, bids=bids)
    hand = world.hands[first]
    choose = policy(len(bids), stock_of(world)).choose
    # Nothing is led yet, and all other seats play after this one.
    card = choose(hand, Turn(bids[first], world.scoring, world.trump, world.public, None, 0, len(bids) - 1))
    return play_out(world, card, rng), bids


def _usual_bid(world: World, seat: Seat) -> int:
    """Return the bid of a seat that goes only by its own hand: a little below the tricks that it expects."""
    turned = world.public.bit_length() - 1  # Before the play, this is the only card that everybody has seen.
    promise = expected_tricks(world.hands[seat], world.trump, turned, len(world.bids), False)
    return max(round(promise - CAUTION), 0)


def stock_of(world: World) -> int:
    """Return the number of cards that were not dealt, without the card turned up."""
    return len(RANK) - world.public.bit_count() - sum(hand.bit_count() for hand in world.hands)


def legal_cards(hand: int, led: int | None) -> int:
    """Return the set of cards of a hand that may be played. led: the suit led, None to lead."""
    return hand if led is None else hand & OF_SUIT[led] or hand


class Policy:
    """Plays the card that makes the bid most likely, by a bell curve around the expected tricks.

    This is nearly the rule of thumb. The play-outs of a deal meet the same suits again and again, so the values of
    suits are cached by the cards in hand, the cards outside and the trumps.

    stock: the number of cards that were not dealt, without the card turned up.
    """

    def __init__(self, seats: int, stock: int) -> None:
        self.rivals = seats - 1
        self.stock = stock
        self.suits: dict[int, tuple[float, float, list[CardValues]]] = {}
        self.cards: dict[int, tuple[float, float]] = {}
        self.missing = [self._no_card_chances(left) for left in range(RANKS + 1)]

    def choose(self, hand: int, turn: Turn) -> int:
        """Return the card of this hand to play: the one with the best chance of the bid, or the most points.

        Cards are numbers from 0 to 51, and a hand is a set of bits. The tricks of the hand are a sum of chances. With
        their mean and their variance, a bell curve tells how likely the bid is.
        """
        need, scoring, trump, public, led, best, following = turn
        unseen = ALL & ~(public | hand)
        tricks, variance, suits = self._values_of_hand(hand, unseen, trump)
        options = []  # card, chance to take a later trick if it is kept, chance to take this trick
        if led is None:
            options = [(13 * suit + rank, later, now) for suit, ranks in suits for rank, later, _, now in ranks]
        else:
            # By a number of cards, the chance that a rival holds none of them.
            missing, of_led = self.missing[hand.bit_count()], (unseen & OF_SUIT[led]).bit_count()
            trumps_out = (unseen & OF_SUIT[trump]).bit_count()
            ruff = 0.0 if led == trump else missing[of_led] * (1.0 - missing[trumps_out])
            best_suit, best_rank = SUIT[best], RANK[best]
            for suit, ranks in [each for each in suits if each[0] == led] or suits:  # It must follow suit if it can.
                for rank, later, higher, _ in ranks:
                    now = 0.0
                    beats_best = rank > best_rank if suit == best_suit else suit == trump
                    if beats_best:
                        over = 1.0 - missing[higher]
                        # The chance that one rival beats it. A ruff is beaten only by a rival who is void too.
                        lost = FOLLOWS * over + RUFFS * ruff if suit == led else RUFFS * missing[of_led] * over
                        now = (1.0 - lost) ** following
                    options.append((13 * suit + rank, later, now))
        left = hand.bit_count()
        choice, most = options[0][0], -1e9
        for card, later, now in options:
            mean = tricks - later + now
            if not 0 <= need <= left:  # The bid is lost. Only in positive scoring tricks are still worth something.
                worth = mean if scoring == "positive" else -mean
            else:
                about = variance - later * (1.0 - later) + now * (1.0 - now)
                worth = MADE * exp((need - mean) ** 2 / (-2.0 * about)) / (TWO_PI * about) ** 0.5
                if scoring == "positive":  # Each trick is a point too.
                    worth += mean
                elif scoring == "negative":  # Each trick off the bid costs.
                    worth -= MADE * ((need - mean) ** 2 + about) ** 0.5
            if worth > most:
                choice, most = card, worth
        return choice

    def _values_of_hand(
        self, hand: int, unseen: int, trump: int
    ) -> tuple[float, float, list[tuple[int, list[CardValues]]]]:
        """Return the expected tricks of a hand, their variance, and pairs of a suit and the values of its cards.

        The values of a suit are cached, because the same suits come again and again. The key packs all that they depend
        on into an int, from the lowest bit: the ranks in hand (13 bits), the unseen ranks (13), and four facts of the
        hand: about the number of unseen trumps (4), the trumps in hand (4), the cards in hand (4), and whether the suit
        is trumps. hand, unseen: sets of bits, 13 for each suit.
        """
        facts = MANY_TRUMPS[(unseen & OF_SUIT[trump]).bit_count()] << 26 | hand.bit_count() << 34
        trump_facts = facts | 1 << 38
        side_facts = facts | min((hand & OF_SUIT[trump]).bit_count(), 4) << 30  # Four trumps are as good as more.
        tricks, variance, by_suit, suits = 0.0, MIN_VARIANCE, [], self.suits
        for suit in range(4):
            cards = hand >> RANKS * suit & SUIT_MASK
            if not cards:
                continue
            key = cards | (unseen >> RANKS * suit & SUIT_MASK) << RANKS
            key |= trump_facts if suit == trump else side_facts
            values = suits.get(key)
            if values is None:
                if len(suits) > MAX_CACHED_SUITS:
                    suits.clear()
                values = suits[key] = self._values_of_suit(key)
            suit_tricks, suit_variance, card_values = values
            tricks += suit_tricks
            variance += suit_variance
            by_suit.append((suit, card_values))
        return tricks, variance, by_suit

    def _values_of_suit(self, key: int) -> tuple[float, float, list[CardValues]]:
        """Return the expected tricks of the cards of a suit, their variance, and the values of each card.

        Values are: the rank, the chance of a later trick if it is kept, the number of higher unseen cards, and the
        chance of a trick if it is led. key: an int that packs the ranks in hand (13 bits), the unseen ranks (13), and
        facts of the whole hand, as `_chances_of_card` unpacks them.
        """
        own, unseen, facts = key & SUIT_MASK, key >> RANKS & SUIT_MASK, key >> 26
        length, unseen_count = own.bit_count(), unseen.bit_count()
        tricks, variance, cards = 0.0, 0.0, []
        while own:  # From the highest card down.
            rank = own.bit_length() - 1
            own ^= 1 << rank
            higher = (unseen >> rank).bit_count()
            # The chances depend on few numbers. They are cached by an int that packs these.
            card_key = higher | unseen_count << 4 | length << 8 | facts << 12
            chances = self.cards.get(card_key)
            if chances is None:
                chances = self.cards[card_key] = self._chances_of_card(higher, unseen_count, length, facts)
            later, led = chances
            tricks += later
            variance += later * (1.0 - later)
            cards.append((rank, later, higher, led))
        return tricks, variance, cards

    def _chances_of_card(self, higher: int, unseen: int, length: int, facts: int) -> tuple[float, float]:
        """Return the chances of a card to take a trick: a later one if it is kept, and this one if it is led.

        higher, unseen: the numbers of unseen cards of its suit, above it and in all. length: of the suit in hand.
        facts: numbers of the whole hand, packed in groups of four bits. To ruff is to play a trump to a trick of
        another suit, when one holds no card of that suit.
        """
        unseen_trumps, trumps, left, is_trump = facts & 15, facts >> 4 & 15, facts >> 8 & 15, facts >> 12
        # The part of the unseen cards in rivals' hands. Then the chances that a rival misses a number of cards.
        dealt, missing = self.rivals * left / (self.rivals * left + self.stock), self.missing[left]
        ruff = 0.0 if is_trump else missing[unseen] * (1.0 - missing[unseen_trumps])  # the chance that a rival can
        highest = exp(-dealt * higher)  # about the chance that no rival holds a higher card
        # The same numbers as in `games.oh_hell.bot.later_features`. Constants replace what would take too long.
        numbers = [1.0, dealt * higher, dealt * (unseen - higher), highest, length, 0.0, 0.0, 1.0 / left]
        if is_trump:
            later = _later_chance("keep", "trump", [*numbers, 0.5, left, 0.0])
        else:
            later = _later_chance("keep", "side", [*numbers, ruff * self.rivals * highest, trumps / left, 0.0])
        unbeaten = 1.0 - FOLLOWS * (1.0 - missing[higher]) - RUFFS * ruff  # the chance against one rival
        return later, unbeaten**self.rivals

    def _no_card_chances(self, left: int) -> list[float]:
        """Return, by a number of unseen cards, the chance that a rival with `left` cards holds none of them.

        Each unseen card is in the rival's hand with the same chance, independently. Other rivals and the stock may hold
        it as well.
        """
        share = left / (self.rivals * left + self.stock) if left else 0.0
        return [(1.0 - share) ** count for count in range(RANKS + 1)]


@lru_cache(maxsize=64)
def policy(seats: int, stock: int) -> Policy:
    return Policy(seats, stock)


# The expectation of a hand before any bid


class Deal(NamedTuple):
    """The deal from the view of a seat before any bid."""

    cards: int  # in each hand
    seats: int
    leads: bool  # whether the seat leads to the first trick


def expected_tricks(hand: int, trump: int, turned: int, seats: int, leads: bool) -> float:
    """Return the number of tricks that a hand takes on average, before any bid. hand: a set of bits, 13 for each suit.

    `games.oh_hell.bot` estimates the same, but without a cache. turned: the card turned up. leads: whether the seat
    leads to the first trick.
    """
    deal = Deal(hand.bit_count(), seats, leads)
    suits = [hand >> RANKS * suit & SUIT_MASK for suit in range(4)]
    trumps = suits[trump]
    trump_count = trumps.bit_count()
    # Trumps are worth more if the hand is short of another suit: 2 halves without a card of it, 1 half with one card.
    tricks, half_voids = 0.0, 0
    for suit, ranks in enumerate(suits):
        if suit != trump:
            if not ranks & (ranks - 1):  # At most one card.
                half_voids += 1 if ranks else 2
            if ranks:
                tricks += _side_tricks(ranks, trump_count, deal)
    return tricks + _trump_tricks(trumps, RANK[turned], half_voids, deal) if trumps else tricks


@lru_cache(maxsize=1 << 16)
def _side_tricks(ranks: int, trumps: int, deal: Deal) -> float:
    """Return the expected tricks of the cards in a suit other than trumps, a sum of the chances of each card.

    ranks: its cards in hand, a set of bits. trumps: the number of trumps in hand. deal: the numbers of seats and of
    cards in each hand. A rival who holds no card of the suit (who is void in it) can ruff: beat its cards with a trump.
    """
    cards, seats, leads = deal
    unseen = 51 - cards  # The card turned up is known as well.
    misses = 1 - cards / unseen  # the chance that a rival does not hold a certain card
    length = ranks.bit_count()
    # The expected number of rivals that are void in the suit and hold a trump.
    ruffs = (seats - 1) * misses ** (RANKS - length) * (1 - misses ** (RANKS - 1 - trumps))
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            shared = _shared_features(ranks, rank, 0, deal)
            highest = shared[3]  # about the chance that no rival holds a higher card
            lead = highest * exp(-ruffs) / cards if leads else 0.0
            tricks += _later_chance("bid", "side", [*shared, ruffs * highest, trumps / cards, lead])
    return tricks


@lru_cache(maxsize=1 << 16)
def _trump_tricks(ranks: int, turned: int, half_voids: int, deal: Deal) -> float:
    """Return the expected tricks of the trumps in a hand, a sum of the chances of each card.

    ranks: a set of bits. turned: the rank of the card turned up, which is a trump. half_voids: 2 for each suit without
    a card in the hand, 1 for a suit with one card, because trumps take tricks of such suits. deal: the number of seats
    and of cards in each hand.
    """
    tricks = 0.0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            numbers = [half_voids / 2, deal.cards, 1 / deal.cards if deal.leads else 0.0]
            tricks += _later_chance("bid", "trump", _shared_features(ranks, rank, 1 << turned, deal) + numbers)
    return tricks


def _shared_features(ranks: int, rank: int, turned: int, deal: Deal) -> list[float]:
    """Return the numbers, common to trumps and other suits, that tell the chance of a card to take a trick.

    They are the first ones of `games.oh_hell.bot.later_features`, before any bid. The zeros are for the unknown bids.
    ranks: the cards of the suit in hand, a set of bits. turned: a set of the card turned up, if it is of this suit, or
    else 0.
    """
    cards, seats, _ = deal
    dealt = (seats - 1) * cards / (51 - cards)  # the part of the unseen cards in rivals' hands
    unseen = SUIT_MASK & ~ranks & ~turned
    higher = dealt * (unseen >> rank).bit_count()
    lower = dealt * (unseen & (1 << rank) - 1).bit_count()
    return [1.0, higher, lower, exp(-higher), ranks.bit_count(), 0.0, 0.0, 1 / cards]


def _later_chance(when: str, kind: str, numbers: Sequence[float]) -> float:
    """Return the chance of a card to take a later trick. when: "bid" or "keep". kind: "trump" or "side"."""
    return 1.0 / (1.0 + exp(-sumprod(WEIGHTS[when][kind], numbers)))
