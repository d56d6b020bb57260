"""The possible totals of a Bleven round after a call, in stones, for the seat that may make the call.

A total is the own side's payment for the whole round minus the other side's: 6 if it gets 6, −8 if the other side gets
8. The rules score the round for every possible value of what the seat cannot know. The totals are then grouped by case.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from games.bleven.rules.pack import ASCENDING, POWER, VALUE, Cards, field_sum
from games.bleven.rules.scoring import payments_of_play, score_lost, score_void
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import (
    FIELD_SIZE,
    MIN_SUM,
    Match,
    Payment,
    Prediction,
    Side,
    State,
    complete_options,
    empty_state,
    seats_of,
    side_of,
)
from games.kit.contract import Card, Seat

HIGH = "KS"  # The card of the winning side in every trick.
STRONG_FIELD, WEAK_FIELD = ("KC", "KD", "KH"), ("AC", "AD", "AS")  # A field of 15 or more, and one below.

type Answers = tuple[bool, ...]  # True, False or both: the possible answers to a question


class Totals(NamedTuple):
    """The possible totals of a round in one case.

    case: "right" or "wrong" for the prediction; "short" if the other side has less than 15; "alone" if both players of
    a side have less than 15; "" if all cases have the same totals.
    totals: ascending pairs of stones and their change for each stone more: 1, 0 or −1.
    """

    case: str
    totals: tuple[tuple[int, int], ...]


# What a seat knows of the round


class Situation(NamedTuple):
    """What a seat knows that affects the payments. Many tables share a value, so results are cached.

    state: has sides in place of seats, no fields, and one card in each trick, of the side that won it.
    may_be_strong: by side, the possible answers to "does it have a field of 15 or more?".
    """

    state: State
    own: Side
    may_be_strong: tuple[Answers, Answers]


def situation_of(table: Table) -> Situation:
    """Return what the seat of a table knows that affects the payments of the round.

    Payments are the same for both players of a side, and for any cards that win the same tricks. So the state has sides
    in place of seats, and in each trick a single card, of the side that won it. Apart from it the situation has the own
    side, and whether each side may have 15 in its cards. Many tables have equal situations, whose results are cached.
    """
    declarer, prediction, bet = table["declarer"], table["prediction"], table["bet"]
    match = Match(table["seats"], **complete_options(table["options"]))
    state = empty_state(match, phase="reply", to_act=None)._replace(  # No payment depends on these two.
        declarer=None if declarer is None else side_of(declarer),
        prediction=prediction and Prediction(prediction["tricks"], tuple(prediction["positions"])),
        answer=table["answer"],
        offered=bet["offered"],
        accepted=bet["accepted"],
        side_bets=bet["side_bets"],
        tricks=tuple([((trick["side"], HIGH),) for trick in table["tricks"]]),
    )
    return Situation(state, side_of(own_seat(table)), (_may_side_be_strong(table, 0), _may_side_be_strong(table, 1)))


def own_seat(table: Table) -> Seat:
    """Return the seat of a table that is not a spectator's."""
    assert table["seat"] is not None
    return table["seat"]


def _may_side_be_strong(table: Table, side: Side) -> Answers:
    """Return the possible answers to "do the cards of a player of this side add up to 15?": True, False or both.

    It is True if one player may have 15, and False if no player must have it. Only players who have stayed in the round
    count.
    """
    stayed = [seat for seat in seats_of(side, table["seats"]) if table["status"][seat] == "stayed"]
    answers_by_seat = [_may_seat_be_strong(table, seat) for seat in stayed]
    is_possible = {
        True: any(True in answers for answers in answers_by_seat),
        False: all(False in answers for answers in answers_by_seat),
    }
    return tuple(answer for answer in is_possible if is_possible[answer])


def own_field(table: Table) -> Cards:
    """Return the cards of the seat's field, including played cards, ascending."""
    return (*_cards_of(table, own_seat(table)), *table["hand"])


def _cards_of(table: Table, seat: Seat) -> list[Card]:
    """Return the cards that a seat has played, ascending."""
    return [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]


def own_sum(table: Table) -> int:
    return field_sum(own_field(table))


def _may_seat_be_strong(table: Table, seat: Seat) -> set[bool]:
    """Return the possible answers to "do the three cards of this seat add up to 15?": {True}, {False} or both.

    They follow from the cards it has played. It plays them in ascending order, so the others are no lower than those.
    """
    if seat == table["seat"]:
        return {own_sum(table) >= MIN_SUM}
    # To declare, and to make the first prediction, a seat needs 15.
    if any(move["seat"] == seat and move["type"] in ("declare", "predict") for move in table["said"]):
        return {True}
    values = [VALUE[card] for card in _cards_of(table, seat)]
    sum_so_far, cards_left = sum(values), FIELD_SIZE - len(values)
    lowest, highest = (values[-1] if values else 1), max(VALUE.values())
    least, most = sum_so_far + cards_left * lowest, sum_so_far + cards_left * highest
    return {least >= MIN_SUM, most >= MIN_SUM}


