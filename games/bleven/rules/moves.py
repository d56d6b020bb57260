"""What may be done in Bleven, and what a move leads to.

Source: "Moves" on the rules page, and "Deal", "Discard phase", "Declaring", "Answers", "Trick phase" and "Side bets".
"""

from itertools import product

from games.bleven.rules.pack import PACK, field_sum, in_order
from games.bleven.rules.refusals import check, one_of
from games.bleven.rules.scoring import score_lost, score_played, score_void
from games.bleven.rules.stakes import (
    counter_predictions,
    counter_stones,
    has_side_bet,
    new_prediction_stones,
    new_tricks,
    plain_bets,
    room,
)
from games.bleven.rules.state import (
    ANSWERS,
    CARDS,
    ENOUGH,
    FULL_RESERVE,
    POSITIONS,
    Prediction,
    changed,
    cleared,
    cutter_of,
    first_opponent,
    first_stayed,
    may_draw,
    round_number,
    seats_from,
    seats_of,
    side_of,
    stayed,
    stayed_partner,
    winner_of,
    words_of,
)
from games.kit import cards
from games.kit.cards import deal_singly
from games.kit.language import lazy, lazy_in
from games.kit.moves import check_deck, hands_without, move_checker

_ALONE = [()]
_ANSWER = [(), ("plus",), ("plus", "tricks", "positions")]
_LATE_ANSWER = [(), ("plus",), ("plus", "tricks")]
MOVES = {  # by phase the types of moves, and what they hold besides
    "turn": {"draw": _ALONE, "stay": _ALONE, "leave": _ALONE, "declare": _ALONE},
    "discard": {"discard": [("card",)]},
    "poll": {"stay": _ALONE, "leave": _ALONE},
    "predict": {"predict": [("bet", "tricks", "positions")]},
    "reply": {"deduce": _ANSWER, "suspect": _ANSWER, "out": _ALONE},
    "late reply": {"deduce": _LATE_ANSWER, "suspect": _LATE_ANSWER, "out": _ALONE},
    "raise": {"accept": _ALONE, "out": _ALONE},
    "late raise": {"in": _ALONE, "out": _ALONE},
    "side_bet": {"side_bet": [("bet",), ("bet", "tricks")], "pass": _ALONE},
    "side_reply": {"in": _ALONE, "out": _ALONE},
    "over": {},
}


def _wrong_keys(kind, ways):
    return lazy('Say "{kind}" {keys}.', kind=kind, keys=one_of(tuple(map(_with_keys, ways))))


def _with_keys(keys):
    if not keys:
        return lazy_in("with no keys", "alone")
    *most, last = keys
    return lazy("with {keys} and {last}", keys=", ".join(most), last=last) if most else lazy("with {last}", last=last)


check_move = move_checker(
    "Bleven",
    MOVES,
    advice={
        "turn": lazy("The discard phase is on: draw, or with five cards in your reserve stay or leave, or declare."),
        "discard": lazy("You have drawn a card. Discard one of your four first."),
        "poll": lazy("The round is declared. Say whether you stay or leave."),
        "predict": lazy("You are the declarer. Predict how many tricks your side will win, and bet on it."),
        "reply": lazy("A prediction is waiting for your answer: deduce, suspect or go out."),
        "late reply": lazy("A prediction is waiting for your answer: deduce, suspect or go out."),
        "raise": lazy("The bet was raised and may not be raised again. Say accept, or go out."),
        "late raise": lazy("The bet was raised and may not be raised again. Say in, or go out."),
        "side_bet": lazy("It is time for side bets: make one, or pass."),
        "side_reply": lazy("A side bet is waiting for your answer: in or out."),
    },
    wrong_keys=_wrong_keys,
)


def _phase(state):
    """The phase as in MOVES: answers are other ones once a trick has been played."""
    return f"late {state.phase}" if state.phase in ("reply", "raise") and state.tricks else state.phase


# What is open


def deck(state):
    return list(PACK) if state.phase == "deal" else []


def dealing(state):
    return cards.dealing(PACK, [[1] * CARDS], draws=True)


def legal_moves(state):
    """The moves as new dicts, in the order of the rules page; their numbers ascending, the first varying slowest."""
    match state.phase:
        case "deal":
            return [{"type": "deal", "deck": list(PACK)}]
        case "turn":
            return _turns(state)
        case "discard":
            return [{"type": "discard", "card": card} for card in state.fields[state.to_act]]
        case "predict":
            return [
                {"type": "predict", "bet": bet, "tricks": tricks, "positions": list(positions)}
                for bet in range(1, state.match.max_bet + 1)
                for tricks in range(CARDS + 1)
                for positions in POSITIONS[tricks]
            ]
        case "reply":
            return _replies(state)
        case "side_bet":
            return _side_bets(state)
    return [{"type": kind} for kind in MOVES[_phase(state)]]  # no other move names anything


def _turns(state):
    seat = state.to_act
    moves = [{"type": "draw"}] if may_draw(state) else []
    if len(state.reserves[seat]) >= FULL_RESERVE:
        moves += [{"type": "stay"}, {"type": "leave"}]
    if field_sum(state.fields[seat]) >= ENOUGH:
        moves.append({"type": "declare"})
    return moves


