"""The points of tricks and rounds of Bids.

Source: "Special cards", "Scoring a round" and "End of the match" on the rules page.
"""

from collections.abc import Iterable, Sequence

from games.bids.rules.pack import ALLY, DOUBLE, NUMBER, is_black, trick_outcome
from games.bids.rules.state import Line, Round, State, Trick
from games.kit.contract import Card, Score, Seat, Standing, as_standings

LUCKY_LOSER = {3: 12, 4: 8, 5: 8, 6: 7}  # the points for a first null round, by the number of seats


# Tricks


def finished_trick(state: State, cards: tuple[Card, ...]) -> Trick:
    """Return the result of a trick, now that every seat has bid a card. cards: the bids in the order played.

    The prize is the black card in the centre, or the hidden card under it, if there is one. The winner, if any, gets
    the numbers of all black cards in the trick as points.
    """
    match, leader, centre, under = state.round.match, state.leader, state.centre, state.under
    assert leader is not None
    assert centre
    seats = match.seats
    prize = under or centre
    # winning, leading: the indices of the bids that win the trick and decide who leads next
    winning, leading, by_centre = trick_outcome(cards, prize, lowest=state.lowest, colour_bids=match.colour_bids)
    winner = None if winning is None else (leader + winning) % seats
    leads = (leader + leading) % seats
    black = [centre, *([under] if under else []), *filter(is_black, cards)]
    points = sum(NUMBER.get(card, 0) for card in black)
    doubling = 0
    if prize == DOUBLE and winner is not None:
        # This prize doubles all points that the winner has in the round, this trick included.
        doubling = points + sum(trick.points for trick in state.tricks if trick.winner == winner)
    return Trick(leader, centre, under, cards, winner, leads, points, doubling, by_centre)


def black_cards_of(trick: Trick) -> list[Card]:
    """Return the black cards of a trick: the centre card, the card under it, the bids in order."""
    turned_up = [trick.centre, trick.under] if trick.under else [trick.centre]
    return turned_up + [card for card in trick.cards if is_black(card)]


def won_by_seat(seats: int, tricks: Iterable[Trick]) -> tuple[list[int], list[int], list[int]]:
    """Return three lists by seat: the points of tricks, the points of doubling, and the number of black cards won.

    tricks: finished tricks of one round. The special card 2x doubles the points of its winner. These additional points
    are the points of doubling.
    """
    points, doubling, black_cards = ([0] * seats for _ in range(3))
    for trick in tricks:
        if trick.winner is not None:
            points[trick.winner] += trick.points
            doubling[trick.winner] += trick.doubling
            black_cards[trick.winner] += len(black_cards_of(trick))
    return points, doubling, black_cards


def alliance(seats: int, tricks: Iterable[Trick]) -> tuple[Seat, Seat] | None:
    """Return the two seats that share their points of the round: the player of the Ally card and its trick's winner.

    None if the Ally is not among these tricks, or if nobody won its trick. tricks: finished tricks of one round.
    """
    for trick in tricks:
        if ALLY in trick.cards and trick.winner is not None:
            return (trick.leader + trick.cards.index(ALLY)) % seats, trick.winner
    return None


# Rounds


def scored_line(round_: Round, tricks: Sequence[Trick]) -> Line:
    """Return the points of a finished round as a line of the score sheet. tricks: all tricks of the round.

    A seat that won no black card has a null round. It gets Lucky Loser points, more for each null round before this
    one. Two allied seats each get half of what they have together. round_: with the lines of the rounds before.
    """
    seats = round_.match.seats
    return line_of(round_, *won_by_seat(seats, tricks), alliance(seats, tricks))


def line_of(
    round_: Round, points: list[int], doubling: list[int], black_cards: list[int], ally: tuple[Seat, Seat] | None
) -> Line:
    """Return the line of a round from the points of tricks and the numbers of black cards that the seats won.

    ally: the seat that played the Ally and its partner, or None.
    """
    seats = round_.match.seats
    lucky_loser = [
        0 if black else lucky_loser_points(seats, earlier_nulls)
        for black, earlier_nulls in zip(black_cards, null_rounds(round_), strict=True)
    ]
    own: list[Score] = [sum(parts) for parts in zip(points, doubling, lucky_loser, strict=True)]
    total = list(own)
    if ally:
        seat, partner = ally
        total[seat] = total[partner] = _whole_if_possible((own[seat] + own[partner]) / 2)
    ally_change = tuple(_whole_if_possible(share - alone) for share, alone in zip(total, own, strict=True))
    return Line(tuple(points), tuple(doubling), tuple(black_cards), tuple(lucky_loser), ally_change, tuple(total), ally)


def lucky_loser_points(seats: int, nulls: int) -> int:
    """Return the points for a null round of a seat that has had `nulls` before."""
    return LUCKY_LOSER[seats] * (nulls + 1)


def _whole_if_possible(points: Score) -> Score:
    """Return whole points as an int, and half points unchanged."""
    return int(points) if points == int(points) else points


def null_rounds(round_: Round) -> list[int]:
    """Return the number of null rounds of each seat."""
    return [[line.black_cards[seat] for line in round_.lines].count(0) for seat in range(round_.match.seats)]


def totals(round_: Round) -> list[Score]:
    """Return the points of each seat in the match so far."""
    return [_whole_if_possible(sum(line.total[seat] for line in round_.lines)) for seat in range(round_.match.seats)]


def standings(state: State) -> list[Standing]:
    return as_standings(totals(state.round), state.round.match.seats) if state.phase == "over" else []
