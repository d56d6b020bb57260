"""Bleven: change cards, predict your tricks, and bet on it."""

from games.bleven.facts import facts
from games.bleven.rules import Bleven, FirstBleven
from games.kit.facts import ROUNDS
from games.kit.game import room

GAME = room(
    __name__,
    facts=facts,
    rules=(FirstBleven(), Bleven()),
    deal_words=ROUNDS,
    facts_version=2,
    pondering=1.25,
    result_time=25,
)
