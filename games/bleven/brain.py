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
LEAST_SHARE = 0.1  # The search tries a move that the solved strategy makes at least this often.
STONE_KINDS = 3  # Few, some or many stones. The search tries one prediction of each kind.


class BlevenBrain(Brain[Table, World]):
    """The search for two and four seats and all options. A result is the own side's stones minus the other side's."""

    def rule_move(self, table: Table, moves: list[Move], rng: Random) -> Move:
        """Return the most frequent legal move of the strategy that was solved offline.

        Where nothing is solved, return the move of the rule of thumb. table: the game as the seat to act sees it.
        """
        shares = [(move, share) for move, share in solved_shares(table) if move in moves]
        if shares:
            return max(shares, key=lambda pair: pair[1])[0]
        return HARD_RULE.choose(table, moves, rng)

    def candidates(self, table: Table, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the moves that the search compares, a selection of `moves`.

        There may be hundreds of bets and predictions. Then only the frequent moves of the solved strategy and the moves
        without stones are compared. Where these are few, the moves with the best estimates are added. rule_move: the
        move of the rule of thumb. It is always among the result.
        """
        if len(moves) <= TRIED:
            return moves
        selection = [move for move, share in solved_shares(table) if share >= LEAST_SHARE]
        if selection:  # The strategy has moves here. The keys of stones are "bet" and "plus".
            selection += [move for move in moves if "bet" not in move and "plus" not in move]
        if len(selection) < FEW:
            selection += _best_of_each_kind(table, moves)[: FEW if selection else TRIED]
        selection = [rule_move, *(move for move in selection if not is_alike(move, rule_move))]
        return [move for move in moves if move in selection]

    def worlds(self, table: Table, rng: Random) -> Iterator[World]:
        """Yield random positions with all cards open that agree with what the seat to act sees, without end.

        The hands of players who still play are sampled: a hand that fits the player's calls better comes more often.
        The other hidden cards are dealt at random to those who have left the round, and to the pile.
        """
        base, cards = read_world(table), read_table(table).unseen
        hands_by_seat = hidden_fields(table)
        left_seats = [seat for seat in range(table["seats"]) if seat not in hands_by_seat and seat != table["seat"]]
        while True:
            samples = [rng.choices(hands, cum_weights=sums, k=BATCH) for hands, sums in hands_by_seat.values()]
            for hands in zip(*samples, strict=True):
                used = {card for hand in hands for card in hand}
                if len(used) < sum(map(len, hands)):  # One card is in two hands, so this cannot be.
                    continue
                world, rest = base.copy(), [card for card in cards if card not in used]
                rng.shuffle(rest)
                for seat, hand in zip(hands_by_seat, hands, strict=True):
                    world.fields[seat] += hand
                for seat in left_seats:
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
    """Return the expected stones of each move for the side to act, by the rule of thumb.

    Only for predictions, answers and bets. table: the game as the seat to act sees it. The result is always the same,
    as the random layouts of the hidden cards have a fixed seed.
    """
    situation = read_table(table)
    (odds,) = odds_of(situation, [situation.hand], Random(0), WORLDS)
    return bot.estimates(situation.world, odds, moves)


def _best_of_each_kind(table: Table, moves: list[Move]) -> list[Move]:
    """Return the best move of each kind, the best kind first, and at most `TRIED` of them.

    Moves of a kind differ little: they bet about the same number of stones. The rule of thumb values them. table: the
    game as the seat to act sees it.
    """
    values = estimates(table, moves)
    best: dict[tuple[object, ...], int] = {}  # By kind, the index of its best move.
    for index, move in enumerate(moves):
        if "tricks" in move and move["type"] == "deduce":
            continue  # A new prediction wipes out the old one, so "suspect" with the same prediction is equal.
        kind = _kind(move, table["options"]["max_bet"])
        if kind not in best or values[index] > values[best[kind]]:
            best[kind] = index
    return [moves[index] for index in sorted(best.values(), key=lambda index: -values[index])[:TRIED]]


def _kind(move: Move, limit: int) -> tuple[object, ...]:
    """Return the kind of a move, as a key. Moves of the same kind are so similar that only the best is tried.

    They have the same type and predict the same number of tricks, if any. Their stones are few, some or many. limit:
    the most stones that may be at stake.
    """
    stones = stones_of(move)
    if "tricks" in move:  # It is a prediction.
        return move["type"], move["tricks"], (stones - 1) * STONE_KINDS // limit
    return move["type"], stones > 0


def is_alike(one: Move, other: Move) -> bool:
    """Return whether two moves answer a prediction with the same new one, so that they have the same effect.

    Their types may differ: "deduce" believes the old prediction, and "suspect" doubts it. But the new prediction
    replaces it, so this does not matter any more.
    """
    # An answer has the key "plus", and a prediction the key "tricks".
    return "tricks" in one and "plus" in one and {**one, "type": ""} == {**other, "type": ""}


def shares_in_strategy(table: Table, moves: list[Move]) -> list[float]:
    """Return how often the strategy that was solved offline makes each move, from 0 to 1.

    The list is empty where nothing is solved. table: the game as the seat to act sees it. The strategy has calls, each
    of which may stand for several moves.
    """
    shares: dict[Call | None, float] = {}
    for call, share in call_shares(read_world(table)):
        shares[call] = shares.get(call, 0.0) + share
    return [shares.get(_call_of(table, move), 0.0) for move in moves] if shares else []


def _call_of(table: Table, move: Move) -> Call | None:
    """Return the call of the solved strategy that matches a move. None: it never makes such a move.

    A call is the type of a move, "raise", or a bet with a prediction. The strategy has only three sizes of bets, so the
    bet is rounded to one of them.
    """
    if "tricks" in move:  # It is a prediction.
        bet = table["bet"]["offered"] + stones_of(move)
        return nearest(bet, table["options"]["max_bet"]), Prediction(move["tricks"], tuple(move["positions"]))
    if move.get("plus"):  # The strategy raises only when it doubts the prediction.
        return "raise" if move["type"] == "suspect" else None
    kind: str = move["type"]
    return kind
