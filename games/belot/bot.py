"""The sensible Belot player: it bids what its hand promises, declares what may count, and plays for points.

It values a contract by the lead in match points that its side can expect, as the bidder, the bidder's partner or a
defender: a weighted sum of features of the hand. It makes the call with the highest value.

It values a card by the points that it may win in this trick and by what the rest of the hand is worth later. Both
follow from what the seat knows: which cards are still out, which seats may hold them, and whose points help it.
"""

import json
from collections.abc import Collection, Sequence
from functools import partial
from itertools import product
from math import exp, prod
from pathlib import Path
from random import Random
from typing import NamedTuple

from games.belot.rules.declarations import open_declarations
from games.belot.rules.moves import DOUBLES
from games.belot.rules.pack import (
    ALL_TRUMPS,
    BELOT,
    LAST_TRICK,
    NO_TRUMPS,
    OTHER_ROYAL,
    PLAIN_RANKS,
    TRUMP_RANKS,
    card_points,
    trump_suits,
    winning_index,
)
from games.belot.rules.sampling import played_and_excluded
from games.belot.rules.state import Match
from games.belot.rules.types import View
from games.belot.rules.view import contract_of, match_of, seat_of
from games.kit.cards import SUITS
from games.kit.contract import Card, Move, Seat
from games.kit.tricks import powers

# Contracts
WEIGHTS: dict[str, dict[str, dict[str, list[float]]]] = json.loads(  # by number of seats, role and kind of contract
    Path(__file__).with_name("weights.json").read_text()  # tools/fit_belot.py computes them.
)
STAKES = {NO_TRUMPS: 26, ALL_TRUMPS: 26}  # match points of a deal; 16 with a trump suit
LEAD_SHARE = 0.3  # On average a side that makes its contract leads by this share of the stake.
RESERVE = 4.0  # A double must promise this many match points more than a pass: the others may bid on, or redouble.
DOUBT = 0.15  # A contract that the others double or redouble is this much less likely to be made: they know why.

# Cards
FELLOW_DEFENDER_POINT = 0.3  # With 3 seats, the value of a point of the other defender: it counts against the bidder.
LOST = 0.4  # A card that takes no trick costs this share of its points; partners get some of them.
GUARD = 0.5  # how much a lower card of the suit, which can be played first, protects a card from a higher one
LATER_RUFF = 0.65  # how fast a suit runs out: a seat may be void before the card is led
RUFF = 0.4  # the least chance of any trump to take a trick, because it may ruff
DRAWN_TRUMP = 4.0  # what drawing a trump of the others is worth to the bidding side, in points
BELOT_LATER = 0.6  # the chance that a belot is announced later if it is not announced now


class BelotBot:
    """Plays with any number of seats and all options. It uses no random numbers: same view, same move."""

    name = "sensible-1"

    def choose(self, table: View, moves: list[Move], rng: Random) -> Move:
        """Return one of the legal `moves` for the seat whose view is `table`."""
        if len(moves) == 1:
            return moves[0]
        if table["phase"] == "bid":
            return choose_call(read_auction(table), moves)
        declarations = [move for move in moves if move["type"] == "declare"]
        if declarations and may_count(table):
            return declarations[0]  # the highest square, or else a sequence
        return choose_play(read_table(table), [move for move in moves if move["type"] == "play"])


# Contracts


class Auction(NamedTuple):
    """The knowledge of a seat that is about to call."""

    seats: int
    hand: tuple[Card, ...]
    contract: str | None  # the highest bid so far
    level: int
    role: str  # the part of this seat in that contract: "own", "support" or "defend"
    is_leader: bool  # whether this seat leads to the first trick
    partner_has_bid: bool
    rival_has_bid: bool


