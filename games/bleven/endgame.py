"""The exact value of the last calls of a Bleven round with open cards. No side has a card left to choose.

The search visits every line of calls, and each position once.
"""

from games.bleven.simulation import PlainMove, World, as_plain
from games.kit.contract import Move

SEARCH_LIMIT = 3000  # The search gives up after this many positions.


class TooFar(Exception):
    """The search found too many positions."""


def worths(world: World, moves: list[Move]) -> list[float] | None:
    """Return the value of each move in stones, own side minus other side. None if the search is too large."""
    if world.phase not in ("reply", "raise", "side_bet", "side_reply"):
        return None
    cache: dict[tuple[object, ...], int] = {}
    side = world.seat % 2
    try:
        values = [_value_after(world, as_plain(move), cache) for move in moves]
    except TooFar:
        return None
    return [float(-worth if side else worth) for worth in values]


def _value_after(world: World, move: PlainMove, cache: dict[tuple[object, ...], int]) -> int:
    """Return the value for side 0 of the position after a move. cache: the values so far, by position."""
    after = world.copy()
    after.make(move)
    if not after.phase:
        return after.paid[0] - after.paid[1]
    key = (
        after.phase, after.seat, after.declarer, after.tricks, after.positions, after.answer, after.offered,
        after.accepted, after.side_bets, after.side_offer, after.trick_count, tuple(after.window), tuple(after.status),
    )  # fmt: skip
    if key not in cache:
        if len(cache) >= SEARCH_LIMIT:
            raise TooFar
        cache[key] = 0  # Counts this position before the ones after it. The value follows.
        values = [_value_after(after, reply, cache) for reply in after.moves()]
        cache[key] = min(values) if after.seat % 2 else max(values)
    return cache[key]
