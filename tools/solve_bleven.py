"""Solves a round of Bleven for a mixed strategy, and prints it as JSON. Needs numpy, which playing does not.

    python -m tools.solve_bleven [--iterations 90] [--known 0.55] > mixed.json && mv mixed.json games/bleven/mixed.json

Counterfactual regret minimisation over the smaller game of `tools/bleven_tree.py`, for two seats and the House rules:
fields by their class, bets of three sizes, two counter-predictions at most, six turns in which somebody may declare, no
side bets. Two players learn: iteration by iteration each changes towards what it regrets not to have done. The mixed
player, whose average strategy is printed, meets the other one, who looks for its weaknesses, in one part of its rounds.
In the others, `--known`, it meets players of habits, `sensible-1` and simple plans: that is a restricted Nash response
(Johanson, Zinkevich and Bowling, 2007). It gains more from such players than an equilibrium would, and knows what to
answer to what nobody sensible says.
"""

import argparse
import json
import sys
from random import Random
from time import process_time
from typing import NamedTuple

import numpy as np

from games.bleven import bot
from games.bleven.classes import EPOCHS, TURNS, VALUES, answers, likest, nearest, openings
from games.bleven.rules.state import ENOUGH
from games.catalog import get_rules
from tools.bleven_tree import COUNT, FIELDS, HELD, PLACE, SHORT, USED, Tree, as_text, drawn_to, payoff, showdowns

OFTEN = 3e-3  # answers to predictions that come more often are told apart by when it was declared
SELDOM = 1e-4  # later decisions that come more seldom are not printed
SAMPLES = 3  # fields of each class that the rule of thumb is asked about
PATIENT = 0.27  # of the players of habits: those who draw as long as they may
WAITED = 3.0  # stones that one loses to them if one waits as long
DEALT = HELD / HELD.sum()


class Learner:
    """The regrets of a player and the sum of its strategies, for turns and, by edge, for both roles in the tree."""

    def __init__(self, tree):
        self.turn = np.zeros((TURNS, 2, COUNT))  # of declaring, and of drawing
        self.turn_sum = np.zeros((TURNS, 2, COUNT))
        self.edge = np.zeros((TURNS, len(tree.edges), COUNT), dtype=np.float32)
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


class Habit(NamedTuple):
    """A player that does not learn."""

    declares: np.ndarray  # how likely, by turn and class
    edges: np.ndarray  # what it chooses, by edge and class
    patient: bool = False  # whether its later turns stand for those with hardly any draws left


