"""Stones at stake, and how far a seat may go with stones and predictions.

Source: "Answers" and "Side bets" on the rules page.
"""

from games.bleven.rules.state import CARDS, POSITIONS, Prediction, side_of, tricks_won


def at_stake(state):
    """Stones: the main bet on the table and the side bets agreed."""
    return state.offered + state.side_bets


def room(state):
    """Stones that may still be added to those at stake."""
    return state.match.max_bet - at_stake(state)


def within_reach(state, side):
    """The least and the most tricks that a side can have at the end of the round."""
    won = tricks_won(state)[side]
    return won, won + CARDS - len(state.tricks)


def can_come_true(state):
    """Whether the number of tricks of the standing prediction is still possible."""
    least, most = within_reach(state, side_of(state.declarer))
    return least <= state.prediction.tricks <= most


# Counter-predictions


def counter_stones(state):
    """The stones, a range, that a counter-prediction may add to the main bet; 0 alone where there is room for none."""
    if state.match.counter == "double":
        return range(at_stake(state), room(state) + 1)
    return range(1, room(state) + 1) if room(state) else range(1)


def counter_predictions(state):
    """The predictions, a list, with which the replier may become declarer; after a trick all of them name none."""
    least, most = within_reach(state, side_of(state.to_act))
    standing = state.prediction
    found = [
        Prediction(tricks, positions)
        for tricks in range(max(least, standing.tricks), most + 1)
        for positions in (POSITIONS[tricks] if not state.tricks else [()])
    ]
    if must_be_higher(state):
        return [prediction for prediction in found if _height(prediction) > _height(standing)]
    return found


def must_be_higher(state):
    """Whether a counter-prediction adds no stones, for want of room, so that it must say more instead."""
    return state.match.counter == "any" and not room(state)


def _height(prediction):
    return prediction.tricks, len(prediction.positions)


# Side bets


def new_prediction_stones(state):
    """The stones, a range, that a side bet with a new number of tricks may add to the main bet."""
    least = 1 if state.match.side_changes == "open" else at_stake(state)
    return range(least, room(state) + 1)


def new_tricks(state, seat):
    """The numbers of tricks, a list, to which `seat` may change the prediction by a side bet."""
    side, standing = side_of(seat), state.prediction.tricks
    least, most = within_reach(state, side)
    declaring = side == side_of(state.declarer)
    if state.match.side_changes == "open":
        return [tricks for tricks in range(least, most + 1) if not declaring or tricks != standing]
    if declaring:
        return list(range(standing + 1, most + 1)) if can_come_true(state) else []
    return [] if can_come_true(state) else list(range(least, most + 1))


def plain_bets(state):
    """The stones, a range, of a side bet on the standing prediction."""
    open_now = state.match.side_changes == "open" or can_come_true(state)
    return range(1, room(state) + 1) if open_now else range(0)


def has_side_bet(state, seat):
    """Whether there is any side bet that `seat` might make now."""
    return bool(plain_bets(state) or (new_prediction_stones(state) and new_tricks(state, seat)))
