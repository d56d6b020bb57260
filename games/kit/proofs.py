"""Proofs of claims: whether a seat takes all remaining tricks of a deal, or none, whatever the others do.

Cards are numbers, and sets of cards are the bits of an int. The cards of the other seats are dealt lazily: a seat plays
any unseen card that it may still hold, as long as the rest can fill all hands. With open cards, each seat may hold only
its own.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from games.kit.card_sets import members

ALL, NONE = "all", "none"
NODES = 3000  # The limit of positions in a proof, which takes about a tenth of a second.
CONSTANT = 4  # The first fields of a Position do not change during a deal.

type Sets = tuple[int, ...]  # sets of cards


class Cards(NamedTuple):
    """The cards of a deal, as claims need them.

    duties: a function of the card led, the best card of the trick, and whether the player's partner is winning. It
    returns sets of cards. A player must play from the first set of which the hand has a card, or else any card.
    """

    of_suit: Sets  # by card, its suit
    higher: Sets  # by card, the higher cards of its suit
    ruffing: int  # the set of cards that beat those of other suits
    plain: int  # the set of cards whose order does not affect any duty
    duties: Callable[[int, int, bool], Sets]


class Position(NamedTuple):
    """The knowledge of a seat during the play. Tuples are by seat."""

    cards: Cards
    me: int
    seats: int
    partners: bool  # whether the seat opposite wins for the same side
    seat: int  # the seat to act
    own: int  # the set of the seat's own cards
    unseen: int  # the set of cards that other seats may hold
    barred: Sets  # the cards that a seat cannot hold
    led: int | None  # the first card of the trick in progress
    best: int  # the best card of the trick, with any value before the lead
    best_seat: int  # the player of that card
    trick_size: int  # the number of cards in the trick

    @property
    def remaining(self) -> int:
        """The number of tricks that are not finished."""
        return self.own.bit_count() + (self.me in self.trick_seats)

    @property
    def trick_seats(self) -> list[int]:
        """The seats that have played to the trick in progress."""
        return [(self.seat - place) % self.seats for place in range(1, self.trick_size + 1)]

    def sizes(self) -> list[int]:
        """Return the number of cards of each seat."""
        return [self.remaining - (seat in self.trick_seats) for seat in range(self.seats)]


class TooMuch(Exception):
    """A proof needs too many positions."""


class Ending(NamedTuple):
    """A result of the remaining tricks of a deal. Tuples are by seat."""

    tricks: tuple[int, ...]
    points: tuple[int, ...]  # of the cards in these tricks
    last: int  # the winner of the last trick


class Proof:
    """A search for the proof that a seat takes all remaining tricks, or none, whatever the others hold and play.

    alone: a claim of all tricks must hold without the tricks of the partner. That proves most claims, and is faster.
    nowhere: if not None, the seat plays in the order of `own_cards` with this set. Otherwise it plays any legal card.
    """

    def __init__(self, kind: str, nodes: int = NODES, *, alone: bool = False, nowhere: int | None = None) -> None:
        self.kind, self.nodes, self.alone, self.nowhere = kind, nodes, alone, nowhere
        self._results: dict[tuple[object, ...], bool] = {}

    def holds(self, position: Position) -> bool:
        """Return whether the claim is proven from here. Raise `TooMuch` at the limit of positions."""
        if not position.remaining:
            return True
        key = position[CONSTANT:]
        result = self._results.get(key)
        if result is None:
            if len(self._results) >= self.nodes:
                raise TooMuch
            result = self._results[key] = self._holds(position)
        return result

    def endings(self, position: Position, worth: Sequence[int], stake: int) -> set[Ending] | None:
        """Return all endings if the seat plays in its order, in which the claim `holds`, or None if they are too many.

        worth: the points of each card. stake: the points of the cards in the trick in progress.
        """
        nothing = (0,) * position.seats
        stack, endings = [(position, nothing, nothing, stake, position.me)], set()
        visited: set[tuple[object, ...]] = set()
        while stack:
            position, tricks, points, stake, last = stack.pop()
            key = (position[CONSTANT:], tricks, points)
            if key in visited:
                continue
            if len(visited) >= self.nodes:
                return None
            visited.add(key)
            if not position.remaining:
                endings.add(Ending(tricks, points, last))
                continue
            for card, before in self._cards_in_order(position):
                after, _ = self._after(before, card)
                on_table = stake + worth[card]
                if after.trick_size:
                    stack.append((after, tricks, points, on_table, last))
                else:
                    winner = after.seat
                    stack.append((after, _add(tricks, winner, 1), _add(points, winner, on_table), 0, winner))
        return endings

    def _cards_in_order(self, position: Position) -> list[tuple[int, Position]]:
        """Return the cards that the seat to act may play, each with the position before it.

        The seat itself plays only the first card of its order.
        """
        if position.seat == position.me:
            return [(card, position) for card in own_cards(position, self.kind, self.nowhere or 0)[:1]]
        return [
            (card, position._replace(unseen=unseen, barred=barred))
            for card, unseen, barred in others_cards(position, False)
        ]

    def _holds(self, position: Position) -> bool:
        if position.seat == position.me:
            if self.kind == ALL and not position.trick_size and all_are_high(position):
                return True
            cards = own_cards(position, self.kind, self.nowhere or 0)
            return any(self.holds_after(position, card) for card in (cards if self.nowhere is None else cards[:1]))
        return all(possible and self.holds(after) for after, possible in self._answers(position))

    def holds_after(self, position: Position, card: int) -> bool:
        """Return whether the claim is proven after the seat plays this card. Raise `TooMuch` as `holds` does."""
        after, possible = self._after(position, card)
        return possible and self.holds(after)

    def _answers(self, position: Position) -> Iterator[tuple[Position, bool]]:
        """Yield the result of `_after` for each card that another seat may play."""
        # In a band of equal cards one is enough, if it does not matter which of the others is winning the trick.
        alone = self.alone and position.trick_size > 0 and position.best_seat == position.me
        for card, unseen, barred in others_cards(position, alone or not position.partners):
            yield self._after(position._replace(unseen=unseen, barred=barred), card)

    def _after(self, position: Position, card: int) -> tuple[Position, bool]:
        """Return the position after the seat to act plays a card, and whether the claim is still possible."""
        cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count = position
        bit = 1 << card
        own &= ~bit
        if led is None:
            led, best, best_seat = card, card, seat
        elif cards.higher[best] & bit or (cards.ruffing & bit and not cards.ruffing >> best & 1):
            best, best_seat = card, seat
        count += 1
        possible = True
        if count == seats:
            mine = best_seat == me or (partners and not self.alone and (best_seat - me) % 2 == 0)
            possible = mine == (self.kind == ALL)
            seat, led, best, count = best_seat, None, 0, 0  # With a constant `best`, equal positions compare equal.
        else:
            seat = (seat + 1) % seats
        after = Position(cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count)
        return after, possible


def _add(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    """Return the numbers with `amount` added to the one at `place`."""
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])


def own_cards(position: Position, kind: str, nowhere: int = 0) -> list[int]:
    """Return the legal cards of the seat, in the order in which it prefers them for a claim.

    For all tricks it leads trumps first, and high cards first. It takes every trick, with the lowest winning card if it
    plays last. For no tricks it leads low, and plays the highest card that does not take the trick.

    nowhere: cards that no other seat holds, though this seat cannot know it.
    """
    cards, own, unseen = position.cards, position.own, position.unseen | nowhere
    legal = next((own & duty for duty in _duties(position) if own & duty), own)
    leads, is_last = position.led is None, position.trick_size == position.seats - 1

    def key(card: int) -> tuple[int, ...]:
        trump = cards.ruffing >> card & 1
        higher = cards.higher[card].bit_count()
        beats = cards.higher[position.best] >> card & 1 or (trump and not cards.ruffing >> position.best & 1)
        wins = leads or bool(beats)
        if kind == ALL:
            return (
                (not wins, trump, -higher) if is_last else (not wins, -trump, bool(unseen & cards.higher[card]), higher)
            )
        if leads or wins:
            return (wins, trump, -(unseen & cards.higher[card]).bit_count())
        return (wins, -trump, higher)

    return sorted(members(legal), key=key)


def others_cards(position: Position, by_bands: bool) -> list[tuple[int, int, Sets]]:
    """Return (card, unseen cards after it, barred cards after it) for each card that the seat to act may hold and play.

    by_bands: of plain cards with none of the claimer's own between them, return only the lowest. They are equal to the
    claimer.
    """
    seat, results, bands = position.seat, [], set()
    sizes = position.sizes()
    sizes[position.me] = 0
    sizes[seat] -= 1
    duties = _duties(position)
    for card in members(position.unseen & ~position.barred[seat]):
        if by_bands:
            band = _band(position, card)
            if band in bands:
                continue
            bands.add(band)
        ruled_out = 0
        for duty in duties:
            if duty >> card & 1:
                break
            ruled_out |= duty
        barred = position.barred
        if ruled_out & ~barred[seat] & position.unseen:
            barred = (*barred[:seat], barred[seat] | ruled_out, *barred[seat + 1 :])
        rest = position.unseen & ~(1 << card)
        if can_be_dealt(rest, sizes, barred):
            results.append((card, *drop_impossible(rest, barred, position.me)))
    return results


def drop_impossible(unseen: int, barred: Sets, me: int) -> tuple[int, Sets]:
    """Return the unseen cards that another seat may hold, and which of them each seat cannot hold.

    Without the other cards, equal positions compare equal.
    """
    nowhere = unseen
    for seat, out in enumerate(barred):
        if seat != me:
            nowhere &= out
    unseen &= ~nowhere
    return unseen, tuple(0 if seat == me else out & unseen for seat, out in enumerate(barred))


def can_be_dealt(cards: int, sizes: list[int], barred: Sets) -> bool:
    """Return whether the cards can fill hands of these sizes, by Hall's marriage theorem."""
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
    """Return whether a seat that leads needs no proof: no unseen card beats its own, and it can draw all trumps."""
    cards, own, unseen = position.cards, position.own, position.unseen
    if any(unseen & cards.higher[card] for card in members(own)):
        return False
    trumps = own & cards.ruffing
    return trumps == own or trumps.bit_count() >= (unseen & cards.ruffing).bit_count()


def _duties(position: Position) -> Sets:
    if position.led is None:
        return ()
    is_partner_winning = position.partners and (position.best_seat - position.seat) % 4 == 2
    return position.cards.duties(position.led, position.best, is_partner_winning)


def _band(position: Position, card: int) -> int | tuple[object, ...]:
    """Return a value that is equal for cards that are equal to the claimer.

    Plain cards are, if none of the claimer's own cards is between them.
    """
    cards = position.cards
    if not cards.plain >> card & 1:
        return card
    own = position.own if position.led is None else position.own | 1 << position.best
    barred = tuple(each >> card & 1 for each in position.barred)
    return (cards.of_suit[card], own & cards.higher[card], barred)
