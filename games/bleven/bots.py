"""The bots of Bleven: the rule of thumb, kept as a yardstick, and the levels.

With four seats nothing is solved: there the hard bot is the rule of thumb with better odds, which leaves the round to a
declarer where its field is worse, and doubts predictions of two or three tricks with all the room. From which fields on
was found by making both choices in the same deals, and by matches against `sensible-1` and simple plans.
"""

from games.bleven.bot import BlevenBot
from games.bleven.mixed import PHASES, LenientBot, MixedBot
from games.bleven.pairs import PairsBot
from games.bleven.policy import FOUR

BOTS = {
    "sensible-1": BlevenBot(),
    "easy": LenientBot("easy", tolerance=2.0),
    "normal": MixedBot("normal", ("poll", "predict"), BlevenBot()),
    "hard": MixedBot("hard", PHASES, PairsBot(worlds=200, turns=FOUR)),
}
