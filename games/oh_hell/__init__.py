"""Oh Hell: bid how many tricks you will take, then take just as many."""

from games.kit.facts import HANDS
from games.kit.game import room
from games.oh_hell.facts import facts
from games.oh_hell.rules import OhHell

GAME = room(__name__, facts=facts, rules=(OhHell(),), deal_words=HANDS, facts_version=3)
