"""The policy of all seats in play-outs of Bleven, a faster version of the hard bot.

With two seats it samples a move from the solved strategy, where there is one. Otherwise it makes the best move by the
rule of thumb, with rougher odds. It chooses at random between moves of nearly equal value. People are not exact either,
and a search that could predict every move would rely on it too much.
"""

from functools import lru_cache
from itertools import product
from random import Random

from games.bleven.bot import POINTS, Odds, as_declarer, believed, choose_turn, raises, worth
from games.bleven.hard import prediction_by_belief, thresholds_of
from games.bleven.mixed import solved_move
from games.bleven.prospects import best_discard, company, early_odds, late_odds
from games.bleven.simulation import (
    ACCEPT,
    DEDUCE,
    DRAW,
    GO_OUT,
    IN,
    NONE,
    PASS,
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
        return choose_turn(world, _kinds(world), lambda _: [_early(world)], thresholds_of(world.terms)), 0, NONE, 0
    if phase == "predict":
        options = openings(world.fields[seat], *company(world), world.terms)
    else:
        options = _near(_answers(world))
    return options[int(rng.random() * len(options))]


def _early(world: World) -> Odds:
    return early_odds(world.fields[world.seat], *company(world))


def _near(options: list[tuple[float, PlainMove]]) -> list[PlainMove]:
    """Return the moves that are nearly as good as the best. options: pairs of a value and a move."""
    least = max(options)[0] - NEAR
    return [move for value, move in options if value >= least]


def _kinds(world: World) -> tuple[str, ...]:
    """Return the types of the moves of an undecided seat. It may declare only with 15 or more."""
    if world.phase == "poll":
        return "stay", "leave"
    may_draw = not world.is_full or (world.terms.may_draw_on and world.pile)
    return ("declare", "draw", "stay", "leave") if may_draw else ("declare", "stay", "leave")


@lru_cache(maxsize=1 << 14)
def openings(field: Field, has_partner: bool, opponents: int, discards: int, terms: Terms) -> list[PlainMove]:
    """Return the declarer's best predictions as moves."""
    odds = early_odds(field, has_partner, opponents, discards)
    best = prediction_by_belief(terms, odds) if terms.deduced_pays else None
    if best:
        return [best]
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
    odds = late_odds(world, world.seat) if world.trick_count else _early(world)
    if world.phase == "reply" and raises(world, odds, thresholds_of(world.terms)):
        return [(0.0, ("deduce" if world.terms.deduced_pays else "suspect", world.room, NONE, 0))]
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
