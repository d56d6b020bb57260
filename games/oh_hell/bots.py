"""The bots of Oh Hell: the rule of thumb as a yardstick, and the levels, which share a brain but differ in habits."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import Habits, OhHellBrain

LEVEL = Level(play_outs=100, guard=1.0, learned=True)
HABITS = {
    "easy": Habits(margin=3.0, whim=1.5, overbids=0.4, forgets=True),
    "normal": Habits(margin=1.5, whim=0.7),
    "hard": None,
}
BOTS = {"sensible-1": OhHellBot()} | {
    name: Searcher(name, OhHellBrain(habits), LEVEL) for name, habits in HABITS.items()
}
