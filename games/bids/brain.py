"""What the search knows of Bids: how the cards may lie that it can't see, and what a bid leads to."""

from games.bids import simulation
from games.bids.bot import NULLS, BidsBot
from games.bids.rules.pack import DOUBLE, LOWEST, NUMBER, SURPRISE
from games.bids.rules.sampling import sample_many
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.simulation import World, bits, never_dealt, play_out, totals
from games.kit.search import Brain, lead

BATCH = 8  # worlds dealt at a time
CODE = NUMBER | {DOUBLE: simulation.DOUBLE, LOWEST: simulation.LOWEST, SURPRISE: simulation.SURPRISE}


class BidsBrain(Brain):
    """For every number of seats and all options."""

    def __init__(self):
        self.rule = BidsBot()

    def rule_move(self, table, moves, rng):
        return self.rule.choose(table, moves, rng)

    def candidates(self, table, moves, rule_move):
        """Without colour bids one card of each number is as good as any other, but for black ones."""
        kinds = {}
        for move in [rule_move, *moves]:
            card = move["card"]
            kind = card if card[0] == "K" or table["options"]["colour_bids"] else NUMBER.get(card)
            kinds.setdefault(kind, move)
        return list(kinds.values())

    def worlds(self, table, rng):
        base = read_world(table)
        while True:
            for state in sample_many(table, rng, BATCH):
                yield filled(base, state)

    def outcome(self, world, move, rng):
        card = bits(world.low)[move["card"]].bit_length() - 1
        return lead(totals(world, play_out(world, card, rng)), world.seat)


def read_world(table):
    """The `World` that the seat whose view `table` is is in, but for the hands and the cards face down."""
    current, seats = table["score_sheet"]["current"], table["seats"]
    bit = bits(table["lowest"])
    played = [play for trick in [*table["tricks"], table] for play in trick["plays"]]
    nulls, later = table["score_sheet"]["null_rounds"], NULLS * (table["options"]["rounds"] - table["round"])
    return World(
        seat=table["seat"],
        colour_bids=table["options"]["colour_bids"],
        low=table["lowest"],
        hands=[],
        stock=[],
        centre=CODE[table["centre"]],
        under=None,
        gone=never_dealt(seats, table["lowest"]) | sum(bit[play["card"]] for play in played),
        bids=tuple((play["seat"], bit[play["card"]].bit_length() - 1) for play in table["plays"]),
        points=[sum(both) for both in zip(current["trick_points"], current["doubling"], strict=True)],
        tricks=[[trick["winner"] for trick in table["tricks"]].count(seat) for seat in range(seats)],
        null_worth=[LUCKY_LOSER[seats] * (1 + each + later) for each in nulls],  # the next one will be worth more
        ally=current["ally"] and (current["ally"]["seat"], current["ally"]["partner"]),
    )


def filled(world, state):
    """A `World` without hands and cards face down, with those of a state of the rules."""
    bit = bits(world.low)
    return world._replace(
        hands=[sum(map(bit.__getitem__, hand)) for hand in state.hands],
        stock=[CODE[card] for card in reversed(state.stock)],
        under=state.under and CODE[state.under],
    )
