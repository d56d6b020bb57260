"""Solves a round of Bleven for a mixed strategy, and prints it as JSON. Needs numpy, which playing does not.

    python -m tools.solve_bleven --most 10 --cost 4 > solved.json && mv solved.json games/bleven/solved/10-4.json
        [--iterations 90] [--known 0.55]

Counterfactual regret minimisation over the smaller game of `tools/bleven_tree.py`, for two seats and the House rules,
but with other stakes and prices of giving up: `SOLVED_STAKES` and `SOLVED_COSTS` of `games/bleven/mixed.py`. It has
fields by their class, bets of three sizes, two counter-predictions at most, no side bets. Who may draw no more declares
or lets the other speak, and leaves where both have. Two players learn: iteration by iteration each changes towards what
it regrets not to have done. The mixed player, whose average strategy is printed, meets the other one, who looks for its
weaknesses, in one part of its rounds. In the others, `--known`, it meets players of habits, `tools/bleven_habits.py`:
that is a restricted Nash response (Johanson, Zinkevich and Bowling, 2007). It gains more from such players than an
equilibrium would, and knows what to answer to what nobody sensible says.
"""

import argparse
import json
import sys
from typing import NamedTuple

import numpy as np

from games.bleven.classes import EPOCHS, SEATS, TURN_COUNT
from games.bleven.mixed import raising_answer
from games.bleven.simulation import RoundOptions
from games.catalog import get_rules
from tools.bleven_habits import habits
from tools.bleven_tree import COUNT, HELD, SHORT, USED, Tree, as_text, drawn_to, payoff, showdowns

OFTEN = 3e-3  # Answers reached more often than this have a strategy for each epoch of the declaration.
SELDOM = 1e-4  # Later decisions reached less often than this are not printed.
DRAWS = TURN_COUNT - 2  # The number of turns with a draw.
DEALT = HELD / HELD.sum()


class Learner:
    """The regrets of a player and the sum of its strategies, for turns and, by edge, for both roles in the tree."""

    def __init__(self, tree):
        self.turn = np.zeros((TURN_COUNT, 2, COUNT))  # of declaring, and of drawing
        self.turn_sum = np.zeros((TURN_COUNT, 2, COUNT))
        self.edge = np.zeros((TURN_COUNT, len(tree.edges), COUNT), dtype=np.float32)
        self.edge_sum = np.zeros_like(self.edge)

    def turns(self):
        """How likely it is to declare, and to draw, at present."""
        weights = np.maximum(self.turn, 0)
        totals = weights.sum(axis=1, keepdims=True)
        found = np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 0.5)
        found[:, 0, SHORT], found[:, 1, SHORT] = 0, 1
        return found


class Fading(NamedTuple):
    """By what earlier iterations count less: discounted regret minimisation (Brown and Sandholm, 2019)."""

    gains: float  # for regrets above 0
    losses: float  # for those below
    sums: float  # for strategies

    @classmethod
    def at(cls, number):
        return cls(number**1.5 / (number**1.5 + 1), 0.5, (number / (number + 1)) ** 2)

    def of(self, regrets):
        return regrets * np.where(regrets > 0, regrets.dtype.type(self.gains), regrets.dtype.type(self.losses))


class Hands(NamedTuple):
    """The weights of the players' fields at points of the round."""

    before: np.ndarray  # By player, at a turn of its own.
    roots: np.ndarray  # By declarer and player, at the poll.
    left: np.ndarray  # By first seat and player, after the last turn.