# The totals of a round

CASES = ("right", "wrong", "short", "alone")


def _outcomes(situation: Situation, state_after: Callable[[int], State]) -> tuple[Totals, ...]:
    """Return what the round may bring the own side after a call: a Totals for each case, such as "right" or "wrong".

    A total is what the round pays the own side minus what it pays the other, in stones (points). Each comes with its
    change for every stone that the call adds to a bet. state_after: returns the state after the call for a number of
    added stones.
    """
    pairs_by_case: dict[str, set[tuple[int, int]]] = {case: set() for case in CASES}  # pairs of a total and its change
    without_stones, with_stone = _cases(situation, state_after(0)), _cases(situation, state_after(1))
    # Added stones change the totals, but neither the cases nor their order.
    for (case, total), (_, total_with_stone) in zip(without_stones, with_stone, strict=True):
        pairs_by_case[case].add((total, total_with_stone - total))
    outcomes = [Totals(case, tuple(sorted(pairs))) for case, pairs in pairs_by_case.items() if pairs]
    are_all_equal = all(outcome.totals == outcomes[0].totals for outcome in outcomes)
    return (Totals("", outcomes[0].totals),) if are_all_equal else tuple(outcomes)  # "" stands for all cases.


def _cases(situation: Situation, state: State) -> Iterator[tuple[str, int]]:
    """Yield pairs of a case and a total for everything the seat cannot know: hidden cards, and who wins the tricks.

    A case is "right" or "wrong" for the prediction. It is "short" if the opponents have less than 15 in their cards,
    and "alone" if both own players do. A total is what the round pays the own side minus what it pays the other.
    """
    own, seats = situation.own, state.match.seats
    if seats == 4 and state.tricks:  # Players with less than 15 no longer play, so only the tricks decide.
        yield from _cases_of_tricks(state, own)
        return
    cases_of = _cases_of_two if seats == 2 else _cases_of_four
    for is_strong in product(*situation.may_be_strong):  # By side, whether it has 15. Both may be uncertain.
        yield from cases_of(state, own, is_strong)


def _cases_of_two(state: State, own: Side, is_strong: Sequence[bool]) -> Iterator[tuple[str, int]]:
    """Yield pairs of a case and a total for two players. is_strong: by side, whether its cards add up to 15.

    A player with less than 15 loses after the last trick. If that is the opponent, all cases are "short". A total is
    what the round pays the own side minus what it pays the other.
    """
    if not any(is_strong):
        return  # This is impossible: the player who declared has 15 or more.
    # The payments depend on whether a field (the three cards) has 15, but not on the cards, so any will do.
    state = state._replace(fields=tuple([STRONG_FIELD if strong else WEAK_FIELD for strong in is_strong]))
    is_opponent_strong = is_strong[1 - own]
    for case, total in _cases_of_tricks(state, own):
        yield (case if is_opponent_strong else "short"), total


def _cases_of_four(state: State, own: Side, is_strong: Sequence[bool]) -> Iterable[tuple[str, int]]:
    """Return pairs of a case and a total for four players. is_strong: by side, whether one of its players has 15.

    A side without 15 loses before the tricks. If both sides are without, nobody is paid. A total is what the round pays
    the own side minus what it pays the other.
    """
    if all(is_strong):
        return _cases_of_tricks(state, own)
    if any(is_strong):
        winner = is_strong.index(True)
        case = "short" if winner == own else "alone"  # Both opponents have less than 15, or both own players.
        return [(case, _forfeit_total(state, "under15", 1 - winner, own))]
    return [("alone", _total_of_last_round(score_void(state), own))]


def _cases_of_tricks(state: State, own: Side) -> Iterator[tuple[str, int]]:
    """Yield a case and a total for each way in which the sides may share the remaining tricks.

    The case is whether the prediction comes true: "right" or "wrong". The total is what the round pays the own side
    minus what it pays the other.
    """
    # In these states a trick is a single card, of the side that wins it. Either side may win each trick.
    trick_of_side_0, trick_of_side_1 = ((0, HIGH),), ((1, HIGH),)
    tricks_left = FIELD_SIZE - len(state.tricks)
    for future_tricks in product((trick_of_side_0, trick_of_side_1), repeat=tricks_left):
        finished = state._replace(tricks=(*state.tricks, *future_tricks))
        right, _, _, payments = payments_of_play(finished)
        yield ("right" if right else "wrong"), _own_total(payments, own)


