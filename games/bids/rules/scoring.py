"""What tricks and rounds of Bids are worth.

Source: "Special cards", "Scoring a round" and "End of the match" on the rules page.
"""

from games.bids.rules.pack import ALLY, DOUBLE, NUMBER, is_black, trick_outcome
from games.bids.rules.state import Line, Trick
from games.kit.contract import as_standings

LUCKY_LOSER = {3: 12, 4: 8, 5: 8, 6: 7}  # points of the first null round, by seats


# Tricks


def finished_trick(state, cards):
    """The Trick of a state that ends with the last of `cards`."""
    match, leader, centre, under = state.round.match, state.leader, state.centre, state.under
    seats = match.seats
    prize = under or centre
    winning, leading, by_centre = trick_outcome(cards, prize, lowest=state.lowest, colour_bids=match.colour_bids)
    winner = None if winning is None else (leader + winning) % seats
    points = NUMBER.get(centre, 0) + NUMBER.get(under, 0) + sum(NUMBER[card] for card in cards if is_black(card))
    doubling = 0
    if prize == DOUBLE and winner is not None:
        doubling = points + sum(trick.points for trick in state.tricks if trick.winner == winner)
    return Trick(leader, centre, under, cards, winner, (leader + leading) % seats, points, doubling, by_centre)


def black_cards_of(trick):
    """The black cards of a trick: the centre card, the one under it, the bids in order."""
    turned_up = [trick.centre, trick.under] if trick.under else [trick.centre]
    return turned_up + [card for card in trick.cards if is_black(card)]


def won_by_seat(seats, tricks):
    """Three lists by seat: the points of the tricks won, what was doubled, the number of black cards."""
    points, doubling, black_cards = ([0] * seats for _ in range(3))
    for trick in tricks:
        if trick.winner is not None:
            points[trick.winner] += trick.points
            doubling[trick.winner] += trick.doubling
            black_cards[trick.winner] += len(black_cards_of(trick))
    return points, doubling, black_cards


def alliance(seats, tricks):
    """The seat that played the Ally and its partner, or None."""
    for trick in tricks:
        if ALLY in trick.cards and trick.winner is not None:
            return (trick.leader + trick.cards.index(ALLY)) % seats, trick.winner
    return None


# Rounds


def scored_line(round_, tricks):
    """The Line of a round. tricks: all ten."""
    seats = round_.match.seats
    points, doubling, black_cards = won_by_seat(seats, tricks)
    lucky_loser = [
        0 if black else lucky_loser_points(seats, nulls)
        for black, nulls in zip(black_cards, null_rounds(round_), strict=True)
    ]
    own = [sum(parts) for parts in zip(points, doubling, lucky_loser, strict=True)]
    total = list(own)
    ally = alliance(seats, tricks)
    for seat in ally or ():
        total[seat] = _exact(sum(own[other] for other in ally) / 2)
    ally_change = map(_exact, (share - alone for share, alone in zip(total, own, strict=True)))
    return Line(*map(tuple, (points, doubling, black_cards, lucky_loser, ally_change, total)), ally)


def lucky_loser_points(seats, nulls):
    """Points of a null round of a seat that has had so many already."""
    return LUCKY_LOSER[seats] * (nulls + 1)


def _exact(points):
    """Points, of which halves may be the only fraction, as an int where they are whole."""
    return int(points) if points == int(points) else points


def null_rounds(round_):
    """How many null rounds each seat has had, a list."""
    return [[line.black_cards[seat] for line in round_.lines].count(0) for seat in range(round_.match.seats)]


def totals(round_):
    """The points of each seat in the match so far, a list."""
    return [_exact(sum(line.total[seat] for line in round_.lines)) for seat in range(round_.match.seats)]


def standings(state):
    return as_standings(totals(state.round), state.round.match.seats) if state.phase == "over" else []
