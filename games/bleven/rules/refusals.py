"""Refuse moves of Bleven that have the right type and keys but are not legal, with a sentence for players.

Source: "Moves" on the rules page, and "Discard phase", "Declaring", "Answers" and "Side bets".
"""

from collections.abc import Callable, Sequence
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
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM, POSITIONS, State, may_draw, seat_to_act
from games.kit.contract import IllegalMove, Move
from games.kit.language import Lazy, lazy, say


def check(state: State, kind: str, move: Move) -> None:
    """Raise `IllegalMove`, with a sentence for the player, unless the values of a move are legal.

    kind: the type of the move. The caller has checked that the type and the keys fit the phase. Types without a check
    here have no values, or `apply` checks them.
    """
    if kind in _CHECKS:
        _CHECKS[kind](state, move)


def _check_draw(state: State, move: Move) -> None:
    if may_draw(state):
        return
    if state.match.five == "may":
        raise IllegalMove(lazy("The pile is empty, so you may draw no more. Stay or leave."))
    raise IllegalMove(lazy("Five cards are in your reserve, so you may draw no more. Stay or leave."))


def _check_decision(state: State, move: Move) -> None:
    """Check a move "stay" or "leave"."""
    if state.phase == "turn" and len(state.reserves[seat_to_act(state)]) < FULL_RESERVE:
        raise IllegalMove(lazy("You may stay or leave with five cards in your reserve, not before. Draw a card."))


def _check_declaration(state: State, move: Move) -> None:
    if field_sum(state.fields[seat_to_act(state)]) < MIN_SUM:
        raise IllegalMove(
            lazy("To declare, your three cards must add up to {enough} or more. Do something else.", enough=MIN_SUM)
        )


def _check_prediction(state: State, move: Move) -> None:
    most = state.match.max_bet
    if not _is_one_of(move["bet"], range(1, most + 1)):
        raise IllegalMove(lazy("Bet a whole number of stones from 1 to {most}.", most=most))
    _check_tricks(move["tricks"], range(FIELD_SIZE + 1))
    _check_positions(move["tricks"], move["positions"])


def _check_answer(state: State, move: Move) -> None:
    """Check what an answer adds to the standing prediction: stones, alone or with a prediction that replaces it.

    The answers are "deduce" (believe it) and "suspect" (doubt it). One that adds nothing is legal. If there is no room
    for more stones, a new prediction must be higher: name more tricks than the old one, or as many with more positions.
    """
    if "plus" not in move:
        return
    if "tricks" not in move:  # It adds stones alone.
        _check_plain_stones(state, move["plus"])
        return
    _check_new_stones(state, move["plus"], counter_stones(state))
    predictions = counter_predictions(state)  # the legal ones
    if not predictions and must_be_higher(state):
        raise IllegalMove(
            lazy("There is room for no more stones, and nothing is higher. Leave the prediction as it is.")
        )
    _check_tricks(move["tricks"], sorted({prediction.tricks for prediction in predictions}))
    if not state.tricks:  # After a trick predictions name no positions.
        _check_positions(move["tricks"], move["positions"])
    # The number and the positions are legal, each for itself. Together they may still be too low.
    if (move["tricks"], tuple(move.get("positions", ()))) not in predictions:
        raise IllegalMove(
            lazy("There is room for no more stones, so name more than is predicted: tricks, or positions.")
        )


def _check_side_bet(state: State, move: Move) -> None:
    if "tricks" not in move:
        if state.match.side_changes == "closed" and not can_come_true(state):
            sentence = (
                "The prediction can’t come true any more, so there is nothing to bet on. "
                "Pass, or change the prediction if you are offered to."
            )
            raise IllegalMove(lazy(sentence))
        _check_plain_stones(state, move["bet"])
        return
    numbers = new_tricks(state, seat_to_act(state))
    if not numbers:
        sentence = "Your side can win no other number of tricks than stands. Bet stones alone, or pass."
        if state.match.side_changes == "closed":
            sentence = (
                "The declaring side may raise its number of tricks while its prediction can come true, the other side "
                "may predict when it no longer can. Bet stones alone, or pass."
            )
        raise IllegalMove(lazy(sentence))
    _check_new_stones(state, move["bet"], new_prediction_stones(state))
    _check_tricks(move["tricks"], numbers)


