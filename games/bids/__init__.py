"""Bids: play a card for the black card in the centre; the highest number wins it, a tie burns it."""

from games.bids.bots import BOTS
from games.bids.glossary import GLOSSARY
from games.bids.guide import GUIDE
from games.bids.rules.game import Bids
from games.bids.table.drawing import BidsDrawing
from games.kit.contract import Game

GAME = Game(
    rules=(Bids(),),
    bots=BOTS,
    drawing=BidsDrawing(),
    guide=GUIDE,
    glossary=GLOSSARY,
    deal_word="round",
    result_time=20,
)
