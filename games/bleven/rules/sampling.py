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
    """Return a random state that looks to the seat of `view` exactly like this view.

    The cards that the seat cannot see are dealt again. They fit what the rules reveal about them, but nothing is
    guessed from how others play. Earlier rounds are blank, and the last one has only the fields that everybody saw.
    """
    match = Match(view["seats"], **view["options"])
    last_round = view["last_round"]
    finished = view["round"] - (view["phase"] != "over")  # Until the match is over, "round" is not finished.
    lines: tuple[Line | None, ...] = (None,) * finished
    if last_round:
        lines = (*lines[:-1], _load_line(last_round))
    state = empty_state(match, view["phase"], view["to_act"], lines, tuple(view["totals"]))
    state = state._replace(winner=view["winner"])
    if is_between_rounds(state):
        return _with_last_round(state, last_round) if last_round else state

    fields, pile = _sample_cards(view, rng)
    drawn, to_act = view["drawn"], view["to_act"]
    # Another seat has drawn a card unseen. Each of its four cards may be that card.
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
    """Return a state between two rounds with what everybody saw of the last round, which stays on the table.

    A field is the three cards of a seat. One that was not shown to all is empty. state: has the score, but no cards.
    """
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
    """Return a random field (the three cards) for each seat, and a draw pile. All that fit the view are equally likely.

    The fields are complete: cards that are played or laid open are in them. view: the game as one seat sees it, or a
    spectator.
    """
    own = view["seat"]  # None for a spectator
    fields = [list(cards or ()) for cards in view["faced"]]  # by seat, at first only the cards that are laid open
    for trick in view["tricks"]:
        for play in trick["plays"]:
            fields[play["seat"]].append(play["card"])
    # Fields are played in ascending order, so the unseen cards of a field have more power than its last seen card.
    floors = [POWER[cards[-1]] if cards else -1 for cards in fields]
    if own is not None:
        fields[own] += view["hand"]
    visible = {card for cards in [*fields, *view["reserves"]] for card in cards}  # Discards are face up.
    unseen = [card for card in PACK if card not in visible]

    has_enough = certain_sums(view)  # by seat, whether the cards add up to 15, where that is certain
    others = [seat for seat in range(view["seats"]) if seat != own]
    sizes = [view["hand_counts"][seat] for seat in others]
    # The unseen cards are dealt to the other seats until each hand passes its test. The rest is the pile.
    tests = [_fit_test(floors[seat], field_sum(fields[seat]), has_enough.get(seat)) for seat in others]
    hands, pile = deal_fitting(unseen, sizes, tests, rng)
    for seat, hand in zip(others, hands, strict=True):
        fields[seat] += hand
    return tuple(sort_cards(cards) for cards in fields), tuple(pile)


def certain_sums(view: Table) -> dict[Seat, bool]:
    """Return {seat: whether its three cards add up to 15 or more} for the seats where the moves so far reveal it.

    Only a seat with 15 may declare, which makes it the declarer. If nobody declares, the rules name the first seat in
    turn that has stayed in the round and has 15. So the stayed seats before it have less.
    """
    has_enough: dict[Seat, bool] = {}
    if view["seats"] > 2:  # With four seats only fields with 15 or more play cards.
        has_enough |= {play["seat"]: True for trick in view["tricks"] for play in trick["plays"]}
    declared = _seats_that_said(view, "declare")
    if declared or view["declarer"] is None:
        return has_enough | dict.fromkeys(declared, True)
    # The seat that the rules named made the first prediction. Others may have become the declarer since.
    predicted = _seats_that_said(view, "predict")
    first_declarer = predicted[0] if predicted else view["declarer"]
    in_turn = seats_from((view["dealer"] + 1) % view["seats"], view["seats"])
    seats_before = in_turn[: in_turn.index(first_declarer)]
    passed_over = set(seats_before).intersection(_seats_that_said(view, "stay"))
    return has_enough | dict.fromkeys(passed_over, False) | {first_declarer: True}


def _seats_that_said(view: Table, kind: str) -> list[Seat]:
    return [move["seat"] for move in view["said"] if move["type"] == kind]


def _fit_test(floor: int, sum_seen: int, is_enough: bool | None) -> Callable[[list[Card]], bool] | None:
    """Return a function that says whether some cards may be the unseen part of a field (the three cards of a seat).

    Return None if any cards may. floor: the power (rank) that each of the cards must exceed, -1 for any. sum_seen: what
    the seen part of the field adds up to. is_enough: True if the whole field must have 15 or more, False if it must
    have less, None if it may have either.
    """
    if is_enough is not None:
        return partial(_are_above_with_sum, floor, MIN_SUM - sum_seen, is_enough)
    return None if floor < 0 else partial(_are_above, floor)


def _are_above(floor: int, cards: list[Card]) -> bool:
    return all([POWER[card] > floor for card in cards])


def _are_above_with_sum(floor: int, needed: int, is_enough: bool, cards: list[Card]) -> bool:
    return (field_sum(cards) >= needed) == is_enough and _are_above(floor, cards)
