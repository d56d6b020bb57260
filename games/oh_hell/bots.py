"""The bots of Oh Hell: today's rule of thumb, kept as a yardstick, the levels, and who thinks for hints."""

from games.kit.search import Level, Searcher
from games.oh_hell.bot import OhHellBot
from games.oh_hell.brain import OhHellBrain

LEVELS = {
    "easy": Level(play_outs=100, guard=1.0, tolerance=2.0),
    "normal": Level(play_outs=100, guard=1.0),
    "hard": Level(play_outs=100, guard=2.0, learned=True),
}
TEACHER = "teacher"  # who starts from what hard has learned, and searches for what is surely better
BOTS = (
    {"sensible-1": OhHellBot()}
    | {TEACHER: Searcher(TEACHER, OhHellBrain(bids=True, taught=True), Level(play_outs=100, guard=2.0))}
    | {name: Searcher(name, OhHellBrain(), LEVELS[name]) for name in ("easy", "normal")}
    | {"hard": Searcher("hard", OhHellBrain(bids=True, taught=True), LEVELS["hard"])}
)