def _forfeit_total(state: State, result: str, loser: Side, own: Side) -> int:
    return _total_of_last_round(score_lost(state, result, loser), own)


def _total_of_last_round(scored: State, own: Side) -> int:
    line = scored.lines[-1]
    assert line is not None
    return _own_total(line.paid, own)


def _own_total(payments: tuple[Payment, ...], own: Side) -> int:
    return sum(stones if side == own else -stones for side, stones, _ in payments)


# Calls


@lru_cache(maxsize=4096)
def of_answer(situation: Situation, answer: str | None) -> tuple[Totals, ...]:
    """Return the Totals of believing or doubting with a raise, or of accepting such a raise."""
    return _outcomes(situation, lambda stones: _after_answer(situation.state, answer, stones))


@lru_cache(maxsize=4096)
def of_betting(situation: Situation) -> tuple[Totals, ...]:
    """Return the Totals of offering a side bet."""
    return _outcomes(situation, lambda stones: _with_side_bet(situation.state, stones))


@lru_cache(maxsize=4096)
def of_side_bet(situation: Situation, offered: int) -> tuple[Totals, ...]:
    """Return the Totals of accepting a side bet. offered: its stones."""
    return _outcomes(situation, lambda stones: _with_side_bet(situation.state, offered))


@lru_cache(maxsize=4096)
def of_predicting(situation: Situation, answer: str, tricks: int) -> tuple[Totals, ...]:
    """Return the Totals of predicting a number of tricks: what the round may bring the own side in each case.

    answer: the reply of the other side, "deduce" (they believe it) or "suspect" (they doubt it).
    """
    predicted = situation.state._replace(declarer=situation.own, prediction=Prediction(tricks, positions=()))
    # The results are for any number of stones that the prediction adds to the bet.
    return _outcomes(situation, lambda stones: _after_answer(predicted, answer, stones))


def _after_answer(state: State, answer: str | None, stones: int) -> State:
    """Return the state after this answer, with the main bet on the table plus `stones` accepted."""
    return state._replace(answer=answer, offered=state.offered + stones, accepted=state.offered + stones)


def _with_side_bet(state: State, stones: int) -> State:
    return state._replace(side_bets=state.side_bets + stones)


@lru_cache(maxsize=4096)
def total_if_lost(situation: Situation, result: str) -> int:
    """Return the total if the own side gives up. result: "left" or "out"."""
    return _forfeit_total(situation.state, result, situation.own, situation.own)


@lru_cache(maxsize=4096)
def total_if_won(situation: Situation, result: str) -> int:
    """Return the total if the other side gives up. result: "left" or "out"."""
    return _forfeit_total(situation.state, result, 1 - situation.own, situation.own)


# Tricks that the own cards win or lose for certain

SURE, LOST = "sure", "lost"


def prospects(table: Table) -> dict[Card, tuple[int, str]]:
    """Return {card: (its trick, SURE or LOST or "")} for the hand, in the order of play. Tricks count from 1.

    All players play their cards in ascending order, so each card has its trick. The trick is sure if no cards that a
    rival may hold can beat it. With two seats it is lost if all of them would beat it. "" means uncertain.
    """
    finished, rivals = len(table["tricks"]), seats_of(1 - side_of(own_seat(table)), table["seats"])
    unseen = [_unseen_powers(table, rival) for rival in rivals if table["status"][rival] == "stayed"]
    fates = {}
    for index, card in enumerate(table["hand"]):
        power = POWER[card]
        # A rival who beats this card needs higher cards for this trick and for all later ones.
        cards_needed = FIELD_SIZE - finished - index
        # A rival who loses to it needs lower cards from the next trick up to this one.
        lower_needed = index + 1
        fate = ""
        if all(len(powers) - bisect_right(powers, power) < cards_needed for powers in unseen):  # too few higher cards
            fate = SURE
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < lower_needed:  # too few lower cards
            fate = LOST
        fates[card] = (finished + index + 1, fate)
    return fates


def _unseen_powers(table: Table, rival: Seat) -> list[int]:
    """Return the powers (ranks from 0 for the lowest card) of all cards that a rival may still play, ascending."""
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"]]
    # Everybody also sees the discards ("reserves") and the cards that weak players have laid open ("faced").
    visible = {*played, *own_field(table)}.union(*table["reserves"], *filter(None, table["faced"]))
    # Cards are played in ascending order, so the rival has none below those it has played.
    floor = max([POWER[card] for card in _cards_of(table, rival)], default=-1)
    return [POWER[card] for card in ASCENDING if card not in visible and POWER[card] > floor]
