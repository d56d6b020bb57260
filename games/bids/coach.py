"""The coach of Bids: what the trick would bring, and how often a card takes it."""

from random import Random

from games.bids import coach_words as words
from games.bids.bot import read_table, stake, winner_chances
from games.kit.coach import Coach, decimal

SLIM = 0.15  # a card with less of a chance to take the trick is not played for it


class BidsCoach(Coach):
    """For every number of seats and all options."""

    unit = words.UNIT
    meaning = words.MEANING

    def advice(self, move):
        return words.bid(move["card"])

    def name(self, move):
        return words.the_card(move["card"])

    def worth(self, number):
        return words.lead_of(decimal(abs(number)), decimal(number).startswith("\N{MINUS SIGN}"))

    def amount(self, number):
        return words.points(decimal(number))

    def reasons(self, table, move):
        position, card = read_table(table), move["card"]
        chance = winner_chances(position, Random(0))(card).get(position.seat, 0.0)
        points = round(stake(position, position.seat, card))
        return [words.may_take(points, round(100 * chance)) if chance > SLIM else words.lets_go(points)]

    def knew(self, table, worlds):
        return words.knew(len(table["hand"]), worlds)


COACH = BidsCoach()