class Solver:
    """Players 0, the mixed one, and 1, who learns against it. In the part `known` of its rounds 0 meets habits."""

    def __init__(self, known):
        terms = get_rules("bleven").clean_options(2, {})
        self.most, self.price = terms["max_bet"], terms["leave_cost"]
        self.deduced_pays = terms["deduced_miss"] == "bet"
        self.tree = Tree(self.most, self.price)
        tricks = showdowns()
        self.gains = [
            (np.array(edges), payoff(payment, tricks, self.price, self.deduced_pays).astype(np.float32))
            for payment, edges in self.tree.payments.items()
        ]
        self.drawn = drawn_to()
        self.learners = Learner(self.tree), Learner(self.tree)
        self.known = known
        self.habits = self._reach_of_habits([(known * share, habit) for share, habit in habits(self)])

    def iterate(self, number):
        """One iteration, from 1 on: what player 0 expects of a round as the first to act, and as the second."""
        turns = [learner.turns() for learner in self.learners]
        edges = [self.tree.shares(np.maximum(learner.edge, 0)) for learner in self.learners]
        fading = Fading.at(number)
        before = np.zeros((2, TURNS, COUNT))  # by player: the fields with which it comes to a turn of its own
        roots = np.zeros((2, 2, TURNS, COUNT))  # by who declares, and player: those with which it comes to the poll
        for first in (0, 1):
            hands = [DEALT, DEALT]
            for turn in range(TURNS):
                who = (first + turn) % 2
                before[who, turn] = hands[who]
                roots[who, who, turn] = hands[who] * turns[who][turn, 0]
                roots[who, 1 - who, turn] = hands[1 - who]
                hands[who] = (hands[who] * turns[who][turn, 1]) @ self.drawn
        worth = [self._learn_in_tree(declarer, roots[declarer], edges, fading) for declarer in (0, 1)]
        return [self._learn_in_turns(first, worth, before, turns, fading) for first in (0, 1)]

    def _learn_in_turns(self, first, worth, before, turns, fading):
        """Regrets of the turns of rounds in which this player acts first; their mean worth to player 0."""
        later = [np.full(COUNT, -WAITED * self.known * PATIENT), np.zeros(COUNT)]
        for turn in reversed(range(TURNS)):
            who = (first + turn) % 2
            learner, mix = self.learners[who], turns[who][turn]
            choices = np.array([worth[who][who][turn], self.drawn @ later[who]])
            mean = (mix * choices).sum(axis=0)
            learner.turn[turn] = fading.of(learner.turn[turn]) + choices - mean
            learner.turn_sum[turn] = learner.turn_sum[turn] * fading.sums + before[who, turn] * mix
            later[who] = mean
            later[1 - who] = later[1 - who] + worth[who][1 - who][turn]
        return float(DEALT @ later[0])

    def _learn_in_tree(self, declarer, roots, strategies, fading):
        """Regrets of rounds that this player declares; by player what they are worth at the poll, by turn and class."""
        tree = self.tree
        actors = 1 - tree.edge_actor if declarer else tree.edge_actor  # players
        reach = [self._reach(roots[who], strategies[who], actors == who) for who in (0, 1)]
        met = reach[1] * np.float32(1 - self.known) + self.habits[declarer]
        worth = np.zeros((2, TURNS, len(tree.edges), COUNT), dtype=np.float32)
        for edges, gains in self.gains:
            ours = gains if declarer == 0 else -gains.T  # of player 0
            worth[0][:, edges] = met[:, edges] @ ours.T
            worth[1][:, edges] = -(reach[0][:, edges] @ ours)
        at_nodes = np.zeros((2, TURNS, len(tree.nodes), COUNT), dtype=np.float32)
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
        at_nodes = np.zeros((TURNS, len(tree.nodes), COUNT), dtype=np.float32)
        at_nodes[:, 0] = roots
        found = np.zeros((TURNS, len(tree.edges), COUNT), dtype=np.float32)
        for edges in tree.levels:
            found[:, edges] = at_nodes[:, tree.starts[edges]]
            mine = edges[own[edges]]
            found[:, mine] *= strategy[..., mine, :]
            inner = edges[tree.ends[edges] >= 0]
            at_nodes[:, tree.ends[inner]] = found[:, inner]
        return found

    def _reach_of_habits(self, players):
        """By who declares: how likely these, pairs of a share and a `Habit`, lead player 0 along each edge."""
        found = np.zeros((2, TURNS, len(self.tree.edges), COUNT), dtype=np.float32)
        for share, habit in players:
            roots = np.zeros((2, TURNS, COUNT))  # by role
            for first in (0, 1):
                hands = share * DEALT
                for turn in range(TURNS):
                    if turn % 2 != first:
                        roots[1, turn] = hands
                        continue
                    roots[0, turn] = hands * habit.declares[turn]
                    hands = (hands * (1 - habit.declares[turn])) @ self.drawn
                    if habit.patient and turn >= 2:
                        hands = hands @ self.drawn @ self.drawn
            for role in (0, 1):
                found[1 - role] += self._reach(roots[role], habit.edges, self.tree.edge_actor == role)
        return found

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
                epochs = [range(TURNS)]
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
        roots, hands = np.zeros((2, TURNS, COUNT)), [DEALT, DEALT]
        for turn in range(TURNS):
            who = turn % 2
            roots[0, turn], roots[1, turn] = hands[who] * turns[turn, 0], hands[1 - who]
            hands[who] = (hands[who] * turns[turn, 1]) @ self.drawn
        both = [self._reach(roots[role], strategy, tree.edge_actor == role).sum(axis=2) for role in (0, 1)]
        found = np.ones(len(tree.nodes))
        inner = tree.ends >= 0
        found[tree.ends[inner]] = (both[0] * both[1]).sum(axis=0)[inner]
        return found


