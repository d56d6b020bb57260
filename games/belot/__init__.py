"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.belot.analyst import ANALYST
from games.belot.bots import BOTS
from games.belot.claims import BelotClaims
from games.belot.coach import BelotCoach
from games.belot.facts import SHEET_COLUMNS, facts
from games.belot.glossary import GLOSSARY
from games.belot.guide import GUIDE
from games.belot.luck import LUCK
from games.belot.phrases import PHRASES
from games.belot.questions import QUESTIONS
from games.belot.rules.game import Belot
from games.belot.statistics import STATISTICS
from games.belot.table.drawing import BelotDrawing
from games.kit.deals import DEALS
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
