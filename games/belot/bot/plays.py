"""Which card the sensible Belot player plays.

Every card is judged by the points that it may gain in this trick and by what the hand is worth without it later. Both
follow from what the seat knows: which cards are still out, who can hold them, and whose points are good for it.
"""

from itertools import product
from math import exp, prod
from typing import NamedTuple

from games.belot.rules.pack import PLAIN_RANKS, TRUMP_RANKS, points_of_cards, trump_suits
from games.belot.rules.sampling import shown_cards
from games.belot.rules.state import Match
from games.belot.rules.tricks import OTHER_OF_BELOT, winner_of
from games.kit.cards import SUITS
from games.kit.tricks import powers

FELLOW_DEFENDER = 0.3  # with 3 seats: what a point of the other defender is worth; it counts against the bidder
LOST = 0.4  # how much of its points a card costs that takes no trick: partners get some of them
GUARD = 0.5  # how much a lower card of the suit, which can be played first, protects a card from a higher one
LATER_RUFF = 0.65  # how much sooner a suit runs out as it is played: it may be void before the card is led
RUFF = 0.4  # the least chance of any trump to take a trick: it may ruff
DRAWN = 4.0  # points that it is worth to the bidding side to draw a trump of the others
BELOT = 20
BELOT_LATER = 0.6  # the chance of a belot that was not announced yet to be announced later


class Position(NamedTuple):
    """What a seat knows when it is to play a card. Seats are as in the view."""

    seat: int
    contract: str
    hand: tuple
    trick: tuple  # the cards played to it so far
    taker: int | None  # the seat that is winning it
    following: tuple  # the seats that play to it after this one, in order
    holds: dict  # {unseen card: {other seat: the chance that it holds it}}
    regard: tuple  # by seat: what a point of it is worth to this one
    drawing: bool  # whether this seat is on the bidding side
    last_ten: int  # points for the last trick


def read_table(table):
    """The `Position` of the seat whose view `table` is."""
    seat, seats = table["seat"], table["seats"]
    match = Match(seats, **table["options"])
    contract, bidder = table["contract"]["contract"], table["contract"]["bidder"]
    plays = table["trick"]["plays"]
    trick = tuple(play["card"] for play in plays)
    return Position(
        seat=seat,
        contract=contract,
        hand=tuple(table["hand"]),
        trick=trick,
        taker=plays[winner_of(contract, trick)]["seat"] if trick else None,
        following=tuple((seat + place) % seats for place in range(1, seats - len(trick))),
        holds=_holders(match, table),
        regard=tuple(_regard(match.sides, seat, other, bidder) for other in range(seats)),
        drawing=seat % match.sides == bidder % match.sides,
        last_ten=10 if match.last_trick_ten else 0,
    )


def _regard(sides, seat, other, bidder):
    if other % sides == seat % sides:
        return 1.0
    if sides == 3 and bidder not in (seat, other):
        return FELLOW_DEFENDER
    return -1.0


def _holders(match, table):
    """{unseen card: {other seat: its chance to hold it}}, by the cards that each can still hold."""
    seat = table["seat"]
    played, ruled_out = shown_cards(match, table)
    seen = set(table["hand"]).union(*played)
    certain = {rank + belot["suit"]: belot["seat"] for belot in table["belots"] for rank in "KQ"}
    counts = table["hand_counts"]
    holds = {}
    for card in match.pack:
        if card in seen:
            continue
        if card in certain:
            holds[card] = {certain[card]: 1.0}
            continue
        room = {other: count for other, count in enumerate(counts) if other != seat and card not in ruled_out[other]}
        places = sum(room.values()) + table["pack"]
        holds[card] = {other: count / places for other, count in room.items()} if places else {}
    return holds


def choose_play(position, moves):
    """The one of `moves`, plays all of them, that promises the most points.

    Of equals the one of the card worth most: a jack, not the nine below it, so that the partner sees who wins.
    """
    scales = _Scales(position)

    def preference(move):
        return round(scales.promise(move["card"], "belot" in move), 6), scales.worth[move["card"]]

    return max(moves, key=preference)


