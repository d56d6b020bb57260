"""The bots of Bleven: the rule of thumb, kept as a yardstick, and the levels.

With four seats nothing is solved: there the hard bot is the rule of thumb with better odds, which leaves the round to a
declarer where its field is worse, and doubts predictions of two or three tricks with all the room. From which fields on
was found by making both choices in the same deals, and by matches against `sensible-1` and simple plans. To the letter
nothing is solved at all, and normal and hard play by another rule of thumb, in as many phases.
"""

from games.bleven.bot import BlevenBot
from games.bleven.letter import TWO, LetterBot
from games.bleven.mixed import PHASES, LenientBot, MixedBot
from games.bleven.pairs import FOUR, PairsBot

TO_THE_LETTER = {2: LetterBot(turns=TWO), 4: LetterBot(worlds=200, turns=FOUR)}
BOTS = {
    "sensible-1": BlevenBot(),
    "easy": LenientBot("easy", tolerance=2.0),
    "normal": MixedBot("normal", ("poll", "predict"), BlevenBot(), TO_THE_LETTER),
    "hard": MixedBot("hard", PHASES, PairsBot(worlds=200, turns=FOUR), TO_THE_LETTER),
}
