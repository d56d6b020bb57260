"""The search for Bids: which bids to compare, samples of the hidden cards, and the outcome of a bid in one of them."""

from collections.abc import Iterator
from random import Random

from games.bids import simulation
from games.bids.bot import NULL_RATE, BidsBot
from games.bids.rules.pack import BLACK, DOUBLE, LOWEST, NUMBER, SURPRISE
from games.bids.rules.sampling import sample_many
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import State
from games.bids.simulation import World, card_bits, missing_cards, play_out, round_totals
from games.bids.types import View
from games.kit.contract import Card, Move
from games.kit.search import Brain, lead

WORLDS_PER_BATCH = 8  # worlds (deals with all cards open) to sample at a time
WEAKEST = -99  # less than the strength of any card with a number
CENTRE_CODE = NUMBER | {
    DOUBLE: simulation.DOUBLE_CODE,
    LOWEST: simulation.LOWEST_CODE,
    SURPRISE: simulation.SURPRISE_CODE,
}


class BidsBrain(Brain):
    """For all seat counts and options."""

    def __init__(self) -> None:
        self.rule = BidsBot()

    def rule_move(self, table: View, moves: list[Move], rng: Random) -> Move:
        return self.rule.choose(table, moves, rng)

    def candidates(self, table: View, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the moves that the search compares: `rule_move`, the choice of a simpler bot, and one for each number.

        Cards with the same number are equally good: the best number wins a trick. Colours only matter for black cards,
        which earn points, and under the option for colour bids.
        """
        moves_by_kind: dict[object, Move] = {}
        for move in [rule_move, *moves]:
            card = move["card"]
            colour_matters = card[0] == BLACK or table["options"]["colour_bids"]
            # Keep the first move of each kind: a card, or a number in any colour.
            moves_by_kind.setdefault(card if colour_matters else NUMBER.get(card), move)
        costly = _costly_winners(table, [move["card"] for move in moves_by_kind.values()])
        return [move for move in moves_by_kind.values() if move == rule_move or move["card"] not in costly]

    def worlds(self, table: View, rng: Random) -> Iterator[World]:
        base = read_world(table)
        while True:
            for state in sample_many(table, rng, WORLDS_PER_BATCH):
                yield add_hidden_cards(base, state)

    def outcome(self, world: World, move: Move, rng: Random) -> float:
        card = card_bits(world.lowest)[move["card"]].bit_length() - 1
        return lead(round_totals(world, play_out(world, card, rng)), world.seat)


def _costly_winners(table: View, cards: list[Card]) -> list[Card]:
    """Return the cards that would win the trick, but are better than necessary: a weaker card of the hand wins it too.

    Only the last seat to play can be sure of that, so the list is empty for other seats. It has no black cards, because
    they earn points. cards: the cards of the hand to judge.
    """
    is_last = len(table["plays"]) == table["seats"] - 1
    if table["options"]["colour_bids"] or not is_last:
        return []
    sign = -1 if table["lowest"] else 1  # whether low numbers are better
    strength = {card: sign * number for card, number in NUMBER.items()}  # A card without a number never wins.
    best = max((strength[play["card"]] for play in table["plays"] if play["card"] in strength), default=WEAKEST)
    winners = [card for card in cards if card[0] != BLACK and strength.get(card, WEAKEST) > best]
    return sorted(winners, key=strength.__getitem__)[1:]  # without the weakest


def read_world(table: View) -> World:
    """Convert what a seat sees to a `World`, a form that the search can play to the end fast.

    The hands and the face-down cards stay empty, because the seat does not see them. There a card is a number, and a
    set of cards is an int with one bit per card. The centre is the card that the trick is played for.
    """
    seat, seats, lowest = table["seat"], table["seats"], table["lowest"]
    current, centre = table["score_sheet"]["current"], table["centre"]
    assert seat is not None
    assert current
    assert centre
    bits = card_bits(lowest)
    plays = [play for trick in table["tricks"] for play in trick["plays"]] + table["plays"]
    winners = [trick["winner"] for trick in table["tricks"]]
    # The first null round (a round without a trick) of a seat earns a base, the second twice the base, and so on. So
    # one more is worth a base for itself, for each earlier one, and for each that is likely to come.
    nulls, later_nulls = table["score_sheet"]["null_rounds"], NULL_RATE * (table["options"]["rounds"] - table["round"])
    return World(
        seat=seat,
        colour_bids=table["options"]["colour_bids"],
        lowest=lowest,
        hands=[],
        stock=[],  # the centre cards of later tricks
        centre=CENTRE_CODE[centre],
        under=None,  # the card under the centre card, if any
        # the cards that no hand holds
        out_of_play=missing_cards(seats, lowest) | sum(bits[play["card"]] for play in plays),
        bids=tuple((play["seat"], bits[play["card"]].bit_length() - 1) for play in table["plays"]),
        points=[sum(parts) for parts in zip(current["trick_points"], current["doubling"], strict=True)],
        tricks=[winners.count(winner) for winner in range(seats)],
        null_worth=[LUCKY_LOSER[seats] * (1 + count + later_nulls) for count in nulls],
        ally=(current["ally"]["seat"], current["ally"]["partner"]) if current["ally"] else None,
    )


def add_hidden_cards(world: World, state: State) -> World:
    """Return a copy of a position for the search, with all cards that the seat does not see. state: one that has them.

    A hand is an int with one bit per card. Cards of the stock, the pile for the centre of the table, are codes.
    """
    bits = card_bits(world.lowest)
    return world._replace(
        hands=[sum(bits[card] for card in hand) for hand in state.hands],
        stock=[CENTRE_CODE[card] for card in reversed(state.stock)],  # The simulation takes the next card from the end.
        under=CENTRE_CODE[state.under] if state.under else None,
    )
