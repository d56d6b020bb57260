"""The views, the score sheet and the events of Bids, all plain JSON.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from games.bids.rules.moves import legal_moves
from games.bids.rules.pack import DOUBLE, pack_of
from games.bids.rules.scoring import alliance, black_cards_of, null_rounds, standings, totals, won_by_seat
from games.bids.rules.state import TRICKS, Match, first_leader, round_number
from games.kit.tricks import as_plays

# View


def shown_to(state, seat):
    assert 0 <= seat < state.round.match.seats
    own = {"seat": seat, "hand": list(state.hands[seat])}
    if state.phase == "play" and seat == state.to_act:
        own["legal_moves"] = legal_moves(state)
    return own


def shown_to_all(state):
    round_, playing = state.round, state.phase == "play"
    seats, *options = round_.match
    return {
        "seat": None,
        "seats": seats,
        "options": dict(zip(Match._fields[1:], options, strict=True)),
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
        "tricks": [_trick(seats, trick, place) for place, trick in enumerate(state.tricks, 1)],
        "last_trick": state.last_trick and _trick(seats, state.last_trick, len(state.tricks) or TRICKS),
        "score_sheet": score_sheet(state),
        "standings": standings(state),
        "legal_moves": [],
    }


def hidden_from(state, seat):
    tricks = filter(None, [*state.tricks, state.last_trick])
    played = {card for trick in tricks for card in (*trick.cards, trick.centre, trick.under)}
    own = () if seat is None else state.hands[seat]
    return set(pack_of(state.round.match)) - played.union(state.trick, [state.centre], own)


def _trick(seats, trick, number):
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


def score_sheet(state):
    round_ = state.round
    return {
        "rounds": [_row(number, line) for number, line in enumerate(round_.lines, 1)],
        "current": _current_row(round_number(state), round_.match.seats, state.tricks)
        if state.phase == "play"
        else None,
        "null_rounds": null_rounds(round_),
        "totals": totals(round_),
    }


def _row(number, line):
    return {
        "round": number,
        "trick_points": list(line.trick_points),
        "doubling": list(line.doubling),
        "black_cards": list(line.black_cards),
        "null": [black == 0 for black in line.black_cards],
        "lucky_loser": list(line.lucky_loser),
        "ally": _pair(line.ally),
        "ally_change": list(line.ally_change),
        "total": list(line.total),
    }


def _current_row(number, seats, tricks):
    points, doubling, black_cards = won_by_seat(seats, tricks)
    return {
        "round": number,
        "trick_points": points,
        "doubling": doubling,
        "black_cards": black_cards,
        "ally": _pair(alliance(seats, tricks)),
    }


def _pair(ally):
    return ally and {"seat": ally[0], "partner": ally[1]}


# Events


def events(before, move, after):
    if before.phase == "deal":
        if after.phase == "deal":
            return []
        dealt = {"type": "dealt", "round": round_number(after), "leader": after.leader}
        return [dealt, *_turned_up(before, after)]
    happened = [{"type": "played", "seat": before.to_act, "card": move["card"]}]
    if after.phase == "play" and after.trick:
        return happened
    happened += _trick_finished(before, after.last_trick)
    if after.phase == "play":
        return happened + _turned_up(before, after)
    happened += _round_finished(after.round)
    if after.phase == "over":
        happened.append({"type": "match_over", "standings": standings(after)})
    return happened


def _turned_up(before, after):
    """Return the events of turning up a centre card."""
    number = len(after.tricks) + 1
    happened = [{"type": "centre", "trick": number, "card": after.centre}]
    return [*happened, {"type": "lowest", "trick": number}] if after.lowest and not before.lowest else happened


def _trick_finished(before, trick):
    """Return the events of the end of a trick. before: the state before its last bid."""
    number = len(before.tricks) + 1
    happened = [{"type": "revealed", "card": trick.under}] if trick.under else []
    if trick.winner is None:
        burnt = {"points": trick.points, "by_centre": trick.by_centre, "leads": trick.leads}
        return [*happened, {"type": "trick_burnt", "trick": number, **burnt}]
    won = {"seat": trick.winner, "points": trick.points, "black": black_cards_of(trick)}
    happened.append({"type": "trick_won", "trick": number, **won})
    if trick.prize == DOUBLE:
        so_far = {"before": trick.doubling, "after": 2 * trick.doubling}
        happened.append({"type": "doubled", "seat": trick.winner, **so_far})
    ally = alliance(before.round.match.seats, [trick])
    return [*happened, {"type": "allied", **_pair(ally)}] if ally else happened


def _round_finished(round_):
    line, number = round_.lines[-1], len(round_.lines)
    happened = [
        {"type": "lucky_loser", "round": number, "seat": seat, "null_rounds": nulls, "points": line.lucky_loser[seat]}
        for seat, nulls in enumerate(null_rounds(round_))
        if line.black_cards[seat] == 0
    ]
    if line.ally:
        shared = {"round": number, **_pair(line.ally), "each": line.total[line.ally[0]]}
        happened.append({"type": "shared", **shared})
    return [*happened, {"type": "round_scored", "round": number, "total": list(line.total)}]
