"""Sample positions that a seat may be in: the cards it cannot see are dealt again at random.

Source: "Sampling" on the rules page.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from games.bleven.rules.pack import PACK, POWER, Cards, field_sum, sort_cards
from games.bleven.rules.shapes import LastRound, Round, Table
from games.bleven.rules.state import (
    MIN_SUM,
    Line,
    Match,
    Prediction,
    SpokenMove,
    State,
    Trick,
    empty_state,
    is_between_rounds,
    seats_from,
    spoken_move,
)
from games.kit.contract import Card, Seat
from games.kit.positions import as_tuples
from games.kit.sampling import deal_fitting


def sample(view: Table, rng: Random) -> State:
    """Return a state that gives the seat of `view` this view.

    The moves of others tell only what the rules imply. Earlier rounds are blank, and the last one has only the fields
    that everybody saw.
    """
    match = Match(view["seats"], **view["options"])
    last_round = view["last_round"]
    lines: tuple[Line | None, ...] = (None,) * (view["round"] - (view["phase"] != "over"))
    if last_round:
        lines = (*lines[:-1], _load_line(last_round))
    state = empty_state(match, view["phase"], view["to_act"], lines, tuple(view["totals"]))
    state = state._replace(winner=view["winner"])
    if is_between_rounds(state):
        return _with_last_round(state, last_round) if last_round else state

    fields, pile = _sample_cards(view, rng)
    drawn, to_act = view["drawn"], view["to_act"]
    if view["phase"] == "discard" and drawn is None and to_act is not None:
        drawn = rng.choice(fields[to_act])
    bet, offer = view["bet"], view["side_offer"]
    return state._replace(
        fields=fields,
        reserves=as_tuples(view["reserves"]),
        drawn=drawn,
        pile=pile,
        status=tuple(view["status"]),
        declarer=view["declarer"],
        prediction=_load_prediction(view),
        replier=view["replier"],
        answer=view["answer"],
        offered=bet["offered"],
        accepted=bet["accepted"],
        side_bets=bet["side_bets"],
        side_offer=offer and (offer["seat"], offer["bet"]),
        window=tuple(view["window"]),
        tricks=_load_tricks(view),
        said=_load_spoken_moves(view),
    )


def _with_last_round(state: State, last_round: LastRound) -> State:
    """Return a state between two rounds with what everybody saw of the last one."""
    return state._replace(
        fields=tuple(tuple(field or ()) for field in last_round["shown"]),
        reserves=as_tuples(last_round["reserves"]),
        status=tuple("faced" if seat in last_round["faced"] else None for seat in range(state.match.seats)),
        tricks=_load_tricks(last_round),
        said=_load_spoken_moves(last_round),
    )


# Values of a state from a table or a round of JSON


def _load_line(row: Round) -> Line:
    counted = row["counted"]
    values = {name: as_tuples(value) for name, value in row.items() if name in Line._fields} | {
        "prediction": _load_prediction(row),
        "tricks": _load_tricks(row),
        "counted": counted and (counted["tricks"], counted["positions"]),
        "paid": tuple((payment["side"], payment["stones"], payment["for"]) for payment in row["paid"]),
    }
    return Line(**values)


def _load_prediction(row: Table | Round) -> Prediction | None:
    prediction = row["prediction"]
    return prediction and Prediction(prediction["tricks"], tuple(prediction["positions"]))


def _load_tricks(row: Table | Round) -> tuple[Trick, ...]:
    return tuple(tuple((play["seat"], play["card"]) for play in trick["plays"]) for trick in row["tricks"])


def _load_spoken_moves(row: Table | LastRound) -> tuple[tuple[Seat, SpokenMove], ...]:
    return tuple((move["seat"], spoken_move(move)) for move in row["said"])


# Cards


def _sample_cards(view: Table, rng: Random) -> tuple[tuple[Cards, ...], Cards]:
    """Return fields by seat, and a pile. All that fit the view are equally likely."""
    seats, own = range(view["seats"]), view["seat"]
    fields = [list(cards or ()) for cards in view["faced"]]  # by seat, the cards that the seat of the view has seen
    for trick in view["tricks"]:
        for play in trick["plays"]:
            fields[play["seat"]].append(play["card"])
    # Fields are played in ascending order: the rest of a field is higher than its last card on the table.
    floors = [POWER[cards[-1]] if cards else -1 for cards in fields]
    if own is not None:
        fields[own] += view["hand"]
    visible = {card for cards in [*fields, *view["reserves"]] for card in cards}
    unseen = [card for card in PACK if card not in visible]

    sums = certain_sums(view)
    others = [seat for seat in seats if seat != own]
    hands, pile = deal_fitting(
        unseen,
        [view["hand_counts"][seat] for seat in others],
        [_fit_test(floors[seat], field_sum(fields[seat]), sums.get(seat)) for seat in others],
        rng,
    )
    for seat, hand in zip(others, hands, strict=True):
        fields[seat] += hand
    return tuple(sort_cards(cards) for cards in fields), tuple(pile)


def certain_sums(view: Table) -> dict[Seat, bool]:
    """Return by seat whether its field has 15 or more. Seats without a certain answer are left out.

    A seat that declared, or had to, has 15. Seats that stayed and were passed over when somebody had to declare have
    less. With four seats a seat that has played a card has 15.
    """
    sums: dict[Seat, bool] = {}
    if view["seats"] > 2:
        sums |= {play["seat"]: True for trick in view["tricks"] for play in trick["plays"]}
    declared, predicted, stayed = (
        [move["seat"] for move in view["said"] if move["type"] == kind] for kind in ("declare", "predict", "stay")
    )
    if declared or view["declarer"] is None:
        return sums | dict.fromkeys(declared, True)
    forced = predicted[0] if predicted else view["declarer"]  # the seat that had to declare
    in_turn = seats_from((view["dealer"] + 1) % view["seats"], view["seats"])
    passed_over = set(in_turn[: in_turn.index(forced)]).intersection(stayed)
    return sums | dict.fromkeys(passed_over, False) | {forced: True}


def _fit_test(floor: int, sum_seen: int, is_enough: bool | None) -> Callable[[list[Card]], bool] | None:
    """Return a function that says whether cards may be the unseen rest of a field, or None if any cards may.

    floor: the power that all the cards exceed. is_enough: whether the whole field has 15 or more; None if unknown.
    """
    if is_enough is None:
        return None if floor < 0 else partial(_are_above, floor)
    return partial(_are_above_with_sum, floor, MIN_SUM - sum_seen, is_enough)


def _are_above(floor: int, cards: list[Card]) -> bool:
    return all([POWER[card] > floor for card in cards])


def _are_above_with_sum(floor: int, needed: int, is_enough: bool, cards: list[Card]) -> bool:
    return (field_sum(cards) >= needed) == is_enough and _are_above(floor, cards)
