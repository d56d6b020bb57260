"""Why a move of Bleven is refused that has the right type and the right keys: a sentence for players each.

Source: "Moves" on the rules page, and "Discard phase", "Declaring", "Answers" and "Side bets".
"""

from functools import reduce

from games.bleven.rules.pack import field_sum
from games.bleven.rules.stakes import (
    at_stake,
    can_come_true,
    counter_predictions,
    counter_stones,
    must_be_higher,
    new_prediction_stones,
    new_tricks,
    room,
)
from games.bleven.rules.state import CARDS, ENOUGH, FULL_RESERVE, POSITIONS, may_draw
from games.kit.contract import IllegalMove
from games.kit.language import Lazy, lazy, say


def check(state, kind, move):
    """Raise `IllegalMove` if a move is not legal here. kind: its type, which fits the phase as its keys do.

    Whether a deck or a card is what it should be is seen when it is dealt or given away.
    """
    if kind in _CHECKS:
        _CHECKS[kind](state, move)


def _check_draw(state, move):
    if may_draw(state):
        return
    if state.match.five == "may":
        raise IllegalMove(lazy("The pile is empty, so you may draw no more. Stay or leave."))
    raise IllegalMove(lazy("Five cards are in your reserve, so you may draw no more. Stay or leave."))


def _check_decision(state, move):
    if state.phase == "turn" and len(state.reserves[state.to_act]) < FULL_RESERVE:
        raise IllegalMove(lazy("You may stay or leave with five cards in your reserve, not before. Draw a card."))


def _check_declaration(state, move):
    if field_sum(state.fields[state.to_act]) < ENOUGH:
        raise IllegalMove(
            lazy("To declare, your three cards must add up to {enough} or more. Do something else.", enough=ENOUGH)
        )


def _check_prediction(state, move):
    most = state.match.max_bet
    if not _is_in(move["bet"], range(1, most + 1)):
        raise IllegalMove(lazy("Bet a whole number of stones from 1 to {most}.", most=most))
    _check_tricks(move["tricks"], range(CARDS + 1))
    _check_positions(move["tricks"], move["positions"])


def _check_answer(state, move):
    if "plus" not in move:
        return
    if "tricks" not in move:
        _check_plain_stones(state, move["plus"])
        return
    _check_new_stones(state, move["plus"], counter_stones(state))
    predictions = counter_predictions(state)
    if not predictions and must_be_higher(state):
        raise IllegalMove(
            lazy("There is room for no more stones, and nothing is higher. Leave the prediction as it is.")
        )
    _check_tricks(move["tricks"], sorted({prediction.tricks for prediction in predictions}))
    if not state.tricks:
        _check_positions(move["tricks"], move["positions"])
    if (move["tricks"], tuple(move.get("positions", ()))) not in predictions:
        raise IllegalMove(
            lazy("There is room for no more stones, so name more than is predicted: tricks, or positions.")
        )


def _check_side_bet(state, move):
    if "tricks" not in move:
        if state.match.side_changes == "closed" and not can_come_true(state):
            raise IllegalMove(
                lazy(
                    "The prediction can’t come true any more, so there is nothing to bet on. "
                    "Pass, or change the prediction if you are offered to."
                )
            )
        _check_plain_stones(state, move["bet"])
        return
    numbers = new_tricks(state, state.to_act)
    if not numbers:
        raise IllegalMove(
            lazy("Your side can win no other number of tricks than stands. Bet stones alone, or pass.")
            if state.match.side_changes == "open"
            else lazy(
                "The declaring side may raise its number of tricks while its prediction can come true, the other side "
                "may predict when it no longer can. Bet stones alone, or pass."
            )
        )
    _check_new_stones(state, move["bet"], new_prediction_stones(state))
    _check_tricks(move["tricks"], numbers)


def _check_plain_stones(state, stones):
    left = room(state)
    if not left:
        raise IllegalMove(
            lazy("All {most} stones of a round are at stake. Do not add to them.", most=state.match.max_bet)
        )
    if not _is_in(stones, range(1, left + 1)):
        raise IllegalMove(lazy("Add a whole number of stones from 1 to {most}.", most=left))


def _check_new_stones(state, stones, open_stones):
    """open_stones: a range of those that a new prediction may add to the main bet."""
    if not open_stones:
        raise IllegalMove(
            lazy(
                "A new prediction must add as many stones as are at stake, {stones}, and there is room for {room}. "
                "Leave the prediction as it is.",
                stones=at_stake(state),
                room=room(state),
            )
        )
    if _is_in(stones, open_stones):
        return
    least, most = open_stones[0], open_stones[-1]
    if most == 0:
        raise IllegalMove(lazy("There is room for no more stones. A new prediction adds 0."))
    if least > 1:
        raise IllegalMove(
            lazy(
                "For a new prediction add at least as many stones as are at stake: a whole number from {least} to "
                "{most}.",
                least=least,
                most=most,
            )
        )
    raise IllegalMove(
        lazy("For a new prediction add a whole number of stones from {least} to {most}.", least=least, most=most)
    )


def _check_tricks(tricks, numbers):
    """numbers: a list, or a range, of those that may be predicted, ascending."""
    if not numbers:
        raise IllegalMove(lazy("Your side can’t win as many tricks as are predicted. Leave the prediction as it is."))
    if _is_in(tricks, numbers):
        return
    if len(numbers) == numbers[-1] - numbers[0] + 1 > 1:
        raise IllegalMove(
            lazy("Predict a whole number of tricks from {least} to {most}.", least=numbers[0], most=numbers[-1])
        )
    raise IllegalMove(
        lazy("Only these numbers of tricks may be predicted: {numbers}.", numbers=one_of(tuple(map(str, numbers))))
    )


def _check_positions(tricks, positions):
    listed = type(positions) is list and len(positions) <= CARDS and all([type(place) is int for place in positions])
    if not listed or tuple(positions) not in POSITIONS[tricks]:
        raise IllegalMove(
            lazy("Name at most as many positions as tricks, as a list of different numbers from 1 to 3, ascending.")
        )


def _is_in(number, numbers):
    """Whether `number`, whatever it is, is a whole number among `numbers`."""
    return type(number) is int and number in numbers


def one_of(words):
    """ "1", "1 or 2", "1 or 2 or 3", when it is printed. words: a tuple."""
    return Lazy(_one_of, words)


def _one_of(words):
    return reduce(lambda one, other: say("{one} or {other}", one=one, other=other), map(str, words))


_CHECKS = {
    "draw": _check_draw,
    "stay": _check_decision,
    "leave": _check_decision,
    "declare": _check_declaration,
    "predict": _check_prediction,
    "deduce": _check_answer,
    "suspect": _check_answer,
    "side_bet": _check_side_bet,
}
