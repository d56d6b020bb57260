"""The rule-of-thumb player of Bids. It weighs what a trick is worth against what its cards may win later.

For each card it estimates who wins this trick, what each outcome is worth, and what the rest of the hand is worth:
points in later tricks or a null round, whichever is more. So it bids high where the prize is high or the trick is cheap
to win, and discards low cards elsewhere. With a weak hand it discards high cards under higher ones.

With colour bids the winner depends on too much for a formula, so it samples continuations of the trick.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from games.bids.rules.pack import (
    ALLY,
    DOUBLE,
    HIGHEST,
    LOWEST,
    NUMBER,
    SURPRISE,
    black_in_hands,
    is_black,
    make_pack,
    trick_outcome,
)
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import TRICKS
from games.bids.types import Alliance, View
from games.kit.contract import Card, Move, Seat

type Chances = dict[Seat | None, float]  # to win a trick, None for nobody

# These were tuned in matches between bots that differ in one of them, at four and five seats. None is critical.
BASE_KEENNESS = -0.1  # how keen rivals are on a trick without points, see `_keenness`
PRIZE_KEENNESS = 0.3  # how much keener they are for each mean prize that the trick is worth
NULL_SHYNESS = 0.2  # how much less keen a rival without black cards is, because it may want a null round
LATER_RIVALS = 0.6  # the share of the rivals that a card has to beat if it is played at the right moment
DANGER, DODGED_RIVALS = 0.8, 1.2  # the risk that a card takes a trick that its seat does not want, see `null_chance`
SALVAGE = 0.9  # the share of the expected points that a seat still wins when its null round fails
NULL_RATE = 0.4  # the chance of a null round for a seat, before the deal
LEAD_COST = 0.6  # the points that having to lead the next trick costs
PATIENCE = 0.7  # the share of the best partner's value that a seat gets by keeping the Ally
SAMPLES = 16  # continuations of a trick to sample with colour bids


class BidsBot:
    """A bot for all seat counts and options. It uses randomness only with colour bids."""

    name = "sensible-1"

    def choose(self, table: View, moves: list[Move], rng: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        return {"type": "play", "card": choose_card(read_table(table), [move["card"] for move in moves], rng)}


class Position(NamedTuple):
    """The knowledge of the seat to act. Lists are by seat unless noted."""

    seat: Seat
    hand: list[Card]
    bids: dict[Seat, Card]  # the bids of this trick in the order played
    followers: list[Seat]  # the seats that bid after this one
    cards_left: list[int]  # the number of cards that each seat holds
    prizes: list[Card]  # What the trick may be played for: one card, or each that may be under the Surprise card.
    lowest: bool  # whether the lowest number wins this trick
    colour_bids: bool
    rival_cards: dict[Card, float]  # the unseen cards that rivals may hold, and the chance of each to be in a hand
    worse_shares: dict[int | None, float]  # by number, the share of the rivals' cards that are worse in this trick
    no_better_shares: dict[int | None, float]  # by number, the share of the rivals' cards that are worse or equal
    strength: dict[Card, tuple[float, float]]  # by card in hand, its worse share if the highest or the lowest wins
    lowest_chance: float  # the chance that the lowest number wins a later trick
    later_prizes: list[float]  # the values of the unseen prizes for this seat, best first
    mean_prize: float
    points: list[int]  # won in this round
    may_be_null: list[bool]  # whether the seat has no black card yet
    null_worth: list[float]  # the value of a null round
    point_values: list[float]  # the value of a point of that seat for this seat


def read_table(table: View) -> Position:
    """Return the `Position` of the seat that has this view and is to act."""
    seat, seats, options, hand = table["seat"], table["seats"], table["options"], table["hand"]
    current, centre = table["score_sheet"]["current"], table["centre"]
    assert seat is not None
    assert current
    assert centre
    points = [sum(parts) for parts in zip(current["trick_points"], current["doubling"], strict=True)]
    bids = {play["seat"]: play["card"] for play in table["plays"]}
    played = [*bids.values()] + [play["card"] for trick in table["tricks"] for play in trick["plays"]]
    turned_up = [card for trick in table["tricks"] for card in (trick["centre"], trick["under"])]
    visible = {*hand, *played, centre, *turned_up}
    flags = {name: options[name] for name in ("ally", "minus5_2x", "lowest", "surprise")}
    unseen = [card for card in make_pack(seats, **flags) if card not in visible]
    black = [card for card in unseen if is_black(card)]
    numbered = [card for card in black if card in NUMBER]
    black_left = black_in_hands(seats, options["ally"]) - sum(map(is_black, [*hand, *played]))
    rival_cards = {card: 1.0 for card in unseen if not is_black(card)}
    if black_left:
        rival_cards |= dict.fromkeys(numbered, black_left / len(numbered))
    lower, not_higher = _shares_by_number(rival_cards, lowest=False)
    higher, not_lower = _shares_by_number(rival_cards, lowest=True)
    # The Lowest card may be anywhere in the stock. If it is turned up at all, it is halfway through on average.
    lowest_chance = len(hand) / 2 / max(table["stock_count"], 1) if LOWEST in unseen else float(table["lowest"])
    later_nulls = NULL_RATE * (options["rounds"] - table["round"])
    return Position(
        seat=seat,
        hand=hand,
        bids=bids,
        followers=[(seat + step) % seats for step in range(1, seats - len(bids))],
        cards_left=table["hand_counts"],
        prizes=black if centre == SURPRISE else [centre],
        lowest=table["lowest"],
        colour_bids=options["colour_bids"],
        rival_cards=rival_cards,
        worse_shares=higher if table["lowest"] else lower,
        no_better_shares=not_lower if table["lowest"] else not_higher,
        strength={card: (lower[NUMBER.get(card)], higher[NUMBER.get(card)]) for card in hand},
        lowest_chance=lowest_chance,
        later_prizes=sorted((_prize_value(card, points[seat]) for card in black if card != SURPRISE), reverse=True),
        mean_prize=(1 + HIGHEST[seats]) / 2,
        points=points,
        may_be_null=[not count for count in current["black_cards"]],
        null_worth=[LUCKY_LOSER[seats] * (1 + nulls + later_nulls) for nulls in table["score_sheet"]["null_rounds"]],
        point_values=_point_values(seat, seats, current["ally"]),
    )


def _shares_by_number(
    rival_cards: dict[Card, float], lowest: bool
) -> tuple[dict[int | None, float], dict[int | None, float]]:
    """Return for each number the share of the rivals' cards that are worse, and the share that are no better.

    The Ally has the number None, which is the worst.
    """
    counts: defaultdict[int | None, float] = defaultdict(float)
    for card, chance in rival_cards.items():
        counts[NUMBER.get(card)] += chance
    total = sum(counts.values()) or 1.0
    below = 0.0
    worse, no_better = {}, {}
    for number in (None, *sorted(set(NUMBER.values()), reverse=lowest)):
        worse[number] = below / total  # The worst number comes first.
        below += counts[number]
        no_better[number] = below / total
    return worse, no_better


def _prize_value(card: Card, points: int) -> int:
    """Return the points of a prize for a seat with `points`. 2x doubles them."""
    return points if card == DOUBLE else NUMBER.get(card, 0)


def _point_values(seat: Seat, seats: int, ally: Alliance | None) -> list[float]:
    """Return the value of a point of each seat for this seat, which wants to be ahead of the mean of its rivals."""
    values = [-1 / (seats - 1)] * seats
    values[seat] = 1.0
    if ally and seat in (ally["seat"], ally["partner"]):
        values[ally["seat"]] = values[ally["partner"]] = (1 - 1 / (seats - 1)) / 2
    return values


def choose_card(position: Position, cards: list[Card], rng: Random) -> Card:
    """Return the card with the best expected value, the first of equals."""
    chances = winner_chances(position, rng)
    return max(cards, key=lambda card: expected_value(position, card, chances(card)))


def expected_value(position: Position, card: Card, chances: Chances) -> float:
    """Return the value of playing `card`, if each seat wins the trick with these chances."""
    seat, values = position.seat, position.point_values
    rest = [other for other in position.hand if other != card]
    points = later_points(position, rest)
    null = null_chance(position, rest) if position.may_be_null[seat] else 0.0
    # A seat that loses this trick goes on for points or for a null round, whichever is worth more.
    aiming_for_null = null * position.null_worth[seat] + (1 - null) * SALVAGE * points
    later_if_lost = max(points, aiming_for_null)
    expected = 0.0
    for winner, chance in chances.items():
        later = points - LEAD_COST if winner == seat else later_if_lost
        value = values[seat] * later
        if winner is not None:
            value += values[winner] * stake(position, winner, card)
            if winner != seat:
                value -= values[winner] * _lost_null_worth(position, winner, len(rest))
        if ALLY in position.hand:
            value += _ally_value(position, card, winner, later)
        expected += chance * value
    return expected


def _lost_null_worth(position: Position, winner: Seat, tricks_left: int) -> float:
    """Return what a null round was worth to `winner`, which can no longer have one."""
    if not position.may_be_null[winner]:
        return 0.0
    return position.null_worth[winner] * NULL_RATE ** (tricks_left / TRICKS)


def stake(position: Position, winner: Seat, card: Card | None = None) -> float:
    """Return the points that `winner` would get for this trick: the mean over all possible prizes.

    card: the next bid. If it is black, its points are added to the prize.
    """
    black = [bid for bid in [*position.bids.values(), card] if bid and is_black(bid)]
    points = sum(NUMBER[bid] for bid in black)
    prizes = [_prize_value(prize, position.points[winner] + points) for prize in position.prizes]
    return points + sum(prizes) / len(prizes)


def later_points(position: Position, cards: list[Card]) -> float:
    """Return the expected points of these cards in later tricks, the strongest played for the best prizes."""
    count, prizes = len(cards), position.later_prizes
    rivals = LATER_RIVALS * (len(position.points) - 1)
    points = 0.0
    strongest = sorted(cards, key=lambda card: _beat_chance(position, card, rivals), reverse=True)
    for place, card in enumerate(strongest):
        # There are more prizes than tricks, so take the middle one of an equal part of the prizes.
        prize = prizes[(2 * place + 1) * len(prizes) // (2 * count)]
        points += prize * _beat_chance(position, card, rivals * count ** _keenness(position, prize))
    return points


def null_chance(position: Position, cards: list[Card]) -> float:
    """Return the chance that none of these cards takes a later trick, if each is played where it is safest."""
    chance = 1.0
    for card in cards:
        chance *= 1 - DANGER * _beat_chance(position, card, DODGED_RIVALS * (len(position.points) - 1))
    return chance


def _beat_chance(position: Position, card: Card, count: float) -> float:
    """Return the chance that `card` beats `count` random cards of rivals in a later trick."""
    highest_wins, lowest_wins = position.strength[card]
    return (1 - position.lowest_chance) * highest_wins**count + position.lowest_chance * lowest_wins**count


def draw_count(position: Position, rival: Seat) -> float:
    """Return the rival's bid as a number of random cards: it is about as good as the best of them."""
    keenness = _keenness(position, stake(position, rival)) - NULL_SHYNESS * position.may_be_null[rival]
    return position.cards_left[rival] ** keenness


