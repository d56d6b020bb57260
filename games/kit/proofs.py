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
MAX_POSITIONS = 3000  # The limit of positions in a proof, which takes about a tenth of a second.
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
    absent: if not None, the seat plays in the order of `own_cards` with this set. Otherwise it plays any legal card.
    """

    def __init__(
        self, kind: str, max_positions: int = MAX_POSITIONS, *, alone: bool = False, absent: int | None = None
    ) -> None:
        self.kind, self.max_positions, self.alone, self.absent = kind, max_positions, alone, absent
        self._results: dict[tuple[object, ...], bool] = {}

    def holds(self, position: Position) -> bool:
        """Return whether the claim (to take all remaining tricks, or none) is proven from this position.

        Raise `TooMuch` if the search has examined too many positions.
        """
        if not position.remaining:  # No trick is left to refute the claim.
            return True
        key = position[CONSTANT:]  # All fields that change during a deal. Results are stored under them.
        result = self._results.get(key)
        if result is None:
            if len(self._results) >= self.max_positions:
                raise TooMuch
            result = self._results[key] = self._search(position)
        return result

    def endings(self, position: Position, card_points: Sequence[int], trick_points: int) -> set[Ending] | None:
        """Return all possible endings of a deal after a true claim: the tricks and points of each seat.

        This tries all play, depth first. The claiming seat plays its cards in a fixed order, and the other seats play
        any card that they may hold. Return None if there are too many positions.

        card_points: the points of each card. trick_points: the points of the cards in the trick in progress.
        """
        # The stack holds positions still to examine. Each comes with the tricks and the points of each seat so far, the
        # points in the trick in progress, and the winner of the trick before.
        nothing = (0,) * position.seats
        stack, endings = [(position, nothing, nothing, trick_points, position.me)], set()
        visited: set[tuple[object, ...]] = set()
        while stack:
            position, tricks, points, trick_points, last_winner = stack.pop()
            key = (position[CONSTANT:], tricks, points)
            if key in visited:  # Another order of play leads to the same position.
                continue
            if len(visited) >= self.max_positions:
                return None
            visited.add(key)
            if not position.remaining:
                endings.add(Ending(tricks, points, last_winner))
                continue
            for card, before in self._cards_in_order(position):
                after, _ = self._after(before, card)
                total = trick_points + card_points[card]
                if after.trick_size:
                    stack.append((after, tricks, points, total, last_winner))
                else:  # The trick is complete, and its winner leads to the next.
                    winner = after.seat
                    stack.append((after, _with_added(tricks, winner, 1), _with_added(points, winner, total), 0, winner))
        return endings

    def _cards_in_order(self, position: Position) -> list[tuple[int, Position]]:
        """Return the cards that the seat to act may play, each with the position just before it is played.

        The claiming seat plays only the first card of its fixed order. Any other seat may play every card that it may
        hold. Such a card reveals something about the hand of that seat, so the positions before them differ.
        """
        if position.seat == position.me:
            return [(card, position) for card in own_cards(position, self.kind, self.absent or 0)[:1]]
        return [
            (card, position._replace(unseen=unseen, barred=barred))
            for card, unseen, barred in others_cards(position, skip_equals=False)
        ]

    def _search(self, position: Position) -> bool:
        """Return whether the claim holds from here, whatever the other seats play.

        If the claiming seat is to act, one card that keeps the claim is enough. If another seat is, every card must.
        """
        if position.seat == position.me:
            if self.kind == ALL and not position.trick_size and all_are_high(position):
                return True  # Nobody can beat the seat's cards, so the search can stop here.
            cards = own_cards(position, self.kind, self.absent or 0)
            in_order = self.absent is not None  # Then the seat may play only the first card of its order.
            return any(self.holds_after(position, card) for card in (cards[:1] if in_order else cards))
        return all(possible and self.holds(after) for after, possible in self._replies(position))

    def holds_after(self, position: Position, card: int) -> bool:
        """Return whether the claim is still proven if the claiming seat plays this card now.

        Raise `TooMuch` if the search examines too many positions.
        """
        after, possible = self._after(position, card)
        return possible and self.holds(after)

    def _replies(self, position: Position) -> Iterator[tuple[Position, bool]]:
        """Yield, for each card that another seat may play, the next position and whether it leaves the claim possible.

        Some cards of the others are equal to the claiming seat: each of its own cards beats all of them, or none. If it
        does not matter either which of the others wins the trick, one of these cards is enough.
        """
        # If the seat must take every trick alone and is winning this one, it loses it to anybody else.
        any_winner_refutes = self.alone and position.trick_size > 0 and position.best_seat == position.me
        skip_equals = any_winner_refutes or not position.partners
        for card, unseen, barred in others_cards(position, skip_equals):
            yield self._after(position._replace(unseen=unseen, barred=barred), card)

    def _after(self, position: Position, card: int) -> tuple[Position, bool]:
        """Return the position after the seat to act plays a card, and whether the claim is still possible.

        A finished trick must go to the claiming side if the claim is of all tricks, and to the other side if of none.
        Cards are numbers. In a set of cards, which is an int, the bit of that number stands for the card.
        """
        # `own` and `unseen` are the cards of the claiming seat (`me`) and of the others. `best` is the card that is
        # winning the trick, and `count` the number of its cards.
        cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count = position
        bit = 1 << card
        own &= ~bit
        if led is None:
            led, best, best_seat = card, card, seat
        elif cards.higher[best] & bit or (cards.ruffing & bit and not cards.ruffing >> best & 1):
            best, best_seat = card, seat  # A higher card of the same suit, or a trump on a card that is none.
        count += 1
        possible = True
        if count == seats:  # The trick is complete.
            counts_partner = partners and not self.alone  # Whether tricks of the partner fulfil the claim.
            claimer_wins = best_seat == me or (counts_partner and (best_seat - me) % 2 == 0)
            possible = claimer_wins == (self.kind == ALL)
            # The winner leads to the next trick. With a constant `best`, equal positions compare equal.
            seat, led, best, count = best_seat, None, 0, 0
        else:
            seat = (seat + 1) % seats
        after = Position(cards, me, seats, partners, seat, own, unseen, barred, led, best, best_seat, count)
        return after, possible


def _with_added(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    """Return the numbers with `amount` added to the one at `place`."""
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])


def own_cards(position: Position, kind: str, absent: int = 0) -> list[int]:
    """Return the legal cards of the claiming seat. The card that it should play comes first.

    To take all tricks (ALL), it leads trumps first, and high cards first. It takes every trick, with the lowest winning
    card if it plays last. To take none, it leads low, and plays the highest card that does not take the trick.

    Cards are numbers, and sets of cards are the bits of an int. absent: the set of cards that no other seat holds,
    though this seat cannot know it.
    """
    cards, own, unseen = position.cards, position.own, position.unseen | absent
    # A duty is a set of cards to play from, such as the suit led. The seat must obey the first duty that it can. If it
    # can obey none, it may play anything.
    legal = next((own & duty for duty in _present_duties(position) if own & duty), own)
    leads, is_last = position.led is None, position.trick_size == position.seats - 1

    def preference(card: int) -> tuple[int, ...]:
        """Return a sort key. The card with the smallest key is played first. False is smaller than True."""
        trump = cards.ruffing >> card & 1
        higher = cards.higher[card].bit_count()  # the number of higher cards of its suit
        # It beats the best card of the trick if it is higher in the same suit, or a trump and the other is none.
        beats = cards.higher[position.best] >> card & 1 or (trump and not cards.ruffing >> position.best & 1)
        wins = leads or bool(beats)
        if kind == ALL and is_last:  # Win with the lowest card possible.
            return (not wins, trump, -higher)
        if kind == ALL:  # Win, with a trump first, and with a card that nobody can beat.
            return (not wins, -trump, bool(unseen & cards.higher[card]), higher)
        if leads or wins:  # Most unseen cards should be able to beat it.
            return (wins, trump, -(unseen & cards.higher[card]).bit_count())
        return (wins, -trump, higher)  # Get rid of trumps and high cards.

    return sorted(members(legal), key=preference)


def others_cards(position: Position, skip_equals: bool) -> list[tuple[int, int, Sets]]:
    """Return (card, unseen, barred) for each card that the seat to act, not the claiming one, may hold and play.

    unseen: the set of cards that the others may hold after it. barred: by seat, the cards that it then cannot hold,
    because the rules would have obliged it to play one of them. Sets of cards are the bits of an int.

    skip_equals: of cards that make no difference to the claiming seat, return only the lowest.
    """
    seat, results, groups = position.seat, [], set()
    sizes = position.sizes()  # The unseen cards must still fill the hands of the other seats after this card.
    sizes[position.me] = 0
    sizes[seat] -= 1
    duties = _present_duties(position)  # sets of cards: the seat plays from the first one that it can
    for card in members(position.unseen & ~position.barred[seat]):
        if skip_equals:
            group = _group_of_equals(position, card)
            if group in groups:
                continue
            groups.add(group)
        missing = 0  # The card shows that the seat has no card of the duties before the one that it fulfils.
        for duty in duties:
            if duty >> card & 1:
                break
            missing |= duty
        barred = position.barred  # a tuple, so copy it only if the card shows anything new
        if missing & ~barred[seat] & position.unseen:
            barred = (*barred[:seat], barred[seat] | missing, *barred[seat + 1 :])
        unseen = position.unseen & ~(1 << card)
        if can_be_dealt(unseen, sizes, barred):  # Otherwise the seat cannot hold this card.
            results.append((card, *drop_impossible(unseen, barred, position.me)))
    return results


def drop_impossible(unseen: int, barred: Sets, me: int) -> tuple[int, Sets]:
    """Remove cards that no seat can hold from the unseen cards, and from the cards that seats are barred from.

    Positions that differ only in such cards then compare equal. Sets of cards are the bits of an int.

    unseen: the cards that other seats than `me` may hold. barred: by seat, the cards that it cannot hold. The result
    has neither barred cards of `me` nor barred cards that are no longer unseen.
    """
    impossible = unseen
    for seat, excluded in enumerate(barred):
        if seat != me:
            impossible &= excluded
    unseen &= ~impossible
    return unseen, tuple(0 if seat == me else excluded & unseen for seat, excluded in enumerate(barred))


def can_be_dealt(cards: int, sizes: list[int], barred: Sets) -> bool:
    """Return whether the hands can be dealt from a set of cards. Sets of cards are the bits of an int.

    By Hall's marriage theorem that is so if every group of seats together can hold enough of the cards.

    sizes: the number of cards of each hand. barred: by seat, the cards that it cannot hold.
    """
    total = sum(sizes)
    if cards.bit_count() < total:
        return False
    limited_seats = [seat for seat, size in enumerate(sizes) if size and barred[seat] & cards]
    for number in range(1, len(limited_seats) + 1):
        for group in combinations(limited_seats, number):
            holdable = 0
            for seat in group:
                holdable |= cards & ~barred[seat]
            if holdable.bit_count() < sum(sizes[seat] for seat in group):
                return False
    return True


def all_are_high(position: Position) -> bool:
    """Return whether a seat that leads obviously takes all remaining tricks.

    No other seat may hold a higher card of a suit than one of its own. It must also have enough trumps to lead them
    until the others have none.
    """
    cards, own, unseen = position.cards, position.own, position.unseen  # sets of cards, as bits of an int
    if any(unseen & cards.higher[card] for card in members(own)):
        return False
    own_trumps = own & cards.ruffing  # Each of them that it leads draws a trump from the others, if they have any.
    return own_trumps == own or own_trumps.bit_count() >= (unseen & cards.ruffing).bit_count()


def _present_duties(position: Position) -> Sets:
    """Return the duties of the seat to act, which are sets of cards.

    It must play a card of the first set, if it has one, or else of the next: for example of the suit led, or else a
    trump. If it has none of them, it may play anything. The leader of a trick has no duties.
    """
    if position.led is None:
        return ()
    is_partner_winning = position.partners and (position.best_seat - position.seat) % 4 == 2  # the seat opposite
    return position.cards.duties(position.led, position.best, is_partner_winning)


def _group_of_equals(position: Position, card: int) -> int | tuple[object, ...]:
    """Return a value that another seat's cards share if it makes no difference which of them that seat plays.

    That is so for cards of one suit that the same seats may hold, with no separating card between them: a card of the
    claiming seat, or the card that is winning the trick. Sets of cards are the bits of an int.
    """
    cards = position.cards
    if not cards.plain >> card & 1:  # Its rank affects what others must play, so it is equal to no other card.
        return card
    separating = position.own if position.led is None else position.own | 1 << position.best
    barred_seats = tuple(barred_cards >> card & 1 for barred_cards in position.barred)
    return (cards.of_suit[card], separating & cards.higher[card], barred_seats)
