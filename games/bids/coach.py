"""What the coach of Bids says: what a trick would bring, how often a card takes it; and how the analysis judges."""

from random import Random

from games.bids.bot import read_table, stake, winner_chances
from games.bids.brain import BidsBrain, filled, read_world
from games.bids.rules.pack import ALLY
from games.bids.table.terms import points_words
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import LEAD, Coach, lead_of, points_on_average
from games.kit.language import lazy, say, say_count, say_in
from games.kit.words import CARD_NAMES, THE_CARDS

SLIM = 0.15  # a card with less of a chance to take the trick is not played for it
MEANING = lazy("Points are compared with the others’ average, Lucky Loser points included.")


class BidsCoach(Coach):
    """For every number of seats and all options."""

    unit = LEAD
    meaning = MEANING

    def advice(self, move):
        return say("Play the Ally." if move["card"] == ALLY else "Bid the {card}.", card=THE_CARDS[move["card"]])

    def name(self, move):
        return say_in("a move", "the {card}", card=CARD_NAMES[move["card"]])

    def worth(self, number):
        return lead_of(number)

    def amount(self, number):
        return points_on_average(number)

    def reasons(self, table, move):
        position, card = read_table(table), move["card"]
        chance = winner_chances(position, Random(0))(card).get(position.seat, 0.0)
        sentence = (
            "The trick would bring you {points}, and this card takes it about {percent}% of the time."
            if chance > SLIM
            else "It leaves the trick, which would bring you {points}, to others."
        )
        points = points_words(round(stake(position, position.seat, card)))
        return [say(sentence, points=points, percent=round(100 * chance))]

    def knew(self, table, worlds):
        cards = len(table["hand"])
        if not worlds:
            one = "It knew its last card and every card that had been turned up or bid."
            many = "It knew its own {number} cards and every card that had been turned up or bid."
            return say_count(cards, one, many)
        return say(
            "It knew its own {number} cards and every card that had been turned up or bid. It tried "
            "{worlds} deals of the others.",
            number=cards,
            worlds=worlds,
        )


class BidsAnalyst(Analyst):
    """For every number of seats and all options. With open cards, those in the centre too, it plays rounds out."""

    scale = Scale(inaccuracy=1.0, mistake=2.0, blunder=4.0)
    effort = Effort(match=200_000, most=1200, open=300)
    meaning = MEANING

    def true_world(self, table, state):
        return filled(read_world(table), state)


ANALYST = BidsAnalyst(BidsBrain())
COACH = BidsCoach()
