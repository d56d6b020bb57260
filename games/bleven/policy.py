"""The policy of all seats in play-outs of Bleven, a faster version of the hard bot.

With two seats it samples a move from the solved strategy, where there is one. Otherwise it makes the best move by the
rule of thumb, with rougher odds. It chooses at random between moves of nearly equal value. People are not exact either,
and a search that could predict every move would rely on it too much.
"""

from functools import lru_cache
from itertools import product
from random import Random

from games.bleven.bot import POINTS, Odds, adjust_for_claim, choose_turn, declarer_value, expected_stones, should_raise
from games.bleven.hard import prediction_by_belief, thresholds_of
from games.bleven.mixed import solved_move
from games.bleven.prospects import best_discard, early_odds, late_odds, other_players
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
    RoundOptions,
    World,
)

NEAR = 0.7  # Moves within this many stones of the best are equally likely.


def choose(world: World, rng: Random) -> PlainMove:
    """Return a good move for the seat to act, chosen quickly, because the search plays many rounds to their end.

    world: the position, with all cards open. The seat looks only at its own ones. A move is a tuple: its type, the
    stones or the card, the number of predicted tricks or NONE, and the set of those named one by one.
    """
    phase, seat = world.phase, world.seat
    if phase == "discard":
        return "discard", best_discard(world.fields[seat], world.options.seats), NONE, 0
    move = solved_move(world, rng)
    if move and (move != DRAW or world.pile):  # The solved strategy may draw from an empty pile.
        return move
    if phase == "turn" or phase == "poll":
        kind = choose_turn(world, _kinds(world), lambda _: [_odds_before_tricks(world)], thresholds_of(world.options))
        return kind, 0, NONE, 0
    if phase == "predict":
        good_moves = openings(world.fields[seat], *other_players(world), world.options)
    else:
        good_moves = _near_best(_valued_answers(world))
    return good_moves[int(rng.random() * len(good_moves))]


def _odds_before_tricks(world: World) -> Odds:
    return early_odds(world.fields[world.seat], *other_players(world))


def _near_best(valued_moves: list[tuple[float, PlainMove]]) -> list[PlainMove]:
    """Return the moves that are nearly as good as the best. valued_moves: pairs of a value in stones and a move."""
    best, _ = max(valued_moves)
    return [move for value, move in valued_moves if value >= best - NEAR]


def _kinds(world: World) -> tuple[str, ...]:
    """Return the types of moves of a player who has not yet decided to stay in the round or to leave it.

    "declare" is among them even with a sum below 15, which does not allow it. `choose_turn` never declares then.
    """
    if world.phase == "poll":  # Somebody else has declared.
        return "stay", "leave"
    may_draw = not world.is_full or (world.options.may_draw_on and world.pile)
    return ("declare", "draw", "stay", "leave") if may_draw else ("declare", "stay", "leave")


@lru_cache(maxsize=1 << 14)
def openings(field: Field, has_partner: bool, opponents: int, discards: int, options: RoundOptions) -> list[PlainMove]:
    """Return the best predictions of a player with a field (three cards), as moves with a bet.

    These are all that are nearly as good as the very best. opponents: how many still play. discards: the fewest cards
    that one of them has exchanged for better ones, 0 if that is ignored.
    """
    odds = early_odds(field, has_partner, opponents, discards)
    # Where believers win bets, expect an opponent who believes the prediction.
    best = prediction_by_belief(options, odds) if options.believer_wins_bet else None
    if best:
        return [best]
    # More than half of the stones may keep the opponent from a higher prediction, which may have to double them.
    half = options.max_stakes // 2
    bets = sorted({1, half, min(half + 1, options.max_stakes), options.max_stakes})
    return _near_best(
        [
            (declarer_value(options, odds, prediction, bet, 0), ("predict", bet, *prediction))
            for bet, prediction in product(bets, POINTS)
        ]
    )


def _valued_answers(world: World) -> list[tuple[float, PlainMove]]:
    """Return the sensible answers to a prediction, a raise or a bet, or the sensible side bets.

    Each is a pair of the expected stones and a move. To be quick, moves add only the fewest or the most stones. A raise
    to the limit, if it is good, is the only answer.
    """
    odds = late_odds(world, world.seat) if world.trick_count else _odds_before_tricks(world)
    if world.phase == "reply" and should_raise(world, odds, thresholds_of(world.options)):
        word = "deduce" if world.options.believer_wins_bet else "suspect"  # I believe it, or I doubt it.
        return [(0.0, (word, world.room, NONE, 0))]
    odds = adjust_for_claim(world, odds)
    match world.phase:
        case "reply":
            moves = _replies(world)
        case "raise":
            moves = [IN if world.trick_count else ACCEPT, GO_OUT]
        case "side_bet":
            moves = _side_bets(world)
        case _:  # The answer to a side bet.
            moves = [IN, GO_OUT]
    return [(expected_stones(world, odds, move), move) for move in moves]


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
