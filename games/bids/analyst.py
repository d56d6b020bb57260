"""What the analysis of a finished match knows of Bids."""

from games.bids import coach_words as words
from games.bids.brain import BidsBrain, filled, read_world
from games.kit.analysis import Analyst, Effort, Scale


class BidsAnalyst(Analyst):
    """For every number of seats and all options. With open cards, those in the centre too, it plays rounds out."""

    scale = Scale(inaccuracy=1.0, mistake=2.0, blunder=4.0)
    effort = Effort(match=200_000, most=1200, open=300)

    meaning = words.MEANING

    def __init__(self):
        self._brain = BidsBrain()

    def brain(self, table):
        return self._brain

    def true_world(self, table, state):
        return filled(read_world(table), state)


ANALYST = BidsAnalyst()
