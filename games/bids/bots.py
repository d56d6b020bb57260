"""The bots of Bids: the rule of thumb, which is the yardstick for all others, and the levels of the search."""

from games.bids.bot import BidsBot
from games.bids.brain import BidsBrain
from games.kit.search import Level, Searcher

LEVELS = {
    "easy": Level(play_outs=100, guard=1.5, tolerance=1.5),
    "normal": Level(play_outs=100, guard=1.5),
    "hard": Level(play_outs=400, guard=1.5),
}
BRAIN = BidsBrain()
BOTS = {"sensible-1": BidsBot()} | {name: Searcher(name, BRAIN, level) for name, level in LEVELS.items()}
