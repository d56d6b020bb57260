"""The bots of Oh Hell: the rule of thumb as a yardstick, and the levels, which share a brain but differ in habits."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import Habits, OhHellBrain

LEVEL = Level(play_outs=100, guard=1.0, learned=True)
HABITS = {
    "easy": Habits(margin=7.0, whim=7.0, bid_factor=3.5, overbids=0.6, forgets=True),
    "normal": Habits(margin=1.5, whim=1.5, bid_factor=13.0),
    "hard": None,
}
BOTS = {"sensible-1": OhHellBot()} | {
    name: Searcher(name, OhHellBrain(habits), LEVEL) for name, habits in HABITS.items()
}
