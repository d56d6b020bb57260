"""The bots of Bleven: the rule of thumb, kept as a yardstick, and the levels.

With four seats nothing is solved: there the hard bot is the rule of thumb with better odds, which leaves the round to a
declarer where its field is clearly worse, and doubts predictions of two or three tricks with all the room. From which
fields on was found by making both choices in the same deals, and by matches against `sensible-1` and simple plans.
"""

from games.bleven.bot import BlevenBot, Turns
from games.bleven.mixed import PHASES, LenientBot, MixedBot

BOTS = {
    "sensible-1": BlevenBot(),
    "easy": LenientBot("easy", tolerance=2.0),
    "normal": MixedBot("normal", ("poll", "predict"), BlevenBot()),
    "hard": MixedBot("hard", PHASES, BlevenBot(worlds=200, turns=Turns(stays=-2.0, helps=-2.0, raises=-4.0))),
}
