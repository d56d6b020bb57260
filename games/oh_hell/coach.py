"""The texts about moves of Oh Hell in hints and explanations, and the figures for the analysis of a match."""

from collections.abc import Sequence
from functools import lru_cache

from games.kit.analysis import Analyst, Effort, Scale
from games.kit.card_sets import HIGHER, NUMBER, OF_SUIT, PACK, SUIT, beats, members, to_set
from games.kit.coach import LEAD, ONLY_A_TRUMP, Coach, decimal, lead_of, play, points_on_average, still_out, the_card
from games.kit.contract import Move
from games.kit.language import lazy, lazy_all, say, say_count
from games.kit.search import lead
from games.oh_hell.bot import Position, later_chances, read_table
from games.oh_hell.brain import OhHellBrain, read_world
from games.oh_hell.endgame import Endgame
from games.oh_hell.rules import State
from games.oh_hell.simulation import World
from games.oh_hell.types import View

MEANING = lazy("Points are compared with the others’ average.")
OPEN_CARDS = 16  # With at most this many cards in all hands, the analysis calculates the best play.


class OhHellCoach(Coach[View]):
    unit = LEAD
    meaning = MEANING
    estimate_unit = lazy("Points on average")
    estimate_meaning = lazy("The points of this hand.")

    def advice(self, move: Move) -> str:
        return say("Bid {tricks}.", tricks=move["tricks"]) if move["type"] == "bid" else play(move["card"])

    def name(self, move: Move) -> str:
        return say("a bid of {tricks}", tricks=move["tricks"]) if move["type"] == "bid" else the_card(move["card"])

    def worth(self, number: float) -> str:
        return lead_of(number)

    def estimated_worth(self, number: float) -> str:
        return self.amount(number)

    def amount(self, number: float) -> str:
        return points_on_average(number)

    def reasons(self, table: View, move: Move) -> list[str]:
        position = read_table(table)
        if move["type"] == "bid":
            return [_worth_of_hand(_expected_tricks(position))]
        return [str(_goal_sentence(position)), str(_trick_sentence(position, NUMBER[move["card"]]))]

    def knowledge(self, table: View, worlds: int) -> str:
        position = read_table(table)
        cards = position.hand.bit_count()
        if table["phase"] == "bid":
            return _knowledge_for_bid(cards, decimal(_expected_tricks(position)), worlds)
        return _knowledge_for_card(cards, position.unseen.bit_count(), worlds)


# Reasons for a move


def _expected_tricks(position: Position) -> float:
    """Return the expected tricks of the hand."""
    return sum(later_chances(position).values())


def _worth_of_hand(tricks: float) -> str:
    if round(tricks, 1) == 1:
        return say("Your hand is worth about 1 trick on average.")
    return say("Your hand is worth about {tricks} tricks on average.", tricks=decimal(tricks))


LOST = lazy_all(
    {
        "positive": "Your bid can’t be made any more, but every trick still counts a point.",
        "neutral": "You can’t make your bid any more. Spoil the others’ bids.",
        "negative": "Your bid can’t be made any more, and every trick that it is off by costs.",
    }
)


def _goal_sentence(position: Position) -> str:
    """Return a sentence on the tricks that the seat still needs to take exactly as many as it bid."""
    need, left = position.need, position.hand.bit_count()
    if need == 0:
        return say("You have all the tricks that you bid: one more costs you the bid.")
    if not 0 < need <= left:  # It has too many tricks, or too few are left.
        return LOST[position.scoring]
    if need == left:
        return say_count(need, "You need this last trick.", "You need every trick that is left.")
    return say_count(need, "You need one more trick.", "You need {number} more tricks.")


def _trick_sentence(position: Position, card: int) -> str:
    """Return a sentence on the chance of a card to take this trick.

    Later players may beat it with a higher card of its suit, or with a trump. position: what the seat to act knows,
    with sets of cards as the bits of an int. card: its number.
    """
    if position.best is not None and not beats(card, position.best, position.trump):
        return say("It can’t take this trick.")
    if not position.following:  # the number of players after this one
        return say("It takes this trick: nobody plays after you.")
    higher = members(position.unseen & HIGHER[card])
    if higher:
        return still_out([PACK[each] for each in reversed(higher)])
    trumps_out = position.unseen & OF_SUIT[position.trump]
    return ONLY_A_TRUMP if SUIT[card] != position.trump and trumps_out else say("Nothing that is still out beats it.")


# The knowledge of a bot


def _knowledge_for_bid(cards: int, tricks: str, worlds: int) -> str:
    """Return what a bot knew when it bid, for players who look at its moves after the match.

    cards: their number in its hand. tricks: the number that it expected, as text. worlds: the number of deals of the
    unseen cards that it tried, perhaps 0.
    """
    one = "It knew its own card, the trump and the bids before its own; it expected {tricks} tricks on average."
    many = (
        "It knew its own {number} cards, the trump and the bids before its own; it expected {tricks} tricks on average."
    )
    knew = say_count(cards, one, many, tricks=tricks)
    way = "It tried {number} deal of the other cards that fits those bids."
    ways = "It tried {number} deals of the other cards that fit those bids."
    return f"{knew} {say_count(worlds, way, ways)}" if worlds else knew


def _knowledge_for_card(cards: int, unseen: int, worlds: int) -> str:
    """Return what a bot knew when it played a card, for players who look at its moves after the match.

    cards, unseen: the numbers of cards in its hand and elsewhere. worlds: the number of deals of the unseen cards that
    it tried, perhaps 0.
    """
    many = "It knew its own {number} cards, the bids and every card played."
    if not worlds:
        return say_count(cards, "It knew its last card, the bids and every card played.", many)
    knew = say_count(cards, "It knew its own card, the bids and every card played.", many)
    way = "It tried {number} deal of the {unseen} unseen cards."
    ways = "It tried {number} deals of the {unseen} unseen cards."
    return f"{knew} {say_count(worlds, way, ways, unseen=unseen)}"


# The analysis


class OhHellAnalyst(Analyst[View, State, World]):
    scale = Scale(inaccuracy=1.0, mistake=1.8, blunder=2.6)  # A lead varies more than a seat's own points.
    effort = Effort(match=130_000, most=900, open=60)
    meaning = MEANING

    def candidates(self, table: View, moves: list[Move], move: Move, usual: Move) -> list[Move]:
        if table["phase"] == "bid":
            return self._brain.candidates(table, moves, usual)
        return super().candidates(table, moves, move, usual)

    def true_world(self, table: View, state: State) -> World:
        return read_world(table)._replace(hands=[to_set(hand) for hand in state.hands])

    def solved(self, world: World, moves: Sequence[Move]) -> list[float] | None:
        """Return the exact value of each move if all play their best with open cards, or None if that takes too long.

        A value is the seat's points minus the mean of the others'. world: the cards of all seats, as sets of bits.
        """
        cards_left = sum(hand.bit_count() for hand in world.hands)
        if moves[0]["type"] != "play" or cards_left > OPEN_CARDS:
            return None
        end = endgame(world.scoring, world.trump, tuple(world.bids))
        return [lead(end.points_after(world, NUMBER[move["card"]]), world.seat) for move in moves]


@lru_cache(maxsize=2)  # The analysis goes through the positions of one hand in a row.
def endgame(scoring: str, trump: int, bids: tuple[int, ...]) -> Endgame:
    return Endgame(scoring, trump, bids)


ANALYST = OhHellAnalyst(OhHellBrain())
COACH = OhHellCoach()
