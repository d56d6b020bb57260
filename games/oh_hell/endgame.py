"""The last tricks of a hand of Oh Hell with open cards, if every seat plays as well as possible for itself.

Each seat plays for its own points. Of equal cards it plays the one that leaves the others the fewest points, and then
the lowest one, with the suits in the order C, D, H, S. Cards and sets are ints, see games.kit.card_sets.
"""

from collections.abc import Sequence

from games.kit.card_sets import HIGHER, LOWER, OF_SUIT, SUIT
from games.kit.contract import Seat
from games.oh_hell.bot import points
from games.oh_hell.simulation import BEATING, World

MAX_POSITIONS = 200_000  # in the cache
NO_CARDS = None, 0, 0, 0  # a trick before its lead

type Numbers = tuple[int, ...]  # by seat
type Trick = tuple[int | None, int, Seat, int]  # led, best, best_seat and trick_size, as in a World


class Endgame:
    """The end of one hand. It caches the results of positions between tricks."""

    def __init__(self, scoring: str, trump: int, bids: Sequence[int]) -> None:
        self.beating = BEATING[trump]
        self.scores = [points(scoring, bid, range(14)) for bid in bids]
        self.results: dict[Numbers, Numbers] = {}

    def points_after(self, world: World, card: int) -> Numbers:
        """Return the points of each seat for the hand if the seat to act plays `card`, and then all play their best.

        world: a position with all cards open. The result is exact, because all ways to play on are tried.
        """
        if len(self.results) > MAX_POSITIONS:  # The results of former positions take too much memory.
            self.results.clear()
        trick = world.led, world.best, world.best_seat, world.trick_size
        return self._points_after(list(world.hands), tuple(world.tricks_won), world.seat, card, trick)

    def _points_after(self, hands: list[int], tricks_won: Numbers, seat: Seat, card: int, trick: Trick) -> Numbers:
        """Return the points of each seat after this seat plays `card`, and then all play their best.

        hands: sets of bits by seat, which are changed and then restored. trick: the suit led, the best card so far, the
        seat that played it, and the number of cards. self.beating: by card, the set of cards that beat it.
        """
        led, best, best_seat, size = trick
        bit = 1 << card
        if not size:  # The card is led.
            led, best, best_seat = SUIT[card], card, seat
        elif self.beating[best] & bit:
            best, best_seat = card, seat
        hands[seat] ^= bit
        if size + 1 < len(hands):  # The trick goes on.
            result = self._points_of_best_card(
                hands, tricks_won, (seat + 1) % len(hands), (led, best, best_seat, size + 1)
            )
        else:
            new_tricks = tuple([tricks + (other == best_seat) for other, tricks in enumerate(tricks_won)])
            result = self._between_tricks(hands, new_tricks, best_seat)
        hands[seat] ^= bit
        return result

    def _between_tricks(self, hands: list[int], tricks_won: Numbers, seat: Seat) -> Numbers:
        """Return the points of each seat if this seat is to lead, or if the hand is over.

        Only positions between tricks are cached, as they come up again in many orders of play.
        """
        if not hands[seat]:  # The hand is over.
            return tuple([score[tricks] for score, tricks in zip(self.scores, tricks_won, strict=True)])
        key = (*hands, *tricks_won, seat)
        if key not in self.results:
            self.results[key] = self._points_of_best_card(hands, tricks_won, seat, NO_CARDS)
        return self.results[key]

    def _points_of_best_card(self, hands: list[int], tricks_won: Numbers, seat: Seat, trick: Trick) -> Numbers:
        """Return the points of each seat after the best card of this seat.

        The best is best for the seat itself. A card is as good as the next lower one of its suit if no rival card is
        between them. Then only the lower one is tried. hands: sets of bits by seat. trick: the suit led, the best card,
        its seat and the number of cards.
        """
        led, best, _, size = trick
        hand = hands[seat]
        legal = hand if led is None else hand & OF_SUIT[led] or hand
        rival_cards = sum(other for place, other in enumerate(hands) if place != seat) | (1 << best if size else 0)
        result: Numbers = ()
        most, last = None, None
        while legal:
            card = (legal & -legal).bit_length() - 1  # the lowest card
            legal &= legal - 1  # without it
            is_as_good = last is not None and SUIT[last] == SUIT[card] and not rival_cards & HIGHER[last] & LOWER[card]
            last = card
            if is_as_good:
                continue
            points_after = self._points_after(hands, tricks_won, seat, card, trick)
            own = points_after[seat]
            value = (own, own - sum(points_after))  # Of equal own points, few points for the others are better.
            if most is None or value > most:
                result, most = points_after, value
        return result
