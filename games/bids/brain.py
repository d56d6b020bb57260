"""The search for Bids: which bids to compare, samples of the hidden cards, and the outcome of a bid in one of them."""

from collections.abc import Hashable, Iterator
from random import Random

from games.bids import simulation
from games.bids.bot import NULL_RATE, BidsBot, expected_value, read_table, winner_chances
from games.bids.rules.pack import DOUBLE, LOWEST, NUMBER, SURPRISE
from games.bids.rules.sampling import sample_many
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import State
from games.bids.simulation import World, card_bits, missing_cards, play_out, round_totals
from games.bids.types import View
from games.kit.contract import Move
from games.kit.search import Brain, lead

WORLDS_PER_BATCH = 8  # worlds (deals with all cards open) to sample at a time
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
        """Return the moves that the search compares: `rule_move`, and one for each effect on this trick.

        Cards have the same effect if they give each seat the same chance to win the trick: equal numbers, for instance,
        or all cards of the last seat that lose. They only differ in their own points and in the value of the rest of
        the hand. There the rule of thumb is more exact than the search, which might spend a ten where an eight wins.
        """
        position = read_table(table)
        chances_of = winner_chances(position, Random(0))  # The list of candidates must not depend on chance.
        best: dict[Hashable, tuple[float, Move]] = {}
        for move in moves:
            chances = chances_of(move["card"])
            value, effect = expected_value(position, move["card"], chances), frozenset(chances.items())
            if effect not in best or best[effect][0] < value:
                best[effect] = value, move
        others = [move for _, move in best.values() if move != rule_move]
        return [rule_move, *others]

    def worlds(self, table: View, rng: Random) -> Iterator[World]:
        base = read_world(table)
        while True:
            for state in sample_many(table, rng, WORLDS_PER_BATCH):
                yield add_hidden_cards(base, state)

    def outcome(self, world: World, move: Move, rng: Random) -> float:
        card = card_bits(world.lowest)[move["card"]].bit_length() - 1
        return lead(round_totals(world, play_out(world, card, rng)), world.seat)


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