def read_auction(table: View) -> Auction:
    seat, seats = seat_of(table), table["seats"]
    sides = len(table["sides"])
    bidders = {call["seat"] for call in table["calls"] if call["call"] == "bid"}
    contract, bidder, level = contract_of(table) if table["contract"] else (None, seat, 1)
    return Auction(
        seats=seats,
        hand=tuple(table["hand"]),
        contract=contract,
        level=level,
        role="own" if bidder == seat else "support" if bidder % sides == seat % sides else "defend",
        is_leader=(table["dealer"] + 1) % seats == seat,
        partner_has_bid=any(other != seat and other % sides == seat % sides for other in bidders),
        rival_has_bid=any(other % sides != seat % sides for other in bidders),
    )


def choose_call(auction: Auction, moves: Sequence[Move]) -> Move:
    """Return the move with the highest worth, the first one of equals."""
    return max(moves, key=partial(call_worth, auction))


def call_worth(auction: Auction, move: Move) -> float:
    """Return by how many match points the seat's side can expect to win the deal after this call.

    A call is a bid, a pass or a double. A bid names a contract: a trump suit, no trumps or all trumps. role: what the
    seat would do in the highest bid so far. It is "own" for its bidder, "support" for the partner, or else "defend".
    """
    kind, contract, role = move["type"], auction.contract, auction.role
    if kind == "bid":
        return contract_worth(auction, move["contract"], "own", 1)
    if not contract:  # a pass before any bid
        return 0.0
    if kind == "pass":
        return contract_worth(auction, contract, role, auction.level)
    # A double. It must promise more than a pass, because the others may still bid on, or double again.
    return contract_worth(auction, contract, role, DOUBLES[kind]) - RESERVE


def contract_worth(auction: Auction, contract: str, role: str, level: int) -> float:
    """Return by how many match points the seat's side can expect to be ahead of the others' mean in this contract.

    role: "own" if the seat bids the contract, "support" if its partner does, or "defend". level: 1, or 2, 4 or 8 after
    doubles. It multiplies the score.
    """
    lead = _bidders_lead(auction, contract, role)  # of the bidder's side, even if the seat defends
    rivals = 2 if auction.seats == 3 else 1
    if level > 1:  # The winner of a doubled deal takes all match points, the stake.
        stake = STAKES.get(contract, 16)
        loss = stake / rivals  # the lead that a losing bidder gives away; two defenders share the points
        chance = _chance_if_doubled(auction, role, lead, stake, loss)
        lead = level * (chance * stake - (1 - chance) * loss)
    # A lead of the bidder counts against each of two defenders only by half, because the other one is behind as well.
    return -lead / rivals if role == "defend" else lead


def _chance_if_doubled(auction: Auction, role: str, lead: float, stake: int, loss: float) -> float:
    """Return the chance of the bidder's side to make a doubled contract, from its expected lead without doubles.

    stake: all match points of the deal. loss: how many of them the bidder's side is behind if it loses.
    """
    # Without doubles, a certain loss is a lead of -loss, and a certain win one of LEAD_SHARE * stake. The place of the
    # lead between these two is the chance.
    chance = (lead + loss) / (LEAD_SHARE * stake + loss)
    if role != "defend":  # A defender who doubles has good cards.
        chance -= DOUBT
    elif auction.level > 2:  # So has a bidder who redoubles.
        chance += DOUBT
    return min(max(chance, 0.0), 1.0)


def _bidders_lead(auction: Auction, contract: str, role: str) -> float:
    """Return the expected lead of the bidder's side if the contract is not doubled."""
    weights = WEIGHTS[str(auction.seats)][role][_weights_kind(contract)]
    return sum(weight * number for weight, number in zip(weights, features(auction, contract), strict=True))


