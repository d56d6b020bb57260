"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.belot.bots import BOTS
from games.belot.glossary import GLOSSARY
from games.belot.guide import GUIDE
from games.belot.rules.game import Belot
from games.belot.table.drawing import BelotDrawing
from games.kit.contract import Game

GAME = Game(
    rules=(Belot(),),
    bots=BOTS,
    drawing=BelotDrawing(),
    guide=GUIDE,
    glossary=GLOSSARY,
    deal_word="deal",
    result_time=25,
)
