"""The bots of Oh Hell: the rule of thumb, kept as a yardstick, and the levels, which are one thinker with habits."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import Habits, OhHellBrain

LEVEL = Level(play_outs=100, guard=1.0, learned=True)
HABITS = {
    "easy": Habits(margin=12.0, whim=6.0, overbids=3.0, forgets=True),
    "normal": Habits(margin=2.4, whim=3.0, overbids=2.0, forgets=True),
    "hard": None,
}
BOTS = {"sensible-1": OhHellBot()} | {
    name: Searcher(name, OhHellBrain(habits), LEVEL) for name, habits in HABITS.items()
}
