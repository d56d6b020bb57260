"""The legal moves of Bleven, and the state after a move.

Source: "Moves" on the rules page, and "Deal", "Discard phase", "Declaring", "Answers", "Trick phase" and "Side bets".
"""

from itertools import product

from games.bleven.rules.pack import PACK, field_sum, sort_cards
from games.bleven.rules.refusals import check, join_with_or
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
    FIELD_SIZE,
    FULL_RESERVE,
    MIN_SUM,
    POSITIONS,
    Prediction,
    State,
    cutter_of,
    empty_state,
    first_opponent,
    first_stayed,
    has_stayed,
    may_draw,
    replace_at,
    round_number,
    seat_to_act,
    seats_from,
    seats_of,
    side_of,
    spoken_move,
    stayed_partner,
    winner_of,
)
from games.kit import cards
from games.kit.cards import Dealing, deal_singly
from games.kit.contract import Card, Move, Seat
from games.kit.language import Lazy, lazy, lazy_in
from games.kit.moves import check_deck, move_checker, remove_card

type Keys = tuple[str, ...]

_NO_KEYS: list[Keys] = [()]
_ANSWER_KEYS: list[Keys] = [(), ("plus",), ("plus", "tricks", "positions")]
_LATE_ANSWER_KEYS: list[Keys] = [(), ("plus",), ("plus", "tricks")]
MOVES: dict[str, dict[str, list[Keys]]] = {  # by phase and type of move, the keys that it may have with its type
    "turn": {"draw": _NO_KEYS, "stay": _NO_KEYS, "leave": _NO_KEYS, "declare": _NO_KEYS},
    "discard": {"discard": [("card",)]},
    "poll": {"stay": _NO_KEYS, "leave": _NO_KEYS},
    "predict": {"predict": [("bet", "tricks", "positions")]},
    "reply": {"deduce": _ANSWER_KEYS, "suspect": _ANSWER_KEYS, "out": _NO_KEYS},
    "late reply": {"deduce": _LATE_ANSWER_KEYS, "suspect": _LATE_ANSWER_KEYS, "out": _NO_KEYS},
    "raise": {"accept": _NO_KEYS, "out": _NO_KEYS},
    "late raise": {"in": _NO_KEYS, "out": _NO_KEYS},
    "side_bet": {"side_bet": [("bet",), ("bet", "tricks")], "pass": _NO_KEYS},
    "side_reply": {"in": _NO_KEYS, "out": _NO_KEYS},
    "over": {},
}


def _refuse_keys(kind: str, key_sets: list[Keys]) -> Lazy:
    return lazy('Say "{kind}" {keys}.', kind=kind, keys=join_with_or(tuple(map(_keys_in_words, key_sets))))


def _keys_in_words(keys: Keys) -> Lazy:
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
    wrong_keys=_refuse_keys,
)


def _phase_in_moves(state: State) -> str:
    """Return the phase as in `MOVES`, where replies and raises after a trick have phases of their own."""
    return f"late {state.phase}" if state.phase in ("reply", "raise") and state.tricks else state.phase


# Legal moves


def deck(state: State) -> list[Card]:
    return list(PACK) if state.phase == "deal" else []


def dealing(state: State) -> Dealing:
    return cards.dealing(PACK, [[1] * FIELD_SIZE], draws=True)


