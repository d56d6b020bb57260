"""The rule-of-thumb bot of Oh Hell: it bids what its hand is worth, and then plays for exactly that many tricks.

Everything follows from two estimates: the chance of a card to take a later trick if it is kept, and its chance to take
this trick if it is played. Together with the scoring they give the points to expect of every bid and every card. The
bot makes the move with the most points. So it wins when it needs tricks and ducks when it has enough. It throws high
cards away under higher ones. When its bid is lost, it takes what the scoring still gives.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp, sumprod
from pathlib import Path
from random import Random
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, LOWER, NUMBER, OF_SUIT, PACK, SUIT, beats, members, to_set
from games.kit.cards import SUITS
from games.kit.contract import Move, Seat
from games.kit.tricks import cards_played, find_voids, winning_place
from games.oh_hell.rules import points_of
from games.oh_hell.types import View

WEIGHTS = json.loads(Path(__file__).with_name("weights.json").read_text())  # written by tools/fit_oh_hell.py


class OhHellBot:
    """Plays with every number of seats and all options. Its choices are not random."""

    name = "sensible-1"

    def choose(self, table: View, moves: list[Move], rng: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        position = read_table(table)
        if table["phase"] == "bid":
            return {"type": "bid", "tricks": choose_bid(position, [move["tricks"] for move in moves])}
        return {"type": "play", "card": PACK[choose_card(position, [NUMBER[move["card"]] for move in moves])]}


class Rival(NamedTuple):
    """The public knowledge of another seat."""

    cards: int  # in its hand
    need: int | None  # the number of tricks missing for its bid, negative if it has too many; None before its bid
    voids: tuple[bool, ...]  # by suit, whether it did not follow


class Position(NamedTuple):
    """The knowledge of the seat to act. Cards, suits and sets are ints, see games.kit.card_sets."""

    scoring: str
    trump: int
    hand: int  # a set
    unseen: int  # the set of cards that are in other hands or in the stock
    bid: int | None
    tricks_won: int
    rivals: tuple[Rival, ...]  # in order of play, from the seat on the left
    following: int  # the number of rivals, the first ones, that play to this trick after this seat
    led: int | None  # the suit led
    best: int | None  # the card that is winning this trick
    leads: bool  # whether this seat leads to this trick, or, in the bidding, to the first one

    @property
    def need(self) -> int:
        """The number of tricks missing for the bid, negative if the seat has too many. The seat must have bid."""
        assert self.bid is not None
        return self.bid - self.tricks_won


def seat_of(table: View) -> Seat:
    """Return the seat of a view. Not for the view of a spectator, who has none."""
    assert table["seat"] is not None
    return table["seat"]


def trump_of(table: View) -> int:
    """Return the trump suit during a hand."""
    assert table["trump"]
    return SUITS.index(table["trump"])


def turned_card(table: View) -> int:
    """Return the card turned up during a hand."""
    assert table["turned"]
    return NUMBER[table["turned"]]


def public_cards(table: View) -> int:
    """Return the cards that everybody has seen in this hand, as a set of bits: the card turned up and those played."""
    tricks = [*table["tricks"], table["trick"]]
    return 1 << turned_card(table) | to_set(play["card"] for trick in tricks for play in trick["plays"])


def read_table(table: View) -> Position:
    """Return what the seat to act knows. table: the game as this seat sees it, a dict.

    Sets of cards are ints with a bit for each card. A rival is any other player. A rival's `need` is the number of
    tricks missing for its bid, and its voids are the suits that it did not follow.
    """
    seat, seats = seat_of(table), table["seats"]
    tricks = [(trick["leader"], cards_played(trick)) for trick in [*table["tricks"], table["trick"]]]
    _, trick = tricks[-1]
    hand = to_set(table["hand"])
    voids = find_voids(seats, tricks)
    rivals = []
    for other in [*range(seat + 1, seats), *range(seat)]:  # In order of play.
        bid = table["bids"][other]
        need = None if bid is None else bid - table["taken"][other]
        rivals.append(Rival(table["hand_counts"][other], need, tuple(suit in voids[other] for suit in SUITS)))
    leads = not trick  # This seat is to act, so it leads if nobody has played yet.
    if table["phase"] != "play":  # In the bidding: the seat after the dealer leads to the first trick.
        leads = (table["dealer"] + 1) % seats == seat
    return Position(
        scoring=table["options"]["scoring_style"],
        trump=trump_of(table),
        hand=hand,
        unseen=ALL & ~hand & ~public_cards(table),
        bid=table["bids"][seat],
        tricks_won=table["taken"][seat],
        rivals=tuple(rivals),
        following=seats - 1 - len(trick),
        led=SUIT[NUMBER[trick[0]]] if trick else None,
        best=NUMBER[trick[winning_place(trick, table["trump"])]] if trick else None,
        leads=leads,
    )


def choose_bid(position: Position, bids: Sequence[int]) -> int:
    """Return the bid with the most points to expect. Of equal bids the first one is chosen. bids: the legal ones."""
    chances = later_chances(position).values()
    counts = range(len(chances) + 1)
    expectations = {bid: expected(points(position.scoring, bid, counts), chances)[0] for bid in bids}
    return max(bids, key=expectations.__getitem__)


def choose_card(position: Position, cards: Sequence[int]) -> int:
    """Return the card with the most points to expect. Of equal cards the first one is chosen. cards: the legal ones.

    Each card is judged by its chance to take this trick, and by the chances of the other cards to take later ones.
    """
    later = later_chances(position)
    # Cards that may not be played now are kept in any case, so they are counted once for all choices.
    illegal_cards_later = [chance for card, chance in later.items() if card not in cards]
    worth = expected(worth_of_tricks(position), illegal_cards_later)

    def points_of_card(card: int) -> float:
        other_cards_later = [later[other] for other in cards if other != card]
        return expected(worth, [winning_chance(position, card), *other_cards_later])[0]

    return max(cards, key=points_of_card)


def expected(worth: Sequence[float], chances: Iterable[float]) -> Sequence[float]:
    """Return the expected worth of having 0, 1, 2, ... tricks before some cards are played. Each card may add a trick.

    worth: the worth of 0, 1, 2, ... tricks after these cards. The result is shorter by one item for each card. chances:
    by card, the chance to take a trick.
    """
    for chance in chances:  # Go back in time by one card, which is lost or adds a trick.
        worth = [if_lost + chance * (if_taken - if_lost) for if_lost, if_taken in pairwise(worth)]
    return worth


def points(scoring: str, bid: int, counts: Iterable[int]) -> list[int]:
    """Return the points of a bid for each number of tricks in `counts`."""
    return [points_of(scoring, bid, count) for count in counts]


def later_chances(position: Position) -> dict[int, float]:
    """Return the chance of each card in hand to take a later trick if it is kept.

    A logistic function of some numbers gives the chance. Their weights were fitted to simulated hands, and are others
    before the bid of this seat than after it.
    """
    weights = WEIGHTS["bid" if position.bid is None else "keep"]
    return {
        card: 1.0 / (1.0 + exp(-sumprod(weights[kind], numbers))) for card, kind, numbers in later_features(position)
    }


def later_features(position: Position) -> Iterator[tuple[int, str, list[float]]]:
    """Yield for each card in hand the numbers that tell its chance to take a later trick.

    Each item is the card, its kind ("trump", or "side" for a card of another suit), and the numbers, in the order of
    the fitted weights of that kind. Hands and unseen cards are sets of bits. To ruff is to win a trick of another suit
    with a trump. It takes a void: no card of that suit.
    """
    trump, hand, unseen, rivals = position.trump, position.hand, position.unseen, position.rivals
    tricks_left = hand.bit_count()
    dealt = sum(rival.cards for rival in rivals) / unseen.bit_count()  # the part of the unseen cards in hands
    unseen_trumps = (unseen & OF_SUIT[trump]).bit_count()
    lengths = [(hand & suit).bit_count() for suit in OF_SUIT]
    # The suits that this hand can ruff: with no card of the suit for certain, with a single one perhaps.
    voids = sum((1.0, 0.5)[length] for suit, length in enumerate(lengths) if length < 2 and suit != trump)
    # By suit of this hand, about how many rivals can ruff it.
    ruffs = [
        sum(_ruff_chance(position, rival, suit, unseen_trumps) for rival in rivals) if length and suit != trump else 0.0
        for suit, length in enumerate(lengths)
    ]
    # The part of the tricks left that the rivals want, beyond their fair share.
    demand = _tricks_wanted(rivals, tricks_left) / tricks_left - len(rivals) / (len(rivals) + 1)
    lead = position.leads / tricks_left
    shared = [demand, _wanted_share(position), 1 / tricks_left]

    for card in members(hand):
        suit = SUIT[card]
        # The expected numbers of higher and of lower cards of the suit in the rivals' hands.
        higher = dealt * (unseen & HIGHER[card]).bit_count()
        lower = dealt * (unseen & LOWER[card]).bit_count()
        highest = exp(-higher)  # about the chance that rivals hold no higher one
        numbers = [1.0, higher, lower, highest, lengths[suit], *shared]
        if suit == trump:
            yield card, "trump", [*numbers, voids, tricks_left, lead]
        else:
            # The rivals that may ruff it if it is high, the trumps to protect it, and its chance to win if led now.
            own = [ruffs[suit] * highest, lengths[trump] / tricks_left, lead * highest * exp(-ruffs[suit])]
            yield card, "side", numbers + own


def winning_chance(position: Position, card: int) -> float:
    """Return the chance of `card` to take this trick if it is played."""
    if position.best is not None and not beats(card, position.best, position.trump):
        return 0.0
    return standing_chance(position, card)


def standing_chance(position: Position, card: int) -> float:
    """Return the chance that no rival beats `card`, the best card of this trick so far."""
    chance = 1.0
    for wants_tricks, higher_chance, ruff_chance in threats(position, card):
        # How often such rivals beat a card if they can: with a higher card, and with a trump. Fitted to simulations.
        plays_higher, ruffs = WEIGHTS["hungry" if wants_tricks else "sated"]
        chance *= 1.0 - plays_higher * higher_chance - ruffs * ruff_chance
    return chance


def threats(position: Position, card: int) -> list[tuple[bool, float, float]]:
    """Return how each rival that plays after this seat may beat `card`, the best card of this trick so far.

    Each threat is: whether the rival wants tricks, its chance to hold a higher card of the suit led, and its chance to
    be able to ruff, which is to play a trump when it has no card of the suit led.
    """
    trump, unseen = position.trump, position.unseen
    led = SUIT[card] if position.led is None else position.led
    # The numbers of unseen cards that beat the card: of its suit, and of trumps.
    higher = (unseen & HIGHER[card]).bit_count()
    trumps = higher if SUIT[card] == trump else (unseen & OF_SUIT[trump]).bit_count()
    threats = []
    for rival in position.rivals[: position.following]:
        need = rival.need or 0
        # In positive scoring each trick counts even after the bid is lost.
        wants_tricks = need > 0 or (need < 0 and position.scoring == "positive")
        # If the card is itself a ruff, a rival can beat it only by a higher ruff, not by a card of the suit led.
        may_follow = SUIT[card] == led and not rival.voids[led]
        higher_chance = _chance_of_any(position, rival, higher) if may_follow else 0.0
        ruff_chance = _ruff_chance(position, rival, led, trumps) if led != trump else 0.0
        threats.append((wants_tricks, higher_chance, ruff_chance))
    return threats


def _chance_of_any(position: Position, rival: Rival, count: int) -> float:
    """Return the chance that `rival` holds at least one of `count` unseen cards."""
    return 1.0 - (1.0 - rival.cards / position.unseen.bit_count()) ** count


def _ruff_chance(position: Position, rival: Rival, suit: int, trumps: int) -> float:
    """Return the chance that `rival` can ruff `suit`: it has no card of it but one of `trumps` unseen trumps.

    The voids of a rival tell, by suit, whether it has shown that it has no card of it.
    """
    if rival.voids[position.trump]:
        return 0.0
    of_suit = (position.unseen & OF_SUIT[suit]).bit_count()
    void_chance = 1.0 if rival.voids[suit] else 1.0 - _chance_of_any(position, rival, of_suit)
    return void_chance * _chance_of_any(position, rival, trumps)


def _tricks_wanted(rivals: Collection[Rival], left: int) -> float:
    """Return how many of the tricks left the rivals want. A rival without a bid wants its fair share."""
    fair_share = left / (len(rivals) + 1)
    return sum(fair_share if rival.need is None else max(rival.need, 0) for rival in rivals)


def _wanted_share(position: Position) -> float:
    """Return the part of the tricks left that this seat wants for its bid, from 0 to 1. 0 before its bid."""
    if position.bid is None:
        return 0.0
    need = position.need
    if need < 0 and position.scoring == "positive":  # The bid is lost, but each trick is still a point.
        return 1.0
    return min(max(need / position.hand.bit_count(), 0.0), 1.0)


def worth_of_tricks(position: Position) -> list[int]:
    """Return the worth of taking 0, 1, 2, ... of the tricks left for this seat.

    Usually that is the points for the hand. In neutral scoring a lost bid scores nothing, so another goal takes over.
    """
    bid, tricks_won, left = position.bid, position.tricks_won, position.hand.bit_count()
    assert bid is not None
    is_lost = not 0 <= bid - tricks_won <= left  # The seat has too many tricks, or cannot take enough.
    if is_lost and position.scoring == "neutral":
        # The seat can only make others miss their bids. It takes the tricks that they need. If they need fewer than
        # there are, it leaves them too many.
        contested = _tricks_wanted(position.rivals, left) >= left
        return [count if contested else -count for count in range(left + 1)]
    return points(position.scoring, bid, range(tricks_won, tricks_won + left + 1))
