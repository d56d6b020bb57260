"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.belot.bots import BOTS
from games.belot.claims import BelotClaims
from games.belot.coach import ANALYST, BelotCoach
from games.belot.facts import LUCK, QUESTIONS, SHEET_COLUMNS, STATISTICS, facts
from games.belot.guide import GLOSSARY, GUIDE, PHRASES
from games.belot.rules.game import Belot
from games.belot.table.drawing import BelotDrawing
from games.kit.facts import DEALS
from games.kit.game import Game

GAME = Game(
    claims=BelotClaims(),
    rules=(Belot(),),
    bots=BOTS,
    drawing=BelotDrawing(),
    guide=GUIDE,
    coach=BelotCoach(),
    analyst=ANALYST,
    glossary=GLOSSARY,
    phrases=PHRASES,
    deal_words=DEALS,
    facts=facts,
    facts_version=2,
    luck=LUCK,
    questions=QUESTIONS,
    statistics=STATISTICS,
    sheet_columns=SHEET_COLUMNS,
    result_time=25,
)
