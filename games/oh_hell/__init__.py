"""Oh Hell: bid how many tricks you will take, then take just as many."""

from games.kit.facts import HANDS
from games.kit.game import Game
from games.oh_hell.bots import BOTS
from games.oh_hell.claims import OhHellClaims
from games.oh_hell.coach import ANALYST, OhHellCoach
from games.oh_hell.facts import LUCK, QUESTIONS, SHEET_COLUMNS, STATISTICS, facts
from games.oh_hell.guide import GLOSSARY, GUIDE, PHRASES
from games.oh_hell.rules import OhHell
from games.oh_hell.table.drawing import OhHellDrawing

GAME = Game(
    claims=OhHellClaims(),
    rules=(OhHell(),),
    bots=BOTS,
    drawing=OhHellDrawing(),
    guide=GUIDE,
    coach=OhHellCoach(),
    analyst=ANALYST,
    glossary=GLOSSARY,
    phrases=PHRASES,
    deal_words=HANDS,
    facts=facts,
    facts_version=2,
    luck=LUCK,
    questions=QUESTIONS,
    statistics=STATISTICS,
    sheet_columns=SHEET_COLUMNS,
)