class Solver:
    """Players 0, the mixed one, and 1, who learns against it. In the part `known` of its rounds 0 meets habits."""

    def __init__(self, known, options):
        self.terms = RoundOptions.of(SEATS, get_rules("bleven").clean_options(SEATS, options))
        self.most, self.price = self.terms.max_stakes, self.terms.leave_cost
        self.tree = Tree(self.most, self.price, raising_answer(self.terms))
        tricks = showdowns()
        self.gains = [
            (np.array(edges), payoff(payment, tricks, self.price, self.terms.believer_wins_bet).astype(np.float32))
            for payment, edges in self.tree.payments.items()
        ]
        self.drawn = drawn_to()
        self.learners = Learner(self.tree), Learner(self.tree)
        self.known = known
        self.apart = (tricks.sum(axis=0) * self.price).astype(float)  # The payment for leaving, by both classes.
        self.habits, self.habits_left = self._reach_of_habits([(known * share, habit) for share, habit in habits(self)])

    def iterate(self, number):
        """One iteration, from 1 on: what player 0 expects of a round as the first to act, and as the second."""
        turns = [learner.turns() for learner in self.learners]
        edges = [self.tree.shares(np.maximum(learner.edge, 0)) for learner in self.learners]
        fading = Fading.at(number)
        hands = self._hands(turns)
        worth = [self._learn_in_tree(declarer, hands.roots[declarer], edges, fading) for declarer in (0, 1)]
        return [self._learn_in_turns(first, worth, hands, turns, fading) for first in (0, 1)]

    def _hands(self, turns):
        before, roots, left = (
            np.zeros((2, TURN_COUNT, COUNT)),
            np.zeros((2, 2, TURN_COUNT, COUNT)),
            np.zeros((2, 2, COUNT)),
        )
        for first in (0, 1):
            hands = [DEALT, DEALT]
            for turn in range(TURN_COUNT):
                who = (first + turn) % 2
                before[who, turn] = hands[who]
                roots[who, who, turn] = hands[who] * turns[who][turn, 0]
                roots[who, 1 - who, turn] = hands[1 - who]
                hands[who] = self._drawn_on(hands[who] * turns[who][turn, 1], turn)
            left[first] = hands
        return Hands(before, roots, left)

    def _drawn_on(self, hands, turn):
        """With what a player comes to its next turn that draws in this one, or in its last lets the other speak."""
        return hands @ self.drawn if turn < DRAWS else hands

    def _learn_in_turns(self, first, worth, hands, turns, fading):
        """Regrets of the turns of rounds in which this player acts first; their mean worth to player 0."""
        left = hands.left[first]
        met = left[1] * (1 - self.known) + self.habits_left[first], left[0]
        later = [self.apart @ fields * (1 if who == first else -1) for who, fields in enumerate(met)]
        for turn in reversed(range(TURN_COUNT)):
            who = (first + turn) % 2
            learner, mix = self.learners[who], turns[who][turn]
            drawing = self.drawn @ later[who] if turn < DRAWS else later[who]
            choices = np.array([worth[who][who][turn], drawing])
            mean = (mix * choices).sum(axis=0)
            learner.turn[turn] = fading.of(learner.turn[turn]) + choices - mean
            learner.turn_sum[turn] = learner.turn_sum[turn] * fading.sums + hands.before[who, turn] * mix
            later[who] = mean
            later[1 - who] = later[1 - who] + worth[who][1 - who][turn]
        return float(DEALT @ later[0])

    def _learn_in_tree(self, declarer, roots, strategies, fading):
        """Regrets of rounds that this player declares; by player what they are worth at the poll, by turn and class."""
        tree = self.tree
        actors = 1 - tree.edge_actor if declarer else tree.edge_actor  # players
        reach = [self._reach(roots[who], strategies[who], actors == who) for who in (0, 1)]
        met = reach[1] * np.float32(1 - self.known) + self.habits[declarer]
        worth = np.zeros((2, TURN_COUNT, len(tree.edges), COUNT), dtype=np.float32)
        for edges, gains in self.gains:
            ours = gains if declarer == 0 else -gains.T  # of player 0
            worth[0][:, edges] = met[:, edges] @ ours.T
            worth[1][:, edges] = -(reach[0][:, edges] @ ours)
        at_nodes = np.zeros((2, TURN_COUNT, len(tree.nodes), COUNT), dtype=np.float32)
        for edges in reversed(tree.levels):
            inner = edges[tree.ends[edges] >= 0]
            worth[:, :, inner] = at_nodes[:, :, tree.ends[inner]]
            here = np.unique(tree.starts[edges])
            for who in (0, 1):
                weighted, own = worth[who][:, edges], actors[edges] == who
                weighted[:, own] *= strategies[who][:, edges[own]]
                places = np.searchsorted(tree.starts[edges], here)
                at_nodes[who][:, here] = np.add.reduceat(weighted, places, axis=1)
        for who, learner in enumerate(self.learners):
            own = np.flatnonzero(actors == who)
            regrets = worth[who][:, own] - at_nodes[who][:, tree.starts[own]]
            learner.edge[:, own] = fading.of(learner.edge[:, own]) + regrets
            learner.edge_sum[:, own] = learner.edge_sum[:, own] * np.float32(fading.sums) + reach[who][:, own]
        return at_nodes[:, :, 0].astype(float)

    def _reach(self, roots, strategy, own):
        """How likely a player's own choices lead along each edge. own: by edge, whether it is its choice."""
        tree = self.tree
        at_nodes = np.zeros((TURN_COUNT, len(tree.nodes), COUNT), dtype=np.float32)
        at_nodes[:, 0] = roots
        found = np.zeros((TURN_COUNT, len(tree.edges), COUNT), dtype=np.float32)
        for edges in tree.levels:
            found[:, edges] = at_nodes[:, tree.starts[edges]]
            mine = edges[own[edges]]
            found[:, mine] *= strategy[..., mine, :]
            inner = edges[tree.ends[edges] >= 0]
            at_nodes[:, tree.ends[inner]] = found[:, inner]
        return found

    def _reach_of_habits(self, players):
        """How likely these, pairs of a share and a `Habit`, lead player 0 along each edge, by who declares.

        And, by who acts first, to the very end of the turns.
        """
        found = np.zeros((2, TURN_COUNT, len(self.tree.edges), COUNT), dtype=np.float32)
        left = np.zeros((2, COUNT))
        for share, habit in players:
            roots = np.zeros((2, TURN_COUNT, COUNT))  # by role
            for first in (0, 1):
                hands = share * DEALT
                for turn in range(TURN_COUNT):
                    if turn % 2 != first:
                        roots[1, turn] = hands
                        continue
                    roots[0, turn] = hands * habit.declares[turn]
                    hands = self._drawn_on(hands * (1 - habit.declares[turn]), turn)
                left[1 - first] += hands
            for role in (0, 1):
                found[1 - role] += self._reach(roots[role], habit.edges, self.tree.edge_actor == role)
        return found, left

    def table(self):
        """The average strategy of player 0, as it is looked up by `games/bleven/mixed.py`: texts by node, by epoch."""
        tree, learner = self.tree, self.learners[0]
        common = self._how_often()
        found = {"turn": [as_text(sums[::-1]) for sums in learner.turn_sum]}  # to draw or to declare
        for number, node in enumerate(tree.nodes):
            opening = node.kind == "reply" and len(node.said) == 1
            if node.kind in ("poll", "predict") or (opening and common[number] > OFTEN):
                epochs = EPOCHS
            elif opening or common[number] > SELDOM:
                epochs = [range(TURN_COUNT)]
            else:
                continue
            sums = learner.edge_sum[:, tree.edges_of(number)]
            found[tree.path(number)] = [as_text(sums[list(epoch)].sum(axis=0)) for epoch in epochs]
        return found

    def _how_often(self):
        """How often each node is come to in a round if both play like player 0: an array."""
        learner, tree = self.learners[0], self.tree
        totals = learner.turn_sum.sum(axis=1, keepdims=True)
        turns = learner.turn_sum / np.where(totals > 0, totals, 1)
        strategy = tree.shares(learner.edge_sum)
        roots, hands = np.zeros((2, TURN_COUNT, COUNT)), [DEALT, DEALT]
        for turn in range(TURN_COUNT):
            who = turn % 2
            roots[0, turn], roots[1, turn] = hands[who] * turns[turn, 0], hands[1 - who]
            hands[who] = self._drawn_on(hands[who] * turns[turn, 1], turn)
        both = [self._reach(roots[role], strategy, tree.edge_actor == role).sum(axis=2) for role in (0, 1)]
        found = np.ones(len(tree.nodes))
        inner = tree.ends >= 0
        found[tree.ends[inner]] = (both[0] * both[1]).sum(axis=0)[inner]
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=90)
    parser.add_argument("--known", type=float, default=0.55, help="part of the rounds against players of habits")
    parser.add_argument("--most", type=int, default=10, help="stones at stake in a round")
    parser.add_argument("--cost", type=int, default=4, help="stones to give for leaving a round")
    parser.add_argument("--miss", default="nothing", help="what a believer of a failed prediction gets, or bet")
    arguments = parser.parse_args()
    options = {"max_bet": arguments.most, "leave_cost": arguments.cost, "deduced_miss": arguments.miss}
    solver = Solver(arguments.known, options)
    for number in range(1, arguments.iterations + 1):
        worth = solver.iterate(number)
        if number % 10 == 0:
            print(number, *worth, file=sys.stderr, flush=True)
    print(json.dumps({"classes": USED, "nodes": solver.table()}, indent=0))


if __name__ == "__main__":
    main()
