"""Play out deals of Belot fast: hands are bits of ints, and the policy needs a few comparisons per card.

Tests compare it with games.belot.rules. The number of a card depends on the contract: 8 times its suit, 0 (C) to 3 (S),
plus its place in that suit from low to high. A set of cards has the bits of their numbers. The policy knows the hand of
the seat to act and what all seats have seen. It announces every belot.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from games.belot.rules.pack import BELOT, PLAIN_RANKS, TRUMP_RANKS, card_points, trump_suits
from games.kit.card_sets import any_of
from games.kit.cards import SUITS
from games.kit.contract import Card, Seat

RANDOM_PLAYS = 0.1  # the share of random cards. People err, and a search that expects no mistakes is too confident.
OF_SUIT = tuple(0xFF << 8 * suit for suit in range(4))  # by suit, the set of its cards
HIGHER = tuple(OF_SUIT[card // 8] >> card + 1 << card + 1 & OF_SUIT[card // 8] for card in range(32))

type CardSet = int
type Worth = Callable[[Sequence[int], Sequence[int]], float]  # the value of a deal, from points and tricks by side


class ContractCards(NamedTuple):
    """The cards under a contract. Tuples go by card number."""

    number: dict[Card, int]
    name: tuple[Card, ...]
    points: tuple[int, ...]
    trumps: CardSet
    ruffing: CardSet  # the trumps that beat other suits: none in no trumps and in all trumps
    beating: tuple[CardSet, ...]  # the cards that beat each card
    royal: tuple[CardSet, ...]  # for the king and queen of a trump suit the other of the two, else the empty set


@cache
def contract_cards(contract: str) -> ContractCards:
    suits = trump_suits(contract)
    name = tuple(rank + suit for suit in SUITS for rank in (TRUMP_RANKS if suit in suits else PLAIN_RANKS))
    number = {card: index for index, card in enumerate(name)}
    other = {"K": "Q", "Q": "K"}
    points = card_points(contract)
    trumps = sum(OF_SUIT[SUITS.index(suit)] for suit in suits)
    ruffing = trumps if len(suits) == 1 else 0
    return ContractCards(
        number=number,
        name=name,
        points=tuple(points[card] for card in name),
        trumps=trumps,
        ruffing=ruffing,
        beating=tuple(HIGHER[card] | (0 if trumps >> card & 1 else ruffing) for card in range(32)),
        royal=tuple(
            1 << number[other[card[0]] + card[1]] if card[0] in other and card[1] in suits else 0 for card in name
        ),
    )


class World(NamedTuple):
    """A position of the play with all hands open. Its lists go by seat or by side, and never change."""

    seat: Seat  # to act
    sides: int
    cards: ContractCards
    club_rules: bool  # the option `trumping: club`
    any_lead: bool  # the option `belot_reply: any`
    bidding_side: int
    hands: list[CardSet]
    absent: CardSet  # cards in no hand: they have been played, or are not in the pack
    best: int  # the best card of the trick in progress; any number before the lead
    best_seat: Seat  # the seat that played it
    trick: tuple[int, ...]  # in the order of play
    points: list[int]  # by side, from tricks and belots
    tricks: list[int]  # by side
    last_trick_points: int


def legal_cards(world: World, hand: CardSet, led: int | None, best: int, partner_wins: bool) -> CardSet:
    """Return the set of cards of a hand that the rules allow to play.

    Sets of cards are the bits of an int, so `a or b` is b if a has no cards. led: the number of the suit led, or None
    before the lead. best: the best card of the trick so far. partner_wins: whether the partner played it.
    """
    if led is None:
        return hand
    cards = world.cards
    follow = hand & OF_SUIT[led]
    if cards.trumps & OF_SUIT[led]:  # A trump was led. It must be beaten if possible.
        return hand & HIGHER[best] or follow or hand
    if follow:
        return follow
    if not world.club_rules:  # A seat without the suit led must trump.
        return hand & cards.ruffing or hand
    if partner_wins:
        return hand
    return hand & cards.ruffing & cards.beating[best] or hand  # A trump must also beat the best card.


def may_announce(world: World, card: int, led: int | None, count: int) -> bool:
    """Return whether a seat with king and queen of trumps may announce them (belot) as it plays `card`, one of the two.

    led: the number of the suit led, or None before the lead. count: the number of cards in the trick before `card`.
    """
    if led is None:
        return True
    if card >> 3 != led:  # The card is of another suit (0 to 3). So it takes the trick as a trump, or is a discard.
        return world.cards.ruffing != 0  # the trumps that take other suits; there are none in all trumps
    partner_led = len(world.hands) == 4 and count == 2
    return world.any_lead or partner_led


# In a policy's argument `trick`: the suit led or None, the best card, its seat, and how many seats play after this one.
type TrickState = tuple[int | None, int, Seat, int]
type Policy = Callable[[World, Seat, CardSet, CardSet, TrickState], int]


def play_out(world: World, card: int, rng: Random, choose: Policy | None = None) -> tuple[list[int], list[int]]:
    """Play `card` and then by the policy to the end of the deal. Return points and tricks by side.

    The points come from tricks and from announced kings and queens of trumps (belots), not from declarations. Cards are
    numbers, and sets of cards are the bits of an int. choose: another policy, for tests.
    """
    choose = choose or policy
    seat, sides, cards, club_rules, _, _, hands, absent, best, best_seat, trick, points, tricks, last = world
    hands, points, tricks, seats = list(hands), list(points), list(tricks), len(hands)
    worth, beating, royal, random = cards.points, cards.beating, cards.royal, rng.random
    count, stake = len(trick), sum(worth[number] for number in trick)
    led = trick[0] >> 3 if trick else None
    club_rules = club_rules and seats == 4
    while True:
        bit = 1 << card
        hand = hands[seat]
        if royal[card] & hand and may_announce(world, card, led, count):
            points[seat % sides] += BELOT
        hands[seat] = hand ^ bit
        absent |= bit
        stake += worth[card]
        if led is None:
            led, best, best_seat = card >> 3, card, seat
        elif beating[best] & bit:
            best, best_seat = card, seat
        count += 1
        if count == seats:
            side = best_seat % sides
            points[side] += stake
            tricks[side] += 1
            seat = best_seat
            stake = count = 0
            led = None
            hand = hands[seat]
            if not hand:
                points[side] += last
                return points, tricks
        else:
            seat = (seat + 1) % seats
            hand = hands[seat]
        if not hand & (hand - 1):  # a single card
            card = hand.bit_length() - 1
            continue
        partner_wins = club_rules and led is not None and (best_seat - seat) & 3 == 2  # Partners sit opposite.
        legal = legal_cards(world, hand, led, best, partner_wins)
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif random() < RANDOM_PLAYS:
            card = any_of(legal, random)
        else:
            card = choose(world, seat, legal, ~(absent | hand), (led, best, best_seat, seats - 1 - count))


# The last tricks


def best_play(world: World, card: int, worth: Worth) -> float:
    """Return what the deal is worth after `card` if all seats then play perfectly, and see all cards.

    worth: a function that returns the value of the deal to the seat to act, from the points and tricks by side at the
    end. With three seats both defenders play against the bidder.
    """
    trick = world.trick
    stake = sum(world.cards.points[number] for number in trick)  # the points in the trick
    led = trick[0] >> 3 if trick else None  # the number of the suit led, 0 to 3
    return _OpenCards(world, worth).play(world.seat, card, (led, world.best, world.best_seat, len(trick), stake))


type TrickInProgress = tuple[int | None, int, Seat, int, int]  # suit led, best card, its seat, number of cards, points
NO_CARDS: TrickInProgress = (None, 0, 0, 0, 0)  # before the lead


class _OpenCards:
    """An alpha-beta search of the last tricks."""

    def __init__(self, world: World, worth: Worth) -> None:
        self.world = world
        self.worth = worth
        self.hands, self.points, self.tricks = list(world.hands), list(world.points), list(world.tricks)
        self.seats = len(self.hands)
        self.club_rules = world.club_rules and self.seats == 4
        side = world.seat % world.sides
        if world.sides == 3 and side != world.bidding_side:
            self.friends = [seat != world.bidding_side for seat in range(3)]
        else:
            self.friends = [seat % world.sides == side for seat in range(self.seats)]

    def play(self, seat: Seat, card: int, trick: TrickInProgress, low: float = -1e9, high: float = 1e9) -> float:
        """Return what the deal is worth after the seat has played this card, if all seats then play perfectly.

        This is an alpha-beta search. Its result is exact only if it is between `low` and `high`, because others would
        not change the choice before. trick: the suit led or None, the best card, its seat, the number of cards, and
        their points. `_search` calls this for every card. So hands and points change here, and are then restored.
        """
        led, best, best_seat, count, stake = trick
        world, hands, points = self.world, self.hands, self.points
        cards, bit, hand, belot = world.cards, 1 << card, hands[seat], 0
        if cards.royal[card] & hand and may_announce(world, card, led, count):
            belot = BELOT  # the points for king and queen of trumps in one hand
        hands[seat] = hand ^ bit  # without the card
        points[seat % world.sides] += belot
        stake += cards.points[card]
        if led is None:
            led, best, best_seat = card >> 3, card, seat
        elif cards.beating[best] & bit:  # The card beats the best one.
            best, best_seat = card, seat
        if count + 1 < self.seats:  # Others still play to this trick.
            trick = led, best, best_seat, count + 1, stake
            value = self._search((seat + 1) % self.seats, trick, low, high)
        else:
            value = self._finish_trick(best_seat, stake, low, high)
        hands[seat] = hand
        points[seat % world.sides] -= belot
        return value

    def _finish_trick(self, winner: Seat, stake: int, low: float, high: float) -> float:
        """Return what the deal is worth after the winner has taken the trick, and leads to the next one.

        stake: the points of its cards. low, high: the limits between which the result must be exact. Points and tricks
        change here, and are then restored.
        """
        side = winner % self.world.sides
        is_last = not self.hands[winner]
        if is_last:
            stake += self.world.last_trick_points
        self.points[side] += stake
        self.tricks[side] += 1
        if is_last:
            value = self.worth(self.points, self.tricks)
        else:
            value = self._search(winner, NO_CARDS, low, high)
        self.points[side] -= stake
        self.tricks[side] -= 1
        return value

    def _search(self, seat: Seat, trick: TrickInProgress, low: float, high: float) -> float:
        """Return what the deal is worth if this seat and all others play their best cards from now on.

        It tries every card. Friends choose the highest worth, and the others the lowest. trick: the suit led or None,
        the best card, its seat, the number of cards, and their points. low, high: the limits between which the result
        must be exact (alpha and beta). When they meet, the other cards no longer matter.
        """
        led, best, best_seat, _, _ = trick
        partner_wins = self.club_rules and led is not None and (best_seat - seat) & 3 == 2  # Partners sit opposite.
        legal = legal_cards(self.world, self.hands[seat], led, best, partner_wins)
        is_friend = self.friends[seat]
        optimum = low if is_friend else high
        while legal and low < high:
            card = legal.bit_length() - 1  # the card of the highest bit
            legal ^= 1 << card  # Remove it from the set.
            value = self.play(seat, card, trick, low, high)
            if is_friend:
                low = optimum = max(optimum, value)
            else:
                high = optimum = min(optimum, value)
        return optimum


# The policy

# These were tuned by playing the policy against the rule of thumb, with the contract of the latter's auction.
BOSS = 12.0  # the value in points of keeping the highest remaining card of a suit
TRUMP = 6.0  # the value of keeping a trump that beats other suits
GUARD = 6.0  # the value of keeping the low card with a ten, or with an ace that is not the highest


def policy(world: World, seat: Seat, legal: CardSet, unseen: CardSet, trick: TrickState) -> int:
    """Return the card that a seat plays in a simulated deal: many points in a trick of its side, few in a lost one.

    Cards are numbers, and sets of cards are the bits of an int. legal: the cards that may be played. unseen: the cards
    that this seat cannot see. trick: the suit led or None, the best card, its seat, and how many seats play after it.
    """
    led, best, best_seat, following = trick
    if led is None:
        return _lead(world, seat, legal, unseen)
    cards, sides = world.cards, world.sides
    winners = legal & cards.beating[best]  # the cards that beat the best one
    # With three players, the two others play together against the bidder.
    are_both_defenders = sides == 3 and world.bidding_side not in (seat, best_seat)
    is_ours = best_seat % sides == seat % sides or are_both_defenders
    if is_ours and (not following or not unseen & HIGHER[best]):  # The trick is nearly certain to stay ours.
        return _pick_by_points(cards, legal & ~winners or legal, unseen, 1)  # Add points, and do not beat it.
    if winners:
        if not following:  # The last seat is certain to take the trick.
            return _pick_by_points(cards, winners, unseen, 1)
        card = winners.bit_length() - 1  # the highest one
        if card >> 3 != led:  # It is of another suit than the one led, so the seat ruffs.
            return (winners & -winners).bit_length() - 1  # the lowest trump
        if not unseen & HIGHER[card] and not is_ours:  # Nobody can play a higher card of the suit.
            return card
    # The trick is likely to be lost. Give it few points.
    return _pick_by_points(cards, legal, unseen, -1)


def first_lead(world: World) -> int:
    """Return the card that the seat to act leads."""
    hand = world.hands[world.seat]
    return _lead(world, world.seat, hand, ~(world.absent | hand))


def _pick_by_points(cards: ContractCards, legal: CardSet, unseen: CardSet, sign: int) -> int:
    """Return the card that gives the trick the most points (sign 1) or the fewest (sign -1).

    A card that is good in later tricks is less likely to be picked. legal, unseen: the sets of cards that may be
    played, and that the seat cannot see. A set of cards is the bits of an int.
    """
    points, ruffing = cards.points, cards.ruffing
    pick, best_value = 0, -99.0
    while legal:
        card = (legal & -legal).bit_length() - 1  # the card of the lowest bit
        legal &= legal - 1  # Remove it from the set.
        value: float = sign * points[card]
        if not unseen & HIGHER[card]:  # No other seat has a higher card of its suit, so it can take a trick.
            value -= BOSS
        if ruffing >> card & 1:  # It is a trump that can beat other suits.
            value -= TRUMP
        if value > best_value:
            pick, best_value = card, value
    return pick


def _lead(world: World, seat: Seat, hand: CardSet, unseen: CardSet) -> int:
    """Return the card that a seat leads (plays first in a trick).

    The bidding side leads trumps while the others may hold any. Next comes the highest remaining card of a suit, then a
    low card of a long suit. Each suit offers one card, and the card of the highest value is led. hand, unseen: sets of
    cards, as the bits of an int. unseen: the cards that the seat cannot see.
    """
    cards = world.cards
    points, ruffing = cards.points, cards.ruffing
    has_bid = seat % world.sides == world.bidding_side
    lead, best_value = 0, -99.0
    for suit in OF_SUIT:
        own = hand & suit
        if not own:
            continue
        card = top = own.bit_length() - 1  # the highest card of the hand in this suit
        others = unseen & suit
        if not others & HIGHER[top]:  # No other seat has a higher one.
            value = 20.0 + points[top] if others else 10.0
            if suit == ruffing:  # Draw the others' trumps for the bidder. Otherwise keep trumps for ruffs.
                value += 20.0 if others and has_bid else -25.0
        else:
            card = (own & -own).bit_length() - 1  # the lowest card
            value = own.bit_count() - points[card]  # better with a long suit, and without points for the others
            if points[top] >= 10 and own.bit_count() < 3:  # The low card protects a ten or an ace.
                value -= GUARD
            if suit == ruffing:
                value += 5.0 if has_bid else -15.0
        if value > best_value:
            lead, best_value = card, value
    return lead
