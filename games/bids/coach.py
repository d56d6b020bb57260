"""The words of the coach of Bids, and the settings of the analysis of finished matches."""

from random import Random

from games.bids.bot import read_table, stake, winner_chances
from games.bids.brain import BidsBrain, add_hidden_cards, read_world
from games.bids.rules.pack import ALLY
from games.bids.rules.state import State
from games.bids.simulation import World
from games.bids.table.terms import points_words
from games.bids.types import View
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import LEAD, Coach, lead_of, points_on_average
from games.kit.contract import Move
from games.kit.language import lazy, say, say_count, say_in
from games.kit.words import CARD_NAMES, THE_CARDS

SMALL_CHANCE = 0.15  # With no better chance to win the trick, winning it is not the reason for a card.
MEANING = lazy("Points are compared with the others’ average, Lucky Loser points included.")


class BidsCoach(Coach):
    """For all seat counts and options."""

    unit = LEAD
    meaning = MEANING

    def advice(self, move: Move) -> str:
        return say("Play the Ally." if move["card"] == ALLY else "Bid the {card}.", card=THE_CARDS[move["card"]])

    def name(self, move: Move) -> str:
        return say_in("a move", "the {card}", card=CARD_NAMES[move["card"]])

    def worth(self, number: float) -> str:
        return lead_of(number)

    def amount(self, number: float) -> str:
        return points_on_average(number)

    def reasons(self, table: View, move: Move) -> list[str]:
        position, card = read_table(table), move["card"]
        chance = winner_chances(position, Random(0))(card).get(position.seat, 0.0)
        sentence = (
            "The trick would bring you {points}, and this card takes it about {percent}% of the time."
            if chance > SMALL_CHANCE
            else "It leaves the trick, which would bring you {points}, to others."
        )
        points = points_words(round(stake(position, position.seat, card)))
        return [say(sentence, points=points, percent=round(100 * chance))]

    def knowledge(self, table: View, worlds: int) -> str:
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
    """For all seat counts and options. With open cards it plays out rounds in the only possible world."""

    scale = Scale(inaccuracy=1.0, mistake=2.0, blunder=4.0)
    effort = Effort(match=200_000, most=1200, open=300)
    meaning = MEANING

    def true_world(self, table: View, state: State) -> World:
        return add_hidden_cards(read_world(table), state)


ANALYST = BidsAnalyst(BidsBrain())
COACH = BidsCoach()