def _keenness(position: Position, points: float) -> float:
    """Return 1 for a rival that bids its best card, 0 for a random bid, and less if it tries to lose."""
    return min(BASE_KEENNESS + PRIZE_KEENNESS * points / position.mean_prize, 1.0)


def winner_chances(position: Position, rng: Random) -> Callable[[Card], Chances]:
    """Return a function that maps a card to the chances of each seat to win the trick if the card is played."""
    draw_counts = {rival: draw_count(position, rival) for rival in position.followers}
    if position.colour_bids:
        return partial(_sampled_chances, position, _continuations(position, draw_counts, rng))
    return partial(_estimated_chances, position, draw_counts)


def _estimated_chances(position: Position, draw_counts: dict[Seat, float], card: Card) -> Chances:
    """Return the chances to win the trick if `card` is played and each follower bids the best of its random cards."""
    bids = position.bids | {position.seat: card}
    numbers = {seat: NUMBER[bid] for seat, bid in bids.items() if bid in NUMBER}
    draws = sum(draw_counts.values())
    chances: Chances = {}
    beaten = 1.0  # The Ally always loses.
    if numbers:
        best = (min if position.lowest else max)(numbers.values())
        holders = [seat for seat, number in numbers.items() if number == best]
        alone = position.worse_shares[best] ** draws if len(holders) == 1 else 0.0
        unbeaten = position.no_better_shares[best] ** draws  # A tie with it burns the trick.
        chances, beaten = {holders[0]: alone, None: unbeaten - alone}, 1 - unbeaten
    return chances | {rival: beaten * count / draws for rival, count in draw_counts.items()}


