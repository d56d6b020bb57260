"""The texts about moves of Oh Hell in hints and explanations, and the figures for the analysis of a match."""

from collections.abc import Sequence
from functools import lru_cache

from games.kit.analysis import Analyst, Effort, Scale
from games.kit.card_sets import HIGHER, NUMBER, OF_SUIT, PACK, SUIT, beats, members, to_set
from games.kit.cards import SUITS
from games.kit.coach import (
    LEAD,
    ONLY_A_TRUMP,
    Chance,
    Coach,
    as_good_to_lose,
    as_good_to_win,
    contrast_in_trick,
    decimal,
    easier_to_beat,
    lead_of,
    play,
    points_on_average,
    safe_moment,
    still_out,
    the_card,
)
from games.kit.contract import Move
from games.kit.language import lazy, lazy_all, say, say_count
from games.kit.search import lead
from games.kit.words import SUIT_WORDS, count_tenths
from games.oh_hell.bot import Position, later_chances, read_table, seat_of, trump_of
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

    def setting(self, table: View) -> str:
        seat, trump = seat_of(table), SUIT_WORDS[SUITS[trump_of(table)]]
        bid = table["bids"][seat]
        if bid is None:
            return say("Trump: {suit}.", suit=trump)
        return say("Trump: {suit}. Bid {bid}, taken {taken}.", suit=trump, bid=bid, taken=table["taken"][seat])

    def contrast(self, table: View, made: Move, better: Move) -> str:
        position = read_table(table)
        if made["type"] == "bid":
            return _contrast_of_bids(_expected_tricks(position), made["tricks"], better["tricks"])
        return _contrast_of_cards(position, NUMBER[made["card"]], NUMBER[better["card"]])

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
    one, many = (
        "Your hand is worth about {number} trick on average.",
        "Your hand is worth about {number} tricks on average.",
    )
    return count_tenths(tricks, one, many)


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


# Why another move is better


def _contrast_of_bids(tricks: float, made: int, better: int) -> str:
    """Say that one bid is nearer to what the hand is worth, or "". tricks: that the rule of thumb expects."""
    if abs(tricks - better) >= abs(tricks - made):
        return ""
    one, many = (
        "The hand is worth about {number} trick on average.",
        "The hand is worth about {number} tricks on average.",
    )
    return count_tenths(tricks, one, many)


LOST_BID = lazy_all(
    {
        "positive": "The bid is lost, but every trick still counts a point.",
        "negative": "The bid is lost, and every trick that it is off by costs.",
    }
)


def _contrast_of_cards(position: Position, made: int, better: int) -> str:
    """Say what the seat needs, and which of two cards does that in this trick, in sentences, or ""."""
    need, left = position.need, position.hand.bit_count()
    is_lost = not 0 <= need <= left
    if is_lost and position.scoring not in LOST_BID:
        return ""
    wants_trick = need > 0 or (is_lost and position.scoring == "positive")
    fact = _fact_about_cards(position, made, better, wants_trick)
    if not fact:
        return ""
    if is_lost:
        goal = str(LOST_BID[position.scoring])
    elif not need:
        goal = say("The bid is made: one more trick is too many.")
    elif need == left:
        goal = say("The bid needs every trick that is left.")
    else:
        goal = say_count(need, "The bid needs one more trick.", "The bid needs {number} more tricks.")
    return f"{goal} {fact}"


def _fact_about_cards(position: Position, made: int, better: int, wants_trick: bool) -> str:
    """Return a fact about two cards in this trick that speaks for the second, in a sentence, or ""."""
    names = the_card(PACK[made]), the_card(PACK[better])
    chances = _chance(position, made), _chance(position, better)
    if chances[0] != chances[1]:
        return contrast_in_trick(*names, chances) if wants_trick == (chances[1] > chances[0]) else ""
    made_is_stronger, better_is_stronger = _is_stronger(position, made, better), _is_stronger(position, better, made)
    match chances[0], wants_trick:
        case Chance.OPEN, True if better_is_stronger:
            return easier_to_beat(*names)
        case Chance.OPEN, False if made_is_stronger:
            return easier_to_beat(*reversed(names))
        case Chance.LOSES, True if made_is_stronger:
            return as_good_to_lose(*names)
        case Chance.TAKES, True if made_is_stronger:
            return as_good_to_win(*names)
        case Chance.LOSES, False if better_is_stronger:
            return safe_moment(names[1])
    return ""


def _is_stronger(position: Position, one: int, other: int) -> bool:
    """Return whether fewer cards can beat one card than the other, when both are led."""
    beaters, beaters_of_other = _beaters(position, one), _beaters(position, other)
    return beaters != beaters_of_other and beaters & ~beaters_of_other == 0


def _chance(position: Position, card: int) -> Chance:
    """Return what a card may do in this trick."""
    if position.best is not None and not beats(card, position.best, position.trump):
        return Chance.LOSES
    return Chance.OPEN if position.following and _beaters(position, card) else Chance.TAKES


def _beaters(position: Position, card: int) -> int:
    """Return the unseen cards that beat a card if a later player may play them, as a set of bits."""
    trumps = 0 if SUIT[card] == position.trump else OF_SUIT[position.trump]
    return position.unseen & (HIGHER[card] | trumps)


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
    effort = Effort(match=130_000, most=900, open=60, first=60)
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
