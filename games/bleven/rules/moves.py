"""The moves of Bleven: which are open to the seat to act, and why others are refused."""

from games.bleven.rules.state import (
    CARDS,
    ENOUGH,
    FULL_RESERVE,
    PACK,
    POSITIONS,
    at_stake,
    can_come_true,
    field_sum,
    room,
    side_of,
    within_reach,
)
from games.kit.cards import is_permutation
from games.kit.contract import IllegalMove

ANSWERS = ("deduce", "suspect")
TYPES = {
    *("deal", "draw", "stay", "leave", "declare", "discard", "predict", *ANSWERS),
    *("out", "accept", "in", "side_bet", "pass"),
}
KEYS = {"deal": ("deck",), "discard": ("card",), "predict": ("bet", "tricks", "positions")}  # besides the type


# Limits


def _stones_on_top(state):
    """The stones that a new prediction may add to the main bet: as many as are at stake, at least."""
    return range(at_stake(state), room(state) + 1)


def _tricks_on_top(state):
    """The numbers of tricks with which the replier may become declarer."""
    least, most = within_reach(state, side_of(state.to_act))
    return range(max(least, state.prediction.tricks), most + 1)


def _new_tricks(state, seat):
    """The numbers of tricks to which `seat` may change the prediction by a side bet."""
    side = side_of(seat)
    least, most = within_reach(state, side)
    if side == side_of(state.declarer):
        return range(state.prediction.tricks + 1, most + 1) if can_come_true(state) else range(0)
    return range(0) if can_come_true(state) else range(least, most + 1)


def _plain_bets(state):
    return range(1, room(state) + 1) if can_come_true(state) else range(0)


def has_side_bet(state, seat):
    """Whether there is any side bet that `seat` might make now."""
    return bool(_plain_bets(state) or (_stones_on_top(state) and _new_tricks(state, seat)))


# What is open


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
    return [{"type": kind} for kind in _open_types(state)]  # no other move names anything


def _open_types(state):
    """The types of the moves that belong to the phase, in order."""
    match state.phase:
        case "turn":
            return ("draw", "stay", "leave", "declare")
        case "poll":
            return ("stay", "leave")
        case "reply":
            return (*ANSWERS, "out")
        case "raise":
            return ("in" if state.tricks else "accept", "out")
        case "side_bet":
            return ("side_bet", "pass")
        case "side_reply":
            return ("in", "out")
        case "over":
            return ()
    return (state.phase,)  # "deal", "discard", "predict"


def _turns(state):
    seat = state.to_act
    full = len(state.reserves[seat]) == FULL_RESERVE
    moves = [{"type": "stay"}, {"type": "leave"}] if full else [{"type": "draw"}]
    if field_sum(state.fields[seat]) >= ENOUGH:
        moves.append({"type": "declare"})
    return moves


def _replies(state):
    moves = [{"type": kind} for kind in ANSWERS]
    moves += [{"type": kind, "plus": plus} for kind in ANSWERS for plus in range(1, room(state) + 1)]
    stones, numbers = _stones_on_top(state), _tricks_on_top(state)
    if state.tricks:
        moves += [
            {"type": kind, "plus": plus, "tricks": tricks} for kind in ANSWERS for plus in stones for tricks in numbers
        ]
    else:
        moves += [
            {"type": kind, "plus": plus, "tricks": tricks, "positions": list(positions)}
            for kind in ANSWERS
            for plus in stones
            for tricks in numbers
            for positions in POSITIONS[tricks]
        ]
    moves.append({"type": "out"})
    return moves


def _side_bets(state):
    moves = [{"type": "side_bet", "bet": bet} for bet in _plain_bets(state)]
    numbers = _new_tricks(state, state.to_act)
    moves += [{"type": "side_bet", "bet": bet, "tricks": tricks} for bet in _stones_on_top(state) for tricks in numbers]
    moves.append({"type": "pass"})
    return moves


# What is refused


def check(state, move):
    """Raise `IllegalMove` if `move`, whatever it is, is not legal here."""
    kind = _type_of(move)
    if kind not in _open_types(state):
        raise IllegalMove(_misfit(state, kind))
    shapes = _shapes(state, kind)
    if move.keys() - {"type"} not in map(set, shapes):
        raise IllegalMove(f'Say "{kind}" {" or ".join(map(_with, shapes))}.')
    if kind in _CHECKS:
        _CHECKS[kind](state, move)


def _type_of(move):
    """The type of a move, or None if it is no move at all."""
    if type(move) is not dict or len(move) > 4 or not all([type(key) is str for key in move]):
        return None
    kind = move.get("type")
    return kind if type(kind) is str and kind in TYPES else None


def _misfit(state, kind):
    """Why a move of this type, None if it is no move, does not belong to the phase."""
    if state.phase == "over":
        return "The match is over."
    if kind is None:
        return "There is no such move in Bleven."
    return {
        "deal": "The cards are not dealt yet. Wait for the deal.",
        "turn": "The discard phase is on: draw, or with five cards in your reserve stay or leave, or declare.",
        "discard": "You have drawn a card. Discard one of your four first.",
        "poll": "The round is declared. Say whether you stay or leave.",
        "predict": "You are the declarer. Predict how many tricks your side will win, and bet on it.",
        "reply": "A prediction is waiting for your answer: deduce, suspect or go out.",
        "raise": f"The bet was raised and may not be raised again. Say {_open_types(state)[0]}, or go out.",
        "side_bet": "It is time for side bets: make one, or pass.",
        "side_reply": "A side bet is waiting for your answer: in or out.",
    }[state.phase]