def legal_moves(state: State) -> list[Move]:
    """Return the legal moves as new dicts, in the order of the rules page.

    Each has its type and its values, as in {"type": "side_bet", "bet": 2}.
    """
    match state.phase:
        case "deal":  # A single move stands for all orders of the cards.
            return [{"type": "deal", "deck": list(PACK)}]
        case "turn":  # Draw a card, stay in the round with the present ones, leave it, or declare a prediction.
            return _turn_moves(state)
        case "discard":
            return [{"type": "discard", "card": card} for card in state.fields[seat_to_act(state)]]
        case "predict":  # The tricks of the own side, with positions (which of the three they are), and a bet on that.
            return [
                {"type": "predict", "bet": bet, "tricks": tricks, "positions": list(positions)}
                for bet in range(1, state.match.max_bet + 1)
                for tricks in range(FIELD_SIZE + 1)  # A round has a trick for each card of a field.
                for positions in POSITIONS[tricks]
            ]
        case "reply":  # Believe the prediction or doubt it, with more stones or a better prediction, or give up.
            return _reply_moves(state)
        case "side_bet":  # Between two tricks: bet more stones, on the present number of tricks or another, or pass.
            return _side_bet_moves(state)
    # The moves of the other phases say yes or no, and have no values.
    return [{"type": kind} for kind in MOVES[_phase_in_moves(state)]]


def _turn_moves(state: State) -> list[Move]:
    seat = seat_to_act(state)
    moves: list[Move] = [{"type": "draw"}] if may_draw(state) else []
    if len(state.reserves[seat]) >= FULL_RESERVE:
        moves += [{"type": "stay"}, {"type": "leave"}]
    if field_sum(state.fields[seat]) >= MIN_SUM:
        moves.append({"type": "declare"})
    return moves


def _reply_moves(state: State) -> list[Move]:
    moves: list[Move] = [{"type": kind} for kind in ANSWERS]
    moves += [{"type": kind, "plus": plus} for kind in ANSWERS for plus in range(1, room(state) + 1)]
    counters = product(ANSWERS, counter_stones(state), counter_predictions(state))
    if state.tricks:
        moves += [{"type": kind, "plus": plus, "tricks": tricks} for kind, plus, (tricks, _) in counters]
    else:
        moves += [
            {"type": kind, "plus": plus, "tricks": tricks, "positions": list(positions)}
            for kind, plus, (tricks, positions) in counters
        ]
    moves.append({"type": "out"})
    return moves


def _side_bet_moves(state: State) -> list[Move]:
    moves: list[Move] = [{"type": "side_bet", "bet": bet} for bet in plain_bets(state)]
    numbers = new_tricks(state, seat_to_act(state))
    stones = new_prediction_stones(state)
    moves += [{"type": "side_bet", "bet": bet, "tricks": tricks} for bet in stones for tricks in numbers]
    moves.append({"type": "pass"})
    return moves


# The state after a move


def apply(state: State, move: Move) -> State:
    """Return the state after a move and all that follows without a decision: tricks, and the score of the round.

    Raises `IllegalMove` if the move is not legal.
    """
    kind = check_move(move, _phase_in_moves(state))  # Returns its type. Checks that and the keys, `check` the values.
    check(state, kind, move)
    match kind:
        case "deal":
            return _deal(state, move["deck"])
        case "draw":
            return _draw(state)
        case "discard":
            return _discard(state, move["card"])
    # Players say all other moves. The table shows these moves until the next deal.
    state = state._replace(said=(*state.said, (seat_to_act(state), spoken_move(move))))
    return _apply_spoken(state, kind, move)


def _apply_spoken(state: State, kind: str, move: Move) -> State:
    """Return the state after a spoken move: any but deals, draws and discards. `state.said` has it already.

    kind: the type of the move.
    """
    # Predictions and side bets have a "bet". Answers to a prediction may add a "plus" to its bet.
    stones: int = move.get("bet") or move.get("plus") or 0
    if "tricks" in move:  # It is a prediction. An answer and a side bet may also replace the last one.
        return _predict(state, Prediction(move["tricks"], tuple(move.get("positions", ()))), stones)
    match kind:
        # A player has changed cards: plays the round with them, gives it up, or undertakes a prediction.
        case "stay":
            return _stay(state)
        case "leave":
            return _leave(state)
        case "declare":
            return _declare(state)
        # A player answers a prediction: believes it, doubts it, or gives the round up.
        case "deduce" | "suspect":
            return _raise_bet(state, kind, stones) if stones else _agree_on_bet(state._replace(answer=kind))
        case "out":
            return _go_out(state)
        # A player bets between two tricks, or accepts such a bet.
        case "side_bet":
            return _side_bet(state, stones)
        case "in" if state.phase == "side_reply":
            return _accept_side_bet(state)
        case "in" | "accept":  # the two words that accept a raise: after a trick, and before
            return _agree_on_bet(state)
    return _ask_for_side_bets(state)  # The move is "pass".


