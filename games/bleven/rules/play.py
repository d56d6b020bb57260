"""What each move of Bleven leads to. The moves are legal: `games.bleven.rules.moves` has looked at them.

Each function takes a state and returns the one in which somebody must decide again, or the round is scored.
"""

from games.bleven.rules.moves import has_side_bet
from games.bleven.rules.scoring import score_lost, score_played, score_void
from games.bleven.rules.state import (
    CARDS,
    ENOUGH,
    cleared,
    cutter_of,
    field_sum,
    first_opponent,
    first_stayed,
    in_order,
    round_number,
    seats_from,
    seats_of,
    side_of,
    stayed,
    stayed_partner,
    winner_of,
)

# Deal


def deal(state, deck):
    match = state.match
    seats, cutter = match.seats, cutter_of(match, round_number(state))
    dealt = seats * CARDS
    return cleared(match, state.lines, state.totals, None, "turn", cutter)._replace(
        fields=tuple(in_order(deck[(seat - cutter) % seats : dealt : seats]) for seat in range(seats)),
        pile=tuple(deck[dealt:]),
        status=("undecided",) * seats,
    )


# Discard phase


def draw(state):
    seat, card = state.to_act, state.pile[0]
    return state._replace(
        phase="discard",
        fields=_changed(state.fields, seat, in_order((*state.fields[seat], card))),
        drawn=card,
        pile=state.pile[1:],
    )


def discard(state, card):
    seat = state.to_act
    state = state._replace(
        phase="turn",
        fields=_changed(state.fields, seat, tuple(held for held in state.fields[seat] if held != card)),
        reserves=_changed(state.reserves, seat, (*state.reserves[seat], card)),
        drawn=None,
    )
    return _ask_undecided(state)


def stay(state):
    return _ask_undecided(_with_status(state, state.to_act, "stayed"))


def leave(state):
    seat = state.to_act
    state = _with_status(state, seat, "left")
    if all(state.status[other] == "left" for other in seats_of(side_of(seat), state.match.seats)):
        return score_lost(state, "left", side_of(seat))
    return _ask_undecided(state)


def declare(state):
    seat = state.to_act
    return _ask_undecided(_with_status(state, seat, "stayed")._replace(declarer=seat, phase="poll"))


def _ask_undecided(state):
    """Go on to the next undecided seat in turn; to the prediction if there is none."""
    seats = state.match.seats
    for seat in seats_from(state.to_act + 1, seats):
        if state.status[seat] == "undecided":
            return state._replace(to_act=seat)
    declarer = state.declarer
    if declarer is None:  # somebody must
        in_turn = seats_from(cutter_of(state.match, round_number(state)), seats)
        able = [seat for seat in in_turn if stayed(state, seat) and field_sum(state.fields[seat]) >= ENOUGH]
        if not able:
            return score_void(state)
        declarer = able[0]
    return state._replace(phase="predict", to_act=declarer, declarer=declarer)


# Predictions and answers


def predict(state, prediction, stones):
    """The seat to act is declarer from now on and adds so many stones to the main bet."""
    seat = state.to_act
    replier = first_opponent(state, seat)
    return state._replace(
        phase="reply",
        to_act=replier,
        declarer=seat,
        prediction=prediction,
        replier=replier,
        answer=None,
        offered=state.offered + stones,
    )


def answer(state, kind):
    return accept(state._replace(answer=kind))


def answer_with_plus(state, kind, stones):
    return state._replace(phase="raise", to_act=state.declarer, answer=kind, offered=state.offered + stones)


def accept(state):
    """The main bet is agreed."""
    state = state._replace(accepted=state.offered)
    return _ask_for_side_bets(state) if state.tricks else _face(state)


def out(state):
    """The seat to act goes out; its partner takes over all that it had to do, or the side loses."""
    seat = state.to_act
    state = _with_status(state, seat, "out")
    partner = stayed_partner(state, seat)
    if partner is None:
        return score_lost(state, "out", side_of(seat))
    return state._replace(
        to_act=partner,
        declarer=partner if seat == state.declarer else state.declarer,
        replier=partner if state.phase == "reply" else state.replier,
        window=tuple(waiting for waiting in state.window if waiting != seat),
    )


# Trick phase


def _face(state):
    """Lay open the fields that may not be played, and play the first trick."""
    if state.match.seats == 2:
        return _play_trick(state, state.declarer)
    for seat, field in enumerate(state.fields):
        if stayed(state, seat) and field_sum(field) < ENOUGH:
            state = _with_status(state, seat, "faced")
    playing = {side_of(seat) for seat in range(state.match.seats) if stayed(state, seat)}
    if not playing:
        return score_void(state)
    if len(playing) == 1:
        (winner,) = playing
        return score_lost(state, "under15", 1 - winner)
    if not stayed(state, state.declarer):
        state = state._replace(declarer=stayed_partner(state, state.declarer))
    return _play_trick(state, state.declarer)


def _play_trick(state, leader):
    """Play the next trick. Nobody chooses: it is the next card of every field."""
    place = len(state.tricks)
    in_turn = seats_from(leader, state.match.seats)
    trick = tuple([(seat, state.fields[seat][place]) for seat in in_turn if stayed(state, seat)])
    state = state._replace(tricks=(*state.tricks, trick))
    if len(state.tricks) == CARDS:
        return score_played(state)
    in_turn = seats_from(winner_of(trick), state.match.seats)
    return _ask_for_side_bets(state._replace(window=tuple([seat for seat in in_turn if stayed(state, seat)])))


# Side bets


def side_bet(state, stones):
    seat = state.to_act
    return state._replace(phase="side_reply", to_act=first_opponent(state, seat), side_offer=(seat, stones))


def take_side_bet(state):
    _, stones = state.side_offer
    return _ask_for_side_bets(state._replace(side_bets=state.side_bets + stones, side_offer=None))


def pass_on(state):
    return _ask_for_side_bets(state)


def _ask_for_side_bets(state):
    """Go on to the next seat in the window that has a side bet to make; to the next trick if there is none."""
    for place, seat in enumerate(state.window):
        if has_side_bet(state, seat):
            return state._replace(phase="side_bet", to_act=seat, window=state.window[place + 1 :])
    leader = first_stayed(state, winner_of(state.tricks[-1]))
    return _play_trick(state, leader)


def _with_status(state, seat, status):
    return state._replace(status=_changed(state.status, seat, status))


def _changed(values, seat, value):
    """The tuple `values`, by seat, with another value for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])
