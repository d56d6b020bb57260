"""The bots of Oh Hell: today's rule of thumb, kept as a yardstick, what was taught, and the levels of the search."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import OhHellBrain
from games.oh_hell.taught import TaughtBot

LEVELS = {
    "easy": Level(play_outs=100, guard=1.0, tolerance=2.0),
    "normal": Level(play_outs=100, guard=1.0),
    "hard": Level(play_outs=100, guard=2.0),
}
TEMPERS = {"hard": 0.0, "bold": 0.8, "careful": -0.8}  # that think alike; points of the game: see `OhHellBrain`
BOTS = (
    {"sensible-1": OhHellBot(), "taught": TaughtBot()}
    | {name: Searcher(name, OhHellBrain(), LEVELS[name]) for name in ("easy", "normal")}
    | {
        name: Searcher(name, OhHellBrain(bids=True, boldness=boldness, taught=True), LEVELS["hard"])
        for name, boldness in TEMPERS.items()
    }
)
