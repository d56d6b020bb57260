"""The last tricks of Oh Hell with open cards: what they come to if every seat plays as well as can be for itself.

Each seat takes what gives it most points, then what leaves the others fewest, then its lowest card, the suits in the
order C, D, H, S. Cards, sets and the `World` are those of games.oh_hell.simulation.
"""

from games.kit.card_sets import HIGHER, LOWER, OF_SUIT, SUIT
from games.oh_hell.bot import points
from games.oh_hell.simulation import BEATING

ROOM = 200_000  # positions between tricks that are remembered
NO_CARDS = None, 0, 0, 0  # a trick before its lead


class Endgame:
    """The end of one hand. What was worked out for one of its positions helps with the next."""

    def __init__(self, scoring, trump, bids):
        self.beating = BEATING[trump]
        self.scores = [points(scoring, bid, range(14)) for bid in bids]
        self.known = {}

    def worths(self, world, card):
        """The points of all seats, a tuple, if the seat to act of the World plays `card`."""
        if len(self.known) > ROOM:
            self.known.clear()
        hands, taken = list(world.hands), tuple(world.taken)
        return self._after(hands, taken, world.seat, card, (world.led, world.best, world.best_seat, world.count))

    def _after(self, hands, taken, seat, card, trick):
        """The points after this card. trick: (led, best, best_seat, count), as in a World."""
        led, best, best_seat, count = trick
        bit = 1 << card
        if not count:
            led, best, best_seat = SUIT[card], card, seat
        elif self.beating[best] & bit:
            best, best_seat = card, seat
        hands[seat] ^= bit
        if count + 1 < len(hands):
            found = self._from(hands, taken, (seat + 1) % len(hands), (led, best, best_seat, count + 1))
        else:
            more = tuple(each + (other == best_seat) for other, each in enumerate(taken))
            found = self._between(hands, more, best_seat)
        hands[seat] ^= bit
        return found

    def _between(self, hands, taken, seat):
        if not hands[seat]:
            return tuple(score[count] for score, count in zip(self.scores, taken, strict=True))
        key = (*hands, *taken, seat)
        if key not in self.known:
            self.known[key] = self._from(hands, taken, seat, NO_CARDS)
        return self.known[key]

    def _from(self, hands, taken, seat, trick):
        led, best, _, count = trick
        hand = hands[seat]
        legal = hand if led is None else hand & OF_SUIT[led] or hand
        rivals = sum(other for place, other in enumerate(hands) if place != seat) | (1 << best if count else 0)
        found, most, last = None, None, None
        while legal:
            card = (legal & -legal).bit_length() - 1
            legal &= legal - 1
            is_as_good = last is not None and SUIT[last] == SUIT[card] and not rivals & HIGHER[last] & LOWER[card]
            last = card
            if is_as_good:
                continue
            worths = self._after(hands, taken, seat, card, trick)
            own = worths[seat]
            key = (own, own - sum(worths))
            if most is None or key > most:
                found, most = worths, key
        return found
