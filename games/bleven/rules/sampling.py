"""A position that a seat with this view may be in: the cards it cannot see are dealt anew, at random.

Source: "Sampling" on the rules page.
"""

from functools import partial

from games.bleven.rules.pack import PACK, POWER, field_sum, in_order
from games.bleven.rules.state import ENOUGH, Line, Match, Prediction, between_rounds, cleared, seats_from, words_of
from games.kit.positions import as_tuples
from games.kit.sampling import deal_fitting


def sample(view, rng):
    """A state in which the seat of `view` would see just that. Which moves were open is all that others' moves tell.

    Of earlier rounds nothing is known but the totals; of the last one not the fields that were never shown.
    """
    match = Match(view["seats"], **view["options"])
    last = view["last_round"]
    lines = (None,) * (view["round"] - (view["phase"] != "over"))
    if last:
        lines = (*lines[:-1], _line_of(last))
    state = cleared(match, view["phase"], view["to_act"], lines, tuple(view["totals"]))._replace(winner=view["winner"])
    if between_rounds(state):
        return _after(state, last) if last else state

    fields, pile = _sampled_cards(view, rng)
    drawn = view["drawn"]
    if view["phase"] == "discard" and drawn is None:
        drawn = rng.choice(fields[view["to_act"]])
    bet, offer = view["bet"], view["side_offer"]
    return state._replace(
        fields=fields,
        reserves=as_tuples(view["reserves"]),
        drawn=drawn,
        pile=pile,
        status=tuple(view["status"]),
        declarer=view["declarer"],
        prediction=_prediction_of(view),
        replier=view["replier"],
        answer=view["answer"],
        offered=bet["offered"],
        accepted=bet["accepted"],
        side_bets=bet["side_bets"],
        side_offer=offer and (offer["seat"], offer["bet"]),
        window=tuple(view["window"]),
        tricks=_tricks_of(view),
        said=_said_of(view),
    )


def _after(state, last):
    """The state between rounds with what was seen in the last one."""
    return state._replace(
        fields=tuple(tuple(field or ()) for field in last["shown"]),
        reserves=as_tuples(last["reserves"]),
        status=tuple("faced" if seat in last["faced"] else None for seat in range(state.match.seats)),
        tricks=_tricks_of(last),
        said=_said_of(last),
    )


# From JSON


def _line_of(row):
    counted = row["counted"]
    own = {  # what is not told as it is kept
        "prediction": _prediction_of(row),
        "tricks": _tricks_of(row),
        "counted": counted and (counted["tricks"], counted["positions"]),
        "paid": tuple((payment["side"], payment["stones"], payment["for"]) for payment in row["paid"]),
    }
    return Line(**own, **{name: as_tuples(row[name]) for name in Line._fields if name not in own})


def _prediction_of(told):
    prediction = told["prediction"]
    return prediction and Prediction(prediction["tricks"], tuple(prediction["positions"]))


def _tricks_of(told):
    return tuple(tuple((play["seat"], play["card"]) for play in trick["plays"]) for trick in told["tricks"])


def _said_of(told):
    return tuple((words["seat"], words_of(words)) for words in told["said"])


# Cards


def _sampled_cards(view, rng):
    """Fields for all seats, and a pile. All that fit the view are equally likely."""
    seats, own = range(view["seats"]), view["seat"]
    known = [list(cards or ()) for cards in view["faced"]]  # by seat, cards everybody, or this seat, has seen
    for trick in view["tricks"]:
        for play in trick["plays"]:
            known[play["seat"]].append(play["card"])
    rising = [POWER[cards[-1]] if cards else -1 for cards in known]  # a field is played lowest first
    if own is not None:
        known[own] += view["hand"]
    seen = {card for cards in [*known, *view["reserves"]] for card in cards}
    unseen = [card for card in PACK if card not in seen]

    limits = certain_sums(view)
    others = [seat for seat in seats if seat != own]
    hands, pile = deal_fitting(
        unseen,
        [view["hand_counts"][seat] for seat in others],
        [_fits(rising[seat], field_sum(known[seat]), limits.get(seat)) for seat in others],
        rng,
    )
    for seat, hand in zip(others, hands, strict=True):
        known[seat] += hand
    return tuple(in_order(cards) for cards in known), tuple(pile)


def certain_sums(view):
    """What is certain about sums: by seat whether its field has 15 or more, less the seats of which nothing is.

    Who declared, or had to, has 15; stayed seats that were passed over when somebody had to have not; and with four
    seats nobody plays a card without.
    """
    sums = {}
    if view["seats"] > 2:
        sums |= {play["seat"]: True for trick in view["tricks"] for play in trick["plays"]}
    declared, predicted, stayed = (
        [words["seat"] for words in view["said"] if words["type"] == kind] for kind in ("declare", "predict", "stay")
    )
    if declared or view["declarer"] is None:
        return sums | dict.fromkeys(declared, True)
    forced = predicted[0] if predicted else view["declarer"]  # to declare
    in_turn = seats_from((view["dealer"] + 1) % view["seats"], view["seats"])
    passed_over = set(in_turn[: in_turn.index(forced)]).intersection(stayed)
    return sums | dict.fromkeys(passed_over, False) | {forced: True}


def _fits(lowest, known_sum, enough):
    """A function that says whether cards may be the unseen rest of a field; None if any may.

    lowest: the power that all of them exceed. enough: whether the whole field has 15 or more, None if that is open.
    """
    if enough is None:
        return None if lowest < 0 else partial(_are_above, lowest)
    return partial(_are_above_with_sum, lowest, ENOUGH - known_sum, enough)


def _are_above(lowest, cards):
    return all([POWER[card] > lowest for card in cards])


def _are_above_with_sum(lowest, needed, enough, cards):
    return (field_sum(cards) >= needed) == enough and _are_above(lowest, cards)
