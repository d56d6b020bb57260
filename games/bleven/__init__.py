"""Bleven: change cards, predict your tricks, and bet on it."""

from games.bleven.bots import BOTS
from games.bleven.coach import ANALYST, BlevenCoach
from games.bleven.facts import QUESTIONS, SHEET_COLUMNS, STATISTICS, facts
from games.bleven.guide import GLOSSARY, GUIDE, PHRASES
from games.bleven.rules.game import Bleven, FirstBleven
from games.bleven.table.drawing import BlevenDrawing
from games.kit.facts import ROUNDS
from games.kit.game import Game

GAME = Game(
    rules=(FirstBleven(), Bleven()),
    bots=BOTS,
    drawing=BlevenDrawing(),
    deal_words=ROUNDS,
    coach=BlevenCoach(),
    analyst=ANALYST,
    facts=facts,
    questions=QUESTIONS,
    statistics=STATISTICS,
    sheet_columns=SHEET_COLUMNS,
    pondering=1.25,
    result_time=25,
    guide=GUIDE,
    glossary=GLOSSARY,
    phrases=PHRASES,
)
