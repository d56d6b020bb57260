"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.belot.bot import BelotBot
from games.belot.guide import GUIDE
from games.belot.rules.game import Belot
from games.belot.table.drawing import BelotDrawing
from games.kit.contract import Game

GAME = Game(rules=(Belot(),), bots={"sensible": BelotBot()}, drawing=BelotDrawing(), deal_word="deal", guide=GUIDE)
