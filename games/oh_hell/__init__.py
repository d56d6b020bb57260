"""Oh Hell: bid how many tricks you will take, then take just as many."""

from games.kit.contract import Game
from games.oh_hell.bots import BOTS
from games.oh_hell.glossary import GLOSSARY
from games.oh_hell.guide import GUIDE
from games.oh_hell.rules import OhHell
from games.oh_hell.table.drawing import OhHellDrawing

GAME = Game(
    rules=(OhHell(),),
    bots=BOTS,
    drawing=OhHellDrawing(),
    guide=GUIDE,
    glossary=GLOSSARY,
    deal_word="hand",
)
