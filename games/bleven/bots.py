"""The bots of Bleven: `sensible-1`, the baseline that others are measured against, and the three levels.

Only matches of two seats are solved, without the preset "letter". Elsewhere hard uses its own rule of thumb.
"""

from games.bleven.bot import BlevenBot
from games.bleven.hard import HARD_RULE
from games.bleven.mixed import PHASES, LenientBot, MixedBot
from games.bleven.rules.shapes import Table
from games.kit.contract import Bot

BOTS: dict[str, Bot[Table]] = {
    "sensible-1": BlevenBot(),
    "easy": LenientBot("easy", tolerance=4.0),
    "normal": MixedBot("normal", ("poll",), BlevenBot()),
    "hard": MixedBot("hard", PHASES, HARD_RULE),
}
