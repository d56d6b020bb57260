"""Belot: bid for trumps, declare sequences and squares, take the more points."""

from games.belot.facts import facts
from games.belot.rules import Belot
from games.kit.facts import DEALS
from games.kit.game import room

GAME = room(__name__, facts=facts, rules=(Belot(),), deal_words=DEALS, facts_version=3, result_time=25)
