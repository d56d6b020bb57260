"""The coach of Oh Hell: what a hand is worth at the bid, and what speaks for a card."""

from games.kit.card_sets import HIGHER, NUMBER, OF_SUIT, PACK, SUIT, beats, members
from games.kit.coach import Coach, decimal
from games.oh_hell import coach_words as words
from games.oh_hell.bot import later_chances, read_table
from games.oh_hell.bots import TEACHER


class OhHellCoach(Coach):
    """For every number of seats, style and scoring."""

    teacher = TEACHER
    unit = words.UNIT
    meaning = words.MEANING
    promised_unit = words.PROMISED_UNIT
    promised_meaning = words.PROMISED_MEANING

    def advice(self, move):
        return words.bid(move["tricks"]) if move["type"] == "bid" else words.play(move["card"])

    def name(self, move):
        return words.a_bid(move["tricks"]) if move["type"] == "bid" else words.the_card(move["card"])

    def worth(self, number):
        return words.lead_of(decimal(abs(number)), decimal(number).startswith("\N{MINUS SIGN}"))

    def promised(self, number):
        return self.amount(number)

    def amount(self, number):
        return words.points(number)

    def reasons(self, table, move):
        position = read_table(table)
        if move["type"] == "bid":
            return [words.worth_of_hand(_tricks(position))]
        return [str(_goal(position)), str(_chance(position, NUMBER[move["card"]]))]

    def knew(self, table, worlds):
        position = read_table(table)
        cards = position.hand.bit_count()
        if table["phase"] == "bid":
            return words.knew_of_bid(cards, decimal(_tricks(position)), worlds)
        return words.knew(cards, position.unseen.bit_count(), worlds)


def _tricks(position):
    """What the hand is worth, in tricks."""
    return sum(later_chances(position).values())


def _goal(position):
    """What the seat still wants, as a sentence."""
    need, left = position.bid - position.taken, position.hand.bit_count()
    if need == 0:
        return words.HAS_BID
    return words.needs(need, left) if 0 < need <= left else words.LOST[position.scoring]


def _chance(position, card):
    """What can become of a card that is played now, as a sentence."""
    if position.best is not None and not beats(card, position.best, position.trump):
        return words.CANT_TAKE
    if not position.following:
        return words.TAKES
    higher = members(position.unseen & HIGHER[card])
    if higher:
        return words.still_out([PACK[each] for each in reversed(higher)])
    trumps_out = position.unseen & OF_SUIT[position.trump]
    return words.ONLY_RUFFED if SUIT[card] != position.trump and trumps_out else words.UNBEATEN


COACH = OhHellCoach()
