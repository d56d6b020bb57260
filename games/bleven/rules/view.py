"""What Bleven shows: the table as a seat may know it, the score sheet, and what happens at a move. All plain JSON.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from games.bleven.rules.pack import PACK
from games.bleven.rules.scoring import standings, target
from games.bleven.rules.stakes import room
from games.bleven.rules.state import (
    CROWN,
    Line,
    between_rounds,
    cleared,
    cutter_of,
    dealer_of,
    hand_of,
    round_number,
    seats_of,
    shown_field,
    side_of,
    tricks_won,
    winner_of,
)
from games.kit.positions import as_lists

BLACK = 5  # what a black stone is worth
BLANK = Line(None, None, None, None, None, None, 0, 0, 0, (), None, None, (), (0, 0), (), (), ())


# View


def private_view(state, seat):
    assert 0 <= seat < state.match.seats
    own = {"seat": seat}
    if not between_rounds(state):
        own["hand"] = hand_of(state, seat)
        if seat == state.to_act:
            own["drawn"] = state.drawn
    return own


def public_view(state):
    match = state.match
    last = None
    if between_rounds(state):
        last = _last_round(state) if state.lines else None
        winner = state.winner
        state = cleared(match, state.phase, state.to_act, state.lines, state.totals)._replace(winner=winner)
    hands = [hand_of(state, other) for other in range(match.seats)]
    number = round_number(state)
    return {
        "game": "bleven",
        "seat": None,
        "seats": match.seats,
        "sides": [list(seats_of(side, match.seats)) for side in (0, 1)],
        "options": {name: value for name, value in match._asdict().items() if name != "seats"},
        "phase": state.phase,
        "to_act": state.to_act,
        "round": number,
        "dealer": dealer_of(match, number),
        "pile": len(state.pile),
        "hand": [],
        "drawn": None,
        "hand_counts": [len(hand) for hand in hands],
        "reserves": [list(reserve) for reserve in state.reserves],
        "status": list(state.status),
        "faced": [
            list(field) if status == "faced" else None for field, status in zip(state.fields, state.status, strict=True)
        ],
        "declarer": state.declarer,
        "prediction": _prediction(state.prediction),
        "replier": state.replier,
        "answer": state.answer,
        "bet": {
            "accepted": state.accepted,
            "offered": state.offered,
            "side_bets": state.side_bets,
            "room": room(state),
        },
        "side_offer": state.side_offer and {"seat": state.side_offer[0], "bet": state.side_offer[1]},
        "window": list(state.window),
        "tricks": _tricks(state.tricks),
        "won": tricks_won(state),
        "said": _said(state),
        "totals": list(state.totals),
        "winner": state.winner,
        "last_round": last,
    }


def hidden_from(state, seat):
    if between_rounds(state) and not state.lines:
        return set()
    fields = [shown_field(state, other) or () for other in range(state.match.seats)]
    if seat is not None:
        fields.append(state.fields[seat])
    played = [card for trick in state.tricks for _, card in trick]
    return set(PACK).difference(played, *fields, *state.reserves)


def _last_round(state):
    row = _row(state.match, len(state.lines), state.lines[-1])
    return row | {
        "said": _said(state),
        "reserves": as_lists(state.reserves),
        "shown": [as_lists(shown_field(state, seat)) for seat in range(state.match.seats)],
    }


def _said(state):
    return [{"seat": seat} | {key: as_lists(value) for key, value in move} for seat, move in state.said]


def _prediction(prediction):
    return prediction and {"tricks": prediction.tricks, "positions": list(prediction.positions)}


def _tricks(tricks):
    return [_trick(trick) for trick in tricks]


def _trick(trick):
    winner = winner_of(trick)
    return {
        "leader": trick[0][0],
        "plays": [{"seat": seat, "card": card} for seat, card in trick],
        "winner": winner,
        "side": side_of(winner),
    }


# Score sheet


def score_sheet(state):
    match = state.match
    return {
        "target": target(match),
        "sides": [_side(match, side, total) for side, total in enumerate(state.totals)],
        "rounds": [_row(match, number, line or BLANK) for number, line in enumerate(state.lines, 1)],
    }


def _side(match, side, total):
    crowns, stones = divmod(total, CROWN)
    black, white = divmod(stones, BLACK)
    return {
        "side": side,
        "seats": list(seats_of(side, match.seats)),
        "total": total,
        "crowns": crowns,
        "stones": stones,
        "black": black,
        "white": white,
    }


def _row(match, number, line):
    return {
        "round": number,
        "dealer": dealer_of(match, number),
        **line._asdict(),
        "prediction": _prediction(line.prediction),
        "tricks": _tricks(line.tricks),
        "counted": line.counted and {"tricks": line.counted[0], "positions": line.counted[1]},
        "points": sum(stones for _, stones, reason in line.paid if reason == "points"),
        "paid": _paid(line),
        "stones": _stones(line),
        "totals": list(line.totals),
        "crowns": [total // CROWN for total in line.totals],
        "out": list(line.out),
        "left": list(line.left),
        "faced": list(line.faced),
    }


def _paid(line):
    return [{"side": side, "stones": stones, "for": reason} for side, stones, reason in line.paid]


def _stones(line):
    """What the round has paid to each side."""
    return [sum(stones for payee, stones, _ in line.paid if payee == side) for side in (0, 1)]


# Events


def events(before, move, after):
    kind, seat = move["type"], before.to_act
    if kind == "deal":
        number, match = round_number(after), after.match
        return [
            {
                "type": "round_dealt",
                "round": number,
                "dealer": dealer_of(match, number),
                "cutter": cutter_of(match, number),
            }
        ]
    if kind == "draw":
        return [{"type": "drew", "seat": seat}]
    if kind == "discard":
        return [{"type": "discarded", "seat": seat, "card": move["card"]}]

    # The move is written anew: what is told must not change with what was sent.
    happened = [{"type": "said", "seat": seat, "move": {key: as_lists(value) for key, value in move.items()}}]
    if kind in ("stay", "leave") and before.declarer is None and after.phase == "predict":
        happened.append({"type": "must_declare", "seat": after.declarer})
    happened += [
        {"type": "faced", "seat": other, "cards": list(after.fields[other])}
        for other, status in enumerate(after.status)
        if status == "faced" != before.status[other]
    ]
    happened += [
        {"type": "trick_won", "trick": number, **trick}
        for number, trick in enumerate(_tricks(after.tricks), 1)
        if number > len(before.tricks)
    ]
    if between_rounds(after):
        happened += _round_scored(before, after)
    if after.phase == "over":
        happened.append({"type": "match_over", "standings": standings(after)})
    return happened


def _round_scored(before, after):
    line = after.lines[-1]
    scored = {
        "type": "round_scored",
        "round": len(after.lines),
        "result": line.result,
        "winner": line.winner,
        "right": line.right,
        "paid": _paid(line),
        "totals": list(line.totals),
    }
    crowns = [(side, total // CROWN) for side, total in enumerate(after.totals)]
    crowned = [
        {"type": "crowned", "side": side, "crowns": count}
        for side, count in crowns
        if count > before.totals[side] // CROWN
    ]
    return [scored, *crowned]
