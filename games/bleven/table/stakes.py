"""What a call of Bleven leads to, for the seat that may make it: the total of the round, in stones.

A total is what the own side is paid in the whole round less what the other side is: 6 if it gets 6, −8 if the others
get 8. All of them are worked out by the rules: what the seat may not know is put at everything that it could be, the
round is scored, and the totals are gathered by what they depend on.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from games.bleven.rules.pack import VALUE, field_sum
from games.bleven.rules.scoring import payments_of_play, score_lost, score_void
from games.bleven.rules.state import CARDS, ENOUGH, Match, Prediction, all_terms, cleared, seats_of, side_of

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


# The position as far as a seat knows it


def position(table):
    """The state of the round in progress, as far as payments depend on it: equal ones are worked out once.

    Sides stand for their seats, and a trick is the high card of the side that has won it.
    """
    declarer, prediction, bet = table["declarer"], table["prediction"], table["bet"]
    state = cleared(Match(table["seats"], **all_terms(table["options"])), (), (0, 0), None, "reply", None)
    return state._replace(
        declarer=None if declarer is None else side_of(declarer),
        prediction=prediction and Prediction(prediction["tricks"], tuple(prediction["positions"])),
        answer=table["answer"],
        offered=bet["offered"],
        accepted=bet["accepted"],
        side_bets=bet["side_bets"],
        tricks=tuple([((trick["side"], HIGH),) for trick in table["tricks"]]),
    )


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
        return {own_sum(table) < ENOUGH}
    if any(words["seat"] == seat and words["type"] in ("declare", "predict") for words in table["said"]):
        return {False}
    shown = [VALUE[play["card"]] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    to_come = CARDS - len(shown)
    least, most = sum(shown) + to_come * (shown[-1] if shown else 1), sum(shown) + to_come * max(VALUE.values())
    return {True, False} - ({True} if least >= ENOUGH else {False} if most < ENOUGH else set())


# What a round comes to


def agreed(state, *, answer, stones=None, side_bets=0):
    """The state with this word about the prediction, and all stones agreed that lie on the table and `stones` more.

    stones: None leaves the main bet as it was agreed.
    """
    if stones is not None:
        state = state._replace(offered=state.offered + stones, accepted=state.offered + stones)
    return state._replace(answer=answer, side_bets=state.side_bets + side_bets)


def outcomes(table, make):
    """The Totals of all that may come of a call. make: gives the state that it leads to, for so many stones more."""
    own = side_of(table["seat"])
    return _gathered(make(0), make(1), own, tuple(product(*[_abilities(table, side) for side in (0, 1)])))


CASES = ("right", "wrong", "short", "alone")


@lru_cache(maxsize=4096)  # no card of a hand is in it: it is the same at many tables
def _gathered(state, with_one_more, own, able):
    """The Totals of a call, a tuple. state, with_one_more: to which it leads, and which it does with one stone more.

    own: the side. able: as for `_cases`.
    """
    gathered = {case: set() for case in CASES}
    for (case, total), (_, more) in zip(_cases(state, own, able), _cases(with_one_more, own, able), strict=True):
        gathered[case].add((total, more - total))
    found = [Totals(case, tuple(sorted(totals))) for case, totals in gathered.items() if totals]
    return tuple(found) if any(each.totals != found[0].totals for each in found) else (Totals("", found[0].totals),)


def _cases(state, own, able):
    """Pairs of a case and a total, over all that the seat may not know.

    able: for all that may be, a pair: whether a side has somebody with 15 or more.
    """
    if state.match.seats == 4 and state.tricks:
        yield from _tricks(state, own)  # whoever was short of 15 plays no more
        return
    for each in able:
        yield from _cases_of_two(state, own, each) if state.match.seats == 2 else _cases_of_four(state, own, each)


def _abilities(table, side):
    """Whether a side may have somebody with 15 or more, and whether nobody: True and False, or one of them."""
    stayed = [seat for seat in seats_of(side, table["seats"]) if table["status"][seat] == "stayed"]
    known = [sums_known(table, seat) for seat in stayed]
    return [able for able in (True, False) if (any if able else all)((not able) in shorts for shorts in known)]


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
        return ((("short" if winner == own else "alone"), _total(score_lost(state, "under15", 1 - winner), own)),)
    return (("alone", _total(score_void(state), own)),)


@lru_cache(maxsize=4096)  # as before; several calls lead to the same
def _tricks(state, own):
    """All pairs of "right" or "wrong" and the total, over all ways in which the tricks to come may be won."""
    found = []
    for to_come in product([((0, HIGH),), ((1, HIGH),)], repeat=CARDS - len(state.tricks)):
        right, _, _, paid = payments_of_play(state._replace(tricks=(*state.tricks, *to_come)))
        found.append(("right" if right else "wrong", _sum_of(paid, own)))
    return tuple(found)


def _total(scored, own):
    return _sum_of(scored.lines[-1].paid, own)


def _sum_of(paid, own):
    return sum(stones if side == own else -stones for side, stones, _ in paid)


# Calls


def of_answer(table, answer):
    """Of believing or doubting a prediction, with so many stones more; also of taking a raise of that word."""
    state = position(table)
    return outcomes(table, lambda stones: agreed(state, answer=answer, stones=stones))


def of_betting(table):
    """Of a side bet with so many stones."""
    state = position(table)
    return outcomes(table, lambda stones: agreed(state, answer=state.answer, side_bets=stones))


def of_side_bet(table):
    """Of being in on the side bet that has been offered."""
    state, offered = position(table), table["side_offer"]["bet"]
    return outcomes(table, lambda stones: agreed(state, answer=state.answer, side_bets=offered))


def of_predicting(table, answer, tricks):
    """Of predicting so many tricks oneself, and no positions, for stones to be added, if it meets this answer."""
    state = position(table)
    state = state._replace(declarer=side_of(table["seat"]), prediction=Prediction(tricks, ()))
    return outcomes(table, lambda stones: agreed(state, answer=answer, stones=stones))


def lost(table, result):
    """The total of a round that the own side gives up: "left" or "out"."""
    own = side_of(table["seat"])
    return _given_up(position(table), result, own, own)


def won(table, result):
    """The total of a round that the other side gives up."""
    own = side_of(table["seat"])
    return _given_up(position(table), result, 1 - own, own)


@lru_cache(maxsize=4096)  # as before
def _given_up(state, result, loser, own):
    return _total(score_lost(state, result, loser), own)