def _replies(state):
    moves = [{"type": kind} for kind in ANSWERS]
    moves += [{"type": kind, "plus": plus} for kind in ANSWERS for plus in range(1, room(state) + 1)]
    above = product(ANSWERS, counter_stones(state), counter_predictions(state))
    if state.tricks:
        moves += [{"type": kind, "plus": plus, "tricks": tricks} for kind, plus, (tricks, _) in above]
    else:
        moves += [
            {"type": kind, "plus": plus, "tricks": tricks, "positions": list(positions)}
            for kind, plus, (tricks, positions) in above
        ]
    moves.append({"type": "out"})
    return moves


def _side_bets(state):
    moves = [{"type": "side_bet", "bet": bet} for bet in plain_bets(state)]
    numbers = new_tricks(state, state.to_act)
    stones = new_prediction_stones(state)
    moves += [{"type": "side_bet", "bet": bet, "tricks": tricks} for bet in stones for tricks in numbers]
    moves.append({"type": "pass"})
    return moves


# What a move leads to


def apply(state, move):
    """The state in which somebody must decide again, or the round is scored."""
    kind = check_move(move, _phase(state))
    check(state, kind, move)
    match kind:
        case "deal":
            return _deal(state, move["deck"])
        case "draw":
            return _draw(state)
        case "discard":
            return _discard(state, move["card"])
    return _after_saying(state._replace(said=(*state.said, (state.to_act, words_of(move)))), kind, move)


def _after_saying(state, kind, move):
    """The state after a move that is said aloud. state: with these words."""
    stones = move.get("bet", move.get("plus"))
    if "tricks" in move:
        return _predict(state, Prediction(move["tricks"], tuple(move.get("positions", ()))), stones)
    match kind:
        case "stay":
            return _stay(state)
        case "leave":
            return _leave(state)
        case "declare":
            return _declare(state)
        case "deduce" | "suspect":
            return _raise(state, kind, stones) if stones else _accept(state._replace(answer=kind))
        case "out":
            return _out(state)
        case "side_bet":
            return _side_bet(state, stones)
        case "in" if state.phase == "side_reply":
            return _take_side_bet(state)
        case "in" | "accept":
            return _accept(state)
    return _ask_for_side_bets(state)  # a pass


# Deal


def _deal(state, deck):
    check_deck(deck, PACK)
    match = state.match
    seats, cutter = match.seats, cutter_of(match, round_number(state))
    dealt = seats * CARDS
    return cleared(match, "turn", cutter, state.lines, state.totals)._replace(
        fields=tuple(map(in_order, deal_singly(deck[:dealt], seats, cutter))),
        pile=tuple(deck[dealt:]),
        status=("undecided",) * seats,
    )


# Discard phase


def _draw(state):
    seat, card = state.to_act, state.pile[0]
    return state._replace(
        phase="discard",
        fields=changed(state.fields, seat, in_order((*state.fields[seat], card))),
        drawn=card,
        pile=state.pile[1:],
    )


def _discard(state, card):
    seat = state.to_act
    state = state._replace(
        phase="turn",
        fields=hands_without(state.fields, seat, card, lazy("Discard one of your four.")),
        reserves=changed(state.reserves, seat, (*state.reserves[seat], card)),
        drawn=None,
    )
    return _ask_undecided(state)


def _stay(state):
    return _ask_undecided(_with_status(state, state.to_act, "stayed"))


def _leave(state):
    seat = state.to_act
    state = _with_status(state, seat, "left")
    if all(state.status[other] == "left" for other in seats_of(side_of(seat), state.match.seats)):
        return score_lost(state, "left", side_of(seat))
    return _ask_undecided(state)


def _declare(state):
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


def _predict(state, prediction, stones):
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


def _raise(state, kind, stones):
    return state._replace(phase="raise", to_act=state.declarer, answer=kind, offered=state.offered + stones)


def _accept(state):
    """The main bet is agreed."""
    state = state._replace(accepted=state.offered)
    return _ask_for_side_bets(state) if state.tricks else _face_weak_fields(state)


def _out(state):
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


def _face_weak_fields(state):
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


def _side_bet(state, stones):
    seat = state.to_act
    return state._replace(phase="side_reply", to_act=first_opponent(state, seat), side_offer=(seat, stones))


def _take_side_bet(state):
    _, stones = state.side_offer
    return _ask_for_side_bets(state._replace(side_bets=state.side_bets + stones, side_offer=None))


def _ask_for_side_bets(state):
    """Go on to the next seat in the window that has a side bet to make; to the next trick if there is none."""
    for place, seat in enumerate(state.window):
        if has_side_bet(state, seat):
            return state._replace(phase="side_bet", to_act=seat, window=state.window[place + 1 :])
    leader = first_stayed(state, winner_of(state.tricks[-1]))
    return _play_trick(state, leader)


def _with_status(state, seat, status):
    return state._replace(status=changed(state.status, seat, status))
