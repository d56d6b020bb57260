"""What a round of Bleven pays, and whether that ends the match.

Source: "Scoring" and "End of the match" on the rules page.
"""

from games.bleven.rules.pack import field_sum
from games.bleven.rules.state import CARDS, CROWN, ENOUGH, Line, dealer_of, seats_of, side_of, winner_of
from games.kit.contract import CHANCE


def triangular(number):
    """1 + 2 + ... + number: the points for so many tricks and positions."""
    return number * (number + 1) // 2


def score_void(state):
    """The state after a round that nobody wins."""
    return _scored(state, "void", None, ())


def score_lost(state, result, loser):
    """The state after a round that the side `loser` has lost without playing it out: by "left", "out" or "under15"."""
    winner = 1 - loser
    return _scored(state, result, winner, _forfeit(state, result, winner))


def score_played(state):
    """The state after three tricks."""
    _, *scored = payments_of_play(state)
    return _scored(state, *scored)


def payments_of_play(state):
    """What three tricks bring: whether the prediction was right, the result, its winner and the payments."""
    declaring = side_of(state.declarer)
    right, counted = _counted(state)
    points = (declaring, triangular(sum(counted)), "points")
    short = _seat_short_of_15(state)
    if short is not None:
        winner = 1 - short
        paid = _forfeit(state, "under15", winner)
        return right, "under15", winner, ((points, *paid) if winner == declaring else paid)

    bet = state.accepted if state.answer == "suspect" else 0
    if right:
        paid = (points, (declaring, bet, "bet"), (declaring, state.side_bets, "side_bets"))
        return right, "played", declaring, paid
    other = 1 - declaring
    if state.match.deduced_miss == "bet":
        bet = state.accepted
    paid = ((other, bet, "bet"), (other, state.side_bets, "side_bets"), points)
    return right, "played", other, paid


def _counted(state):
    """Whether the prediction was right; and how many of its tricks and of its positions count."""
    declaring = side_of(state.declarer)
    won = [place for place, trick in enumerate(state.tricks, 1) if side_of(winner_of(trick)) == declaring]
    tricks, positions = state.prediction
    right = len(won) == tricks
    return right, (tricks if right else 0, len(set(won).intersection(positions)))


def _seat_short_of_15(state):
    """With two seats, the one whose field is short of 15, or None. It cannot be both: one of them could declare."""
    if state.match.seats != 2:
        return None
    return next((seat for seat, field in enumerate(state.fields) if field_sum(field) < ENOUGH), None)


def _forfeit(state, result, winner):
    """The payments for a round that the other side gave up, or may not win."""
    players = len(seats_of(winner, state.match.seats))
    lost = players * state.match.leave_cost
    paid = ((winner, lost, "round"), (winner, state.accepted, "bet"), (winner, state.side_bets, "side_bets"))
    return (*paid, (winner, players, "out")) if result == "out" else paid


def _scored(state, result, winner, paid):
    """The state after the payments, those of nothing left out."""
    paid = tuple([payment for payment in paid if payment[1]])
    right, counted = _counted(state) if len(state.tricks) == CARDS else (None, None)
    totals, match_winner = _paid_out(state, paid)
    if match_winner is None:
        match_winner = _decided(state, winner, totals)
    line = Line(
        result=result,
        winner=winner,
        declarer=state.declarer,
        prediction=state.prediction,
        replier=state.replier,
        answer=state.answer,
        offered=state.offered,
        bet=state.accepted,
        side_bets=state.side_bets,
        tricks=state.tricks,
        right=right,
        counted=counted,
        paid=paid,
        totals=totals,
        out=_seats_that_said("out", state),
        left=_seats_that_said("leave", state),
        faced=tuple([seat for seat, status in enumerate(state.status) if status == "faced"]),
    )
    over = match_winner is not None
    return state._replace(
        lines=(*state.lines, line),
        totals=totals,
        winner=match_winner,
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        pile=(),
    )


def _paid_out(state, paid):
    """The totals after the payments; and the side that was the first to reach the target, or None."""
    totals, winner = list(state.totals), None
    for side, stones, _ in paid:
        totals[side] += stones
        if winner is None and totals[side] >= target(state.match):
            winner = side
    return tuple(totals), winner


def _decided(state, winner, totals):
    """The side that wins the match because of the number of rounds, or None.

    winner: the side that has won this round, if one has.
    """
    number = len(state.lines) + 1
    rounds = state.match.rounds
    if not rounds or number < rounds:
        return None
    if totals[0] != totals[1]:
        return int(totals[1] > totals[0])
    if number == rounds:
        return None  # one more, which is the last
    return side_of(dealer_of(state.match, number)) if winner is None else winner


def target(match):
    """The stones that win the match."""
    return CROWN * match.crowns


def _seats_that_said(kind, state):
    return tuple([seat for seat, move in state.said if move[0] == ("type", kind)])


def standings(state):
    if state.phase != "over":
        return []
    seats = state.match.seats
    by_place = sorted(range(seats), key=lambda seat: (side_of(seat) != state.winner, seat))
    return [
        {
            "seat": seat,
            "team": side_of(seat) if seats == 4 else None,
            "score": state.totals[side_of(seat)],
            "place": 1 if side_of(seat) == state.winner else 2,
        }
        for seat in by_place
    ]
