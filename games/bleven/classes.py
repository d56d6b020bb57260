"""The classes of fields, predictions and bets that the mixed player of Bleven treats alike.

`tools/solve_bleven.py` solves the strategy for classes instead of single cards. Bots look it up by class. A card is an
int, its power: 0 is the lowest of the pack, 39 the highest.
"""

from bisect import bisect_right
from itertools import product

from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FULL_RESERVE, MIN_SUM

SEATS = 2  # The strategy is solved for two seats.

# The boundaries between classes, for the lowest, the middle and the highest card of a field.
CUTS = ((8, 16, 24, 32), (16, 24, 28, 32, 36), (28, 32, 36, 38))
SHORT_CUTS = (8, 11)  # For fields below 15, by the sum of the two higher cards.
SHORT = len(SHORT_CUTS) + 1  # The number of classes below 15. They come first.
CLASSES = SHORT + (len(CUTS[0]) + 1) * (len(CUTS[1]) + 1) * (len(CUTS[2]) + 1)

# The turns until both reserves are full. Where players may draw on, later turns are played like the last two. The turns
# of an epoch share one strategy.
TURNS = SEATS * (FULL_RESERVE + 1)
EPOCHS = [[0], [1], [2], [3], [4], [5], [6, 8, 10], [7, 9, 11]]

# The predictions in the solved strategy: (tricks, positions). A prediction with positions names as many as it can.
# Fewer would score less and tell rivals as much.
PREDICTIONS = (
    (0, ()),
    (1, ()),
    (1, (1,)),
    (1, (2,)),
    (1, (3,)),
    (2, ()),
    (2, (1, 2)),
    (2, (1, 3)),
    (2, (2, 3)),
    (3, ()),
    (3, (1, 2, 3)),
)

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # The letters of choices in the table.


def name_of(bet, prediction):
    """Return the name of a prediction and its bet in the table, such as "4:2@13"."""
    tricks, positions = prediction
    return f"{bet}:{tricks}" + ("@" + "".join(map(str, positions)) if positions else "")


def class_of(field):
    """Return the class of a field of three cards, ascending."""
    if sum(VALUES[card] for card in field) < MIN_SUM:
        return bisect_right(SHORT_CUTS, VALUES[field[1]] + VALUES[field[2]])
    number = 0
    for card, cuts in zip(field, CUTS, strict=True):
        number = number * (len(cuts) + 1) + bisect_right(cuts, card)
    return SHORT + number


def sizes(most):
    """Return the bets in the solved strategy, ascending. most: the limit of stones at stake."""
    return 1, round(0.4 * most), most


def openings(most):
    """Return the choices (bet, prediction) of a declarer, in the order of the table."""
    return list(product(sizes(most), PREDICTIONS))


def counters(bet, prediction, most):
    """Return the counter-predictions (bet, prediction) to this one if they may add any stones."""
    tricks, positions = prediction
    if bet < most:
        return [(more, other) for more in sizes(most) if more > bet for other in PREDICTIONS if other[0] >= tricks]
    rank = tricks, len(positions)
    return [(most, other) for other in PREDICTIONS if (other[0], len(other[1])) > rank]


def answers(bet, prediction, most):
    """Return the choices of a replier, in the order of the table. "raise" doubts and raises to the limit."""
    words = ["out", "deduce", "suspect"]
    return [*words, *(["raise"] if bet < most else []), *counters(bet, prediction, most)]


def turn_of(table):
    """Return the number of the turn of the declaration, or of the present turn. Starts at 0, at most TURNS - 1."""
    seats = table["seats"]
    seat = next((words["seat"] for words in table["said"] if words["type"] == "declare"), None)
    if seat is None:
        seat = table["seat"] if table["declarer"] is None else table["declarer"]
    turn = len(table["reserves"][seat]) * seats + (seat - table["dealer"] - 1) % seats
    return turn if turn < TURNS else TURNS - 2 + turn % 2


def epoch_of(turn, count):
    """Return the index of a turn in a list of strategies. count: its length: one a turn, one an epoch, or one."""
    if count == TURNS:
        return turn
    return 0 if count == 1 else next(place for place, epoch in enumerate(EPOCHS) if turn in epoch)


def nearest(bet, most):
    """Return the nearest bet of `sizes`."""
    return min(sizes(most), key=lambda size: abs(size - bet))


def likest(tricks, positions):
    """Return the most similar of `PREDICTIONS`: the same number of tricks, then the most positions in common."""

    def likeness(prediction):
        number, places = prediction
        return number == tricks, len({*places} & {*positions}) - abs(len(places) - len(positions)) / 2

    return max(PREDICTIONS, key=likeness)
