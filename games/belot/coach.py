"""The coach of Belot: what speaks for a call, a declaration and a card."""

from games.belot import coach_words as words
from games.belot.bot import read_table
from games.belot.rules.pack import points_of_cards, trump_suits
from games.belot.rules.tricks import winner_of
from games.kit.coach import Coach, decimal


class BelotCoach(Coach):
    """For every number of seats and all options."""

    unit = words.UNIT
    meaning = words.MEANING

    def advice(self, move):
        return words.advice(move)

    def name(self, move):
        return words.name(move)

    def worth(self, number):
        return words.lead_of(decimal(abs(number)), decimal(number).startswith("\N{MINUS SIGN}"))

    def amount(self, number):
        return words.match_points(number)

    def estimate(self, chosen, other, gain):
        return words.promise(decimal(gain), self.name(other.move))

    def reasons(self, table, move):
        if move["type"] == "bid":
            return [_holding(table["hand"], move["contract"])]
        if move["type"] == "declare":
            return [str(words.DECLARE)]
        return [_of_card(table, move["card"])] if move["type"] == "play" else []

    def knew(self, table, worlds):
        cards = len(table["hand"])
        return words.knew_of_call(cards) if table["phase"] == "bid" else words.knew(cards, worlds)

    def uncompared(self, table, move):
        if move["type"] == "declare":
            return str(words.ALWAYS_DECLARES)
        return super().uncompared(table, move)


def _holding(hand, contract):
    """What is in a hand for a contract, as a sentence."""
    if contract in ("NT", "AT"):
        rank = "A" if contract == "NT" else "J"
        return words.holds(sum(card[0] == rank for card in hand), rank)
    held = [card[0] for card in hand if card[1] == contract]
    return words.holds_trumps(contract, len(held), [rank for rank in "J9A" if rank in held])


def _of_card(table, card):
    """What can become of a card that is played now, as a sentence."""
    position = read_table(table)
    contract, trick = position.contract, list(position.trick)
    worth = points_of_cards(contract)
    if trick and winner_of(contract, [*trick, card]) < len(trick):
        sides = len(table["sides"])
        is_ours = position.taker % sides == position.seat % sides
        return words.for_partner(worth[card]) if is_ours else words.for_others(worth[card])
    if not position.following:
        return words.takes(sum(worth[each] for each in [*trick, card]))
    higher = [each for each in position.holds if each[1] == card[1] and winner_of(contract, [card, each])]
    if higher:
        return words.still_out(sorted(higher, key=lambda each: _beaten_by(contract, each, higher)))
    trumps = trump_suits(contract)
    may_ruff = card[1] not in trumps and any(each[1] in trumps for each in position.holds)
    return str(words.TRUMPED if may_ruff else words.UNBEATEN)


def _beaten_by(contract, card, others):
    """How many of the others, all of one suit, beat a card."""
    return sum(winner_of(contract, [card, other]) for other in others if other != card)


COACH = BelotCoach()
