"""Deals of Whist at a real table: the trump suit, and the tricks of the first side."""

from games.kit.cards import SUITS
from games.kit.markup import SUIT_SIGNS
from games.kit.tallies import Field, Option, Scorer, number_of
from games.kit.words import SUIT_TITLES
from tests.whist.rules import CARDS, Line, _between_deals, _totals


class WhistScorer(Scorer):
    def fields(self, state, answers, names):
        suits = tuple(Option(suit, SUIT_SIGNS[suit], SUIT_TITLES[suit]) for suit in SUITS)
        return [Field("trump", "Trump", suits), Field("tricks", self.side_names(names)[0], most=CARDS)]

    def add(self, state, body):
        taken = number_of(body, "tricks"), CARDS - number_of(body, "tricks")
        line = Line(len(state.lines) + 1, body["trump"], taken, self.rules.points(taken))
        return _between_deals(state.deals, (*state.lines, line), ())

    def totals(self, state):
        return _totals(state)


SCORER = WhistScorer
