"""The possible totals of a Bleven round after a call, in stones, for the seat that may make the call.

A total is the own side's payment for the whole round minus the other side's: 6 if it gets 6, −8 if the other side gets
8. The rules score the round for every possible value of what the seat cannot know. The totals are then grouped by case.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
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
STRONG, WEAK = ("KC", "KD", "KH"), ("AC", "AD", "AS")  # A field of 15 or more, and one below.

type Able = tuple[bool, ...]  # by side, whether it has a field of 15 or more


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
    able: by side, the possible answers to whether it has a field of 15 or more.
    """

    state: State
    own: Side
    able: tuple[Able, Able]


def situation_of(table: Table) -> Situation:
    """Return the Situation of a seat's table."""
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
    return Situation(state, side_of(own_seat(table)), (_side_abilities(table, 0), _side_abilities(table, 1)))


def own_seat(table: Table) -> Seat:
    """Return the seat of a table that is not a spectator's."""
    assert table["seat"] is not None
    return table["seat"]


def _side_abilities(table: Table, side: Side) -> Able:
    """Return the possible answers to "has a player of this side 15 or more?"."""
    stayed = [seat for seat in seats_of(side, table["seats"]) if table["status"][seat] == "stayed"]
    abilities = [_seat_abilities(table, seat) for seat in stayed]
    one_may_have = any(True in answers for answers in abilities)
    all_may_lack = all(False in answers for answers in abilities)
    return (True,) * one_may_have + (False,) * all_may_lack


def own_field(table: Table) -> Cards:
    """Return the cards of the seat's field, including played cards, ascending."""
    return (*_cards_of(table, own_seat(table)), *table["hand"])


def _cards_of(table: Table, seat: Seat) -> list[Card]:
    """Return the cards that a seat has played, ascending."""
    return [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]


def own_sum(table: Table) -> int:
    return field_sum(own_field(table))


def _seat_abilities(table: Table, seat: Seat) -> set[bool]:
    """Return the possible answers to "does this seat have 15 or more?"."""
    if seat == table["seat"]:
        return {own_sum(table) >= MIN_SUM}
    if any(move["seat"] == seat and move["type"] in ("declare", "predict") for move in table["said"]):
        return {True}
    values = [VALUE[card] for card in _cards_of(table, seat)]
    to_come = FIELD_SIZE - len(values)
    least, most = sum(values) + to_come * (values[-1] if values else 1), sum(values) + to_come * max(VALUE.values())
    return {least >= MIN_SUM, most >= MIN_SUM}


# The totals of a round

CASES = ("right", "wrong", "short", "alone")


def _outcomes(situation: Situation, state_after: Callable[[int], State]) -> tuple[Totals, ...]:
    """Return the Totals of a call. state_after: returns the state after it for a number of added stones."""
    gathered: dict[str, set[tuple[int, int]]] = {case: set() for case in CASES}
    pairs = zip(_cases(situation, state_after(0)), _cases(situation, state_after(1)), strict=True)
    for (case, total), (_, more) in pairs:
        gathered[case].add((total, more - total))
    outcomes = [Totals(case, tuple(sorted(totals))) for case, totals in gathered.items() if totals]
    is_split = any(outcome.totals != outcomes[0].totals for outcome in outcomes)
    return tuple(outcomes) if is_split else (Totals("", outcomes[0].totals),)


def _cases(situation: Situation, state: State) -> Iterator[tuple[str, int]]:
    """Yield pairs of a case and a total for everything the seat cannot know."""
    own, seats = situation.own, state.match.seats
    if seats == 4 and state.tricks:
        yield from _cases_of_tricks(state, own)  # Fields below 15 have left the round.
        return
    for able in product(*situation.able):
        yield from _cases_of_two(state, own, able) if seats == 2 else _cases_of_four(state, own, able)


def _cases_of_two(state: State, own: Side, able: Able) -> Iterator[tuple[str, int]]:
    if not any(able):
        return  # The declarer has 15 or more.
    state = state._replace(fields=tuple([STRONG if each else WEAK for each in able]))
    for case, total in _cases_of_tricks(state, own):
        yield (case if able[1 - own] else "short"), total


def _cases_of_four(state: State, own: Side, able: Able) -> Iterable[tuple[str, int]]:
    if all(able):
        return _cases_of_tricks(state, own)
    if any(able):
        winner = able.index(True)
        return [(("short" if winner == own else "alone"), _forfeit_total(state, "under15", 1 - winner, own))]
    return [("alone", _total_of_last_round(score_void(state), own))]


def _cases_of_tricks(state: State, own: Side) -> Iterator[tuple[str, int]]:
    """Yield pairs of "right" or "wrong" and the total for all possible winners of the remaining tricks."""
    for to_come in product([((0, HIGH),), ((1, HIGH),)], repeat=FIELD_SIZE - len(state.tricks)):
        right, _, _, payments = payments_of_play(state._replace(tricks=(*state.tricks, *to_come)))
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
    """Return the Totals of predicting a number of tricks without positions, if the reply is `answer`."""
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

    A trick is sure if no possible field beats it. With two seats it is lost if every possible field beats it.
    """
    finished, rivals = len(table["tricks"]), seats_of(1 - side_of(own_seat(table)), table["seats"])
    unseen = [_unseen_powers(table, rival) for rival in rivals if table["status"][rival] == "stayed"]
    fates = {}
    for place, card in enumerate(table["hand"]):
        fate = ""
        power = POWER[card]
        cards_left = FIELD_SIZE - finished - place  # A rival beats this card only with this many higher ones.
        if all(len(powers) - bisect_right(powers, power) < cards_left for powers in unseen):
            fate = SURE
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < place + 1:
            fate = LOST
        fates[card] = (finished + place + 1, fate)
    return fates


def _unseen_powers(table: Table, rival: Seat) -> list[int]:
    """Return the powers of all cards that a rival may still play, ascending."""
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"]]
    visible = {*played, *own_field(table)}.union(*table["reserves"], *filter(None, table["faced"]))
    least = max([POWER[card] for card in _cards_of(table, rival)], default=-1)  # Fields are played in ascending order.
    return [POWER[card] for card in ASCENDING if card not in visible and POWER[card] > least]
