"""The words of the coach of Bids, and the settings of the analysis of finished matches."""

from random import Random

from games.bids.bot import Position, read_table, stake, winner_chances
from games.bids.brain import BidsBrain, add_hidden_cards, read_world
from games.bids.rules.pack import ALLY, is_black, trick_outcome
from games.bids.rules.state import State
from games.bids.simulation import World
from games.bids.table.terms import points_words
from games.bids.types import View
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import (
    LEAD,
    Chance,
    Coach,
    as_good_to_lose,
    as_good_to_win,
    contrast_in_trick,
    easier_to_beat,
    lead_of,
    points_on_average,
    safe_moment,
)
from games.kit.contract import Card, Move
from games.kit.language import lazy, say, say_count, say_in
from games.kit.tricks import Play
from games.kit.words import CARD_NAMES, THE_CARDS, capital

SMALL_CHANCE = 0.15  # With no better chance to win the trick, winning it is not the reason for a card.
MEANING = lazy("Points are compared with the others’ average, Lucky Loser points included.")


class BidsCoach(Coach):
    """For all seat counts and options."""

    unit = LEAD
    meaning = MEANING

    def advice(self, move: Move) -> str:
        return say("Play the Ally." if move["card"] == ALLY else "Bid the {card}.", card=THE_CARDS[move["card"]])

    def name(self, move: Move) -> str:
        return name_of(move["card"])

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

    def trick(self, table: View) -> list[Play]:
        return table["plays"]

    def contrast(self, table: View, made: Move, better: Move) -> str:
        position = read_table(table)
        cards = made["card"], better["card"]
        if ALLY in cards:  # It is played for a partner, not for the trick.
            return ""
        if _chance(position, cards[0]) == _chance(position, cards[1]) != Chance.OPEN:
            return _contrast_of_equals(position, *cards)
        return _contrast_in_trick(position, *cards)

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


def name_of(card: Card) -> str:
    return say_in("a move", "the {card}", card=CARD_NAMES[card])


def _chance(position: Position, card: Card) -> Chance:
    """Return what a card may do in this trick. With colour bids nothing is certain before the last bid."""
    bids = [*position.bids.values(), card]
    if bids == [ALLY]:
        return Chance.LOSES
    if position.colour_bids and (position.followers or len(position.prizes) > 1):
        return Chance.OPEN

    def takes(bids: list[Card]) -> bool:
        prize = position.prizes[0]
        outcome = trick_outcome(bids, prize, lowest=position.lowest, colour_bids=position.colour_bids)
        return outcome.winning == len(position.bids)

    if not takes(bids):
        return Chance.LOSES
    is_sure = not position.followers or all(takes([*bids, other]) for other in position.rival_cards)
    return Chance.TAKES if is_sure else Chance.OPEN


def _contrast_of_equals(position: Position, made: Card, better: Card) -> str:
    """Return a fact that speaks for one of two cards that both take the trick or both lose it, in a sentence, or ""."""
    names, made_is_stronger = (name_of(made), name_of(better)), _is_stronger(position, made, better)
    if _chance(position, made) == Chance.TAKES:
        return as_good_to_win(*names) if made_is_stronger else ""
    if is_black(made) and not is_black(better):
        return capital(say("{made} is black: its points go to whoever takes this trick.", made=names[0]))
    if position.may_be_null[position.seat]:
        return safe_moment(names[1]) if _is_stronger(position, better, made) else ""
    return as_good_to_lose(*names) if made_is_stronger else ""


def _contrast_in_trick(position: Position, made: Card, better: Card) -> str:
    """Say what the trick is worth, and which of two cards is likelier to take it, in sentences, or ""."""
    chances, names = (_chance(position, made), _chance(position, better)), (name_of(made), name_of(better))
    wants_trick = chances[1] > chances[0]
    if chances[0] == chances[1]:
        if not (_is_stronger(position, made, better) or _is_stronger(position, better, made)):
            return ""
        wants_trick = _is_stronger(position, better, made)
        fact = easier_to_beat(*(names if wants_trick else reversed(names)))
    else:
        fact = contrast_in_trick(*names, chances)
    worth = _worth_sentence(position, better if wants_trick else made, wants_trick)
    return f"{worth} {fact}" if worth else ""


def _is_stronger(position: Position, one: Card, other: Card) -> bool:
    """Return whether a card beats more cards of rivals than another, now and in later tricks."""
    return position.strength[one][position.lowest] > position.strength[other][position.lowest]


def _worth_sentence(position: Position, card: Card, wants_trick: bool) -> str:
    """Say why to take this trick with a card, or why to leave it, in a sentence, or "" without a reason."""
    points = round(stake(position, position.seat, card))
    if wants_trick:
        return say("The trick brings {points}.", points=points_words(points)) if points > 0 else ""
    if points < 0:
        return say("The trick costs {points}.", points=points_words(-points))
    if points == 0:
        return say("The trick brings nothing.")
    if points < position.mean_prize:
        return say("The trick brings only {points}.", points=points_words(points))
    if position.may_be_null[position.seat]:
        return say("Without this trick, Lucky Loser is still possible.")
    return ""


class BidsAnalyst(Analyst):
    """For all seat counts and options. With open cards it plays out rounds in the only possible world."""

    scale = Scale(inaccuracy=1.0, mistake=2.0, blunder=4.0)
    effort = Effort(match=200_000, most=1200, open=300)
    meaning = MEANING

    def true_world(self, table: View, state: State) -> World:
        return add_hidden_cards(read_world(table), state)


ANALYST = BidsAnalyst(BidsBrain())
COACH = BidsCoach()
