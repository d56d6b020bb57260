"""The possible totals of a Bleven round after a call, in stones, for the seat that may make the call.

A total is the own side's payment for the whole round minus the other side's: 6 if it gets 6, −8 if the other side gets
8. The rules score the round for every possible value of what the seat cannot know. The totals are then grouped by case.
"""

from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from games.bleven.rules.pack import ASCENDING, POWER, VALUE, field_sum
from games.bleven.rules.scoring import payments_of_play, score_lost, score_void
from games.bleven.rules.state import (
    FIELD_SIZE,
    MIN_SUM,
    Match,
    Prediction,
    complete_options,
    empty_state,
    seats_of,
    side_of,
)

HIGH = "KS"  # The card of the winning side in every trick.
STRONG, WEAK = ("KC", "KD", "KH"), ("AC", "AD", "AS")  # A field of 15 or more, and one below.


class Totals(NamedTuple):
    """The possible totals of a round in one case.

    case: "right" or "wrong" for the prediction; "short" if the other side has less than 15; "alone" if both players of
    a side have less than 15; "" if all cases have the same totals.
    totals: ascending pairs of stones and their change for each stone more: 1, 0 or −1.
    """

    case: str
    totals: tuple


# What a seat knows of the round


class Known(NamedTuple):
    """What a seat knows that affects the payments. Many tables share a value, so results are cached."""

    match: Match
    own: int  # The side of the seat. Below, sides stand in for seats.
    declarer: int | None
    prediction: Prediction | None
    answer: str | None
    offered: int  # Stones, like the next two.
    accepted: int
    side_bets: int
    won: tuple  # The winning side of each trick.
    able: tuple  # By side, whether it has a field of 15 or more: a tuple of the possible answers.


def known_of(table):
    """Return the Known of a seat's table."""
    declarer, prediction, bet = table["declarer"], table["prediction"], table["bet"]
    return Known(
        Match(table["seats"], **complete_options(table["options"])),
        side_of(table["seat"]),
        None if declarer is None else side_of(declarer),
        prediction and Prediction(prediction["tricks"], tuple(prediction["positions"])),
        table["answer"],
        bet["offered"],
        bet["accepted"],
        bet["side_bets"],
        tuple([trick["side"] for trick in table["tricks"]]),
        (_abilities(table, 0), _abilities(table, 1)),
    )


def _abilities(table, side):
    stayed = [seat for seat in seats_of(side, table["seats"]) if table["status"][seat] == "stayed"]
    known = [sums_known(table, seat) for seat in stayed]
    return tuple([able for able in (True, False) if (any if able else all)((not able) in shorts for shorts in known)])


def own_field(table):
    """Return the cards of the seat's field, including played cards, ascending."""
    seat = table["seat"]
    return (
        *[play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat],
        *table["hand"],
    )


def own_sum(table):
    return field_sum(own_field(table))