def _shapes(state, kind):
    """The sets of keys, besides the type, that a move of this type may have here, as tuples."""
    if kind in ANSWERS:
        return (), ("plus",), ("plus", "tricks") if state.tricks else ("plus", "tricks", "positions")
    if kind == "side_bet":
        return ("bet",), ("bet", "tricks")
    return (KEYS.get(kind, ()),)


def _with(keys):
    if not keys:
        return "alone"
    *most, last = keys
    return f"with {', '.join(most)} and {last}" if most else f"with {last}"


def _check_deal(state, move):
    if not is_permutation(move["deck"], PACK):
        raise IllegalMove("A deal takes the 40 cards of the pack, each of them once.")


def _check_draw(state, move):
    if len(state.reserves[state.to_act]) == FULL_RESERVE:
        raise IllegalMove("Five cards are in your reserve, so you may draw no more. Stay or leave.")


def _check_decision(state, move):
    if state.phase == "turn" and len(state.reserves[state.to_act]) < FULL_RESERVE:
        raise IllegalMove("You may stay or leave with five cards in your reserve, not before. Draw a card.")


def _check_declaration(state, move):
    if field_sum(state.fields[state.to_act]) < ENOUGH:
        raise IllegalMove("To declare, your three cards must add up to 15 or more. Do something else.")


def _check_discard(state, move):
    card = move["card"]
    if type(card) is not str or card not in state.fields[state.to_act]:
        raise IllegalMove("You do not hold that card. Discard one of your four.")


def _check_prediction(state, move):
    most = state.match.max_bet
    if not _is_in(move["bet"], range(1, most + 1)):
        raise IllegalMove(f"Bet a whole number of stones from 1 to {most}.")
    _check_tricks(move["tricks"], range(CARDS + 1))
    _check_positions(move["tricks"], move["positions"])


def _check_answer(state, move):
    if "plus" not in move:
        return
    if "tricks" not in move:
        _check_plain_stones(state, move["plus"])
        return
    _check_stones_on_top(state, move["plus"])
    _check_tricks(move["tricks"], _tricks_on_top(state))
    if not state.tricks:
        _check_positions(move["tricks"], move["positions"])


def _check_side_bet(state, move):
    if "tricks" not in move:
        if not can_come_true(state):
            raise IllegalMove(
                "The prediction cannot come true any more, so there is nothing to bet on. "
                "Pass, or change the prediction if you are offered to."
            )
        _check_plain_stones(state, move["bet"])
        return
    numbers = _new_tricks(state, state.to_act)
    if not numbers:
        raise IllegalMove(
            "The declaring side may raise its number of tricks while its prediction can come true, the other side "
            "may predict when it cannot any more. Bet stones alone, or pass."
        )
    _check_stones_on_top(state, move["bet"])
    _check_tricks(move["tricks"], numbers)


def _check_plain_stones(state, stones):
    left = room(state)
    if not left:
        raise IllegalMove(f"All {state.match.max_bet} stones of a round are at stake. Do not add to them.")
    if not _is_in(stones, range(1, left + 1)):
        raise IllegalMove(f"Add a whole number of stones from 1 to {left}.")


def _check_stones_on_top(state, stones):
    open_stones = _stones_on_top(state)
    if not open_stones:
        raise IllegalMove(
            f"A new prediction must add as many stones as are at stake, {at_stake(state)}, and there is room for "
            f"{room(state)}. Leave the prediction as it is."
        )
    if not _is_in(stones, open_stones):
        raise IllegalMove(
            "For a new prediction add at least as many stones as are at stake: a whole number "
            f"from {open_stones[0]} to {open_stones[-1]}."
        )


def _check_tricks(tricks, numbers):
    if not numbers:
        raise IllegalMove("Your side cannot win as many tricks as are predicted. Leave the prediction as it is.")
    if not _is_in(tricks, numbers):
        raise IllegalMove(f"Predict a whole number of tricks from {numbers[0]} to {numbers[-1]}.")


def _check_positions(tricks, positions):
    listed = type(positions) is list and len(positions) <= CARDS and all([type(place) is int for place in positions])
    if not listed or tuple(positions) not in POSITIONS[tricks]:
        raise IllegalMove(
            "Name at most as many positions as tricks, as a list of different numbers from 1 to 3, ascending."
        )


def _is_in(number, numbers):
    """Whether `number`, whatever it is, is a whole number among `numbers`, a range."""
    return type(number) is int and number in numbers


_CHECKS = {
    "deal": _check_deal,
    "draw": _check_draw,
    "stay": _check_decision,
    "leave": _check_decision,
    "declare": _check_declaration,
    "discard": _check_discard,
    "predict": _check_prediction,
    "deduce": _check_answer,
    "suspect": _check_answer,
    "side_bet": _check_side_bet,
}
