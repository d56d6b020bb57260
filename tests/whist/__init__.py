"""Six-card whist, which lives in the tests only: the fifth game of README's recipe, in two versions of its rules."""

from games.kit.facts import DEALS
from games.kit.game import Game
from tests.whist.bot import WhistBot
from tests.whist.facts import QUESTIONS, STATISTICS, facts
from tests.whist.rules import Whist, WhistByTricks
from tests.whist.table import WhistDrawing

GAME = Game(
    rules=(Whist(), WhistByTricks()),
    bots={"sensible-1": WhistBot()},
    drawing=WhistDrawing(),
    deal_words=DEALS,
    facts=facts,
    questions=QUESTIONS,
    statistics=STATISTICS,
)