def _check_plain_stones(state: State, stones: object) -> None:
    """Check a number of stones (points) that are added to the bet on the prediction as it stands."""
    most = room(state)
    if not most:
        raise IllegalMove(
            lazy("All {most} stones of a round are at stake. Do not add to them.", most=state.match.max_bet)
        )
    if not _is_one_of(stones, range(1, most + 1)):
        raise IllegalMove(lazy("Add a whole number of stones from 1 to {most}.", most=most))


def _check_new_stones(state: State, stones: object, legal_stones: range) -> None:
    """Check the number of stones (points) that a new prediction adds to the bet.

    legal_stones: the legal numbers, ascending. By some options a prediction must add as many stones as are at stake, so
    none is legal if that exceeds the limit of the match. By others only 0 is legal at the limit.
    """
    if not legal_stones:
        raise IllegalMove(
            lazy(
                "A new prediction must add as many stones as are at stake, {stones}, and there is room for {room}. "
                "Leave the prediction as it is.",
                stones=at_stake(state),
                room=room(state),
            )
        )
    if _is_one_of(stones, legal_stones):
        return
    least, most = legal_stones[0], legal_stones[-1]
    if most == 0:
        raise IllegalMove(lazy("There is room for no more stones. A new prediction adds 0."))
    sentence = "For a new prediction add a whole number of stones from {least} to {most}."
    if least > 1:
        sentence = (
            "For a new prediction add at least as many stones as are at stake: a whole number from {least} to {most}."
        )
    raise IllegalMove(lazy(sentence, least=least, most=most))


def _check_tricks(tricks: object, numbers: Sequence[int]) -> None:
    """Check a number of tricks in a prediction, which may be any value from a request.

    numbers: the legal ones, ascending. There are none if the old prediction is of more tricks than the side can win.
    """
    if not numbers:
        raise IllegalMove(lazy("Your side can’t win as many tricks as are predicted. Leave the prediction as it is."))
    if _is_one_of(tricks, numbers):
        return
    least, most = numbers[0], numbers[-1]
    has_no_gaps = len(numbers) == most - least + 1
    if has_no_gaps and least < most:
        raise IllegalMove(lazy("Predict a whole number of tricks from {least} to {most}.", least=least, most=most))
    listed = join_with_or(tuple(map(str, numbers)))
    raise IllegalMove(lazy("Only these numbers of tricks may be predicted: {numbers}.", numbers=listed))


def _check_positions(tricks: int, positions: object) -> None:
    """Check the positions of a prediction, which say which tricks will be won: the 1st, 2nd or 3rd.

    tricks: the number of tricks in the prediction, which is legal. positions: any value from a request.
    """
    is_legal = (
        type(positions) is list
        and all([type(position) is int for position in positions])  # True and 1.0 equal 1, but are no positions.
        and tuple(positions) in POSITIONS[tricks]
    )
    if not is_legal:
        raise IllegalMove(
            lazy("Name at most as many positions as tricks, as a list of different numbers from 1 to 3, ascending.")
        )


def _is_one_of(number: object, numbers: Sequence[int]) -> bool:
    """Return whether `number`, which may be any value from a request, is one of `numbers`."""
    return type(number) is int and number in numbers


def join_with_or(words: tuple[object, ...]) -> Lazy:
    """Join words as in "1 or 2 or 3", in the language of the reader."""
    return Lazy(_join_with_or, words)


def _join_with_or(words: tuple[object, ...]) -> str:
    return reduce(lambda joined, word: say("{one} or {other}", one=joined, other=word), map(str, words))


_CHECKS: dict[str, Callable[[State, Move], None]] = {
    "draw": _check_draw,
    "stay": _check_decision,
    "leave": _check_decision,
    "declare": _check_declaration,
    "predict": _check_prediction,
    "deduce": _check_answer,
    "suspect": _check_answer,
    "side_bet": _check_side_bet,
}
