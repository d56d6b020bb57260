"""The smaller game for which `tools/solve_bleven.py` solves a round of Bleven: two seats, classes instead of cards.

Arrays go by the place of a class of fields among those that have fields. Roles: 0 for the side that declared first, 1
for the other. A round from the poll on is a tree; before it stand the turns, in which somebody declares or draws.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from games.bleven.bot import IS_RIGHT, POINTS
from games.bleven.classes import LETTERS, answers, class_of, name_of, openings
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import MIN_SUM
from games.bleven.simulation import set_of

COUNTERS = 2  # counter-predictions in a round, at most
RARE = 0.12  # choices that are less likely are not printed: most are traces of how the solution was found
WON = 8  # sets of tricks
FIELDS = np.array(list(combinations(range(40), 3)))
INDEX = {tuple(field): number for number, field in enumerate(FIELDS.tolist())}
SUMS = np.array(VALUES)[FIELDS].sum(axis=1)
CLASSES = [class_of(field) for field in INDEX]
USED = sorted(set(CLASSES))
PLACE = np.searchsorted(USED, CLASSES)
COUNT = len(USED)
HELD = np.bincount(PLACE, minlength=COUNT)
SHORT = np.array([(SUMS[place == PLACE] < MIN_SUM).any() for place in range(COUNT)])


def showdowns():
    """How often the first role wins which tricks: an array [set of tricks, its class, the other's class].

    They are factors on the product of the chances of the two classes; fields that share a card don't meet.
    """
    bits = (np.uint64(1) << FIELDS.astype(np.uint64)).sum(axis=1)
    found = np.zeros((WON, COUNT, COUNT))
    for number, field in enumerate(FIELDS):
        apart = (bits & bits[number]) == 0
        won = ((field > FIELDS) << np.arange(3)).sum(axis=1)
        counts = np.bincount(won[apart] * COUNT + PLACE[apart], minlength=WON * COUNT)
        found[:, PLACE[number]] += counts.reshape(WON, COUNT)
    return found / (HELD[:, None] * HELD[None, :])


def promises():
    """What each field promises against any of 15 or more; of short ones less than nothing."""
    good = FIELDS[SUMS >= MIN_SUM]
    found = np.empty(len(FIELDS))
    points = np.array(list(POINTS.values()), dtype=float)
    for number, field in enumerate(FIELDS):
        won = ((field > good) << np.arange(3)).sum(axis=1)
        odds = np.bincount(won, minlength=WON) / len(good)
        found[number] = (points @ odds).max() - (50 - SUMS[number] if SUMS[number] < MIN_SUM else 0)
    return found


def drawn_to():
    """The chance of each class after a draw and the best discard, by class before it: an array [before, after]."""
    worth = promises()
    after = np.zeros((COUNT, COUNT))
    for field, number in INDEX.items():
        for card in set(range(40)) - {*field}:
            four = sorted((*field, card))
            best = max((INDEX[*four[:gone], *four[gone + 1 :]] for gone in range(4)), key=worth.__getitem__)
            after[PLACE[number], PLACE[best]] += 1
    return after / after.sum(axis=1, keepdims=True)


class Node(NamedTuple):
    """A decision in the tree."""

    kind: str  # the phase that it is made in
    actor: int  # the role
    depth: int
    said: tuple = ()  # the (bet, prediction)s that led here


class Tree:
    """All decisions of a round from the poll on, in the order of their depth, and what can be chosen at them.

    edges: (number of the node it leaves, that it comes to, payment), in the order of the nodes they leave; either of
    the last two is None. A payment is ("lost", role, stones), or ("shown", role that predicts, prediction, word, bet).
    """

    def __init__(self, most, price, raiser):
        self.raiser = raiser  # the answer that a raise goes with: to doubt the prediction or to believe it
        self.nodes, self.edges = [Node("poll", 1, 0)], []
        for here, node in enumerate(self.nodes):  # grows on the way
            for end in self._choices(node, most, price):
                if isinstance(end, Node):
                    self.edges.append((here, len(self.nodes), None))
                    self.nodes.append(end)
                else:
                    self.edges.append((here, None, end))
        self.starts = np.array([start for start, _, _ in self.edges])
        self.ends = np.array([-1 if end is None else end for _, end, _ in self.edges])
        self.first = np.searchsorted(self.starts, np.arange(len(self.nodes)))
        self.size = np.diff([*self.first, len(self.edges)])
        self.depth = np.array([node.depth for node in self.nodes])
        self.edge_actor = np.array([node.actor for node in self.nodes])[self.starts]
        self.levels = [np.flatnonzero(self.depth[self.starts] == level) for level in range(self.depth.max() + 1)]
        self.payments = {}  # by payment, the numbers of its edges
        for number, (_, _, payment) in enumerate(self.edges):
            if payment:
                self.payments.setdefault(payment, []).append(number)

    def _choices(self, node, most, price):
        """Where each choice at a node leads to, in the order of the table: a Node or a payment."""
        other, deeper = 1 - node.actor, node.depth + 1
        if node.kind == "poll":
            return [("lost", 1, price), Node("predict", 0, deeper)]
        if node.kind == "predict":
            return [Node("reply", 1, deeper, (opening,)) for opening in openings(most)]
        bet, prediction = node.said[-1]
        if node.kind == "raise":
            return [("lost", node.actor, price + 1), ("shown", node.actor, prediction, self.raiser, most)]
        found = []
        for choice in answers(bet, prediction, most):
            if choice == "out":
                found.append(("lost", node.actor, price + 1))
            elif choice in ("deduce", "suspect"):
                found.append(("shown", other, prediction, choice, bet))
            elif choice == "raise":
                found.append(Node("raise", other, deeper, node.said))
            elif len(node.said) <= COUNTERS:
                found.append(Node("reply", other, deeper, (*node.said, choice)))
        return found

    def edges_of(self, node):
        """The numbers of the edges that leave a node, as a slice."""
        return slice(self.first[node], self.first[node] + self.size[node])

    def path(self, node):
        """What a node is called in the table: "reply 4:2@23"."""
        return " ".join([self.nodes[node].kind, *(name_of(*one) for one in self.nodes[node].said)])

    def shares(self, weights):
        """Strategies: weights by edge, of which none is negative, as shares of the node; equal ones where all are 0.

        The edges are the axis before the last.
        """
        totals = np.add.reduceat(weights, self.first, axis=-2)[..., self.starts, :]
        equal = (1 / self.size)[self.starts][:, None]
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), equal).astype(np.float32)


def payoff(payment, tricks, price, believer_wins_bet):
    """What the first role gets, less what the other does: an array [its class, the other's class]."""
    if payment[0] == "lost":
        _, loser, stones = payment
        return (stones if loser else -stones) * tricks.sum(axis=0)
    _, role, prediction, word, bet = payment
    mine = tricks[::-1] if role else tricks  # what the side wins that predicts
    right, points = (
        np.array(IS_RIGHT[prediction[0]]),
        np.array(POINTS[prediction.tricks, set_of(prediction.positions)], dtype=float),
    )
    won = bet if word == "suspect" else 0
    lost = bet if word == "suspect" or believer_wins_bet else 0
    value = np.tensordot(points + right * won - (1 - right) * lost, mine, axes=(0, 0))
    apart, scored = tricks.sum(axis=0), np.tensordot(points, mine, axes=(0, 0))
    short, others = (SHORT[None, :], SHORT[:, None]) if role else (SHORT[:, None], SHORT[None, :])
    value = np.where(short & ~others, -(price + bet) * apart, value)
    value = np.where(others & ~short, scored + (price + bet) * apart, value)
    return -value if role else value


def as_text(chances):
    """Chances by choice and class: for each class its choices, by letter, with their weights in ninths."""
    words = []
    for column in np.asarray(chances, dtype=float).T:
        column = column / column.sum() if column.sum() > 0 else np.full(len(column), 1 / len(column))
        column = np.where(column < min(RARE, column.max()), 0, column)
        ninths = np.rint(column / column.sum() * 9).astype(int)
        picked = np.flatnonzero(ninths) if ninths.any() else [column.argmax()]
        words.append("".join(LETTERS[one] + (str(ninths[one]) if len(picked) > 1 else "") for one in picked))
    return " ".join(words)
