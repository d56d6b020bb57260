"""The tricks and rounds of Bids: what they are worth, and how they stand on the score sheet.

Source: "Special cards", "Scoring a round" and "Score sheet" on the rules page of Bids.
"""

from typing import NamedTuple

from games.bids.rules.tricks import ALLY, DOUBLE, NUMBER, is_black, outcome

LUCKY_LOSER = {3: 12, 4: 8, 5: 8, 6: 7}  # points of the first null round, by seats
COLUMNS = ("trick_points", "doubling", "black_cards", "lucky_loser", "ally_change", "total")  # of a round, by seat


class Match(NamedTuple):
    """What stays the same through a match: the seats and the options, in the order of `Bids.option_fields`."""

    seats: int
    rounds: int
    ally: bool
    minus5_2x: bool
    lowest: bool
    surprise: bool
    colour_bids: bool


class Line(NamedTuple):
    """A scored round on the score sheet. The COLUMNS are tuples of points by seat; halves are floats, all else ints."""

    trick_points: tuple
    doubling: tuple
    black_cards: tuple
    lucky_loser: tuple
    ally_change: tuple
    total: tuple
    ally: tuple | None  # the seat that played the Ally and its partner


class Trick(NamedTuple):
    """A finished trick. cards: the bids in the order played, the first by the leader."""

    leader: int
    centre: str
    under: str | None  # the card that lay under the Surprise card
    cards: tuple
    winner: int | None
    leads: int  # to the next trick
    points: int  # of all black cards, won or lost
    doubling: int
    by_centre: bool  # the prize alone was best

    @property
    def prize(self):
        return self.under or self.centre


class Round(NamedTuple):
    """What stays the same through a round: the one in progress, about to be dealt, or the last of the match."""

    match: Match
    lines: tuple  # a Line for each scored round


# Tricks


def finished_trick(match, leader, centre, under, cards, tricks, lowest):
    """The Trick that ends with the last of `cards`. tricks: those finished before it."""
    seats = match.seats
    prize = under or centre
    winning, leading, by_centre = outcome(cards, prize, lowest=lowest, colour_bids=match.colour_bids)
    winner = None if winning is None else (leader + winning) % seats
    points = NUMBER.get(centre, 0) + NUMBER.get(under, 0) + sum(NUMBER[card] for card in cards if is_black(card))
    doubling = 0
    if prize == DOUBLE and winner is not None:
        doubling = points + sum(trick.points for trick in tricks if trick.winner == winner)
    return Trick(leader, centre, under, cards, winner, (leader + leading) % seats, points, doubling, by_centre)


def black_cards_of(trick):
    """The black cards of a trick: the centre card, the one under it, the bids in order."""
    turned_up = [trick.centre, trick.under] if trick.under else [trick.centre]
    return turned_up + [card for card in trick.cards if is_black(card)]


def _won(seats, tricks):
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


def scored_line(round_, tricks):
    """The Line of a round. tricks: all ten."""
    seats = round_.match.seats
    points, doubling, black_cards = _won(seats, tricks)
    lucky_loser = [
        0 if black else LUCKY_LOSER[seats] * (1 + nulls)
        for black, nulls in zip(black_cards, null_rounds(round_), strict=True)
    ]
    own = [sum(parts) for parts in zip(points, doubling, lucky_loser, strict=True)]
    total = list(own)
    ally = alliance(seats, tricks)
    for seat in ally or ():
        total[seat] = _exact(sum(own[other] for other in ally) / 2)
    ally_change = map(_exact, (share - alone for share, alone in zip(total, own, strict=True)))
    return Line(*map(tuple, (points, doubling, black_cards, lucky_loser, ally_change, total)), ally)


def _exact(points):
    """Points, of which halves may be the only fraction, as an int where they are whole."""
    return int(points) if points == int(points) else points


def null_rounds(round_):
    """How many null rounds each seat has had, a list."""
    return [[line.black_cards[seat] for line in round_.lines].count(0) for seat in range(round_.match.seats)]


def totals(round_):
    """The points of each seat in the match so far, a list."""
    return [_exact(sum(line.total[seat] for line in round_.lines)) for seat in range(round_.match.seats)]


# Score sheet


def row_of(number, line):
    """A finished round, from 1 on."""
    return {
        "round": number,
        "trick_points": list(line.trick_points),
        "doubling": list(line.doubling),
        "black_cards": list(line.black_cards),
        "null": [black == 0 for black in line.black_cards],
        "lucky_loser": list(line.lucky_loser),
        "ally": pair_of(line.ally),
        "ally_change": list(line.ally_change),
        "total": list(line.total),
    }


def current_row(number, seats, tricks):
    """The round in progress. tricks: the finished ones."""
    points, doubling, black_cards = _won(seats, tricks)
    return {
        "round": number,
        "trick_points": points,
        "doubling": doubling,
        "black_cards": black_cards,
        "ally": pair_of(alliance(seats, tricks)),
    }


def pair_of(ally):
    """An alliance, as from `alliance`, in plain JSON types."""
    return ally and {"seat": ally[0], "partner": ally[1]}


def line_of(row):
    """The Line that `row_of` made plain."""
    ally = row["ally"] and (row["ally"]["seat"], row["ally"]["partner"])
    return Line(*(tuple(row[column]) for column in COLUMNS), ally)


# Positions as stored


def flat(line):
    """The Line as one list, without its names."""
    *columns, ally = line
    return [*(points for column in columns for points in column), *(ally or (None, None))]


def loaded_line(flat):
    """The Line that `flat` made plain."""
    *points, seat, partner = flat
    seats = len(points) // len(COLUMNS)
    columns = (points[start : start + seats] for start in range(0, len(points), seats))
    return Line(*map(tuple, columns), None if seat is None else (seat, partner))
