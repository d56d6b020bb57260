"""Proofs of claims: whether a seat takes all tricks that are left of a deal, or none, whatever the others do.

Cards are numbers, sets of cards the bits of an int. The others' cards are dealt lazily: a seat plays any unseen card
that it may still hold, as long as all hands can be filled from the rest. Where they are known, each may hold just its
own.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from games.kit.card_sets import members

ALL, NONE = "all", "none"
NODES = 3000  # positions looked at for a proof, in about a tenth of a second
SAME = 4  # fields of a Position that never change


class Cards(NamedTuple):
    """The cards of a deal, as claims need them.

    duties: of the card led, the best card of a trick and whether the partner of who plays is winning it: sets of which
    the first that a hand has cards of is the one to play from; any card where it has none.
    """

    of_suit: tuple[int, ...]  # by card the set of its suit
    higher: tuple[int, ...]  # by card the set of the higher ones of its suit
    ruffing: int  # the set of cards that beat those of other suits
    plain: int  # the set of cards on whose order no duty depends
    duties: Callable[[int, int, bool], tuple[int, ...]]


class Position(NamedTuple):
    """What a seat knows in the middle of the play. Tuples go by seat."""

    cards: Cards
    me: int
    seats: int
    partners: bool  # whether the seat opposite wins for the same side
    seat: int  # to act
    own: int  # the set of the cards that the seat holds
    unseen: int  # the set of those that are not known to be elsewhere
    barred: tuple[int, ...]  # sets of cards that a seat can't hold
    led: int | None  # the first card of the trick in progress
    best: int  # its best card, and who played it; any before the lead
    best_seat: int
    count: int  # how many cards are in it

    @property
    def left(self) -> int:
        """How many tricks are still to be finished."""
        return self.own.bit_count() + (self.me in self.played)

    @property
    def played(self) -> list[int]:
        """Who has played to the trick in progress."""
        return [(self.seat - place) % self.seats for place in range(1, self.count + 1)]

    def sizes(self) -> list[int]:
        """By seat how many cards it holds."""
        return [self.left - (seat in self.played) for seat in range(self.seats)]


class TooMuch(Exception):
    """A proof takes more positions than may be looked at."""


class Ending(NamedTuple):
    """How what is left of a deal came out. Tuples go by seat."""

    tricks: tuple[int, ...]  # how many of them it took
    points: tuple[int, ...]  # what the cards in them are worth
    last: int  # who took the last one


class Proof:
    """Whether a seat takes all tricks that are left, or none, whatever the others hold and play.

    alone: its partner's tricks don't count, where all are wanted. That is enough for most claims, and faster.
    nowhere: the seat plays in the order of `own_cards` with these, else as it likes (None).
    """

    def __init__(self, kind: str, nodes: int = NODES, *, alone: bool = False, nowhere: int | None = None):
        self.kind, self.nodes, self.alone, self.nowhere = kind, nodes, alone, nowhere
        self.known: dict[tuple, bool] = {}

    def holds(self, position: Position) -> bool:
        """Whether it is proven from here. Raises TooMuch."""
        if not position.left:
            return True
        key = position[SAME:]
        known = self.known.get(key)
        if known is None:
            if len(self.known) >= self.nodes:
                raise TooMuch
            known = self.known[key] = self._holds(position)
        return known

    def endings(self, position: Position, worth: Sequence[int], stake: int) -> set[Ending] | None:
        """All endings if the seat plays in its order, in which it `holds`. None where they are too many to be seen.

        worth: of each card. stake: what those in the trick in progress are worth.
        """
        nothing = (0,) * position.seats
        waiting, found, seen = [(position, nothing, nothing, stake, position.me)], set(), set()
        while waiting:
            position, tricks, points, stake, last = waiting.pop()
            key = (position[SAME:], tricks, points)
            if key in seen:
                continue
            if len(seen) >= self.nodes:
                return None
            seen.add(key)
            if not position.left:
                found.add(Ending(tricks, points, last))
                continue
            for card, before in self._cards_in_order(position):
                after, _ = self._after(before, card)
                on_table = stake + worth[card]
                if after.count:
                    waiting.append((after, tricks, points, on_table, last))
                else:
                    winner = after.seat
                    more = (_added(tricks, winner, 1), _added(points, winner, on_table), 0, winner)
                    waiting.append((after, *more))
        return found

    def _cards_in_order(self, position):
        """(card, the position in which it is played) for each card that may be played now, in the seat's own order."""
        if position.seat == position.me:
            return [(card, position) for card in own_cards(position, self.kind, self.nowhere or 0)[:1]]
        return [
            (card, position._replace(unseen=unseen, barred=barred))
            for card, unseen, barred in others_cards(position, False)
        ]

    def _holds(self, position):
        if position.seat == position.me:
            if self.kind == ALL and not position.count and all_are_high(position):
                return True
            cards = own_cards(position, self.kind, self.nowhere or 0)
            return any(self.leads_on(position, card) for card in (cards if self.nowhere is None else cards[:1]))
        return all(won and self.holds(after) for after, won in self._answers(position))

    def leads_on(self, position: Position, card: int) -> bool:
        """Whether it is still proven after this card of the seat's own. Raises TooMuch."""
        after, won = self._after(position, card)
        return won and self.holds(after)

    def _answers(self, position):
        """(the position after, whether the claim still stands) for each card that another seat may play."""
        for card, unseen, barred in others_cards(position, self._is_by_bands(position)):
            yield self._after(position._replace(unseen=unseen, barred=barred), card)

    def _is_by_bands(self, position):
        """Whether it is all the same which of the others is winning the trick."""
        return not position.partners or (self.alone and position.count > 0 and position.best_seat == position.me)

    def _after(self, position, card):
        """(the position after a card of the seat to act, whether the claim still stands)."""
        cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count = position
        bit = 1 << card
        own &= ~bit
        if led is None:
            led, best, best_seat = card, card, seat
        elif cards.higher[best] & bit or (cards.ruffing & bit and not cards.ruffing >> best & 1):
            best, best_seat = card, seat
        count += 1
        won = True
        if count == seats:
            mine = best_seat == me or (partners and not self.alone and (best_seat - me) % 2 == 0)
            won = mine == (self.kind == ALL)
            seat, led, best, count = best_seat, None, 0, 0  # so that equal positions are equal
        else:
            seat = (seat + 1) % seats
        after = (cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count)
        return Position(*after), won


