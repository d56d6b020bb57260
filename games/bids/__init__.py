"""Bids: play a card for the black card in the centre; the highest number wins it, a tie burns it."""

from games.bids.bots import BOTS
from games.bids.coach import ANALYST, BidsCoach
from games.bids.facts import QUESTIONS, SHEET_COLUMNS, STATISTICS, facts
from games.bids.guide import GLOSSARY, GUIDE, PHRASES
from games.bids.rules.game import Bids
from games.bids.table.drawing import BidsDrawing
from games.kit.facts import ROUNDS
from games.kit.game import Game

GAME = Game(
    rules=(Bids(),),
    bots=BOTS,
    drawing=BidsDrawing(),
    guide=GUIDE,
    coach=BidsCoach(),
    analyst=ANALYST,
    glossary=GLOSSARY,
    phrases=PHRASES,
    deal_words=ROUNDS,
    facts=facts,
    questions=QUESTIONS,
    statistics=STATISTICS,
    sheet_columns=SHEET_COLUMNS,
    pondering=1.25,
    result_time=20,
)
