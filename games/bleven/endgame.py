"""The rest of a round of Bleven with open cards, played by both sides as well as can be: no card is chosen any more.

Every line of play is looked at, those that come to the same position once.
"""

from games.bleven.simulation import as_plain

POSITIONS = 3000  # so many are looked at, at most


class TooFar(Exception):
    """There are too many positions."""


def worths(world, moves):
    """What each move is worth, a list, in stones of the own side less the other's; None where that is too far."""
    if world.phase not in ("reply", "raise", "side_bet", "side_reply"):
        return None
    known, side = {}, world.seat % 2
    try:
        found = [_after(world, as_plain(move), known) for move in moves]
    except TooFar:
        return None
    return [float(-worth if side else worth) for worth in found]


def _after(world, move, known):
    """What a position is worth to side 0 after a move."""
    after = world.copy()
    after.make(move)
    if after.paid:
        return after.paid[0] - after.paid[1]
    key = (
        after.phase, after.seat, after.declarer, after.tricks, after.named, after.answer, after.offered,
        after.accepted, after.side_bets, after.side_offer, after.played, tuple(after.window), tuple(after.status),
    )  # fmt: skip
    if key not in known:
        if len(known) >= POSITIONS:
            raise TooFar
        known[key] = 0  # counts at once
        found = [_after(after, each, known) for each in after.moves()]
        known[key] = min(found) if after.seat % 2 else max(found)
    return known[key]
