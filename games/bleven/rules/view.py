"""Views, score sheets and events of Bleven, as plain JSON types.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from games.bleven.rules.pack import PACK
from games.bleven.rules.scoring import standings, target
from games.bleven.rules.shapes import (
    LastRound,
    PaymentRow,
    PredictionRow,
    Round,
    Sheet,
    SideRow,
    Table,
    TrickRow,
)
from games.bleven.rules.stakes import room
from games.bleven.rules.state import (
    CROWN,
    Line,
    Match,
    Prediction,
    Side,
    State,
    Trick,
    cutter_of,
    dealer_of,
    empty_state,
    hand_of,
    is_between_rounds,
    public_field,
    round_number,
    seats_of,
    side_of,
    tricks_won,
    winner_of,
)
from games.kit.contract import Card, Event, Move, Seat
from games.kit.positions import as_lists

BLACK = 5  # the worth of a black stone in white ones
BLANK_LINE = Line(None, None, None, None, None, None, 0, 0, 0, (), None, None, (), (0, 0), (), (), ())


# View


def private_view(state: State, seat: Seat) -> dict[str, object]:
    assert 0 <= seat < state.match.seats
    own: dict[str, object] = {"seat": seat}
    if not is_between_rounds(state):
        own["hand"] = hand_of(state, seat)
        if seat == state.to_act:
            own["drawn"] = state.drawn
    return own


def public_view(state: State) -> Table:
    match = state.match
    last_round = None
    if is_between_rounds(state):
        last_round = _last_round(state)
        winner = state.winner
        state = empty_state(match, state.phase, state.to_act, state.lines, state.totals)._replace(winner=winner)
    hands = [hand_of(state, seat) for seat in range(match.seats)]
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
        "prediction": _prediction_row(state.prediction),
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
        "tricks": _trick_rows(state.tricks),
        "won": tricks_won(state),
        "said": _spoken_moves(state),
        "totals": list(state.totals),
        "winner": state.winner,
        "last_round": last_round,
    }


def hidden_from(state: State, seat: Seat | None) -> set[Card]:
    if is_between_rounds(state) and not state.lines:
        return set()
    fields = [public_field(state, player) or () for player in range(state.match.seats)]
    if seat is not None:
        fields.append(state.fields[seat])
    played = [card for trick in state.tricks for _, card in trick]
    return set(PACK).difference(played, *fields, *state.reserves)


def _last_round(state: State) -> LastRound | None:
    """Return what the table shows of the last round until the next deal, or None before the first round."""
    if not state.lines:
        return None
    return {
        **_round_row(state.match, len(state.lines), state.lines[-1] or BLANK_LINE),
        "said": _spoken_moves(state),
        "reserves": as_lists(state.reserves),  # the discards of each seat
        "shown": [as_lists(public_field(state, seat)) for seat in range(state.match.seats)],
    }


def _spoken_moves(state: State) -> list[Move]:
    return [{"seat": seat} | {key: as_lists(value) for key, value in move} for seat, move in state.said]


def _prediction_row(prediction: Prediction | None) -> PredictionRow | None:
    return prediction and {"tricks": prediction.tricks, "positions": list(prediction.positions)}


def _trick_rows(tricks: tuple[Trick, ...]) -> list[TrickRow]:
    return [_trick_row(trick) for trick in tricks]


def _trick_row(trick: Trick) -> TrickRow:
    winner = winner_of(trick)
    return {
        "leader": trick[0][0],
        "plays": [{"seat": seat, "card": card} for seat, card in trick],
        "winner": winner,
        "side": side_of(winner),
    }


# Score sheet


def score_sheet(state: State) -> Sheet:
    match = state.match
    return {
        "target": target(match),
        "sides": [_side_row(match, side, total) for side, total in enumerate(state.totals)],
        "rounds": [_round_row(match, number, line or BLANK_LINE) for number, line in enumerate(state.lines, 1)],
    }


def _side_row(match: Match, side: Side, total: int) -> SideRow:
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


def _round_row(match: Match, number: int, line: Line) -> Round:
    return {
        "round": number,
        "dealer": dealer_of(match, number),
        "result": line.result,
        "winner": line.winner,
        "declarer": line.declarer,
        "prediction": _prediction_row(line.prediction),
        "replier": line.replier,
        "answer": line.answer,
        "offered": line.offered,
        "bet": line.bet,
        "side_bets": line.side_bets,
        "tricks": _trick_rows(line.tricks),
        "right": line.right,
        "counted": line.counted and {"tricks": line.counted[0], "positions": line.counted[1]},
        "paid": _payment_rows(line),
        "totals": list(line.totals),
        "out": list(line.out),
        "left": list(line.left),
        "faced": list(line.faced),
        "points": sum(stones for _, stones, reason in line.paid if reason == "points"),
        "stones": _stones_by_side(line),
        "crowns": [total // CROWN for total in line.totals],
    }


def _payment_rows(line: Line) -> list[PaymentRow]:
    return [{"side": side, "stones": stones, "for": reason} for side, stones, reason in line.paid]


def _stones_by_side(line: Line) -> list[int]:
    """Return what the round paid to each side."""
    return [sum(stones for payee, stones, _ in line.paid if payee == side) for side in (0, 1)]


# Events


def events(before: State, move: Move, after: State) -> list[Event]:
    """Return the events that a move causes, in their order, as dicts with a type.

    A deal, a draw and a discard are one event each. All other moves are said aloud, and much may follow from them.
    before, after: the states before and after the move.
    """
    kind, seat = move["type"], before.to_act
    if kind == "deal":
        return [_round_dealt(after)]
    if kind == "draw":
        return [{"type": "drew", "seat": seat}]
    if kind == "discard":
        return [{"type": "discarded", "seat": seat, "card": move["card"]}]

    # The event has a copy of the move: later changes to the caller's dict must not change the event.
    copied_move = {key: as_lists(value) for key, value in move.items()}
    events: list[Event] = [{"type": "said", "seat": seat, "move": copied_move}]
    # If all players have stayed in the round or left it, and nobody has declared, the rules name the declarer.
    is_last_decision = kind in ("stay", "leave") and after.phase == "predict"
    if is_last_decision and before.declarer is None:
        events.append({"type": "must_declare", "seat": after.declarer})
    # Fields (the three cards of a seat) below 15 are "faced", that is, laid open, before the first trick.
    events += [
        {"type": "faced", "seat": player, "cards": list(after.fields[player])}
        for player, status in enumerate(after.status)
        if status == "faced" and before.status[player] != "faced"
    ]
    events += [  # One move may bring several tricks, because the players choose no card.
        {"type": "trick_won", "trick": number, **trick}
        for number, trick in enumerate(_trick_rows(after.tricks), 1)
        if number > len(before.tricks)
    ]
    if is_between_rounds(after):
        events += _round_scored(before, after)
    if after.phase == "over":
        events.append({"type": "match_over", "standings": standings(after)})
    return events


def _round_dealt(after: State) -> Event:
    number, match = round_number(after), after.match
    dealer, cutter = dealer_of(match, number), cutter_of(match, number)
    return {"type": "round_dealt", "round": number, "dealer": dealer, "cutter": cutter}


def _round_scored(before: State, after: State) -> list[Event]:
    """Return the events of a round's end: its result, and the crowns (thirty stones each) that a side has now.

    before, after: the states before and after the move that ended it.
    """
    line = after.lines[-1]
    assert line is not None
    scored = {
        "type": "round_scored",
        "round": len(after.lines),
        "result": line.result,
        "winner": line.winner,
        "right": line.right,
        "paid": _payment_rows(line),
        "totals": list(line.totals),
    }
    crowns = [(side, total // CROWN) for side, total in enumerate(after.totals)]
    crowned = [
        {"type": "crowned", "side": side, "crowns": count}
        for side, count in crowns
        if count > before.totals[side] // CROWN
    ]
    return [scored, *crowned]
