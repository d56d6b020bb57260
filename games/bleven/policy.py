"""The policy of all seats in play-outs of Bleven, a faster version of the hard bot.

With two seats it samples a move from the solved strategy, where there is one. Otherwise it makes the best move by the
rule of thumb, with rougher odds. It chooses at random between moves of nearly equal value. People are not exact either,
and a search that could predict every move would rely on it too much.
"""

from functools import lru_cache
from itertools import product
from random import Random

from games.bleven.bot import MOST, POINTS, as_declarer, believed, worth
from games.bleven.letter import best_believed, beyond_ready, thresholds_of
from games.bleven.mixed import solved_move
from games.bleven.prospects import best_discard, company, late_odds, prospect
from games.bleven.rules.state import FULL_RESERVE
from games.bleven.simulation import (
    ACCEPT,
    DECLARE,
    DEDUCE,
    DRAW,
    GO_OUT,
    IN,
    LEAVE,
    NONE,
    PASS,
    STAY,
    SUSPECT,
    Field,
    PlainMove,
    Terms,
    World,
)

NEAR = 0.7  # Moves within this many stones of the best are equally likely.


def choose(world: World, rng: Random) -> PlainMove:
    """Return the move of the seat to act in a `World`."""
    phase, seat = world.phase, world.seat
    if phase == "discard":
        return "discard", best_discard(world.fields[seat], world.terms.seats), NONE, 0
    move = solved_move(world, rng)
    if move and (move != DRAW or world.pile):
        return move
    if phase == "turn" or phase == "poll":
        return _turn(world)
    if phase == "predict":
        options = openings(world.fields[seat], *company(world, seat), world.terms)
    else:
        options = _near(_answers(world))
    return options[int(rng.random() * len(options))]


def _near(options: list[tuple[float, PlainMove]]) -> list[PlainMove]:
    """Return the moves that are nearly as good as the best. options: pairs of a value and a move."""
    least = max(options)[0] - NEAR
    return [move for value, move in options if value >= least]


def _turn(world: World) -> PlainMove:
    seat, terms = world.seat, world.terms
    thresholds = thresholds_of(terms)
    is_full = world.discards[seat] >= FULL_RESERVE
    may_draw = world.phase == "turn" and (not is_full or (terms.may_draw_on and bool(world.pile)))
    if world.is_short(seat):
        return DRAW if may_draw else LEAVE
    has_partner, *others = company(world, seat)
    hopes = prospect(world.fields[seat], has_partner, *others)
    if terms.deduced_pays:
        is_ready = beyond_ready(hopes.odds, terms.limit, may_draw) >= 0
    else:
        is_ready = hopes.promise >= (thresholds.declare_last if is_full else thresholds.declare)
    if is_ready and world.phase == "turn":
        return DECLARE
    if may_draw and (terms.deduced_pays or not is_full):
        return DRAW
    least = thresholds.stay_with_partner if has_partner else thresholds.stay
    return STAY if least is None or hopes.lead >= least else LEAVE


@lru_cache(maxsize=1 << 14)
def openings(field: Field, has_partner: bool, opponents: int, discards: int, terms: Terms) -> list[PlainMove]:
    """Return the declarer's best predictions as moves."""
    odds = prospect(field, has_partner, opponents, discards).odds
    if terms.deduced_pays:
        value, prediction = best_believed(odds, terms.limit)
        if value > -terms.price_of_going_out:
            return [("predict", terms.limit, *prediction)]
    half = terms.limit // 2
    bets = sorted({1, half, min(half + 1, terms.limit), terms.limit})
    return _near(
        [
            (as_declarer(terms, odds, prediction, bet, 0), ("predict", bet, *prediction))
            for bet, prediction in product(bets, POINTS)
        ]
    )


def _answers(world: World) -> list[tuple[float, PlainMove]]:
    """Return pairs of a value and a move for answers and bets, with only the fewest or the most stones."""
    seat = world.seat
    if world.trick_count:
        odds = late_odds(world, seat)
    else:
        hopes = prospect(world.fields[seat], *company(world, seat))
        if world.phase == "reply" and _raises(world, hopes.lead):
            return [(0.0, ("deduce" if world.terms.deduced_pays else "suspect", world.room, NONE, 0))]
        odds = hopes.odds
    odds = believed(world, odds)
    match world.phase:
        case "reply":
            moves = _replies(world)
        case "raise":
            moves = [IN if world.trick_count else ACCEPT, GO_OUT]
        case "side_bet":
            moves = _side_bets(world)
        case _:
            moves = [IN, GO_OUT]
    return [(worth(world, odds, move), move) for move in moves]


def _raises(world: World, lead: float) -> bool:
    """Return whether to raise a long prediction to the limit. lead: of the field over the rivals."""
    least = thresholds_of(world.terms).raise_
    return least is not None and lead >= least and world.tricks >= MOST and bool(world.room) and not world.is_hopeless


def _replies(world: World) -> list[PlainMove]:
    moves, room = [GO_OUT], world.room
    for word in (DEDUCE, SUSPECT):
        moves.append(word)
        moves += [(word[0], plus, NONE, 0) for plus in ({1, room} if room else ())]
    stones = world.counter_stones()
    if stones and not world.is_hopeless:
        counters = world.counters()
        moves += [("suspect", plus, *counter) for plus in {stones[0], stones[-1]} for counter in counters]
    return moves


def _side_bets(world: World) -> list[PlainMove]:
    bets, stones, moves = world.plain_bets(), world.new_stones(), [PASS]
    moves += [("side_bet", bet, NONE, 0) for bet in ({bets[0], bets[-1]} if bets else ())]
    if stones:
        numbers = world.new_tricks(world.seat)
        moves += [("side_bet", bet, tricks, 0) for tricks in numbers for bet in {stones[0], stones[-1]}]
    return moves
