"""The exact value of the last calls of a Bleven round with open cards.

Nobody chooses a card: fields are played in ascending order. So the search tries every sequence of answers, raises and
side bets, and visits each position once.
"""

from games.bleven.simulation import PlainMove, World, as_plain
from games.kit.contract import Move

SEARCH_LIMIT = 3000  # The search gives up after this many positions.


class TooManyPositions(Exception):
    """The search found too many positions."""


def worths(world: World, moves: list[Move]) -> list[float] | None:
    """Return the value of each move in stones, own side minus other side, if both sides go on as well as possible.

    world: a position with all cards open. Return None if there are too many ways to go on to try them all. That is
    always so before a prediction.
    """
    if world.phase not in ("reply", "raise", "side_bet", "side_reply"):
        return None
    cache: dict[tuple[object, ...], int] = {}
    try:
        values = [_value_after(world, as_plain(move), cache) for move in moves]
    except TooManyPositions:
        return None
    side = world.seat % 2
    return [float(-value if side else value) for value in values]  # The values are for side 0.


def _value_after(world: World, move: PlainMove, cache: dict[tuple[object, ...], int]) -> int:
    """Return the value in stones for side 0 after a move, if both sides go on as well as possible (minimax).

    Side 0 makes the move with the highest value, and side 1 the one with the lowest. cache: the values so far, by
    position. Raise `TooManyPositions` when it is full.
    """
    after = world.copy()
    after.make(move)
    if not after.phase:  # The round is over.
        return after.paid[0] - after.paid[1]
    key = (  # All that matters and differs between positions of this search. The cards stay the same.
        after.phase, after.seat, after.declarer, after.predicted_tricks, after.predicted_positions, after.answer,
        after.offered, after.accepted, after.side_bets, after.side_offer, after.trick_count,
        tuple(after.next_bettors), tuple(after.status),
    )  # fmt: skip
    if key not in cache:
        if len(cache) >= SEARCH_LIMIT:
            raise TooManyPositions
        cache[key] = 0  # A placeholder, so that this position counts towards the limit before the ones after it.
        values = [_value_after(after, reply, cache) for reply in after.moves()]
        cache[key] = min(values) if after.seat % 2 else max(values)
    return cache[key]
