"""The bots of Bleven: `sensible-1`, the baseline that others are measured against, and the three levels.

Only the game with two seats is solved. With four seats the hard bot uses the rule of thumb with better odds. It leaves
when a declarer's field is better, and doubts predictions of two or three tricks with a raise to the limit. Its
thresholds come from playing both choices in the same deals, and from matches against `sensible-1` and simple plans.
The preset "letter" is not solved. There, normal and hard use another rule of thumb, in the same phases.
"""

from games.bleven.bot import BlevenBot
from games.bleven.letter import TWO, LetterBot
from games.bleven.mixed import PHASES, LenientBot, MixedBot
from games.bleven.pairs import FOUR, PairsBot
from games.bleven.rules.shapes import Table
from games.kit.contract import Bot

TO_THE_LETTER = {2: LetterBot(thresholds=TWO), 4: LetterBot(worlds=200, thresholds=FOUR)}
BOTS: dict[str, Bot[Table]] = {
    "sensible-1": BlevenBot(),
    "easy": LenientBot("easy", tolerance=2.0),
    "normal": MixedBot("normal", ("poll", "predict"), BlevenBot(), TO_THE_LETTER),
    "hard": MixedBot("hard", PHASES, PairsBot(worlds=200, thresholds=FOUR), TO_THE_LETTER),
}