# Deal


def _deal(state: State, deck: list[Card]) -> State:
    check_deck(deck, PACK)
    match = state.match
    seats, cutter = match.seats, cutter_of(match, round_number(state))
    dealt = seats * FIELD_SIZE
    return empty_state(match, "turn", cutter, state.lines, state.totals)._replace(
        fields=tuple(map(sort_cards, deal_singly(deck[:dealt], seats, cutter))),
        pile=tuple(deck[dealt:]),
        status=("undecided",) * seats,
    )


# Discard phase


def _draw(state: State) -> State:
    seat, card = seat_to_act(state), state.pile[0]
    return state._replace(
        phase="discard",
        fields=replace_at(state.fields, seat, sort_cards((*state.fields[seat], card))),
        drawn=card,
        pile=state.pile[1:],
    )


def _discard(state: State, card: Card) -> State:
    seat = seat_to_act(state)
    state = state._replace(
        phase="turn",
        fields=remove_card(state.fields, seat, card, lazy("Discard one of your four.")),
        reserves=replace_at(state.reserves, seat, (*state.reserves[seat], card)),
        drawn=None,
    )
    return _ask_undecided(state)


def _stay(state: State) -> State:
    return _ask_undecided(_with_status(state, seat_to_act(state), "stayed"))


def _leave(state: State) -> State:
    seat = seat_to_act(state)
    state = _with_status(state, seat, "left")
    if all(state.status[mate] == "left" for mate in seats_of(side_of(seat), state.match.seats)):
        return score_lost(state, "left", side_of(seat))
    return _ask_undecided(state)


def _declare(state: State) -> State:
    seat = seat_to_act(state)
    return _ask_undecided(_with_status(state, seat, "stayed")._replace(declarer=seat, phase="poll"))


def _ask_undecided(state: State) -> State:
    """Ask the next seat that has neither stayed in the round nor left it. If there is none, ask for the prediction.

    The declarer makes the prediction: the seat that has declared, or else the first that can. Its cards must add up to
    15. If no seat can, the round is void.
    """
    seats = state.match.seats
    for seat in seats_from(seat_to_act(state) + 1, seats):
        if state.status[seat] == "undecided":
            return state._replace(to_act=seat)
    declarer = state.declarer
    if declarer is None:
        # The cutter, who sits after the dealer, acts first.
        in_turn = seats_from(cutter_of(state.match, round_number(state)), seats)
        able = [seat for seat in in_turn if has_stayed(state, seat) and field_sum(state.fields[seat]) >= MIN_SUM]
        if not able:
            return score_void(state)
        declarer = able[0]
    return state._replace(phase="predict", to_act=declarer, declarer=declarer)


# Predictions and answers


def _predict(state: State, prediction: Prediction, stones: int) -> State:
    """Let the seat to act predict the tricks of its side and add stones to the main bet. An opponent must reply.

    The prediction replaces the one before, if any, together with its declarer and the answer to it.
    """
    declarer = seat_to_act(state)
    replier = first_opponent(state, declarer)
    return state._replace(
        phase="reply",
        to_act=replier,
        declarer=declarer,
        prediction=prediction,
        replier=replier,
        answer=None,
        offered=state.offered + stones,  # The bet as this side offers it. The reply may accept it.
    )


def _raise_bet(state: State, answer: str, stones: int) -> State:
    return state._replace(phase="raise", to_act=state.declarer, answer=answer, offered=state.offered + stones)


