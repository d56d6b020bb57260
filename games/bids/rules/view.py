"""The views, the score sheet and the events of Bids, all plain JSON.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from games.bids.rules.moves import legal_moves
from games.bids.rules.pack import DOUBLE, pack_of
from games.bids.rules.scoring import alliance, black_cards_of, null_rounds, standings, totals, won_by_seat
from games.bids.rules.state import TRICKS, Line, Round, State, Trick, first_leader, round_number
from games.bids.types import Alliance, Event, FinishedTrick, RoundInProgress, ScoredRound, ScoreSheet, View
from games.kit.contract import Card, Move, Seat
from games.kit.tricks import as_plays

# View


def private_view(state: State, seat: Seat) -> dict[str, object]:
    assert 0 <= seat < state.round.match.seats
    own: dict[str, object] = {"seat": seat, "hand": list(state.hands[seat])}
    if state.phase == "play" and seat == state.to_act:
        own["legal_moves"] = legal_moves(state)
    return own


def public_view(state: State) -> View:
    round_, playing = state.round, state.phase == "play"
    match, seats = round_.match, round_.match.seats
    return {
        "seat": None,
        "seats": seats,
        "options": {
            "rounds": match.rounds,
            "ally": match.ally,
            "minus5_2x": match.minus5_2x,
            "lowest": match.lowest,
            "surprise": match.surprise,
            "colour_bids": match.colour_bids,
        },
        "phase": state.phase,
        "round": round_number(state),
        "trick": len(state.tricks) + 1 if playing else 0,
        "first_leader": first_leader(state),
        "leader": state.leader,
        "to_act": state.to_act if playing else None,
        "lowest": state.lowest,
        "centre": state.centre,
        "plays": as_plays(seats, state.leader, state.trick),
        "hand": [],
        "hand_counts": [len(hand) for hand in state.hands],
        "stock_count": len(state.stock) if playing else 0,
        "tricks": [_trick_row(seats, trick, place) for place, trick in enumerate(state.tricks, 1)],
        "last_trick": state.last_trick and _trick_row(seats, state.last_trick, len(state.tricks) or TRICKS),
        "score_sheet": score_sheet(state),
        "standings": standings(state),
        "legal_moves": [],
    }


def hidden_from(state: State, seat: Seat | None) -> set[Card]:
    tricks = filter(None, [*state.tricks, state.last_trick])
    played = {card for trick in tricks for card in (*trick.cards, trick.centre, trick.under)}
    own = () if seat is None else state.hands[seat]
    return set(pack_of(state.round.match)) - {*played, *state.trick, state.centre, *own}


def _trick_row(seats: int, trick: Trick, number: int) -> FinishedTrick:
    leader, centre, under, cards, winner, leads, points, doubling, by_centre = trick
    return {
        "trick": number,
        "leader": leader,
        "centre": centre,
        "under": under,
        "prize": under or centre,
        "plays": as_plays(seats, leader, cards),
        "winner": winner,
        "leads": leads,
        "points": points,
        "doubling": doubling,
        "by_centre": by_centre,
    }


# Score sheet


def score_sheet(state: State) -> ScoreSheet:
    round_ = state.round
    return {
        "rounds": [_scored_row(number, line) for number, line in enumerate(round_.lines, 1)],
        "current": _current_row(round_number(state), round_.match.seats, state.tricks)
        if state.phase == "play"
        else None,
        "null_rounds": null_rounds(round_),
        "totals": totals(round_),
    }


def _scored_row(number: int, line: Line) -> ScoredRound:
    return {
        "round": number,
        "trick_points": list(line.trick_points),
        "doubling": list(line.doubling),
        "black_cards": list(line.black_cards),
        "null": [black == 0 for black in line.black_cards],
        "lucky_loser": list(line.lucky_loser),
        "ally": _alliance_row(line.ally),
        "ally_change": list(line.ally_change),
        "total": list(line.total),
    }


def _current_row(number: int, seats: int, tricks: tuple[Trick, ...]) -> RoundInProgress:
    points, doubling, black_cards = won_by_seat(seats, tricks)
    return {
        "round": number,
        "trick_points": points,
        "doubling": doubling,
        "black_cards": black_cards,
        "ally": _alliance_row(alliance(seats, tricks)),
    }


def _alliance_row(ally: tuple[Seat, Seat] | None) -> Alliance | None:
    return ally and {"seat": ally[0], "partner": ally[1]}


# Events


def events(before: State, move: Move, after: State) -> list[Event]:
    if before.phase == "deal":
        if after.phase == "deal":
            return []
        assert after.leader is not None
        return [{"type": "dealt", "round": round_number(after), "leader": after.leader}, *_turned_up(before, after)]
    assert before.to_act is not None
    events: list[Event] = [{"type": "played", "seat": before.to_act, "card": move["card"]}]
    if after.phase == "play" and after.trick:
        return events
    assert after.last_trick
    events += _trick_finished(before, after.last_trick)
    if after.phase == "play":
        return events + _turned_up(before, after)
    events += _round_finished(after.round)
    if after.phase == "over":
        events.append({"type": "match_over", "standings": standings(after)})
    return events


def _turned_up(before: State, after: State) -> list[Event]:
    """Return the events that announce the black card in the centre, the prize of the trick that begins.

    before, after: the states before and after the move. A special card may make the lowest number win from now on. That
    is announced too.
    """
    assert after.centre
    number = len(after.tricks) + 1
    events: list[Event] = [{"type": "centre", "trick": number, "card": after.centre}]
    return [*events, {"type": "lowest", "trick": number}] if after.lowest and not before.lowest else events


def _trick_finished(before: State, trick: Trick) -> list[Event]:
    """Return the events at the end of a trick, in the order that players see. before: the state before its last bid.

    A card hidden under the centre card is revealed first. A trick that nobody wins is burnt: its cards are gone. The
    card 2x doubles the winner's points. If somebody has played the Ally, that player and the winner share their points.
    """
    number = len(before.tricks) + 1
    events: list[Event] = [{"type": "revealed", "card": trick.under}] if trick.under else []
    points, winner = trick.points, trick.winner
    if winner is None:
        by_centre, leads = trick.by_centre, trick.leads
        events.append(
            {"type": "trick_burnt", "trick": number, "points": points, "by_centre": by_centre, "leads": leads}
        )
        return events
    black = black_cards_of(trick)
    events.append({"type": "trick_won", "trick": number, "seat": winner, "points": points, "black": black})
    if trick.prize == DOUBLE:
        events.append({"type": "doubled", "seat": winner, "before": trick.doubling, "after": 2 * trick.doubling})
    if ally := alliance(before.round.match.seats, [trick]):
        events.append({"type": "allied", "seat": ally[0], "partner": ally[1]})
    return events


def _round_finished(round_: Round) -> list[Event]:
    line, number = round_.lines[-1], len(round_.lines)
    events: list[Event] = [
        {"type": "lucky_loser", "round": number, "seat": seat, "null_rounds": nulls, "points": line.lucky_loser[seat]}
        for seat, nulls in enumerate(null_rounds(round_))
        if line.black_cards[seat] == 0
    ]
    if line.ally:
        seat, partner = line.ally
        events.append({"type": "shared", "round": number, "seat": seat, "partner": partner, "each": line.total[seat]})
    return [*events, {"type": "round_scored", "round": number, "total": list(line.total)}]
