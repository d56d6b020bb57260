"""What a call of Bleven leads to, for the seat that may make it: the total of the round, in stones.

A total is what the own side is paid in the whole round less what the other side is: 6 if it gets 6, −8 if the others
get 8. All of them are worked out by the rules: what the seat may not know is put at everything that it could be, the
round is scored, and the totals are gathered by what they depend on.
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

HIGH = "KS"  # stands for the cards of a trick, in the place of the side that wins it
STRONG, WEAK = ("KC", "KD", "KH"), ("AC", "AD", "AS")  # and fields for those of the others


class Totals(NamedTuple):
    """What a round may come to in one case.

    case: "right" or "wrong", of the prediction; "short", of the other side, and "alone", of a partner, which have less
    than 15; "" if it depends on nothing.
    totals: pairs, ascending, of stones and of what each stone more changes them by: 1, 0 or −1.
    """

    case: str
    totals: tuple


# The round as far as a seat knows it


class Known(NamedTuple):
    """What the payments of the round in progress depend on, as far as a seat knows it: the same at many tables."""

    match: Match
    own: int  # the side of the seat; sides stand for their seats in what follows, too
    declarer: int | None
    prediction: Prediction | None
    answer: str | None
    offered: int  # stones, as the next two
    accepted: int
    side_bets: int
    won: tuple  # the side that has won each trick
    able: tuple  # by side, whether it may have somebody with 15 or more, and nobody: True and False, or one of them


def known_of(table):
    """The Known of a table as a seat sees it."""
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
    """The cards of the seat's field, those played included, ascending."""
    seat = table["seat"]
    return (
        *[play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat],
        *table["hand"],
    )


def own_sum(table):
    return field_sum(own_field(table))


def sums_known(table, seat):
    """Whether a seat may have less than 15, and whether 15 or more: a set of True (it may be short) and False."""
    if seat == table["seat"]:
        return {own_sum(table) < MIN_SUM}
    if any(words["seat"] == seat and words["type"] in ("declare", "predict") for words in table["said"]):
        return {False}
    shown = [VALUE[play["card"]] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    to_come = FIELD_SIZE - len(shown)
    least, most = sum(shown) + to_come * (shown[-1] if shown else 1), sum(shown) + to_come * max(VALUE.values())
    return {True, False} - ({True} if least >= MIN_SUM else {False} if most < MIN_SUM else set())


# What a round comes to


def _position(known):
    """The state of the round as far as it is known. A trick is the high card of the side that has won it."""
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
    """The state with this word about the prediction, and all stones agreed that lie on the table and `stones` more.

    stones: None leaves the main bet as it was agreed.
    """
    if stones is not None:
        state = state._replace(offered=state.offered + stones, accepted=state.offered + stones)
    return state._replace(answer=answer, side_bets=state.side_bets + side_bets)


CASES = ("right", "wrong", "short", "alone")


def _outcomes(known, make):
    """The Totals of all that may come of a call, a tuple. make: gives the state after it, for so many stones more."""
    gathered = {case: set() for case in CASES}
    for (case, total), (_, more) in zip(_cases(known, make(0)), _cases(known, make(1)), strict=True):
        gathered[case].add((total, more - total))
    found = [Totals(case, tuple(sorted(totals))) for case, totals in gathered.items() if totals]
    return tuple(found) if any(each.totals != found[0].totals for each in found) else (Totals("", found[0].totals),)


def _cases(known, state):
    """Pairs of a case and a total, over all that the seat may not know."""
    own = known.own
    if known.match.seats == 4 and known.won:
        yield from _tricks(state, own)  # whoever was short of 15 plays no more
        return
    for able in product(*known.able):
        yield from _cases_of_two(state, own, able) if known.match.seats == 2 else _cases_of_four(state, own, able)


def _cases_of_two(state, own, able):
    if not any(able):
        return  # one of them could declare
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
    """Pairs of "right" or "wrong" and the total, over all ways in which the tricks to come may be won."""
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
    """Of believing or doubting a prediction, with so many stones more; also of taking a raise of that word."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=answer, stones=stones))


@lru_cache(maxsize=4096)
def of_betting(known):
    """Of a side bet with so many stones."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=state.answer, side_bets=stones))


@lru_cache(maxsize=4096)
def of_side_bet(known, offered):
    """Of being in on a side bet of so many stones."""
    state = _position(known)
    return _outcomes(known, lambda stones: _agreed(state, answer=state.answer, side_bets=offered))


@lru_cache(maxsize=4096)
def of_predicting(known, answer, tricks):
    """Of predicting so many tricks oneself, and no positions, for stones to be added, if it meets this answer."""
    state = _position(known)._replace(declarer=known.own, prediction=Prediction(tricks, ()))
    return _outcomes(known, lambda stones: _agreed(state, answer=answer, stones=stones))


@lru_cache(maxsize=4096)
def lost(known, result):
    """The total of a round that the own side gives up: "left" or "out"."""
    return _total(score_lost(_position(known), result, known.own), known.own)


@lru_cache(maxsize=4096)
def won(known, result):
    """The total of a round that the other side gives up."""
    return _total(score_lost(_position(known), result, 1 - known.own), known.own)


# Which tricks the own cards win or lose for certain, by the cards that a seat has seen

SURE, LOST = "sure", "lost"


def prospects(table):
    """For each card in hand, in the order of play, the number of its trick, from 1, and SURE, LOST or "".

    A trick is sure that no field still possible beats, and lost to a single opponent that every such field beats.
    """
    hand, done = table["hand"], len(table["tricks"])
    rivals = [seat for seat, status in enumerate(table["status"]) if status == "stayed" and _is_rival(table, seat)]
    left, unseen = FIELD_SIZE - done, [_unseen(table, rival) for rival in rivals]
    found = {}
    for place, card in enumerate(hand):
        fate = ""
        power = POWER[card]
        if all(len(powers) - bisect_right(powers, power) < left - place for powers in unseen):
            fate = SURE
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < place + 1:
            fate = LOST
        found[card] = (done + place + 1, fate)
    return found


def _is_rival(table, seat):
    return side_of(seat) != side_of(table["seat"])


def _unseen(table, rival):
    """The powers of all cards that a rival may still play, ascending."""
    plays = [play for trick in table["tricks"] for play in trick["plays"]]
    shown = {play["card"] for play in plays}.union(own_field(table), *table["reserves"], *filter(None, table["faced"]))
    played = [POWER[play["card"]] for play in plays if play["seat"] == rival]
    least = max(played, default=-1)  # fields are played from the lowest card to the highest
    return [POWER[card] for card in ASCENDING if card not in shown and POWER[card] > least]