def _agree_on_bet(state: State) -> State:
    state = state._replace(accepted=state.offered)
    return _ask_for_side_bets(state) if state.tricks else _lay_open_weak_fields(state)


def _go_out(state: State) -> State:
    """Take the seat to act out of the round, which it gives up. Its side loses unless a partner is still in.

    The partner must then answer in its place. If the seat was the declarer, who made the prediction, the partner
    takes that over as well.
    """
    seat = seat_to_act(state)
    state = _with_status(state, seat, "out")
    partner = stayed_partner(state, seat)
    if partner is None:
        return score_lost(state, "out", side_of(seat))
    is_answering_prediction = state.phase == "reply"  # In the other phases it answers a raise or a side bet.
    return state._replace(
        to_act=partner,
        declarer=partner if seat == state.declarer else state.declarer,
        replier=partner if is_answering_prediction else state.replier,
        window=tuple(bettor for bettor in state.window if bettor != seat),  # the seats still to make a side bet
    )


# Trick phase


def _lay_open_weak_fields(state: State) -> State:
    """With four seats, lay open the fields (the three cards of a seat) that add up to less than 15. They do not play.

    Then play the first trick. If only one side still has a field to play, the other loses the round at once.
    """
    declarer = state.declarer
    assert declarer is not None
    if state.match.seats == 2:  # A weak field plays, but it loses after the last trick.
        return _play_trick(state, declarer)
    for seat, field in enumerate(state.fields):
        if has_stayed(state, seat) and field_sum(field) < MIN_SUM:
            state = _with_status(state, seat, "faced")  # It is laid open, and has no longer "stayed".
    sides_in_play = {side_of(seat) for seat in range(state.match.seats) if has_stayed(state, seat)}
    if not sides_in_play:
        return score_void(state)
    if len(sides_in_play) == 1:
        (winner,) = sides_in_play
        return score_lost(state, "under15", loser=1 - winner)
    if not has_stayed(state, declarer):  # Its partner plays alone for their side.
        declarer = (declarer + 2) % state.match.seats
    return _play_trick(state._replace(declarer=declarer), leader=declarer)


def _play_trick(state: State, leader: Seat) -> State:
    """Play the next trick. Nobody chooses: each seat that is still in plays the next card of its field.

    A field is the three cards of a seat, in ascending order.
    """
    index = len(state.tricks)
    in_turn = seats_from(leader, state.match.seats)
    trick = tuple([(seat, state.fields[seat][index]) for seat in in_turn if has_stayed(state, seat)])
    state = state._replace(tricks=(*state.tricks, trick))
    if len(state.tricks) == FIELD_SIZE:
        return score_played(state)
    # The winner of the trick is the first who may make a side bet before the next one.
    in_turn = seats_from(winner_of(trick), state.match.seats)
    bettors = tuple([seat for seat in in_turn if has_stayed(state, seat)])
    return _ask_for_side_bets(state._replace(window=bettors))


# Side bets


def _side_bet(state: State, stones: int) -> State:
    seat = seat_to_act(state)
    return state._replace(phase="side_reply", to_act=first_opponent(state, seat), side_offer=(seat, stones))


def _accept_side_bet(state: State) -> State:
    assert state.side_offer is not None
    _, stones = state.side_offer
    return _ask_for_side_bets(state._replace(side_bets=state.side_bets + stones, side_offer=None))


def _ask_for_side_bets(state: State) -> State:
    """Ask the next seat that can make a side bet before the next trick. If there is none, play that trick.

    `state.window` lists the seats that have not had their turn since the last trick.
    """
    for index, seat in enumerate(state.window):
        if has_side_bet(state, seat):
            return state._replace(phase="side_bet", to_act=seat, window=state.window[index + 1 :])
    leader = first_stayed(state, winner_of(state.tricks[-1]))
    return _play_trick(state, leader)


def _with_status(state: State, seat: Seat, status: str) -> State:
    return state._replace(status=replace_at(state.status, seat, status))
