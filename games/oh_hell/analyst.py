"""What the analysis of a finished match knows of Oh Hell."""

from functools import lru_cache

from games.kit.analysis import Analyst, Effort, Scale
from games.kit.card_sets import NUMBER, to_set
from games.oh_hell import coach_words as words
from games.oh_hell.brain import OhHellBrain, lead, read_world
from games.oh_hell.endgame import Endgame

OPEN_CARDS = 16  # so few in all hands are played to the end by every seat as well as can be


class OhHellAnalyst(Analyst):
    """For every number of seats, style and scoring."""

    scale = Scale(inaccuracy=1.0, mistake=1.8, blunder=2.6)  # a lead swings more widely than one's own points
    effort = Effort(match=130_000, most=900, open=60)

    meaning = words.MEANING

    def __init__(self):
        self._brain = OhHellBrain(bids=True)

    def brain(self, table):
        return self._brain

    def candidates(self, table, moves, move, usual):
        if table["phase"] == "bid":
            return self._brain.candidates(table, moves, usual)
        return super().candidates(table, moves, move, usual)

    def true_world(self, table, state):
        return read_world(table)._replace(hands=[to_set(hand) for hand in state.hands])

    def solved(self, world, moves):
        if moves[0]["type"] != "play" or sum(hand.bit_count() for hand in world.hands) > OPEN_CARDS:
            return None
        end = endgame(world.scoring, world.trump, tuple(world.bids))
        return [lead(end.worths(world, NUMBER[move["card"]]), world.seat) for move in moves]


@lru_cache(maxsize=2)
def endgame(scoring, trump, bids):
    """The `Endgame` of hands with these bids: the positions of one hand come one after the other."""
    return Endgame(scoring, trump, bids)


ANALYST = OhHellAnalyst()
