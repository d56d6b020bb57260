"""The bots of Oh Hell: today's rule of thumb, kept as a yardstick, and the levels of the search."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import OhHellBrain

LEVELS = {
    "easy": Level(play_outs=100, guard=1.0, tolerance=2.0),
    "normal": Level(play_outs=100, guard=1.0),
    "hard": Level(play_outs=300, guard=1.0),
}
TEMPERS = {"bold": 0.8, "careful": -0.8}  # two that think as hard does; points of the game: see `OhHellBrain`
BOTS = (
    {"sensible-1": OhHellBot()}
    | {name: Searcher(name, OhHellBrain(bids=name == "hard"), level) for name, level in LEVELS.items()}
    | {name: Searcher(name, OhHellBrain(True, boldness), LEVELS["hard"]) for name, boldness in TEMPERS.items()}
)
