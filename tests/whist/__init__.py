"""Six-card whist, for tests only: the game of the recipe in docs/architecture.md, in two versions of its rules."""

from games.kit.facts import DEALS
from games.kit.game import room
from tests.whist.bot import WhistBot
from tests.whist.facts import facts
from tests.whist.rules import Whist, WhistByTricks

GAME = room(__name__, facts=facts, rules=(Whist(), WhistByTricks()), bots={"sensible-1": WhistBot()}, deal_words=DEALS)
