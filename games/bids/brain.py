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

WORLDS_PER_BATCH = 8  # worlds to sample at a time
NO_BID = -99  # less than the power of any card
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
        """Return one move for each number, because colours only matter for black cards and with colour bids."""
        kinds: dict[object, Move] = {}
        for move in [rule_move, *moves]:
            card = move["card"]
            kind = card if card[0] == BLACK or table["options"]["colour_bids"] else NUMBER.get(card)
            kinds.setdefault(kind, move)
        costly = _costly_winners(table, [move["card"] for move in kinds.values()])
        return [move for move in kinds.values() if move == rule_move or move["card"] not in costly]

    def worlds(self, table: View, rng: Random) -> Iterator[World]:
        base = read_world(table)
        while True:
            for state in sample_many(table, rng, WORLDS_PER_BATCH):
                yield add_hidden_cards(base, state)

    def outcome(self, world: World, move: Move, rng: Random) -> float:
        card = card_bits(world.lowest)[move["card"]].bit_length() - 1
        return lead(round_totals(world, play_out(world, card, rng)), world.seat)


def _costly_winners(table: View, cards: list[Card]) -> list[Card]:
    """Return coloured cards that the last seat need not consider: they win the trick, but a cheaper card does too."""
    if table["options"]["colour_bids"] or len(table["plays"]) < table["seats"] - 1:
        return []
    sign = -1 if table["lowest"] else 1
    power = {card: sign * number for card, number in NUMBER.items()}  # The Ally has none, and never wins.
    best = max((power[play["card"]] for play in table["plays"] if play["card"] in power), default=NO_BID)
    winners = [card for card in cards if card[0] != BLACK and power.get(card, NO_BID) > best]
    return sorted(winners, key=power.__getitem__)[1:]


def read_world(table: View) -> World:
    """Convert a view to the `World` of the simulation. `add_hidden_cards` adds what the seat cannot see."""
    seat, seats, lowest = table["seat"], table["seats"], table["lowest"]
    current, centre = table["score_sheet"]["current"], table["centre"]
    assert seat is not None
    assert current
    assert centre
    bits = card_bits(lowest)
    plays = [play for trick in table["tricks"] for play in trick["plays"]] + table["plays"]
    nulls, later = table["score_sheet"]["null_rounds"], NULL_RATE * (table["options"]["rounds"] - table["round"])
    return World(
        seat=seat,
        colour_bids=table["options"]["colour_bids"],
        lowest=lowest,
        hands=[],
        stock=[],
        centre=CENTRE_CODE[centre],
        under=None,
        out_of_play=missing_cards(seats, lowest) | sum(bits[play["card"]] for play in plays),
        bids=tuple((play["seat"], bits[play["card"]].bit_length() - 1) for play in table["plays"]),
        points=[sum(parts) for parts in zip(current["trick_points"], current["doubling"], strict=True)],
        tricks=[[trick["winner"] for trick in table["tricks"]].count(winner) for winner in range(seats)],
        # A null round also makes later ones worth more.
        null_worth=[LUCKY_LOSER[seats] * (1 + count + later) for count in nulls],
        ally=(current["ally"]["seat"], current["ally"]["partner"]) if current["ally"] else None,
    )


def add_hidden_cards(world: World, state: State) -> World:
    """Return the world with the hands and face-down cards of a state of the rules."""
    bits = card_bits(world.lowest)
    return world._replace(
        hands=[sum(map(bits.__getitem__, hand)) for hand in state.hands],
        stock=[CENTRE_CODE[card] for card in reversed(state.stock)],
        under=CENTRE_CODE[state.under] if state.under else None,
    )
