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
    """Return the name of a prediction and its bet in the table, such as "4:2@13"."""
    tricks, positions = prediction
    return f"{bet}:{tricks}" + ("@" + "".join(map(str, positions)) if positions else "")


def class_of(field: Field) -> int:
    """Return the class of a field of three cards, ascending."""
    if sum(VALUES[card] for card in field) < MIN_SUM:
        return bisect_right(SHORT_CUTS, VALUES[field[1]] + VALUES[field[2]])
    number = 0
    for card, cuts in zip(field, CUTS, strict=True):
        number = number * (len(cuts) + 1) + bisect_right(cuts, card)
    return SHORT_CLASSES + number


def certain_tricks(field: Field) -> tuple[int, ...] | None:
    """Return the tricks that a field wins against any rival field. None if some trick may be won or lost.

    field: ascending, like the rival's.
    """
    certain = []
    for place, card in enumerate(field):
        # The cards outside the field, below and above this one.
        lower, higher = card - place, len(VALUES) - 1 - card - (len(field) - 1 - place)
        if higher < len(field) - place:  # Too few to beat this card and all later ones.
            certain.append(place + 1)
        elif lower > place:  # Enough to lose to this card.
            return None
    return tuple(certain)


def sizes(limit: int) -> tuple[int, int, int]:
    """Return the bets in the solved strategy, ascending. limit: of the stones at stake."""
    return 1, round(0.4 * limit), limit


def openings(limit: int) -> list[Offer]:
    """Return the choices of a declarer, in the order of the table."""
    return list(product(sizes(limit), PREDICTIONS))


def counters(bet: int, prediction: Prediction, limit: int) -> list[Offer]:
    """Return the counter-predictions to this prediction if they may add any stones."""
    if bet < limit:
        return [(more, other) for more, other in openings(limit) if more > bet and other.tricks >= prediction.tricks]
    # Without more stones a counter-prediction must name more tricks or positions.
    height = prediction.tricks, len(prediction.positions)
    return [(limit, other) for other in PREDICTIONS if (other.tricks, len(other.positions)) > height]


def answers(bet: int, prediction: Prediction, limit: int) -> list[Call]:
    """Return the choices of a replier, in the order of the table. "raise" doubts and raises to the limit."""
    words = ["out", "deduce", "suspect"]
    return [*words, *(["raise"] if bet < limit else []), *counters(bet, prediction, limit)]


def turn_of(world: World) -> int:
    """Return the number of the turn of the declaration, or of the present turn: from 0 to TURN_COUNT - 1."""
    seats, seat = world.terms.seats, world.first_declarer
    if seat < 0:
        seat = world.seat if world.declarer < 0 else world.declarer
    turn = world.discards[seat] * seats + (seat - world.cutter) % seats
    return turn if turn < TURN_COUNT else TURN_COUNT - 2 + turn % 2


def epoch_of(turn: int, count: int) -> int:
    """Return the index of a turn in a list of `count` strategies: one a turn, one an epoch, or one for all turns."""
    if count == TURN_COUNT:
        return turn
    return 0 if count == 1 else next(place for place, epoch in enumerate(EPOCHS) if turn in epoch)


def nearest(bet: int, limit: int) -> int:
    """Return the nearest bet of `sizes`."""
    return min(sizes(limit), key=lambda size: abs(size - bet))


def most_similar(prediction: Prediction) -> Prediction:
    """Return the most similar of `PREDICTIONS`: the same number of tricks, then the most positions in common."""
    tricks, places = prediction

    def likeness(other: Prediction) -> tuple[bool, float]:
        common = {*places}.intersection(other.positions)
        return other.tricks == tricks, len(common) - abs(len(other.positions) - len(places)) / 2

    return max(PREDICTIONS, key=likeness)