def features(auction: Auction, contract: str) -> list[float]:
    """Describe a hand by numbers that predict how good a contract is. Each is later multiplied by a fitted weight.

    The first numbers are about the auction, the next count strong and weak cards. The last is for sequences and squares
    (four of a rank), which have points of their own. contract: a trump suit, no trumps or all trumps.
    """
    hand = set(auction.hand)
    # During the bidding a hand has five or six cards, depending on the options.
    numbers: list[float] = [1, auction.is_leader, auction.partner_has_bid, auction.rival_has_bid, len(hand) == 6]
    suits = {suit: {card[0] for card in hand if card[1] == suit} for suit in SUITS}
    if contract in suits:
        trumps = suits.pop(contract)
        numbers += _trump_suit_features(trumps, suits.values())
    elif contract == NO_TRUMPS:
        numbers += _no_trump_features(suits.values())
    else:
        numbers += _all_trump_features(suits.values())
    if contract != NO_TRUMPS:
        declarations = open_declarations(0, auction.hand, (), False)
        numbers.append(sum(declaration.points for declaration in declarations) / 20)  # in units of the smallest
    return numbers


def _trump_suit_features(trumps: set[str], others: Collection[set[str]]) -> list[float]:
    """Count what makes a hand strong or weak with a trump suit. trumps, others: the ranks of each suit in the hand."""
    return [
        *(rank in trumps for rank in "J9AT"),  # the four highest trumps
        len(trumps),
        max(len(trumps) - 3, 0),  # trumps beyond three
        {"K", "Q"} <= trumps,  # together they have points of their own, a belot
        sum("A" in ranks for ranks in others),
        sum({"A", "T"} <= ranks for ranks in others),
        sum("T" in ranks and "A" not in ranks for ranks in others),  # tens that an ace may beat
        sum(not ranks for ranks in others),  # suits without cards
    ]


def _no_trump_features(suits: Collection[set[str]]) -> list[float]:
    """Count what makes a hand strong or weak in no trumps. suits: the ranks of each suit in the hand.

    The ace is the highest card there, and the ten the next. Each line counts the suits with such cards.
    """
    return [
        sum("A" in ranks for ranks in suits),
        sum({"A", "T"} <= ranks for ranks in suits),
        sum("T" in ranks and "A" not in ranks and len(ranks) > 1 for ranks in suits),  # ten with a lower card
        sum(ranks == {"T"} for ranks in suits),  # the ten alone, which an ace takes
        sum({"A", "T", "K"} <= ranks for ranks in suits),
        sum(max(len(ranks) - 2, 0) for ranks in suits if "A" in ranks),  # cards beyond two with an ace
    ]


def _all_trump_features(suits: Collection[set[str]]) -> list[float]:
    """Count what makes a hand strong or weak in all trumps. suits: the ranks of each suit in the hand.

    The jack is the highest card there, then come nine and ace. Each line counts the suits with such cards.
    """
    return [
        sum("J" in ranks for ranks in suits),
        sum({"J", "9"} <= ranks for ranks in suits),
        sum("9" in ranks and "J" not in ranks and len(ranks) > 1 for ranks in suits),  # nine with another card
        sum(ranks == {"9"} for ranks in suits),  # the nine alone, which a jack takes
        sum({"J", "9", "A"} <= ranks for ranks in suits),
        sum(max(len(ranks) - 2, 0) for ranks in suits if "J" in ranks),  # cards beyond two with a jack
        sum({"K", "Q"} <= ranks for ranks in suits),  # They have points of their own, a belot.
    ]


def _weights_kind(contract: str) -> str:
    return contract if contract in STAKES else "suit"


# Declarations


def may_count(table: View) -> bool:
    """Return whether the points for sequences and squares that this seat may declare can still count for it.

    Only the side with the highest declaration counts its own. Others see kind and points of a declaration, not its
    cards. So the answer is no only if a rival has one of higher kind or points. A seat is on the side `seat % sides`.
    """
    seat, sides, declared = seat_of(table), len(table["sides"]), table["declared"]
    side = seat % sides
    if any(entry["seat"] == seat for entry in declared):
        return True  # This seat has declared before, so it judged then that its declarations may count.
    own = open_declarations(seat, table["hand"], (), table["options"]["shared_cards"])
    # Compare what the others see of each declaration: whether it is a square, and its points.
    ours = [_public_rank(declaration.kind, declaration.points) for declaration in own]
    ours += [_public_rank(entry["kind"], entry["points"]) for entry in declared if entry["seat"] % sides == side]
    theirs = [_public_rank(entry["kind"], entry["points"]) for entry in declared if entry["seat"] % sides != side]
    return not theirs or max(ours) >= max(theirs)


