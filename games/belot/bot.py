"""The sensible Belot player: bids what its hand promises, declares what may count, and plays for points.

A contract is judged by the match points by which it promises to put its side ahead, as its bidder, as the partner or as
a rival of the bidder: a weighed sum of what is in the hand. Of all calls it makes the one that promises the most.

A card is judged by the points that it may gain in this trick and by what the hand is worth without it later. Both
follow from what the seat knows: which cards are still out, who can hold them, and whose points are good for it.
"""

import json
from itertools import product
from math import exp, prod
from pathlib import Path
from typing import NamedTuple

from games.belot.rules.declarations import open_declarations
from games.belot.rules.pack import OTHER_OF_BELOT, PLAIN_RANKS, TRUMP_RANKS, points_of_cards, trump_suits, winner_of
from games.belot.rules.sampling import shown_cards
from games.belot.rules.state import Match
from games.kit.cards import SUITS
from games.kit.tricks import powers

# Contracts
WEIGHTS = json.loads(Path(__file__).with_name("weights.json").read_text())  # made by tools/fit_belot.py
STAKES = {"NT": 26, "AT": 26}  # match points in a deal; 16 with a trump suit
WON = 0.3  # the part of them by which a contract that is made puts its side ahead, on average
RESERVE = 4.0  # match points that a double must promise more than passing: the others may bid on, or redouble
DOUBT = 0.15  # how much less sure than it looks is what others have doubled or redoubled: they know why
LEVELS = {"double": 2, "redouble": 4, "surcontre": 8}

# Cards
FELLOW_DEFENDER_POINT = 0.3  # with 3 seats: what a point of the other defender is worth; it counts against the bidder
LOST = 0.4  # how much of its points a card costs that takes no trick: partners get some of them
GUARD = 0.5  # how much a lower card of the suit, which can be played first, protects a card from a higher one
LATER_RUFF = 0.65  # how much sooner a suit runs out as it is played: it may be void before the card is led
RUFF = 0.4  # the least chance of any trump to take a trick: it may ruff
DRAWN_TRUMP = 4.0  # points that it is worth to the bidding side to draw a trump of the others
BELOT = 20
BELOT_LATER = 0.6  # the chance of a belot that was not announced yet to be announced later


class BelotBot:
    """Plays every number of seats and all options. It draws no random numbers: one position, one move."""

    name = "sensible-1"

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        if table["phase"] == "bid":
            return choose_call(read_auction(table), moves)
        declarations = [move for move in moves if move["type"] == "declare"]
        if declarations and may_count(table):
            return declarations[0]  # the highest square, or a sequence if there is none
        return choose_play(read_table(table), [move for move in moves if move["type"] == "play"])


# Contracts


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
    return max(moves, key=lambda move: call_worth(auction, move))


def call_worth(auction, move):
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


def _kind(contract):
    return contract if contract in STAKES else "suit"


# Declarations


def may_count(table):
    """Whether the declarations of this seat may still count: no rival has told of a higher one than its side can."""
    sides, options = len(table["sides"]), table["options"]
    side = table["seat"] % sides
    if any(each["seat"] == table["seat"] for each in table["declared"]):
        return True  # it has begun to
    own = open_declarations(table["seat"], table["hand"], (), options["shared_cards"])
    ours = [_known_rank(each.kind, each.points) for each in own]
    ours += [_known_rank(each["kind"], each["points"]) for each in table["declared"] if each["seat"] % sides == side]
    theirs = [_known_rank(each["kind"], each["points"]) for each in table["declared"] if each["seat"] % sides != side]
    return not theirs or max(ours) >= max(theirs)


def _known_rank(kind, points):
    """What is known of a declaration's rank before its cards are shown."""
    return kind == "square", points


# Cards


class Position(NamedTuple):
    """What a seat knows when it is to play a card. Seats are as in the view."""

    seat: int
    contract: str
    hand: tuple
    trick: tuple  # the cards played to it so far
    taker: int | None  # the seat that is winning it
    following: tuple  # the seats that play to it after this one, in order
    holds: dict  # {unseen card: {other seat: the chance that it holds it}}
    point_worth: tuple  # by seat: what a point of it is worth to this one
    on_bidding_side: bool  # whether this seat is on the bidding side
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
        point_worth=tuple(_point_worth(match.sides, seat, other, bidder) for other in range(seats)),
        on_bidding_side=seat % match.sides == bidder % match.sides,
        last_ten=10 if match.last_trick_ten else 0,
    )


def _point_worth(sides, seat, other, bidder):
    if other % sides == seat % sides:
        return 1.0
    if sides == 3 and bidder not in (seat, other):
        return FELLOW_DEFENDER_POINT
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
    appraisal = _Appraisal(position)

    def preference(move):
        return round(appraisal.promise(move["card"], "belot" in move), 6), appraisal.worth[move["card"]]

    return max(moves, key=preference)


class _Appraisal:
    """Weighs the cards of a position. What weighing any of them needs is worked out once."""

    def __init__(self, position):
        self.position = position
        self.trumps = trump_suits(position.contract)
        self.ruffing = self.trumps if len(self.trumps) == 1 else None  # the suit that takes tricks of other suits
        self.worth = points_of_cards(position.contract)
        self.seats = range(len(position.point_worth))
        self.average = sum(self.worth[card] for card in position.holds) / max(len(position.holds), 1)
        rivals = [seat for seat in self.seats if position.point_worth[seat] < 0]
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
        good = sum(chance * position.point_worth[seat] for seat, chance in self.takers(card).items())
        stake = sum(self.worth[played] for played in (*position.trick, card)) + len(position.following) * self.average
        rest = [other for other in position.hand if other != card]
        if not rest:
            stake += position.last_ten
        promise = good * stake + sum(self.later_promise(other, rest) for other in rest) + self.belot(card, announces)
        if not position.trick and card[1] == self.ruffing:
            promise += self.trumps_drawn()
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

    def trumps_drawn(self):
        """What it is worth to lead a trump because others must follow. The side that has not bid would rather not."""
        position = self.position
        drawn = sum((1 - self.void[seat, self.ruffing]) * -position.point_worth[seat] for seat in position.following)
        return DRAWN_TRUMP * drawn if position.on_bidding_side else -DRAWN_TRUMP * drawn

    def belot(self, card, announces):
        """What it gains to announce belot with this card, or costs to play it without."""
        if announces:
            return BELOT * (1 - BELOT_LATER)
        if card[1] in self.trumps and OTHER_OF_BELOT.get(card) in self.position.hand:
            return -BELOT * BELOT_LATER
        return 0.0
