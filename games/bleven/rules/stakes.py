"""Stones at stake, and the stones and predictions that a seat may add.

Source: "Answers" and "Side bets" on the rules page.
"""

from games.bleven.rules.state import (
    FIELD_SIZE,
    POSITIONS,
    Prediction,
    Side,
    State,
    declaring_side,
    seat_to_act,
    side_of,
    standing_prediction,
    tricks_won,
)
from games.kit.contract import Seat


def at_stake(state: State) -> int:
    """Return the stones at stake: the main bet as offered, and the agreed side bets."""
    return state.offered + state.side_bets


def room(state: State) -> int:
    """Return how many stones may still be added to those at stake, up to the limit of the match."""
    return state.match.max_bet - at_stake(state)


def within_reach(state: State, side: Side) -> tuple[int, int]:
    """Return the fewest and the most tricks that a side can have at the end of the round."""
    won = tricks_won(state)[side]
    return won, won + FIELD_SIZE - len(state.tricks)


def can_come_true(state: State) -> bool:
    """Return whether the declaring side can still win the number of tricks it predicted."""
    least, most = within_reach(state, declaring_side(state))
    return least <= standing_prediction(state).tricks <= most


# Counter-predictions


def counter_stones(state: State) -> range:
    """Return the numbers of stones that a counter-prediction may add to the bet.

    It answers an opponent's prediction and replaces it. By an option of the match it at least doubles the stakes.
    Without that option it adds one stone or more, or none if the stakes have reached their limit.
    """
    most = room(state)
    if state.match.counter == "double":
        return range(at_stake(state), most + 1)
    least = min(1, most)  # 0 is legal only if there is no room for more.
    return range(least, most + 1)


def counter_predictions(state: State) -> list[Prediction]:
    """Return the counter-predictions: the seat to act may answer, and replace, an opponent's prediction with them.

    Each has a number of tricks, no lower than the opponent's, that its own side can still win. Before the first trick
    it also has positions: which of the tricks will be won, from none to all of them.
    """
    least, most = within_reach(state, side_of(seat_to_act(state)))  # the numbers of tricks that it can win
    standing = standing_prediction(state)
    predictions = [
        Prediction(tricks, positions)
        for tricks in range(max(least, standing.tricks), most + 1)
        for positions in (POSITIONS[tricks] if not state.tricks else [()])
    ]
    # If no stones are left to add, each must be higher than the one before. Else the answers could go on for ever.
    if must_be_higher(state):
        return [prediction for prediction in predictions if _height(prediction) > _height(standing)]
    return predictions


def must_be_higher(state: State) -> bool:
    """Return whether there is no room for stones, so that a counter-prediction must name more than the last one."""
    return state.match.counter == "any" and not room(state)


def _height(prediction: Prediction) -> tuple[int, int]:
    """Return a sort key: more tricks are higher, and then more positions."""
    return prediction.tricks, len(prediction.positions)


# Side bets


def new_prediction_stones(state: State) -> range:
    """Return the stones that a side bet with a new number of tricks may add to the main bet."""
    least = 1 if state.match.side_changes == "open" else at_stake(state)
    return range(least, room(state) + 1)


def new_tricks(state: State, seat: Seat) -> list[int]:
    """Return the numbers of tricks that `seat` may predict with a bet between two tricks, in place of the old number.

    The declaring side is the one whose prediction stands. An option of the match says which numbers are open to a side.
    """
    side, standing = side_of(seat), standing_prediction(state).tricks
    least, most = within_reach(state, side)  # the numbers that its side can still win
    is_declaring = side == declaring_side(state)
    if state.match.side_changes == "open":  # Any number, except that the declaring side can't repeat its own.
        return [tricks for tricks in range(least, most + 1) if not is_declaring or tricks != standing]
    # The declaring side may raise its number while that can come true. After that the other side may replace it.
    if is_declaring:
        return list(range(standing + 1, most + 1)) if can_come_true(state) else []
    return [] if can_come_true(state) else list(range(least, most + 1))


def plain_bets(state: State) -> range:
    """Return the stones that may be bet on the prediction as it stands."""
    is_open = state.match.side_changes == "open" or can_come_true(state)
    return range(1, room(state) + 1) if is_open else range(0)


def has_side_bet(state: State, seat: Seat) -> bool:
    """Return whether `seat` can make any side bet now."""
    return bool(plain_bets(state) or (new_prediction_stones(state) and new_tricks(state, seat)))
