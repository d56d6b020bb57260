"""What a round of Bleven pays, and whether it ends the match.

Source: "Scoring" and "End of the match" on the rules page.
"""

from games.bleven.rules.pack import field_sum
from games.bleven.rules.state import (
    CROWN,
    MIN_SUM,
    Line,
    Match,
    Payment,
    Side,
    State,
    dealer_of,
    declaring_side,
    seats_of,
    side_of,
    standing_prediction,
    winner_of,
)
from games.kit.contract import CHANCE, Seat, Standing

type Positions = tuple[int, ...]  # of tricks, from 1


def triangular(number: int) -> int:
    """Return 1 + 2 + ... + number: the points for this many tricks and positions."""
    return number * (number + 1) // 2


def score_void(state: State) -> State:
    """Return the state after a round that nobody wins."""
    return _score(state, "void", None, ())


def score_lost(state: State, result: str, loser: Side) -> State:
    """Return the state after a round that a side lost without three tricks: by "left", "out" or "under15"."""
    winner = 1 - loser
    return _score(state, result, winner, _forfeit_payments(state, result, winner))


def score_played(state: State) -> State:
    """Return the state after three tricks."""
    return score_tricks(state, _tricks_won(state), _find_short_seat(state))


def score_tricks(state: State, won: Positions, short_seat: Seat | None) -> State:
    """Return the state after three tricks. won: the positions of the tricks that the declaring side won.

    short_seat: with two seats, the one whose field adds up to less than 15.
    """
    _, result, winner, payments = _payments(state, won, short_seat)
    return _score(state, result, winner, payments, won)


def payments_of_play(state: State) -> tuple[bool, str, Side, tuple[Payment, ...]]:
    """Return what three tricks bring: whether the prediction was right, the result, the winning side and the payments.

    A payment is a tuple of a side, its stones and the reason. Their order counts: the side that reaches the target
    first wins the match. The declaring side is the one that made the prediction.
    """
    return _payments(state, _tricks_won(state), _find_short_seat(state))


def _payments(state: State, won: Positions, short_seat: Seat | None) -> tuple[bool, str, Side, tuple[Payment, ...]]:
    declaring = declaring_side(state)
    opponents = 1 - declaring
    right, counted = _count_hits(state, won)
    points = (declaring, triangular(sum(counted)), "points")
    if short_seat is not None:  # It loses, no matter who won the tricks. With two seats each seat is a side.
        winner = 1 - short_seat
        payments = _forfeit_payments(state, "under15", winner)
        if winner == declaring:  # It keeps the points of its prediction.
            payments = (points, *payments)
        return right, "under15", winner, payments

    # The main bet is paid if the other side doubted the prediction ("suspect"), not if it believed it. But by an option
    # a wrong prediction loses the bet even if it was believed.
    is_bet_paid = state.answer == "suspect" or (not right and state.match.deduced_miss == "bet")
    bet = state.accepted if is_bet_paid else 0
    if right:
        payments = (points, (declaring, bet, "bet"), (declaring, state.side_bets, "side_bets"))
        return right, "played", declaring, payments
    # A wrong prediction may still have points, for single tricks that it named.
    payments = ((opponents, bet, "bet"), (opponents, state.side_bets, "side_bets"), points)
    return right, "played", opponents, payments


def _tricks_won(state: State) -> Positions:
    """Return the positions, from 1, of the tricks that the declaring side has won."""
    declaring = declaring_side(state)
    return tuple([number for number, trick in enumerate(state.tricks, 1) if side_of(winner_of(trick)) == declaring])


def _count_hits(state: State, won: Positions) -> tuple[bool, tuple[int, int]]:
    """Return whether the number of tricks was predicted right, and a pair: how many tricks and positions score points.

    The tricks score only if their number is right. Each position (a trick that the side named) scores if it was won.
    won: the positions of the tricks that the declaring side won.
    """
    tricks, positions = standing_prediction(state)
    right = len(won) == tricks
    tricks_counted = tricks if right else 0
    positions_counted = len(set(won).intersection(positions))
    return right, (tricks_counted, positions_counted)


