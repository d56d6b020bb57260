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
    is_strong: by side, the possible answers to "does it have a field of 15 or more?".
    """

    state: State
    own: Side
    is_strong: tuple[Answers, Answers]


def situation_of(table: Table) -> Situation:
    """Return what the seat of a table knows that affects the payments. All else is left out, so that results repeat.

    Its state has sides in place of seats, and in each trick a single card, of the side that won it.
    """
    declarer, prediction, bet = table["declarer"], table["prediction"], table["bet"]
    state = empty_state(Match(table["seats"], **complete_options(table["options"])), "reply", None)._replace(
        declarer=None if declarer is None else side_of(declarer),
        prediction=prediction and Prediction(prediction["tricks"], tuple(prediction["positions"])),
        answer=table["answer"],
        offered=bet["offered"],
        accepted=bet["accepted"],
        side_bets=bet["side_bets"],
        tricks=tuple([((trick["side"], HIGH),) for trick in table["tricks"]]),
    )
    return Situation(state, side_of(own_seat(table)), (_is_side_strong(table, 0), _is_side_strong(table, 1)))


def own_seat(table: Table) -> Seat:
    """Return the seat of a table that is not a spectator's."""
    assert table["seat"] is not None
    return table["seat"]


def _is_side_strong(table: Table, side: Side) -> Answers:
    """Return the possible answers to "do the cards of a player of this side add up to 15?": True, False or both."""
    stayed = [seat for seat in seats_of(side, table["seats"]) if table["status"][seat] == "stayed"]
    answers_by_seat = [_is_seat_strong(table, seat) for seat in stayed]
    may_be_true = any(True in answers for answers in answers_by_seat)
    may_be_false = all(False in answers for answers in answers_by_seat)
    return (True,) * may_be_true + (False,) * may_be_false


def own_field(table: Table) -> Cards:
    """Return the cards of the seat's field, including played cards, ascending."""
    return (*_cards_of(table, own_seat(table)), *table["hand"])


def _cards_of(table: Table, seat: Seat) -> list[Card]:
    """Return the cards that a seat has played, ascending."""
    return [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]


def own_sum(table: Table) -> int:
    return field_sum(own_field(table))


def _is_seat_strong(table: Table, seat: Seat) -> set[bool]:
    """Return the possible answers to "do the three cards of this seat add up to 15?": {True}, {False} or both."""
    if seat == table["seat"]:
        return {own_sum(table) >= MIN_SUM}
    # To declare, and to make the first prediction, a seat needs 15.
    if any(move["seat"] == seat and move["type"] in ("declare", "predict") for move in table["said"]):
        return {True}
    values = [VALUE[card] for card in _cards_of(table, seat)]
    cards_left, sum_so_far = FIELD_SIZE - len(values), sum(values)
    lowest = values[-1] if values else 1  # Cards are played in ascending order.
    least, most = sum_so_far + cards_left * lowest, sum_so_far + cards_left * max(VALUE.values())
    return {least >= MIN_SUM, most >= MIN_SUM}


# The totals of a round

CASES = ("right", "wrong", "short", "alone")


def _outcomes(situation: Situation, state_after: Callable[[int], State]) -> tuple[Totals, ...]:
    """Return what the round may bring the own side after a call: a Totals for each case, such as "right" or "wrong".

    It lists the possible totals in stones (points), each with its change for every stone that the call adds to a bet.
    state_after: a function that returns the state after the call for a number of added stones.
    """
    totals_by_case: dict[str, set[tuple[int, int]]] = {case: set() for case in CASES}
    # Added stones change the totals, but neither the cases nor their order.
    pairs = zip(_cases(situation, state_after(0)), _cases(situation, state_after(1)), strict=True)
    for (case, total), (_, total_with_stone) in pairs:
        totals_by_case[case].add((total, total_with_stone - total))
    outcomes = [Totals(case, tuple(sorted(totals))) for case, totals in totals_by_case.items() if totals]
    all_equal = all(outcome.totals == outcomes[0].totals for outcome in outcomes)
    return (Totals("", outcomes[0].totals),) if all_equal else tuple(outcomes)  # "" means all cases.