def _public_rank(kind: str, points: int) -> tuple[bool, int]:
    """Return a sort key from what others know of a declaration before its cards are shown."""
    return kind == "square", points


# Cards


class Position(NamedTuple):
    """The knowledge of a seat that is about to play a card."""

    seat: Seat
    contract: str
    hand: tuple[Card, ...]
    trick: tuple[Card, ...]  # so far
    taker: Seat  # the seat that is winning the trick; this seat before the lead
    following: tuple[Seat, ...]  # the seats that play to the trick after this one, in order
    holders: dict[Card, dict[Seat, float]]  # the chance of each other seat to hold each unseen card
    point_worth: tuple[float, ...]  # by seat, what a point of it is worth to this one
    is_bidding_side: bool
    last_trick_points: int


def read_table(table: View) -> Position:
    seat, match = seat_of(table), match_of(table)
    contract, bidder, _ = contract_of(table)
    plays = table["trick"]["plays"]
    trick = tuple(play["card"] for play in plays)
    return Position(
        seat=seat,
        contract=contract,
        hand=tuple(table["hand"]),
        trick=trick,
        taker=plays[winning_index(contract, trick)]["seat"] if trick else seat,
        following=tuple((seat + place) % match.seats for place in range(1, match.seats - len(trick))),
        holders=_holder_chances(match, table),
        point_worth=tuple(_point_worth(match.sides, seat, other, bidder) for other in range(match.seats)),
        is_bidding_side=seat % match.sides == bidder % match.sides,
        last_trick_points=LAST_TRICK if match.last_trick_ten else 0,
    )


def _point_worth(sides: int, seat: Seat, other: Seat, bidder: Seat) -> float:
    """Return what a point that `other` takes is worth to `seat`, between 1 for its own side and -1 for a rival.

    sides: their number. A seat is on the side `seat % sides`.
    """
    if other % sides == seat % sides:
        return 1.0
    if sides == 3 and bidder not in (seat, other):  # With three players, two defend together against the bidder.
        return FELLOW_DEFENDER_POINT
    return -1.0


def _holder_chances(match: Match, table: View) -> dict[Card, dict[Seat, float]]:
    """Return for each card that this seat cannot see the chance of each other seat to hold it, as a dict by seat.

    A play may exclude cards: a seat that does not follow suit holds no card of the suit. A seat that has announced
    belot (king and queen of trumps in one hand) is certain to hold both, until it plays them.
    """
    seat, counts = seat_of(table), table["hand_counts"]
    played, excluded = played_and_excluded(match, table)
    visible = set(table["hand"]).union(*played)
    certain = {rank + belot["suit"]: belot["seat"] for belot in table["belots"] for rank in "KQ"}
    holders: dict[Card, dict[Seat, float]] = {}
    for card in match.pack:
        if card in visible:
            continue
        if card in certain:
            holders[card] = {certain[card]: 1.0}
            continue
        # Every place where the card may be is equally likely. There is one for each card in the hands of seats that may
        # hold it (their room), and for each card in the rest of the pack.
        room = {other: count for other, count in enumerate(counts) if other != seat and card not in excluded[other]}
        places = sum(room.values()) + table["pack"]
        holders[card] = {other: count / places for other, count in room.items()} if places else {}
    return holders


