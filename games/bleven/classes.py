"""What is alike to the mixed player of Bleven: classes of fields, of predictions and of bets.

Its strategy is solved for classes, not for single cards, by `tools/solve_bleven.py`, and looked up by class in play.
Cards are ints, their power, from 0 for the lowest of the pack to 39.
"""

from bisect import bisect_right
from itertools import product

from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FULL_RESERVE, MIN_SUM

SEATS = 2  # for which it is solved

# Where a class of the lowest card of a field ends and the next begins, of the middle one, and of the highest.
CUTS = ((8, 16, 24, 32), (16, 24, 28, 32, 36), (28, 32, 36, 38))
SHORT_CUTS = (8, 11)  # the same for fields short of 15, by the sum of the two higher cards: how near they are
SHORT = len(SHORT_CUTS) + 1  # classes of short fields; they come first
CLASSES = SHORT + (len(CUTS[0]) + 1) * (len(CUTS[1]) + 1) * (len(CUTS[2]) + 1)

# In which turn somebody declares: all that there are until both reserves are full. Where one may draw on, later ones
# are played like the last two. Of those like one another one strategy is kept.
TURNS = SEATS * (FULL_RESERVE + 1)
EPOCHS = [[0], [1], [2], [3], [4], [5], [6, 8, 10], [7, 9, 11]]

# The predictions that a solved strategy makes, (tricks, positions). Of those with positions it names all that it can:
# fewer would score less, and be as easy to read.
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

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of choices, in the table


def name_of(bet, prediction):
    """What a prediction and its bet are called in the table: "4:2@13"."""
    tricks, positions = prediction
    return f"{bet}:{tricks}" + ("@" + "".join(map(str, positions)) if positions else "")


def class_of(field):
    """The class of a field of three cards, ascending."""
    if sum(VALUES[card] for card in field) < MIN_SUM:
        return bisect_right(SHORT_CUTS, VALUES[field[1]] + VALUES[field[2]])
    number = 0
    for card, cuts in zip(field, CUTS, strict=True):
        number = number * (len(cuts) + 1) + bisect_right(cuts, card)
    return SHORT + number


def sizes(most):
    """The bets that a solved strategy makes where `most` stones can be at stake, ascending."""
    return 1, round(0.4 * most), most


def openings(most):
    """All (bet, prediction) that a declarer chooses from, in the order of the table."""
    return list(product(sizes(most), PREDICTIONS))


def counters(bet, prediction, most):
    """All (bet, prediction) with which this one can be answered if counter-predictions may add any stones."""
    tricks, positions = prediction
    if bet < most:
        return [(more, other) for more in sizes(most) if more > bet for other in PREDICTIONS if other[0] >= tricks]
    rank = tricks, len(positions)
    return [(most, other) for other in PREDICTIONS if (other[0], len(other[1])) > rank]


def answers(bet, prediction, most):
    """All that a replier chooses from, in the order of the table; "raise" is to doubt with all the room."""
    words = ["out", "deduce", "suspect"]
    return [*words, *(["raise"] if bet < most else []), *counters(bet, prediction, most)]


def turn_of(table):
    """In which turn of the round somebody declared, or it is now: 0 for the first seat's first; at most TURNS - 1."""
    seats = table["seats"]
    seat = next((words["seat"] for words in table["said"] if words["type"] == "declare"), None)
    if seat is None:
        seat = table["seat"] if table["declarer"] is None else table["declarer"]
    turn = len(table["reserves"][seat]) * seats + (seat - table["dealer"] - 1) % seats
    return turn if turn < TURNS else TURNS - 2 + turn % 2


def epoch_of(turn, count):
    """The place of the strategy for this turn in a list of so many: one for each turn, for each epoch, or for all."""
    if count == TURNS:
        return turn
    return 0 if count == 1 else next(place for place, epoch in enumerate(EPOCHS) if turn in epoch)


def nearest(bet, most):
    """The bet of `sizes` that is nearest to this one."""
    return min(sizes(most), key=lambda size: abs(size - bet))


def likest(tricks, positions):
    """The one of `PREDICTIONS` that is most like this one: as many tricks, and positions in common."""

    def likeness(prediction):
        number, places = prediction
        return number == tricks, len({*places} & {*positions}) - abs(len(places) - len(positions)) / 2

    return max(PREDICTIONS, key=likeness)
