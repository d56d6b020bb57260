"""The play of Bids, fast: hands as bits of ints, and a policy of a few comparisons a card.

It plays by games.bids.rules, to which the tests hold it. A card of a hand is a number that depends on what wins: 5
times its rank, from 0 for the Ally up to 15, and its colour, 0 (R) to 4 (black); sets of cards are the bits of an int.
Cards of the centre are their points, or one of the codes below. The policy looks at the cards of the seat that plays
and at what everybody knows.
"""

from functools import cache
from math import exp, log
from typing import NamedTuple

from games.bids.rules.pack import ALLY, COLOURS, HIGHEST, NUMBER
from games.kit.card_sets import any_of

ODD = 0.1  # how often a seat plays any card: people do, and a search that expects no mistakes is too sure
COLOUR_COUNT = 5
BLACK = 4
TOP_RANK = 15
DOUBLE, LOWEST, SURPRISE = 100, 101, 102  # codes of cards of the centre
ALLY_CARD = 1  # the set of the Ally
OF_COLOUR = tuple(sum(1 << COLOUR_COUNT * rank + colour for rank in range(1, 16)) for colour in range(COLOUR_COUNT))
COLOURED = sum(OF_COLOUR[:BLACK])
ABOVE = tuple(-1 << COLOUR_COUNT * (rank + 1) for rank in range(TOP_RANK + 1))  # sets: all cards of a higher rank
BELOW = tuple((1 << COLOUR_COUNT * rank) - 1 for rank in range(TOP_RANK + 1))
RANK = tuple(card // COLOUR_COUNT for card in range(COLOUR_COUNT * (TOP_RANK + 1)))
COLOUR = tuple(card % COLOUR_COUNT for card in range(COLOUR_COUNT * (TOP_RANK + 1)))

# Tried by playing the policy against the rule of thumb at three to five seats: none is critical. The last is that of
# the rule of thumb.
KEEN, KEENER = 0.1, 0.3  # how keen rivals are on a trick without points, and how much keener for each mean prize
LATER = 0.6  # part of the rivals that a card still has to beat if it is played at the right moment
DANGER, DODGED = 0.8, 1.2  # how likely a card takes a trick that its seat does not want
LEAD = 0.6  # points that having to lead the next trick costs
PATIENCE = 0.7  # part of what the best partner would be worth that a seat gets by keeping the Ally


def rank_of(number, low):
    """The rank of a number from -5 to 14. low: whether the lowest number wins."""
    rank = max(number, 0) + 1
    return TOP_RANK + 1 - rank if low else rank


@cache
def bits(low):
    """For each card of a hand the set of it alone, a dict. low: as in `rank_of`."""
    found = {card: 1 << COLOUR_COUNT * rank_of(number, low) + "RGYBK".index(card[0]) for card, number in NUMBER.items()}
    return found | {ALLY: ALLY_CARD}


@cache
def never_dealt(seats, low):
    """The set of coloured cards that are not in the pack for so many seats."""
    bit, numbers = bits(low), range(1, HIGHEST[seats] + 1)
    return COLOURED & ~sum(bit[f"{colour}{number}"] for colour in COLOURS[seats] for number in numbers)


def turned(cards):
    """The set of cards where highest wins as the same where lowest does, or the other way round."""
    found = cards & ALLY_CARD
    for rank in range(1, TOP_RANK + 1):
        found |= (cards >> COLOUR_COUNT * rank & 31) << COLOUR_COUNT * (TOP_RANK + 1 - rank)
    return found


class Worth(NamedTuple):
    """What cards promise, tuples by card. low: as in `rank_of`."""

    points: tuple  # that a black card is worth to whoever wins it
    power: tuple  # points that the card promises to win later
    risk: tuple  # minus the logarithm of its chance not to win a trick


@cache
def worth_of_cards(seats, low):
    rivals, highest = seats - 1, HIGHEST[seats]
    mean = (1 + highest) / 2
    points, power, risk = [], [], []
    for card, rank in enumerate(RANK):
        number = (TOP_RANK + 1 - rank if low else rank) - 1
        worse = (highest - number if low else number - 1) / highest if number else float(low)
        worse = min(max(worse, 0.0), 1.0) if rank else 0.0
        takes = worse ** (LATER * rivals)
        points.append(((number or -5) if COLOUR[card] == BLACK else 0) if rank else 0)
        power.append(mean * takes * (0.5 + takes))
        risk.append(-log(1 - DANGER * worse ** (DODGED * rivals)))
    return Worth(tuple(points), tuple(power), tuple(risk))


class World(NamedTuple):
    """A position in which everybody's cards are known, and those of the centre. Lists go by seat; none ever changes."""

    seat: int  # to act
    colour_bids: bool
    low: bool  # whether the lowest number wins this trick
    hands: list  # sets, by `low`
    stock: list  # codes of the cards to be turned up, the next one last
    centre: int  # code
    under: int | None  # code of the card under the Surprise card
    gone: int  # the set of cards that everybody has seen, by `low`
    bids: tuple  # of the trick in progress: pairs of a seat and a card
    points: list  # won so far in this round
    tricks: list  # how many each seat has won
    null_worth: list  # points of a round without a trick
    ally: tuple | None  # the seat that played the Ally, and its partner


class End(NamedTuple):
    """How a round ends, lists by seat."""

    points: list  # of tricks, with what was doubled
    tricks: list  # how many each seat has won
    ally: tuple | None


def totals(world, end):
    """The points of each seat in a round that ends like this, a list."""
    own = [
        points if tricks else points + null
        for points, tricks, null in zip(end.points, end.tricks, world.null_worth, strict=True)
    ]
    if end.ally:
        one, other = end.ally
        own[one] = own[other] = (own[one] + own[other]) / 2
    return own


# As an object with methods, in place of local names and arguments, it made the hard bot a tenth slower (measured).
def play_out(world, card, rng, choose=None):  # noqa: C901
    """The `End` of the round if the seat to act plays `card` and all go on by the policy.

    choose: another policy, for tests.
    """
    choose = choose or policy
    seat, colour_bids, low, hands, stock, centre, under, gone, bids, points, tricks, null_worth, ally = world
    hands, stock, points, tricks, seats = list(hands), list(stock), list(points), list(tricks), len(hands)
    random, mean, last = rng.random, (1 + HIGHEST[seats]) / 2, seats - 1
    worth = worth_of_cards(seats, low)
    powers, risks = _promises(hands, worth)
    trick = Trick(colour_bids, centre, low)
    for other, bid in bids:
        trick.add(other, bid)
    black = sum(worth.points[bid] for _, bid in bids)
    joined = next((other for other, bid in bids if not bid), None)
    count = len(bids)
    while True:
        bit = 1 << card
        hands[seat] ^= bit
        gone |= bit
        black += worth.points[card]
        powers[seat] -= worth.power[card]
        risks[seat] -= worth.risk[card]
        trick.add(seat, card)
        if not card:
            joined = seat
        if count == last:
            prize = centre
            if under is not None:
                prize = under
                trick.turn_up(under, low)
            winner = trick.winner
            if not trick.tied:
                won = black + (prize if prize < DOUBLE else 0)
                points[winner] += won
                if prize == DOUBLE:
                    points[winner] *= 2
                tricks[winner] += 1
                if joined is not None:
                    ally = joined, winner
            seat = winner
            if not hands[seat]:
                return End(points, tricks, ally)
            flips = not low and LOWEST in (under, stock[-1])
            centre, under = stock.pop(), None
            if centre == SURPRISE:
                under = stock.pop()
            if flips:
                low, gone = True, turned(gone)
                hands = list(map(turned, hands))
                worth = worth_of_cards(seats, low)
                powers, risks = _promises(hands, worth)
            trick = Trick(colour_bids, centre, low)
            black = count = 0
            joined = None
        else:
            count += 1
            seat += 1
            if seat == seats:
                seat = 0
        hand = hands[seat]
        if not hand & (hand - 1):
            card = hand.bit_length() - 1
        elif random() < ODD:
            card = any_of(hand, random)
        else:
            stake = black
            if centre < DOUBLE:
                stake += centre
            elif centre == DOUBLE:
                stake += black + points[seat]
            elif centre == SURPRISE:
                stake += mean
            card = choose(
                seat, hand, trick, gone, stake, last - count, powers[seat], risks[seat],
                0.0 if tricks[seat] else null_worth[seat], points, mean, worth, ally,
            )  # fmt: skip


def _promises(hands, worth):
    """Two lists by seat: what the cards promise to win together, and what they risk."""
    powers, risks = [], []
    for hand in hands:
        power = risk = 0.0
        while hand:
            card = hand.bit_length() - 1
            hand ^= 1 << card
            power += worth.power[card]
            risk += worth.risk[card]
        powers.append(power)
        risks.append(risk)
    return powers, risks


class Trick:
    """A trick in progress: which bid would win it."""

    __slots__ = ("best", "bids", "centre", "colour_bids", "counts", "most", "place", "places", "tied", "tops", "winner")

    def __init__(self, colour_bids, centre, low):
        """centre: the code of the card there."""
        self.colour_bids = colour_bids
        self.best, self.winner, self.tied = 0, -1, True  # the best rank, the seat that bid it last, and whether others
        if colour_bids:
            self.bids = self.place = 0  # how many bids, and which of them was best
            self.counts, self.most = [0, 0, 0, 0, 1], 1  # bids of each colour, the centre among them
            self.tops = [0] * COLOUR_COUNT  # the best rank of each colour,
            self.places = [(0, -1)] * COLOUR_COUNT  # and which bid that was, of which seat
            self.centre = 0
            self.turn_up(centre, low)

    def turn_up(self, prize, low):
        """The card that is bid for is this one. With colour bids it may be better than all bids."""
        if self.colour_bids and prize < DOUBLE:
            self.centre = rank_of(prize, low)
            self.tied = self.tied or self._is_centre_best()

    def _is_centre_best(self):
        return self.counts[BLACK] == self.most and self.centre >= self.best

    def add(self, seat, card):
        rank = RANK[card]
        if not rank:
            return
        if self.colour_bids:
            self._add_colour(seat, COLOUR[card], rank)
        elif rank > self.best:
            self.best, self.winner, self.tied = rank, seat, False
        elif rank == self.best:
            self.winner, self.tied = seat, True

    def _add_colour(self, seat, colour, rank):
        self.bids += 1
        self.counts[colour] += 1
        if rank > self.tops[colour]:
            self.tops[colour], self.places[colour] = rank, (self.bids, seat)
        count, top, (place, seat) = self.counts[colour], self.tops[colour], self.places[colour]
        if count < self.most:
            return
        if count > self.most or top > self.best:
            self.most, self.best, self.place, self.winner, self.tied = count, top, place, seat, False
        elif top == self.best:
            self.tied = True
            if place > self.place:
                self.place, self.winner = place, seat
        self.tied = self.tied or self._is_centre_best()

    def winners(self, hand):
        """The cards of the set that would be the only best bid so far."""
        if not self.colour_bids:
            return hand & ABOVE[self.best]
        most, centre, found = self.most, self.centre, 0
        for colour, cards in enumerate(OF_COLOUR):
            own, count = hand & cards, self.counts[colour] + 1
            if own and count >= most:
                best = self.tops[colour]
                if count == most and self.best > best:
                    best = self.best
                if centre > best and (colour == BLACK or (count == most == self.counts[BLACK])):
                    best = centre
                found |= own & ABOVE[best]
        return found


# The policy


def policy(seat, hand, trick, gone, stake, following, power, risk, null_worth, points, mean, worth, ally):  # noqa: PLR0913
    """The card that a seat plays.

    stake: points that winning the trick is worth, by what is bid so far. following: how many bid after this seat.
    power, risk: of its cards together, see `Worth`. null_worth: points of a null round, 0 if it has won a trick.
    """
    own = hand & ~ALLY_CARD
    winners = trick.winners(own)
    holder = -1 if trick.tied else trick.winner
    loss = max(exp(-risk) * null_worth - power, 0.0)  # of a null round, beside what the cards may win then
    if ally and seat in ally:
        stake = 0.0 if holder in ally else stake / 2
    elif (
        hand & ALLY_CARD
        and holder >= 0
        and _joins(hand, points[holder] + stake, points[seat] + (power + loss), points, mean)
    ):
        return 0
    losers = own ^ winners
    if loss and losers and trick.best:
        junk = losers.bit_length() - 1
    else:
        losers = losers or own
        junk = (losers & -losers).bit_length() - 1
    if not winners:
        ties = 0 if following or holder < 0 or trick.colour_bids else own & ABOVE[trick.best - 1]
        card = (ties & -ties).bit_length() - 1
        if ties and stake / (len(points) - 1) > worth.power[card] - worth.power[junk]:
            return card  # nobody gets it then
        return junk
    value = stake * (1 + 1 / (len(points) - 1)) - loss - LEAD
    if value <= 0:
        return junk
    low = (winners & -winners).bit_length() - 1
    kept = worth.power
    if not following:
        return low if value > kept[low] - kept[junk] else junk
    unseen = COLOURED & ~(gone | hand)
    count = unseen.bit_count() or 1
    together = following * hand.bit_count() ** min(KEEN + KEENER * stake / mean, 1.0)
    found, most = junk, 0.0
    while winners:
        card = (winners & -winners).bit_length() - 1
        winners &= ABOVE[RANK[card]]
        holds = ((unseen & BELOW[RANK[card]]).bit_count() / count) ** together  # as if colours did not matter
        gain = holds * value - kept[card] + kept[junk]
        if gain > most:
            found, most = card, gain
    return found


def _joins(hand, partner, alone, points, mean):
    """Whether a seat with the Ally plays it now: who wins the trick is the best partner that it may hope for.

    partner: the points of who wins it. alone: what the seat has, and may win without the Ally.
    """
    left = hand.bit_count() - 1
    even_at = alone - left / len(points) * mean  # points of a partner with whom nothing is gained
    return partner > even_at and partner - even_at >= PATIENCE * (max(points) - even_at)
