"""Stones at stake, and how far a seat may go with stones and predictions.

Source: "Answers" and "Side bets" on the rules page.
"""

from games.bleven.rules.state import CARDS, side_of, tricks_won


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


# What may be added


def stones_on_top(state):
    """The stones that a new prediction may add to the main bet: as many as are at stake, at least."""
    return range(at_stake(state), room(state) + 1)


def tricks_on_top(state):
    """The numbers of tricks with which the replier may become declarer."""
    least, most = within_reach(state, side_of(state.to_act))
    return range(max(least, state.prediction.tricks), most + 1)


def new_tricks(state, seat):
    """The numbers of tricks to which `seat` may change the prediction by a side bet."""
    side = side_of(seat)
    least, most = within_reach(state, side)
    if side == side_of(state.declarer):
        return range(state.prediction.tricks + 1, most + 1) if can_come_true(state) else range(0)
    return range(0) if can_come_true(state) else range(least, most + 1)


def plain_bets(state):
    return range(1, room(state) + 1) if can_come_true(state) else range(0)


def has_side_bet(state, seat):
    """Whether there is any side bet that `seat` might make now."""
    return bool(plain_bets(state) or (stones_on_top(state) and new_tricks(state, seat)))