def _find_short_seat(state: State) -> Seat | None:
    """Return the seat whose three cards add up to less than 15, or None.

    There is one at most, because the seat that declared had 15.
    """
    if state.match.seats != 2:  # With four seats such cards are laid open before the first trick.
        return None
    return next((seat for seat, field in enumerate(state.fields) if field_sum(field) < MIN_SUM), None)


def _forfeit_payments(state: State, result: str, winner: Side) -> tuple[Payment, ...]:
    """Return the payments for a round that the other side gave up, or lost with less than 15.

    A payment is a tuple of a side, its stones (points) and the reason. The round has a price for each player. The bets
    that both sides have agreed to are paid as well.
    """
    players = len(seats_of(winner, state.match.seats))
    price = players * state.match.leave_cost
    payments = ((winner, price, "round"), (winner, state.accepted, "bet"), (winner, state.side_bets, "side_bets"))
    if result == "out":  # To go out after the prediction costs a stone more for each player than to leave before it.
        return (*payments, (winner, players, "out"))
    return payments


def _score(
    state: State, result: str, winner: Side | None, payments: tuple[Payment, ...], won: Positions | None = None
) -> State:
    """Return the state after the payments of a round, with a line for the score sheet. The match may be over.

    result: how the round ended. winner: the side that won it, or None. payments: tuples of a side, its stones and the
    reason. won: after three tricks, the positions of those that the declaring side won.
    """
    paid = tuple([(side, stones, reason) for side, stones, reason in payments if stones])
    # Only after three tricks a prediction is right or wrong.
    right, counted = (None, None) if won is None else _count_hits(state, won)
    totals, match_winner = _add_payments(state, paid)
    if match_winner is None:
        match_winner = _winner_by_rounds(state, winner, totals)
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
        out=_seats_by_move(state, "out"),
        left=_seats_by_move(state, "leave"),
        faced=tuple([seat for seat, status in enumerate(state.status) if status == "faced"]),
    )
    is_over = match_winner is not None
    return state._replace(
        lines=(*state.lines, line),
        totals=totals,
        winner=match_winner,
        phase="over" if is_over else "deal",
        to_act=None if is_over else CHANCE,  # CHANCE deals the next round.
        pile=(),
    )


def _add_payments(state: State, payments: tuple[Payment, ...]) -> tuple[tuple[int, ...], Side | None]:
    """Return the totals of both sides after the payments, and the first side to reach the target, or None.

    payments: tuples of a side, its stones and the reason, in the order of payment.
    """
    totals, winner = list(state.totals), None
    for side, stones, _ in payments:
        totals[side] += stones
        if winner is None and totals[side] >= target(state.match):
            winner = side
    return tuple(totals), winner


def _winner_by_rounds(state: State, round_winner: Side | None, totals: tuple[int, ...]) -> Side | None:
    """Return the side that wins the match because this round was the last, or None if the match goes on.

    round_winner: the side that won the round, or None.
    """
    number = len(state.lines) + 1
    rounds = state.match.rounds  # the limit, 0 if there is none
    if not rounds or number < rounds:
        return None
    if totals[0] != totals[1]:
        return int(totals[1] > totals[0])
    if number == rounds:
        return None  # One more round decides.
    # Somebody must win now: the winner of this round, or the dealer's side if nobody won it.
    return side_of(dealer_of(state.match, number)) if round_winner is None else round_winner


def target(match: Match) -> int:
    """Return the stones that win the match."""
    return CROWN * match.crowns


def _seats_by_move(state: State, kind: str) -> tuple[Seat, ...]:
    """Return the seats that made a move of this type, in that order."""
    return tuple([seat for seat, move in state.said if move[0] == ("type", kind)])


def standings(state: State) -> list[Standing]:
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
