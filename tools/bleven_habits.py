"""The players of habits that the mixed player of Bleven meets while it is solved: `sensible-1`, and simple plans.

Arrays go by turn, by edge of the tree of `tools/bleven_tree.py`, and by class of fields.
"""

from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from games.bleven import bot
from games.bleven.classes import SEATS, TURN_COUNT, answers, most_similar, nearest, openings
from games.bleven.mixed import raising_answer
from games.bleven.prospects import best_discard
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FULL_RESERVE, MIN_SUM, Prediction
from games.bleven.simulation import ACCEPT, GO_OUT, NONE, PLACES, World, set_of
from tools.bleven_tree import COUNT, FIELDS, PLACE, SHORT

SAMPLES = 10  # fields of each class that the rule of thumb is asked about
STAGES = [0, 1, 2, 3, 3, 5]  # by discards of a seat: how many those have that stand for it
SHOWN = 200  # pairs of reserves that are drawn to choose from
PATIENT = 0.27  # of the players of habits: those who draw as long as they may


class Habit(NamedTuple):
    """A player that does not learn."""

    declares: np.ndarray  # how likely, by turn and class
    edges: np.ndarray  # what it chooses, by turn, edge and class


def habits(solver):
    """Players of habits: pairs of a share and a `Habit`. The rule of thumb, and what it becomes by simple plans."""
    edges, declares = rule_of_thumb(solver)
    tree, most = solver.tree, solver.most
    first = tree.first[[node.kind for node in tree.nodes].index("predict")]
    offered = openings(most)

    def predicting(*those):
        found = edges.copy()
        found[:, first : first + len(offered)] = [[float(one in those) / len(those)] * COUNT for one in offered]
        return found

    always = np.tile(~SHORT, (TURN_COUNT, 1)).astype(float)
    at_last = declares * (np.arange(TURN_COUNT) // SEATS == FULL_RESERVE)[:, None]
    anything = np.tile((1 / tree.size)[tree.starts][:, None], (TURN_COUNT, 1, COUNT)).astype(np.float32)
    everything = 3, (1, 2, 3)
    return [
        (0.25, Habit(declares, edges)),
        (0.08, Habit(always, edges)),
        (PATIENT, Habit(at_last, edges)),
        (0.17, Habit(always, predicting((most, (2, (2, 3)))))),
        (0.05, Habit(always, predicting((1, (1, ()))))),
        (0.05, Habit(always, predicting((1, everything)))),
        (0.05, Habit(always, predicting((most, everything)))),
        (0.04, Habit(always, predicting(*offered))),
        (0.04, Habit(always, anything)),
    ]


def rule_of_thumb(solver):
    """What `sensible-1` chooses, by turn, edge and class, and how often it declares, by turn and class."""
    stages = {discards: _at_stage(solver, discards) for discards in sorted({*STAGES})}
    by_turn = [stages[STAGES[turn // SEATS]] for turn in range(TURN_COUNT)]
    return np.array([edges for edges, _ in by_turn]), np.array([declares for _, declares in by_turn])


def _at_stage(solver, discards):
    """The same when both have discarded so many cards: arrays by edge and class, and by class."""
    tree, rng = solver.tree, Random(discards)
    reserves = [_reserves(discards, rng) for _ in range(SHOWN)]
    chosen, asked, declares = np.zeros((len(tree.edges), COUNT)), np.zeros(COUNT), np.zeros(COUNT)
    kinds = ["declare", "draw"] if discards < FULL_RESERVE else ["declare", "stay", "leave"]
    for place in range(COUNT):
        fields = FIELDS[place == PLACE].tolist()
        for field in rng.sample(fields, min(SAMPLES, len(fields))):
            calm, wary = positions(solver, tuple(field), discards, rng.choice(reserves))
            declares[place] += (
                bot.choose_turn(calm.world, kinds, partial(bot.odds_of, calm, rng=Random(0))) == "declare"
            )
            asked[place] += 1
            polled = wary if discards < FULL_RESERVE else calm  # with a full reserve to declare shows no strength
            by_role = [(here, bot.odds_of(here, [here.hand], Random(0))[0]) for here in (wary, polled)]
            choices = {}  # The rule looks only at the last prediction.
            for number, node in enumerate(tree.nodes):
                key = node.kind, node.actor, node.said[-1:], tree.size[number]
                if key not in choices:
                    choices[key] = rule_choice(solver, *by_role[node.actor], node, tree.size[number])
                chosen[tree.first[number] + choices[key], place] += 1
    return tree.shares(chosen), declares / asked


def _reserves(discards, rng):
    """What two seats have discarded that have drawn so often."""
    pack = rng.sample(range(len(VALUES)), len(VALUES))
    found = []
    for _ in range(SEATS):
        field, gone = [pack.pop() for _ in range(3)], []
        for _ in range(discards):
            field.append(pack.pop())
            gone.append(best_discard(tuple(sorted(field)), SEATS))
            field.remove(gone[-1])
        found.append(gone)
    return found


def positions(solver, field, discards, reserves):
    """What a seat with this field knows in a turn of its own, and of another that has shown strength.

    reserves: its own, and that of the other, lists of cards.
    """
    gone = {*field, *reserves[0], *reserves[1]}
    highest = max({*reserves[1]} - {*field}, default=NONE)
    rival = bot.OtherPlayer(
        is_partner=False, hidden=3, highest_play=NONE, needed=MIN_SUM, claimed=0, highest_discard=highest
    )
    world = World(solver.terms, 0, [field, ()], [])
    world.discards = [discards] * SEATS
    unseen = tuple(card for card in range(len(VALUES)) if card not in gone)
    calm = bot.Situation(world, unseen, (rival,))
    return calm, calm._replace(others=(rival._replace(claimed=bot.STRONG_SUM - MIN_SUM),))


def rule_choice(solver, situation, odds, node, count):
    """The number of the choice that `sensible-1` makes at a node, of the first `count` there."""
    limit, world = solver.most, situation.world
    if node.kind == "poll":
        return ("leave", "stay").index(bot.choose_turn(situation.world, ["leave", "stay"], lambda _: [odds]))
    if node.kind == "predict":
        bets = 1, round(0.6 * limit), limit
        moves = [("predict", bet, tricks, positions) for bet in bets for tricks, positions in bot.POINTS]
        _, bet, tricks, positions = max(moves, key=lambda move: bot.expected_stones(world, odds, move))
        prediction = most_similar(Prediction(tricks, PLACES[positions]))
        return openings(limit).index((nearest(bet, limit), prediction))
    bet, prediction = node.said[-1]
    world = world.copy()
    world.phase, world.predicted_tricks, world.predicted_positions = (
        node.kind,
        prediction.tricks,
        set_of(prediction.positions),
    )
    if node.kind == "raise":
        world.declarer, world.answer, world.offered = world.seat, raising_answer(world.options), limit
        chances = bot.adjust_for_claim(world, odds)
        return int(bot.expected_stones(world, chances, ACCEPT) > bot.expected_stones(world, chances, GO_OUT))
    world.declarer, world.offered = 1 - world.seat, bet
    chances = bot.adjust_for_claim(world, odds)
    raiser = raising_answer(world.options)
    moves = [as_plain_move(choice, bet, limit, raiser) for choice in answers(bet, prediction, limit)[:count]]
    return max(range(count), key=lambda number: bot.expected_stones(world, chances, moves[number]))


def as_plain_move(choice, bet, limit, raiser):
    if isinstance(choice, str):
        return (raiser, limit - bet, NONE, 0) if choice == "raise" else (choice, 0, NONE, 0)
    more, (tricks, places) = choice
    return "suspect", more - bet, tricks, set_of(places)
