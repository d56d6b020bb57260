"""The Bleven side of the search: it selects moves to compare, samples hidden cards and plays rounds out."""

from collections.abc import Iterator
from random import Random

from games.bleven import bot
from games.bleven.bot import read_table
from games.bleven.classes import Call, nearest
from games.bleven.hard import HARD_RULE
from games.bleven.hidden import hidden_fields
from games.bleven.mixed import call_shares, solved_shares
from games.bleven.pairs import odds_of
from games.bleven.policy import choose
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import Prediction
from games.bleven.simulation import World, as_plain, play_out, read_world, stones_of
from games.kit.contract import Move
from games.kit.search import Brain

WORLDS = 300  # The sample size for the odds where several fields are hidden.
BATCH = 32  # The number of worlds dealt at a time.
TRIED = 10  # At most this many moves are compared, plus the move of the rule of thumb.
FEW = 3  # With fewer moves from the solved strategy, the search adds the best estimates.
FAIR = 0.1  # The search tries a move of the solved strategy with at least this share.
STONE_KINDS = 3  # Few, some or many stones. The search tries one prediction of each kind.


class BlevenBrain(Brain[Table, World]):
    """The search for two and four seats and all options. A result is the own side's stones minus the other side's."""

    def rule_move(self, table: Table, moves: list[Move], rng: Random) -> Move:
        """Return the most frequent move of the solved strategy, or the rule of thumb's where nothing is solved."""
        shares = [(move, share) for move, share in solved_shares(table) if move in moves]
        if shares:
            return max(shares, key=lambda pair: pair[1])[0]
        return HARD_RULE.choose(table, moves, rng)

    def candidates(self, table: Table, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the moves to compare: all if they are few, else the solved strategy's and the best of each kind."""
        if len(moves) <= TRIED:
            return moves
        selection = [move for move, share in solved_shares(table) if share >= FAIR]
        if selection:
            selection += [move for move in moves if "bet" not in move and "plus" not in move]
        if len(selection) < FEW:
            selection += _likeliest(table, moves)[: FEW if selection else TRIED]
        selection = [rule_move, *(move for move in selection if not is_alike(move, rule_move))]
        return [move for move in moves if move in selection]

    def worlds(self, table: Table, rng: Random) -> Iterator[World]:
        base, cards = read_world(table), read_table(table).unseen
        hands_by_seat = hidden_fields(table)
        others = [seat for seat in range(table["seats"]) if seat not in hands_by_seat and seat != table["seat"]]
        while True:
            samples = [rng.choices(hands, cum_weights=sums, k=BATCH) for hands, sums in hands_by_seat.values()]
            for hands in zip(*samples, strict=True):
                used = {card for hand in hands for card in hand}
                if len(used) < sum(map(len, hands)):
                    continue  # One card is in two hands.
                world, rest = base.copy(), [card for card in cards if card not in used]
                rng.shuffle(rest)
                for seat, hand in zip(hands_by_seat, hands, strict=True):
                    world.fields[seat] += hand
                for seat in others:
                    count = table["hand_counts"][seat]
                    world.fields[seat] += tuple(sorted(rest[:count]))
                    del rest[:count]
                world.pile = rest
                yield world

    def outcome(self, world: World, move: Move, rng: Random) -> float:
        after, side = world.copy(), world.seat % 2
        after.make(as_plain(move))
        ahead = play_out(after, choose, rng)
        return -ahead if side else ahead


def estimates(table: Table, moves: list[Move]) -> list[float]:
    """Return the expected stones of each move by the rule of thumb, for predictions, answers and bets."""
    situation = read_table(table)
    (odds,) = odds_of(situation, [situation.hand], Random(0), WORLDS)
    return bot.estimates(situation.world, odds, moves)


def _likeliest(table: Table, moves: list[Move]) -> list[Move]:
    """Return the best move of each kind, at most TRIED of them."""
    values = estimates(table, moves)
    best: dict[tuple[object, ...], int] = {}
    for place, move in enumerate(moves):
        if "tricks" not in move or move["type"] != "deduce":  # The word has no effect on a counter-prediction.
            kind = _kind(move, table["options"]["max_bet"])
            if kind not in best or values[place] > values[best[kind]]:
                best[kind] = place
    return [moves[place] for place in sorted(best.values(), key=lambda place: -values[place])[:TRIED]]


def _kind(move: Move, limit: int) -> tuple[object, ...]:
    """Return a key that is equal for moves that differ only a little in stones, or in positions."""
    stones = stones_of(move)
    if "tricks" in move:
        return move["type"], move["tricks"], (stones - 1) * STONE_KINDS // limit
    return move["type"], stones > 0


def is_alike(one: Move, other: Move) -> bool:
    """Return whether two moves have the same effect: one counter-prediction with either word."""
    return "tricks" in one and "plus" in one and {**one, "type": ""} == {**other, "type": ""}


def as_strategy(table: Table, moves: list[Move]) -> list[float]:
    """Return the share of each move in the solved strategy. The list is empty where nothing is solved."""
    shares: dict[Call | None, float] = {}
    for call, share in call_shares(read_world(table)):
        shares[call] = shares.get(call, 0.0) + share
    return [shares.get(_call_of(table, move), 0.0) for move in moves] if shares else []


def _call_of(table: Table, move: Move) -> Call | None:
    """Return the call of the strategy that matches a move. The bet is rounded, the prediction is not."""
    if "tricks" in move:
        stones = table["bet"]["offered"] + stones_of(move)
        return nearest(stones, table["options"]["max_bet"]), Prediction(move["tricks"], tuple(move["positions"]))
    if move.get("plus"):
        return "raise" if move["type"] == "suspect" else None
    kind: str = move["type"]
    return kind
