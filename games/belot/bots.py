"""The bots of Belot: today's rule of thumb, kept as a yardstick, and the levels of the search."""

from games.belot.bot import BelotBot
from games.belot.brain import BelotBrain, sound_plays
from games.kit.search import Level, Searcher

LEVELS = {
    "easy": Level(play_outs=100, guard=1.0, tolerance=3.0),
    "normal": Level(play_outs=80, guard=1.0),
    "hard": Level(play_outs=700, guard=1.0),
}
BRAIN = BelotBrain(sound_plays)
BOTS = {"sensible-1": BelotBot()} | {name: Searcher(name, BRAIN, level) for name, level in LEVELS.items()}