def sums_known(table, seat):
    """Return the possible answers to "is this seat below 15?", a set of True and False."""
    if seat == table["seat"]:
        return {own_sum(table) < MIN_SUM}
    if any(words["seat"] == seat and words["type"] in ("declare", "predict") for words in table["said"]):
        return {False}
    shown = [VALUE[play["card"]] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    to_come = FIELD_SIZE - len(shown)
    least, most = sum(shown) + to_come * (shown[-1] if shown else 1), sum(shown) + to_come * max(VALUE.values())
    return {True, False} - ({True} if least >= MIN_SUM else {False} if most < MIN_SUM else set())


# The totals of a round


def _position(known):
    """Return a state of the rules with all that is known. Each trick holds one card, of the side that won it."""
    state = empty_state(known.match, "reply", None)
    return state._replace(
        declarer=known.declarer,
        prediction=known.prediction,
        answer=known.answer,
        offered=known.offered,
        accepted=known.accepted,
        side_bets=known.side_bets,
        tricks=tuple([((side, HIGH),) for side in known.won]),
    )


def _agreed(state, *, answer, stones=None, side_bets=0):
    """Return the state after this answer, with the main bet on the table plus `stones` accepted.

    stones: None keeps the accepted main bet.
    """
    if stones is not None:
        state = state._replace(offered=state.offered + stones, accepted=state.offered + stones)
    return state._replace(answer=answer, side_bets=state.side_bets + side_bets)


CASES = ("right", "wrong", "short", "alone")


def _outcomes(known, make):
    """Return the Totals of a call, a tuple. make: returns the state after it for a number of added stones."""
    gathered = {case: set() for case in CASES}
    for (case, total), (_, more) in zip(_cases(known, make(0)), _cases(known, make(1)), strict=True):
        gathered[case].add((total, more - total))
    outcomes = [Totals(case, tuple(sorted(totals))) for case, totals in gathered.items() if totals]
    is_split = any(outcome.totals != outcomes[0].totals for outcome in outcomes)
    return tuple(outcomes) if is_split else (Totals("", outcomes[0].totals),)


def _cases(known, state):
    """Yield pairs of a case and a total for everything the seat cannot know."""
    own = known.own
    if known.match.seats == 4 and known.won:
        yield from _tricks(state, own)  # Fields below 15 have left the round.
        return
    for able in product(*known.able):
        yield from _cases_of_two(state, own, able) if known.match.seats == 2 else _cases_of_four(state, own, able)


def _cases_of_two(state, own, able):
    if not any(able):
        return  # The declarer has 15 or more.
    state = state._replace(fields=tuple([STRONG if each else WEAK for each in able]))
    for case, total in _tricks(state, own):
        yield (case if able[1 - own] else "short"), total


def _cases_of_four(state, own, able):
    if all(able):
        return _tricks(state, own)
    if any(able):
        winner = able.index(True)
        return [(("short" if winner == own else "alone"), _total(score_lost(state, "under15", 1 - winner), own))]
    return [("alone", _total(score_void(state), own))]


def _tricks(state, own):
    """Yield pairs of "right" or "wrong" and the total for all possible winners of the remaining tricks."""
    for to_come in product([((0, HIGH),), ((1, HIGH),)], repeat=FIELD_SIZE - len(state.tricks)):
        right, _, _, paid = payments_of_play(state._replace(tricks=(*state.tricks, *to_come)))
        yield ("right" if right else "wrong"), _sum_of(paid, own)


def _total(scored, own):
    return _sum_of(scored.lines[-1].paid, own)


def _sum_of(paid, own):
    return sum(stones if side == own else -stones for side, stones, _ in paid)


# Calls


@lru_cache(maxsize=4096)
def of_answer(known, answer):
    """Return the Totals of believing or doubting with a raise, or of accepting such a raise."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=answer, stones=stones))


@lru_cache(maxsize=4096)
def of_betting(known):
    """Return the Totals of offering a side bet."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=state.answer, side_bets=stones))


@lru_cache(maxsize=4096)
def of_side_bet(known, offered):
    """Return the Totals of accepting a side bet. offered: its stones."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=state.answer, side_bets=offered))


@lru_cache(maxsize=4096)
def of_predicting(known, answer, tricks):
    """Return the Totals of predicting a number of tricks without positions, if the reply is `answer`."""
    state = _position(known)._replace(declarer=known.own, prediction=Prediction(tricks, ()))
    return _outcomes(known, lambda stones: _agreed(state, answer=answer, stones=stones))


@lru_cache(maxsize=4096)
def lost(known, result):
    """Return the total if the own side gives up. result: "left" or "out"."""
    return _total(score_lost(_position(known), result, known.own), known.own)


@lru_cache(maxsize=4096)
def won(known, result):
    """Return the total if the other side gives up. result: "left" or "out"."""
    return _total(score_lost(_position(known), result, 1 - known.own), known.own)


# Tricks that the own cards win or lose for certain

SURE, LOST = "sure", "lost"


def prospects(table):
    """Return {card: (its trick, SURE or LOST or "")} for the hand, in the order of play. Tricks count from 1.

    A trick is sure if no possible field beats it. With two seats it is lost if every possible field beats it.
    """
    hand, done = table["hand"], len(table["tricks"])
    rivals = [seat for seat, status in enumerate(table["status"]) if status == "stayed" and _is_rival(table, seat)]
    left, unseen = FIELD_SIZE - done, [_unseen(table, rival) for rival in rivals]
    fates = {}
    for place, card in enumerate(hand):
        fate = ""
        power = POWER[card]
        if all(len(powers) - bisect_right(powers, power) < left - place for powers in unseen):
            fate = SURE
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < place + 1:
            fate = LOST
        fates[card] = (done + place + 1, fate)
    return fates


def _is_rival(table, seat):
    return side_of(seat) != side_of(table["seat"])


def _unseen(table, rival):
    """Return the powers of all cards that a rival may still play, ascending."""
    plays = [play for trick in table["tricks"] for play in trick["plays"]]
    shown = {play["card"] for play in plays}.union(own_field(table), *table["reserves"], *filter(None, table["faced"]))
    played = [POWER[play["card"]] for play in plays if play["seat"] == rival]
    least = max(played, default=-1)  # Fields are played in ascending order.
    return [POWER[card] for card in ASCENDING if card not in shown and POWER[card] > least]
