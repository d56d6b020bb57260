"""Bids: play a card for the black card in the centre; the highest number wins it, a tie burns it."""

from games.bids.facts import facts
from games.bids.rules import Bids
from games.kit.facts import ROUNDS
from games.kit.game import room

GAME = room(__name__, facts=facts, rules=(Bids(),), deal_words=ROUNDS, facts_version=2, pondering=1.25, result_time=20)