def _cases(situation: Situation, state: State) -> Iterator[tuple[str, int]]:
    """Yield pairs of a case and a total for everything the seat cannot know: hidden cards, and who wins the tricks.

    A case is "right" or "wrong" for the prediction, or "short" or "alone" if a side has less than 15 in its cards. A
    total is what the round pays the own side minus what it pays the other.
    """
    own, seats = situation.own, state.match.seats
    if seats == 4 and state.tricks:
        yield from _cases_of_tricks(state, own)  # Players with less than 15 have left the round.
        return
    for is_strong in product(*situation.is_strong):
        yield from _cases_of_two(state, own, is_strong) if seats == 2 else _cases_of_four(state, own, is_strong)


def _cases_of_two(state: State, own: Side, is_strong: Sequence[bool]) -> Iterator[tuple[str, int]]:
    """Yield pairs of a case and a total for two players. is_strong: by side, whether its cards add up to 15.

    A player with less than 15 loses after the last trick. If that is the opponent, the case is "short".
    """
    if not any(is_strong):
        return  # This is impossible: the player who declared has 15 or more.
    state = state._replace(fields=tuple([STRONG_FIELD if strong else WEAK_FIELD for strong in is_strong]))
    for case, total in _cases_of_tricks(state, own):
        yield (case if is_strong[1 - own] else "short"), total


def _cases_of_four(state: State, own: Side, is_strong: Sequence[bool]) -> Iterable[tuple[str, int]]:
    """Return pairs of a case and a total for four players. is_strong: by side, whether one of its players has 15.

    A side without 15 loses before the tricks. If both sides are without, nobody is paid.
    """
    if all(is_strong):
        return _cases_of_tricks(state, own)
    if any(is_strong):
        winner = is_strong.index(True)
        case = "short" if winner == own else "alone"  # Both opponents have less than 15, or the own pair.
        return [(case, _forfeit_total(state, "under15", 1 - winner, own))]
    return [("alone", _total_of_last_round(score_void(state), own))]


def _cases_of_tricks(state: State, own: Side) -> Iterator[tuple[str, int]]:
    """Yield a pair for each way the sides may share the remaining tricks: "right" or "wrong", and the total.

    They say whether the prediction comes true. The total is what the round pays the own side minus what it pays the
    other.
    """
    trick_winners = [((0, HIGH),), ((1, HIGH),)]  # A trick is a single card here, of the side that wins it.
    for tricks_left in product(trick_winners, repeat=FIELD_SIZE - len(state.tricks)):
        right, _, _, payments = payments_of_play(state._replace(tricks=(*state.tricks, *tricks_left)))
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
    """Return the possible totals of the round if the own side predicts a number of tricks.

    answer: the reply of the other side, "deduce" (they believe it) or "suspect" (they doubt it).
    """
    state = situation.state._replace(declarer=situation.own, prediction=Prediction(tricks, ()))
    return _outcomes(situation, lambda stones: _after_answer(state, answer, stones))


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
    rival may hold can beat it. With two seats it is lost if all of them would beat it.
    """
    finished, rivals = len(table["tricks"]), seats_of(1 - side_of(own_seat(table)), table["seats"])
    unseen = [_unseen_powers(table, rival) for rival in rivals if table["status"][rival] == "stayed"]
    fates = {}
    for index, card in enumerate(table["hand"]):
        fate = ""
        power = POWER[card]
        # A rival who beats this card plays higher cards in this trick and in all later ones.
        tricks_left = FIELD_SIZE - finished - index
        if all(len(powers) - bisect_right(powers, power) < tricks_left for powers in unseen):
            fate = SURE
        # A rival who loses to it has played lower cards up to this trick.
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < index + 1:
            fate = LOST
        fates[card] = (finished + index + 1, fate)
    return fates


def _unseen_powers(table: Table, rival: Seat) -> list[int]:
    """Return the powers (ranks from 0 for the lowest card) of all cards that a rival may still play, ascending."""
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"]]
    visible = {*played, *own_field(table)}.union(*table["reserves"], *filter(None, table["faced"]))
    least = max([POWER[card] for card in _cards_of(table, rival)], default=-1)  # Cards are played in ascending order.
    return [POWER[card] for card in ASCENDING if card not in visible and POWER[card] > least]
