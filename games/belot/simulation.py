"""The play of Belot, fast: hands as bits of ints, and a policy of a few comparisons a card.

It plays by games.belot.rules, to which the tests hold it. A card is a number that depends on the contract: 8 times its
suit, 0 (C) to 3 (S), and its rank in that suit from low to high; sets of cards are the bits of an int. The policy looks
at the cards of the seat that plays and at what everybody knows. Belot is always announced.
"""

from functools import cache
from typing import NamedTuple

from games.belot.rules.pack import BELOT, PLAIN_RANKS, TRUMP_RANKS, points_of_cards, trump_suits
from games.kit.card_sets import any_of
from games.kit.cards import SUITS

ODD = 0.1  # how often a seat plays any legal card: people do, and a search that expects no mistakes is too sure
OF_SUIT = tuple(0xFF << 8 * suit for suit in range(4))
HIGHER = tuple(OF_SUIT[card // 8] >> card + 1 << card + 1 & OF_SUIT[card // 8] for card in range(32))


class Cards(NamedTuple):
    """The cards under a contract. Tuples go by number."""

    number: dict  # of each card
    name: tuple  # of each number
    worth: tuple  # points
    trumps: int  # the set of trumps
    ruffing: int  # the set of those that take tricks of other suits: none in no trumps and all trumps
    beating: tuple  # for each card the set of those that beat it
    royal: tuple  # for K and Q of a trump suit the set of the other, else the empty one


@cache
def cards_under(contract):
    suits = trump_suits(contract)
    name = tuple(rank + suit for suit in SUITS for rank in (TRUMP_RANKS if suit in suits else PLAIN_RANKS))
    number = {card: place for place, card in enumerate(name)}
    other = {"K": "Q", "Q": "K"}
    worth = points_of_cards(contract)
    trumps = sum(OF_SUIT[SUITS.index(suit)] for suit in suits)
    ruffing = trumps if len(suits) == 1 else 0
    return Cards(
        number=number,
        name=name,
        worth=tuple(worth[card] for card in name),
        trumps=trumps,
        ruffing=ruffing,
        beating=tuple(HIGHER[card] | (0 if trumps >> card & 1 else ruffing) for card in range(32)),
        royal=tuple(
            1 << number[other[card[0]] + card[1]] if card[0] in other and card[1] in suits else 0 for card in name
        ),
    )


class World(NamedTuple):
    """A position of the play in which everybody's cards are known. Lists go by seat or by side; they never change."""

    seat: int  # to play
    sides: int
    cards: Cards
    club: bool  # whether club rules say what those must play that cannot follow suit
    reply: bool  # whether belot may be announced on anybody's lead
    bidding: int  # the bidding side
    hands: list  # sets
    gone: int  # the set of cards that nobody holds: everybody has seen them, or they are not in the pack
    best: int  # the best card so far of the trick in progress, and who played it; -1 before the lead
    best_seat: int
    trick: tuple  # its cards, in the order played
    points: list  # by side: of tricks and belots so far
    tricks: list  # by side: how many it has taken
    ten: int  # points for the last trick


def legal_cards(world, hand, led, best, partner):
    """The set of cards that may be played. led: a suit, None before the lead. partner: whether that one is winning."""
    if led is None:
        return hand
    cards = world.cards
    follow = hand & OF_SUIT[led]
    if cards.trumps & OF_SUIT[led]:
        return hand & HIGHER[best] or follow or hand
    if follow:
        return follow
    if not world.club:
        return hand & cards.ruffing or hand
    if partner:
        return hand
    return hand & cards.ruffing & cards.beating[best] or hand


def may_announce(world, card, led, count):
    """Whether a seat that holds king and queen of a trump suit may announce belot with this one of them.

    count: how many cards have been played to the trick.
    """
    if led is None:
        return True
    if card >> 3 != led:
        return world.cards.ruffing  # In all trumps it is a discard.
    return world.reply or (len(world.hands) == 4 and count == 2)  # the partner led


def play_out(world, card, rng, choose=None):
    """Points and tricks by side, two lists, if the seat to act plays `card` and all go on by the policy.

    Declarations are not among the points. choose: another policy, for tests.
    """
    choose = choose or policy
    seat, sides, cards, club, _, _, hands, gone, best, best_seat, trick, points, tricks, ten = world
    hands, points, tricks, seats = list(hands), list(points), list(tricks), len(hands)
    worth, beating, royal, random = cards.worth, cards.beating, cards.royal, rng.random
    count, stake = len(trick), sum(worth[each] for each in trick)
    led = trick[0] >> 3 if trick else None
    club = club and seats == 4
    while True:
        bit = 1 << card
        hand = hands[seat]
        if royal[card] & hand and may_announce(world, card, led, count):
            points[seat % sides] += BELOT
        hands[seat] = hand ^ bit
        gone |= bit
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
                points[side] += ten
                return points, tricks
        else:
            seat = (seat + 1) % seats
            hand = hands[seat]
        if not hand & (hand - 1):
            card = hand.bit_length() - 1
            continue
        partner = club and led is not None and (best_seat - seat) & 3 == 2
        legal = legal_cards(world, hand, led, best, partner)
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif random() < ODD:
            card = any_of(legal, random)
        else:
            card = choose(world, seat, legal, ~(gone | hand), (led, best, best_seat, seats - 1 - count))


# The last tricks


def best_play(world, card, worth):
    """What the deal is worth if the seat to act plays `card` and all then play as well as can be, with open cards.

    worth: a function of points and tricks by side that says what a deal is worth to the seat. With three seats both
    defenders play against the bidder.
    """
    trick = world.trick
    stake = sum(world.cards.worth[each] for each in trick)
    led = trick[0] >> 3 if trick else None
    progress = led, world.best, world.best_seat, len(trick), stake
    return _OpenCards(world, worth).after(world.seat, card, progress, -1e9, 1e9)


class _OpenCards:
    """A search of the last tricks. A trick in progress is (led, best, best_seat, number of cards, points)."""

    def __init__(self, world, worth):
        self.world = world
        self.worth = worth
        self.hands, self.points, self.tricks = list(world.hands), list(world.points), list(world.tricks)
        self.seats = len(self.hands)
        self.club = world.club and self.seats == 4
        side = world.seat % world.sides
        if world.sides == 3 and side != world.bidding:
            self.friends = [seat != world.bidding for seat in range(3)]
        else:
            self.friends = [seat % world.sides == side for seat in range(self.seats)]

    def after(self, seat, card, trick, low, high):
        """The worth after this card, exact if it lies between `low` and `high`."""
        led, best, best_seat, count, stake = trick
        world, hands, points = self.world, self.hands, self.points
        cards, bit, held, belot = world.cards, 1 << card, hands[seat], 0
        if cards.royal[card] & held and may_announce(world, card, led, count):
            belot = BELOT
        hands[seat] = held ^ bit
        points[seat % world.sides] += belot
        stake += cards.worth[card]
        if led is None:
            led, best, best_seat = card >> 3, card, seat
        elif cards.beating[best] & bit:
            best, best_seat = card, seat
        if count + 1 < self.seats:
            trick = led, best, best_seat, count + 1, stake
            value = self._from_here((seat + 1) % self.seats, trick, low, high)
        else:
            value = self._after_trick(best_seat, stake, low, high)
        hands[seat] = held
        points[seat % world.sides] -= belot
        return value

    def _after_trick(self, winner, stake, low, high):
        side = winner % self.world.sides
        is_last = not self.hands[winner]
        if is_last:
            stake += self.world.ten
        self.points[side] += stake
        self.tricks[side] += 1
        if is_last:
            value = self.worth(self.points, self.tricks)
        else:
            value = self._from_here(winner, (None, 0, 0, 0, 0), low, high)
        self.points[side] -= stake
        self.tricks[side] -= 1
        return value

    def _from_here(self, seat, trick, low, high):
        led, best, best_seat, _, _ = trick
        partner = self.club and led is not None and (best_seat - seat) & 3 == 2
        legal = legal_cards(self.world, self.hands[seat], led, best, partner)
        friend = self.friends[seat]
        found = low if friend else high
        while legal and low < high:
            card = legal.bit_length() - 1
            legal ^= 1 << card
            value = self.after(seat, card, trick, low, high)
            if friend:
                low = found = max(found, value)
            else:
                high = found = min(found, value)
        return found


# The policy

# Found by playing the policy against the rule of thumb, with the contract of its auction.
BOSS = 12.0  # points that it is worth to keep the highest card left of a suit
TRUMP = 6.0  # and a trump that takes tricks of other suits
GUARD = 6.0  # and the low card beside a ten, or an ace, that is not the highest


def policy(world, seat, legal, unseen, trick):
    """The one of the legal cards that a seat plays.

    trick: (led, best, best_seat, how many play to it after this seat), as in a `World`; led is None before the lead.
    """
    led, best, best_seat, following = trick
    if led is None:
        return _lead(world, seat, legal, unseen)
    cards, sides = world.cards, world.sides
    winners = legal & cards.beating[best]
    ours = best_seat % sides == seat % sides or (sides == 3 and world.bidding not in (seat, best_seat))
    if ours and (not following or not unseen & HIGHER[best]):
        return _chosen(cards, legal & ~winners or legal, unseen, 1)
    if winners:
        if not following:
            return _chosen(cards, winners, unseen, 1)
        card = winners.bit_length() - 1
        if card >> 3 != led:
            return (winners & -winners).bit_length() - 1  # any trump will do
        if not unseen & HIGHER[card] and not ours:
            return card
    return _chosen(cards, legal, unseen, -1)


def first_lead(world):
    """The card that the seat to act of a `World` leads."""
    hand = world.hands[world.seat]
    return _lead(world, world.seat, hand, ~(world.gone | hand))


def _chosen(cards, legal, unseen, sign):
    """The card with the most points, or with sign -1 the fewest, of those that are not worth keeping."""
    worth, ruffing = cards.worth, cards.ruffing
    found, most = 0, -99.0
    while legal:
        card = (legal & -legal).bit_length() - 1
        legal &= legal - 1
        value = sign * worth[card]
        if not unseen & HIGHER[card]:
            value -= BOSS
        if ruffing >> card & 1:
            value -= TRUMP
        if value > most:
            found, most = card, value
    return found


def _lead(world, seat, hand, unseen):
    """Trumps while the bidding side can draw any, else the highest card left of a suit, else low from a long suit."""
    cards = world.cards
    worth, ruffing = cards.worth, cards.ruffing
    bids = seat % world.sides == world.bidding
    found, most = 0, -99.0
    for suit in OF_SUIT:
        own = hand & suit
        if not own:
            continue
        card = top = own.bit_length() - 1
        others = unseen & suit
        if not others & HIGHER[top]:
            value = 20.0 + worth[top] if others else 10.0
            if suit == ruffing:
                value += 20.0 if others and bids else -25.0
        else:
            card = (own & -own).bit_length() - 1
            value = own.bit_count() - worth[card]
            if worth[top] >= 10 and own.bit_count() < 3:
                value -= GUARD
            if suit == ruffing:
                value += 5.0 if bids else -15.0
        if value > most:
            found, most = card, value
    return found