class _Scales:
    """Weighs the cards of a position. What weighing any of them needs is worked out once."""

    def __init__(self, position):
        self.position = position
        self.trumps = trump_suits(position.contract)
        self.ruffing = self.trumps if len(self.trumps) == 1 else None  # the suit that takes tricks of other suits
        self.worth = points_of_cards(position.contract)
        self.seats = range(len(position.regard))
        self.average = sum(self.worth[card] for card in position.holds) / max(len(position.holds), 1)
        rivals = [seat for seat in self.seats if position.regard[seat] < 0]
        self.void = {(seat, suit): self._void_chance(seat, suit) for seat, suit in product(self.seats, SUITS)}
        self.ruffed = {suit: 1 - prod(1 - self._later_ruff(seat, suit) for seat in rivals) for suit in SUITS}
        self.against = {
            card: sum(chances.get(seat, 0.0) for seat in rivals) for card, chances in position.holds.items()
        }
        self.later = {}

    def _void_chance(self, seat, suit):
        """The chance that a seat holds no card of a suit."""
        return prod(1 - chances.get(seat, 0.0) for card, chances in self.position.holds.items() if card[1] == suit)

    def _later_ruff(self, seat, suit):
        """The chance that a seat could ruff this suit in a later trick."""
        if not self.ruffing or suit == self.ruffing:
            return 0.0
        held = sum(chances.get(seat, 0.0) for card, chances in self.position.holds.items() if card[1] == suit)
        return exp(-LATER_RUFF * held) * (1 - self.void[seat, self.ruffing])

    def promise(self, card, announces):
        """The points that it promises to play this card: those of the trick, and those of the hand that is left."""
        position = self.position
        good = sum(chance * position.regard[seat] for seat, chance in self.takers(card).items())
        stake = sum(self.worth[played] for played in (*position.trick, card)) + len(position.following) * self.average
        rest = [other for other in position.hand if other != card]
        if not rest:
            stake += position.last_ten
        promise = good * stake + sum(self.later_promise(other, rest) for other in rest) + self.belot(card, announces)
        if not position.trick and card[1] == self.ruffing:
            promise += self.drawing()
        return promise

    def takers(self, card):
        """{seat: its chance to take this trick} if `card` is played: whoever holds the highest card plays it."""
        position = self.position
        led = (position.trick or (card,))[0][1]
        power = powers(led, led if position.contract == "AT" else self.ruffing, PLAIN_RANKS, TRUMP_RANKS)
        best, taker = max(
            [(power[played], position.taker) for played in position.trick] + [(power[card], position.seat)]
        )
        chances = dict.fromkeys(self.seats, 0.0)
        left = 1.0  # the chance that nobody holds any of the cards so far
        for other in sorted((each for each in position.holds if power[each] > best), key=power.get, reverse=True):
            taken = 0.0
            for seat in position.following:
                chance = position.holds[other].get(seat, 0.0)
                if other[1] != led:
                    chance *= self.void[seat, led]
                chances[seat] += left * chance
                taken += chance
            left *= max(1.0 - taken, 0.0)
        chances[taker] += left
        return chances

    def later_promise(self, card, hand):
        """The points that `card` of this hand promises in later tricks."""
        guards = sum(other[1] == card[1] and self.rank(other) < self.rank(card) for other in hand)
        if (card, guards) not in self.later:
            higher = sum(
                chance
                for other, chance in self.against.items()
                if other[1] == card[1] and self.rank(other) > self.rank(card)
            )
            takes = exp(-higher / (1 + GUARD * guards)) * (1 - self.ruffed[card[1]])
            if card[1] == self.ruffing:
                takes = max(takes, RUFF)
            gain = self.worth[card] + (len(self.seats) - 1) * self.average + self.position.last_ten / len(hand)
            self.later[card, guards] = takes * gain - (1 - takes) * LOST * self.worth[card]
        return self.later[card, guards]

    def rank(self, card):
        return (TRUMP_RANKS if card[1] in self.trumps else PLAIN_RANKS).index(card[0])

    def drawing(self):
        """What it is worth to lead a trump because others must follow. The side that has not bid would rather not."""
        position = self.position
        drawn = sum((1 - self.void[seat, self.ruffing]) * -position.regard[seat] for seat in position.following)
        return DRAWN * drawn if position.drawing else -DRAWN * drawn

    def belot(self, card, announces):
        """What it gains to announce belot with this card, or costs to play it without."""
        if announces:
            return BELOT * (1 - BELOT_LATER)
        if card[1] in self.trumps and OTHER_OF_BELOT.get(card) in self.position.hand:
            return -BELOT * BELOT_LATER
        return 0.0
