"""Bleven: change cards, predict your tricks, and bet on it."""

from games.bleven.bot import BlevenBot
from games.bleven.glossary import GLOSSARY
from games.bleven.guide import GUIDE
from games.bleven.rules.game import Bleven, FirstBleven
from games.bleven.table.drawing import BlevenDrawing
from games.kit.contract import Game

GAME = Game(
    rules=(FirstBleven(), Bleven()),
    bots={"sensible-1": BlevenBot()},
    drawing=BlevenDrawing(),
    deal_word="round",
    result_time=25,
    guide=GUIDE,
    glossary=GLOSSARY,
)
