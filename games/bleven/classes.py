"""The classes of fields, predictions and bets that the mixed player of Bleven treats alike.

`tools/solve_bleven.py` solves the strategy for classes instead of single cards. Bots look it up by class. A card is an
int, its power: 0 is the lowest of the pack, 39 the highest.
"""

from bisect import bisect_right
from itertools import product

from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FULL_RESERVE, MIN_SUM, POSITIONS, Prediction
from games.bleven.simulation import Field, Offer, World

type Call = str | Offer  # the type of a move, "raise", or a prediction after the stones of the main bet

SEATS = 2  # The strategy is solved for two seats.

# The boundaries between classes, for the lowest, the middle and the highest card of a field.
CUTS = ((8, 16, 24, 32), (16, 24, 28, 32, 36), (28, 32, 36, 38))
SHORT_CUTS = (8, 11)  # For fields below 15, by the sum of the two higher cards.
SHORT_CLASSES = len(SHORT_CUTS) + 1  # The number of classes below 15. They come first.
CLASSES = SHORT_CLASSES + (len(CUTS[0]) + 1) * (len(CUTS[1]) + 1) * (len(CUTS[2]) + 1)

# The number of turns until both reserves are full. Where players may draw on, later turns are played like the last two.
# The turns of an epoch share one strategy.
TURN_COUNT = SEATS * (FULL_RESERVE + 1)
EPOCHS = [[0], [1], [2], [3], [4], [5], [6, 8, 10], [7, 9, 11]]

# The predictions in the solved strategy. A prediction with positions names as many as it can. Fewer would score less
# and tell rivals as much.
PREDICTIONS = [
    Prediction(tricks, places) for tricks, sets in enumerate(POSITIONS) for places in sets if len(places) in (0, tricks)
]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # The letters of choices in the table.


def name_of(bet: int, prediction: Prediction) -> str:
    """Return the name of a prediction and its bet in the table, such as "4:2@13".

    This one bets 4 stones on 2 tricks, the first and the third.
    """
    tricks, positions = prediction
    return f"{bet}:{tricks}" + ("@" + "".join(map(str, positions)) if positions else "")


def class_of(field: Field) -> int:
    """Return the number of the class of a field (the three cards of a seat, ascending). Similar fields share a class.

    A field below 15 wins no trick. Its class depends on its two higher cards, because the lowest is discarded next.
    Other classes combine a range for each of the three cards. CUTS has the boundaries of the ranges.
    """
    # `bisect_right` returns the index of the range.
    if sum(VALUES[card] for card in field) < MIN_SUM:
        return bisect_right(SHORT_CUTS, VALUES[field[1]] + VALUES[field[2]])
    number = 0
    for card, cuts in zip(field, CUTS, strict=True):  # The indices of the three ranges are the digits of the number.
        number = number * (len(cuts) + 1) + bisect_right(cuts, card)
    return SHORT_CLASSES + number


def certain_tricks(field: Field) -> tuple[int, ...] | None:
    """Return the numbers of the tricks that a field wins against every other field, or None if one trick is open.

    A field is three cards. Both players play theirs in ascending order: the lowest in the first trick. Tricks have
    numbers from 1, and cards from 0.
    """
    certain = []
    for place, card in enumerate(field):
        cards_above, cards_below = len(field) - 1 - place, place  # in this field
        # The numbers of higher and of lower cards outside the field.
        higher, lower = len(VALUES) - 1 - card - cards_above, card - cards_below
        # To win this trick, the opponent needs a higher card for it, and more for all later tricks.
        if higher <= cards_above:
            certain.append(place + 1)
        # To lose it, the opponent needs a lower card for it, and more for all earlier tricks.
        elif lower > cards_below:
            return None
    return tuple(certain)


def bet_sizes(max_stakes: int) -> tuple[int, int, int]:
    """Return the bets in the solved strategy, ascending. max_stakes: the most stones at stake in a round."""
    return 1, round(0.4 * max_stakes), max_stakes


def openings(max_stakes: int) -> list[Offer]:
    """Return the predictions of a declarer, each after its bet, in the order of the table."""
    return list(product(bet_sizes(max_stakes), PREDICTIONS))


def counters(bet: int, prediction: Prediction, max_stakes: int) -> list[Offer]:
    """Return the higher predictions that may replace a prediction, each after its bet.

    bet: the stones on the present prediction. A new one must name at least as many tricks and add stones. If no more
    stones may be added, it must name more tricks, or as many and more positions (tricks named one by one).
    """
    if bet < max_stakes:
        names_enough = [other for other in PREDICTIONS if other.tricks >= prediction.tricks]
        return [(more, other) for more in bet_sizes(max_stakes) if more > bet for other in names_enough]
    height = prediction.tricks, len(prediction.positions)
    return [(max_stakes, other) for other in PREDICTIONS if (other.tricks, len(other.positions)) > height]


def answers(bet: int, prediction: Prediction, max_stakes: int) -> list[Call]:
    """Return the possible answers to a prediction, in the order of the table.

    "deduce" believes it and "suspect" doubts it. "raise" doubts it and raises the bet to the limit. A pair of a bet and
    a prediction replaces it.
    """
    words = ["out", "deduce", "suspect"]
    return [*words, *(["raise"] if bet < max_stakes else []), *counters(bet, prediction, max_stakes)]


def turn_of(world: World) -> int:
    """Return the number of the turn when somebody declared, or of the present turn before that.

    The two seats take turns to exchange a card or to declare (undertake a prediction). The cutter has turn 0. A turn
    after the last number, TURN_COUNT - 1, counts as the last one of the same seat.
    """
    seats, seat = world.options.seats, world.first_declarer
    if seat < 0:  # Nobody has declared by choice.
        seat = world.seat if world.declarer < 0 else world.declarer
    # The seat has discarded a card in each of its turns so far. The cutter begins.
    turn = world.discards[seat] * seats + (seat - world.cutter) % seats
    return turn if turn < TURN_COUNT else TURN_COUNT - 2 + turn % 2


def epoch_of(turn: int, count: int) -> int:
    """Return the index of the strategy for a turn, in a list of `count` strategies.

    The list has one for each turn, one for each epoch (a group of turns), or one for all turns.
    """
    if count == TURN_COUNT:  # One for each turn.
        return turn
    if count == 1:
        return 0
    return next(number for number, epoch in enumerate(EPOCHS) if turn in epoch)


def nearest(bet: int, max_stakes: int) -> int:
    """Return the nearest bet that the strategy knows. max_stakes: the most stones at stake in a round."""
    return min(bet_sizes(max_stakes), key=lambda size: abs(size - bet))


def most_similar(prediction: Prediction) -> Prediction:
    """Return the most similar of the predictions that the strategy knows.

    It has the same number of tricks, and then the most positions (tricks named one by one) in common.
    """
    tricks, positions = prediction

    def likeness(other: Prediction) -> tuple[bool, float]:
        common = {*positions}.intersection(other.positions)
        return other.tricks == tricks, len(common) - abs(len(other.positions) - len(positions)) / 2

    return max(PREDICTIONS, key=likeness)