def _continuations(position: Position, draw_counts: dict[Seat, float], rng: Random) -> list[tuple[list[Card], Card]]:
    """Sample continuations of the trick: the followers' bids and the prize."""
    worst_first = sorted(position.rival_cards, key=lambda card: position.worse_shares[NUMBER.get(card)])
    continuations = []
    for _ in range(SAMPLES if draw_counts or len(position.prizes) > 1 else 1):
        # Each bid is the best of `count` random cards. Two rivals may draw the same card, which does little harm.
        bids = [worst_first[int(rng.random() ** (1 / count) * len(worst_first))] for count in draw_counts.values()]
        continuations.append((bids, rng.choice(position.prizes)))
    return continuations


def _sampled_chances(position: Position, continuations: list[tuple[list[Card], Card]], card: Card) -> Chances:
    """Return the chances to win the trick if `card` is played, from sampled bids of the followers and prizes."""
    seats = [*position.bids, position.seat, *position.followers]
    counts: Counter[Seat | None] = Counter()
    for later_bids, prize in continuations:
        bids = [*position.bids.values(), card, *later_bids]
        winning = None
        if any(bid in NUMBER for bid in bids):
            winning = trick_outcome(bids, prize, lowest=position.lowest, colour_bids=True).winning
        counts[None if winning is None else seats[winning]] += 1
    return {winner: count / len(continuations) for winner, count in counts.items()}


def _ally_value(position: Position, card: Card, winner: Seat | None, later: float) -> float:
    """Return the value of holding the Ally, if `card` is played and `winner` wins the trick.

    later: the expected points of this seat in later tricks, or for a null round.
    """
    seat, seats, tricks_left = position.seat, len(position.points), len(position.hand) - 1
    points: list[float] = list(position.points)
    if winner is not None:
        points[winner] += stake(position, winner, card)
    rival_later = tricks_left / seats * sum(position.later_prizes) / max(len(position.later_prizes), 1)
    even = points[seat] + later - rival_later  # A partner with this many points gains nothing.
    gain = (1 + 1 / (seats - 1)) / 2  # An ally gains half the difference, and its partner loses as much.
    if card == ALLY:
        return 0.0 if winner is None else gain * (points[winner] - even)
    best = max(score for other, score in enumerate(points) if other != seat)
    return PATIENCE * gain * max(best - even, 0.0)