def choose_play(position: Position, moves: Sequence[Move]) -> Move:
    """Return the play of a card that promises the most points, in this trick and later.

    Of equals it is the card worth most: a jack, not the nine below it, so that the partner sees who wins. moves: only
    plays. A play with the key "belot" also announces king and queen of trumps, for extra points.
    """
    appraisal = _Appraisal(position)

    def preference(move: Move) -> tuple[float, int]:
        # Sums of floats are inexact. Rounding makes equal promises equal.
        return round(appraisal.promise(move["card"], "belot" in move), 6), appraisal.points[move["card"]]

    return max(moves, key=preference)


class _Appraisal:
    """Values the cards of a position. Everything that several cards need is computed once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.trumps = trump_suits(position.contract)
        self.ruffing = self.trumps if len(self.trumps) == 1 else ""  # the suit that beats other suits
        self.points = card_points(position.contract)
        self.seats = range(len(position.point_worth))
        self.average = sum(self.points[card] for card in position.holders) / max(len(position.holders), 1)
        rivals = [seat for seat in self.seats if position.point_worth[seat] < 0]
        self.void = {(seat, suit): self._void_chance(seat, suit) for seat, suit in product(self.seats, SUITS)}
        self.ruff_chance = {
            suit: 1 - prod(1 - self._later_ruff_chance(seat, suit) for seat in rivals) for suit in SUITS
        }
        self.rival_chance = {
            card: sum(chances.get(seat, 0.0) for seat in rivals) for card, chances in position.holders.items()
        }
        self.later: dict[tuple[Card, int], float] = {}

    def _void_chance(self, seat: Seat, suit: str) -> float:
        """Return the chance that a seat holds no card of a suit."""
        return prod(1 - chances.get(seat, 0.0) for card, chances in self.position.holders.items() if card[1] == suit)

    def _later_ruff_chance(self, seat: Seat, suit: str) -> float:
        """Return the chance that a seat can ruff this suit in a later trick: take it with a trump.

        For that it must have run out of the suit by then, and must hold a trump. The more cards of the suit it is
        expected to hold now, the less likely that is.
        """
        if not self.ruffing or suit == self.ruffing:
            return 0.0  # No suit beats this one.
        holders = self.position.holders
        expected_length = sum(chances.get(seat, 0.0) for card, chances in holders.items() if card[1] == suit)
        void_chance = exp(-LATER_RUFF * expected_length)  # 1 if it has no card of the suit, less with every card
        return void_chance * (1 - self.void[seat, self.ruffing])

    def promise(self, card: Card, is_announced: bool) -> float:
        """Return the points to expect if this card is played: in this trick, and later from the rest of the hand.

        The points of rivals count against it. is_announced: whether the play announces belot (king and queen of trumps
        in one hand).
        """
        position = self.position
        # What a point in this trick is worth: 1 if this side is certain to take it, -1 if a rival is.
        benefit = sum(chance * position.point_worth[seat] for seat, chance in self._taker_chances(card).items())
        # The points in the trick. The seats that play later add cards of average worth.
        stake = sum(self.points[other] for other in (*position.trick, card)) + len(position.following) * self.average
        other_cards = [other for other in position.hand if other != card]
        if not other_cards:  # This is the last trick.
            stake += position.last_trick_points
        promise = benefit * stake + sum(self._later_promise(other, other_cards) for other in other_cards)
        promise += self._belot_gain(card, is_announced)
        if not position.trick and card[1] == self.ruffing:  # The card leads trumps.
            promise += self._drawing_gain()
        return promise

    def _taker_chances(self, card: Card) -> dict[Seat, float]:
        """Return the chance of each seat to take this trick if `card` is played, as a dict by seat.

        Each later seat is expected to play its highest card. A card counts with the chance that the seat holds it.
        """
        position = self.position
        led = (position.trick[0] if position.trick else card)[1]  # the suit of the first card
        trump = led if position.contract == ALL_TRUMPS else self.ruffing
        power = powers(led, trump, PLAIN_RANKS, TRUMP_RANKS)  # a number for each card; the highest takes the trick
        best, taker = power[card], position.seat
        best_before = max((power[other] for other in position.trick), default=0)
        if best_before > best:
            best, taker = best_before, position.taker
        chances = dict.fromkeys(self.seats, 0.0)
        higher_cards = [other for other in position.holders if power[other] > best]
        # Go from the highest card down. A seat takes the trick with a card if nobody could play one of those before.
        nobody_chance = 1.0  # that nobody has played any of the cards before
        for higher_card in sorted(higher_cards, key=power.__getitem__, reverse=True):
            total = 0.0
            for seat in position.following:
                chance = position.holders[higher_card].get(seat, 0.0)
                if higher_card[1] != led:  # It is a trump. Only a seat without the suit led may play it.
                    chance *= self.void[seat, led]
                chances[seat] += nobody_chance * chance
                total += chance
            nobody_chance *= max(1.0 - total, 0.0)
        chances[taker] += nobody_chance  # Nobody has a higher card than the best one in the trick.
        return chances

    def _later_promise(self, card: Card, hand: Sequence[Card]) -> float:
        """Return the points to expect from `card` of this hand in later tricks.

        It takes a trick if rivals hold no higher card and do not ruff it (take it with a trump). A guard is a lower
        card of its suit in this hand: it can be played first, to a trick that a rival's higher card takes. Results are
        cached by card and number of guards.
        """
        guards = sum(other[1] == card[1] and self._rank(other) < self._rank(card) for other in hand)
        if (card, guards) not in self.later:
            higher_cards = sum(  # their expected number in the hands of rivals
                chance
                for other, chance in self.rival_chance.items()
                if other[1] == card[1] and self._rank(other) > self._rank(card)
            )
            # Without higher cards the first factor is 1. Every higher card makes it less, and every guard softens that.
            take_chance = exp(-higher_cards / (1 + GUARD * guards)) * (1 - self.ruff_chance[card[1]])
            if card[1] == self.ruffing:  # A trump may take another suit.
                take_chance = max(take_chance, RUFF)
            # A trick brings the card's own points, and cards of average worth from the other seats.
            gain = self.points[card] + (len(self.seats) - 1) * self.average
            gain += self.position.last_trick_points / len(hand)  # Any card left may be the one for the last trick.
            # Without a trick, the card is lost: a rival gets its points more often than a partner does.
            self.later[card, guards] = take_chance * gain - (1 - take_chance) * LOST * self.points[card]
        return self.later[card, guards]

    def _rank(self, card: Card) -> int:
        return (TRUMP_RANKS if card[1] in self.trumps else PLAIN_RANKS).index(card[0])

    def _drawing_gain(self) -> float:
        """Return the points that a trump lead gains because it draws trumps: the others must play theirs.

        The bidding side gains by it, because trumps can then take fewer of its other cards. The defenders lose.
        """
        position, trump = self.position, self.ruffing
        # The expected number of trumps that rivals play, less a partner's. A rival's `point_worth` is less than 0.
        number = sum((1 - self.void[seat, trump]) * -position.point_worth[seat] for seat in position.following)
        return DRAWN_TRUMP * number if position.is_bidding_side else -DRAWN_TRUMP * number

    def _belot_gain(self, card: Card, is_announced: bool) -> float:
        """Return the points that an announcement of belot gains, or that a play without it costs. 0 for other cards.

        A belot is king and queen of trumps in one hand. It earns points, but only if it is announced with the first of
        the two. As long as both are in the hand, that may happen later, with the chance BELOT_LATER.
        """
        if is_announced:
            return BELOT * (1 - BELOT_LATER)  # The later chance is no longer needed.
        # The first of the two is played in silence, so the later chance is gone.
        if card[1] in self.trumps and OTHER_ROYAL.get(card) in self.position.hand:
            return -BELOT * BELOT_LATER
        return 0.0