def _added(numbers, place, more):
    return (*numbers[:place], numbers[place] + more, *numbers[place + 1 :])


def own_cards(position: Position, kind: str, nowhere: int = 0) -> list[int]:
    """The cards that the seat itself may play, the one by which it plays a claim first.

    It wants all tricks: to lead trumps first, and high; to take a trick, as its last player as cheaply as can be. Or it
    wants none: to lead low, and to play the highest card that doesn't take the trick.
    nowhere: cards that the seat may think others hold, though they don't.
    """
    cards, own, unseen = position.cards, position.own, position.unseen | nowhere
    legal = next((own & wanted for wanted in _duties(position) if own & wanted), own)
    leads, is_last = position.led is None, position.count == position.seats - 1

    def key(card):
        trump = cards.ruffing >> card & 1
        higher = cards.higher[card].bit_count()
        wins = leads or cards.higher[position.best] >> card & 1 or (trump and not cards.ruffing >> position.best & 1)
        if kind == ALL:
            return (
                (not wins, trump, -higher) if is_last else (not wins, -trump, bool(unseen & cards.higher[card]), higher)
            )
        if leads or wins:
            return (wins, trump, -(unseen & cards.higher[card]).bit_count())
        return (wins, -trump, higher)

    return sorted(members(legal), key=key)


def others_cards(position: Position, by_bands: bool) -> list[tuple[int, int, tuple[int, ...]]]:
    """(card, the unseen cards after it, what each seat can't hold then) for each card that another seat may play now.

    That is each that the seat to act may hold in some world.

    by_bands: of plain cards with none of the seat's own between them, which are the same to it, only the lowest.
    """
    seat, found, seen = position.seat, [], set()
    sizes = position.sizes()
    sizes[position.me] = 0
    sizes[seat] -= 1
    duties = _duties(position)
    for card in members(position.unseen & ~position.barred[seat]):
        if by_bands:
            band = _band(position, card)
            if band in seen:
                continue
            seen.add(band)
        ruled_out = 0
        for wanted in duties:
            if wanted >> card & 1:
                break
            ruled_out |= wanted
        barred = position.barred
        if ruled_out & ~barred[seat] & position.unseen:
            barred = (*barred[:seat], barred[seat] | ruled_out, *barred[seat + 1 :])
        rest = position.unseen & ~(1 << card)
        if can_be_dealt(rest, sizes, barred):
            found.append((card, *narrowed(rest, barred, position.me)))
    return found


def narrowed(unseen: int, barred: tuple[int, ...], me: int) -> tuple[int, tuple[int, ...]]:
    """(the unseen cards that another seat may hold, those of them that each can't hold), so that equals are equal."""
    nowhere = unseen
    for seat, out in enumerate(barred):
        if seat != me:
            nowhere &= out
    unseen &= ~nowhere
    return unseen, tuple(0 if seat == me else out & unseen for seat, out in enumerate(barred))


def can_be_dealt(cards: int, sizes: list[int], barred: tuple[int, ...]) -> bool:
    """Whether hands of these sizes can be filled from the cards: Hall's condition, where it may fail."""
    total = sum(sizes)
    if cards.bit_count() < total:
        return False
    narrow = [seat for seat, size in enumerate(sizes) if size and barred[seat] & cards]
    for number in range(1, len(narrow) + 1):
        for some in combinations(narrow, number):
            room = 0
            for seat in some:
                room |= cards & ~barred[seat]
            if room.bit_count() < sum(sizes[seat] for seat in some):
                return False
    return True


def all_are_high(position: Position) -> bool:
    """Whether the seat, which leads, needs no proof: no unseen card beats one of its own, and it draws all trumps."""
    cards, own, unseen = position.cards, position.own, position.unseen
    if any(unseen & cards.higher[card] for card in members(own)):
        return False
    trumps = own & cards.ruffing
    return trumps == own or trumps.bit_count() >= (unseen & cards.ruffing).bit_count()


def _duties(position):
    if position.led is None:
        return ()
    spared = position.partners and (position.best_seat - position.seat) % 4 == 2
    return position.cards.duties(position.led, position.best, spared)


def _band(position, card):
    """What is equal for cards that are the same to the seat: for plain ones, where they lie among its own."""
    cards = position.cards
    if not cards.plain >> card & 1:
        return card
    own = position.own if position.led is None else position.own | 1 << position.best
    barred = tuple(each >> card & 1 for each in position.barred)
    return (cards.of_suit[card], own & cards.higher[card], barred)