def habits(solver):
    """Players of habits: pairs of a share and a `Habit`. The rule of thumb, and what it becomes by simple plans."""
    edges, declares = rule_of_thumb(solver)
    tree, most = solver.tree, solver.most
    first = tree.first[[node.kind for node in tree.nodes].index("predict")]
    offered = openings(most)

    def predicting(*those):
        found = edges.copy()
        found[first : first + len(offered)] = [[float(one in those) / len(those)] * COUNT for one in offered]
        return found

    always = np.tile(~SHORT, (TURNS, 1)).astype(float)
    at_last = always * (np.arange(TURNS) >= TURNS - 2)[:, None]
    anything = np.repeat((1 / tree.size)[tree.starts][:, None], COUNT, axis=1)
    everything = 3, (1, 2, 3)
    return [
        (0.3, Habit(np.tile(declares, (TURNS, 1)), edges)),
        (0.08, Habit(always, edges)),
        (PATIENT, Habit(at_last, edges, patient=True)),
        (0.17, Habit(always, predicting((most, (2, (2, 3)))))),
        (0.05, Habit(always, predicting((1, everything)))),
        (0.05, Habit(always, predicting((most, everything)))),
        (0.04, Habit(always, predicting(*offered))),
        (0.04, Habit(always, anything)),
    ]


def rule_of_thumb(solver):
    """What `sensible-1` chooses, by edge and class, and how often it declares, by class."""
    tree, shuffling = solver.tree, np.random.default_rng(0)
    chosen, declares = np.zeros((len(tree.edges), COUNT)), np.zeros(COUNT)
    for place in range(COUNT):
        fields = FIELDS[place == PLACE]
        for field in fields[shuffling.permutation(len(fields))[:SAMPLES]].tolist():
            calm, wary = positions(solver, tuple(field))
            declares[place] += bot.choose_turn(calm, ["declare", "draw"], Random(0)) == "declare"
            (odds,) = bot.odds_of(wary, [wary.hand], Random(0))
            for number, node in enumerate(tree.nodes):
                if node.kind == "raise":
                    chosen[tree.edges_of(number), place] = 1
                else:
                    chosen[tree.first[number] + rule_choice(solver, wary, odds, node, tree.size[number]), place] += 1
    return tree.shares(chosen), declares / np.minimum(HELD, SAMPLES)


def positions(solver, field):
    """What a seat with this field knows in its first turn, and when the other has declared."""
    rival = bot.Rival(partner=False, hidden=3, above=-1, needs=ENOUGH, bluff=0, thrown=-1)
    calm = bot.Position(
        hand=field,
        unseen=tuple(card for card in range(len(VALUES)) if card not in field),
        rivals=(rival,),
        won=0,
        played=0,
        short=sum(VALUES[card] for card in field) < ENOUGH,
        partner=False,
        players=1,
        price=solver.price,
        discards=0,
        declaring=False,
        prediction=None,
        claim=None,
        answer=None,
        deduced_pays=solver.deduced_pays,
        most=solver.most,
        doubling=False,
        accepted=0,
        offered=0,
        side_bets=0,
        side_offer=None,
    )
    return calm, calm._replace(rivals=(rival._replace(bluff=bot.STRONG - ENOUGH),))


def rule_choice(solver, position, odds, node, count):
    """The number of the choice that `sensible-1` makes at a node, of the first `count` there."""
    most = solver.most
    if node.kind == "poll":
        return ("leave", "stay").index(bot.choose_turn(position, ["leave", "stay"], Random(0)))
    if node.kind == "predict":
        bets = 1, round(0.6 * most), most
        moves = [
            {"type": "predict", "bet": bet, "tricks": tricks, "positions": named}
            for bet in bets
            for tricks, named in bot.POINTS
        ]
        best = max(moves, key=lambda move: bot.worth(position, odds, move))
        return openings(most).index((nearest(best["bet"], most), likest(best["tricks"], best["positions"])))
    bet, prediction = node.said[-1]
    asked = position._replace(prediction=prediction, claim=True, offered=bet)
    chances = bot.believed(asked, odds)
    moves = [as_move(choice, bet, most) for choice in answers(bet, prediction, most)[:count]]
    return max(range(count), key=lambda number: bot.worth(asked, chances, moves[number]))


def as_move(choice, bet, most):
    if isinstance(choice, str):
        return {"type": "suspect", "plus": most - bet} if choice == "raise" else {"type": choice}
    more, (tricks, named) = choice
    return {"type": "suspect", "plus": more - bet, "tricks": tricks, "positions": named}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=90)
    parser.add_argument("--known", type=float, default=0.55, help="part of the rounds against players of habits")
    arguments = parser.parse_args()
    began = process_time()
    solver = Solver(arguments.known)
    for number in range(1, arguments.iterations + 1):
        worth = solver.iterate(number)
        if number % 10 == 0:
            print(number, *worth, f"{process_time() - began:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps({"classes": USED, "nodes": solver.table()}, indent=0))


if __name__ == "__main__":
    main()
