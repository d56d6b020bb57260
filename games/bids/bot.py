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
BASE_KEENNESS = -0.1  # how keen rivals are on a trick without points, 1 for a rival that bids its best card
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
    """Return for each number which share of the rivals' cards are worse, and which share are no better, as two dicts.

    rival_cards: the cards that rivals may hold, with the chance of each to be in a hand. lowest: whether low numbers
    are better than high ones. The key None is for the Ally, a card without a number that is worse than all others.
    """
    counts: defaultdict[int | None, float] = defaultdict(float)  # how many cards of each number to expect
    for card, chance in rival_cards.items():
        counts[NUMBER.get(card)] += chance
    total = sum(counts.values()) or 1.0
    count_so_far = 0.0
    worse, no_better = {}, {}
    worst_first = (None, *sorted(set(NUMBER.values()), reverse=lowest))
    for number in worst_first:
        worse[number] = count_so_far / total
        count_so_far += counts[number]
        no_better[number] = count_so_far / total
    return worse, no_better


def _prize_value(card: Card, points: int) -> int:
    """Return the points of a prize for a seat with `points` in this round. The black 2x doubles them."""
    return points if card == DOUBLE else NUMBER.get(card, 0)


def _point_values(seat: Seat, seats: int, ally: Alliance | None) -> list[float]:
    """Return by seat what a point of that seat is worth to this one: 1 for its own, less than 0 for a rival's.

    The seat wants to be ahead of the mean of its rivals. ally: the two seats that share their points of this round
    equally, as "seat" and "partner", or None.
    """
    rivals = seats - 1
    values = [-1 / rivals] * seats  # A rival's point raises the mean of all rivals by a part.
    values[seat] = 1.0
    if ally and seat in (ally["seat"], ally["partner"]):
        # Half of each point goes to the seat itself, and half to its partner, who remains a rival.
        values[ally["seat"]] = values[ally["partner"]] = (1 - 1 / rivals) / 2
    return values


def choose_card(position: Position, cards: list[Card], rng: Random) -> Card:
    """Return the card with the best expected value, the first of equals."""
    chances = winner_chances(position, rng)
    return max(cards, key=lambda card: expected_value(position, card, chances(card)))


def expected_value(position: Position, card: Card, chances: Chances) -> float:
    """Return what it is worth on average to play `card`: in this trick, and in later ones with the other cards.

    chances: of each seat to win the trick, with None for a trick that nobody wins. A seat that wins no trick in a
    whole round has a null round, which earns points too. So a trick may be worth losing.
    """
    seat = position.seat
    values = position.point_values  # by seat, what a point of that seat is worth to this one: less than 0 for rivals
    other_cards = [other for other in position.hand if other != card]
    points = later_points(position, other_cards)
    later_if_lost = _later_points_if_lost(position, other_cards, points)
    expected = 0.0
    for winner, chance in chances.items():  # Compute the value for every winner, and weigh it by the chance.
        # The winner must lead the next trick. That is a drawback, because the others see its card before they bid.
        later = points - LEAD_COST if winner == seat else later_if_lost
        value = values[seat] * later
        if winner is not None:
            value += values[winner] * stake(position, winner, card)
            if winner != seat:  # A rival loses the chance of a null round. For this seat, `later` has that already.
                value -= values[winner] * _lost_null_worth(position, winner, len(other_cards))
        if ALLY in position.hand:
            value += _ally_value(position, card, winner, later)
        expected += chance * value
    return expected


def _later_points_if_lost(position: Position, cards: list[Card], points: float) -> float:
    """Return the points to expect from later tricks if this seat loses the present one.

    It then aims for points or for a null round (a round without a trick), whichever is worth more. cards: the rest of
    its hand. points: what these may win in later tricks.
    """
    seat = position.seat
    chance_of_null = null_chance(position, cards) if position.may_be_null[seat] else 0.0
    # A seat that aims for a null round and fails still wins most of its points.
    aiming_for_null = chance_of_null * position.null_worth[seat] + (1 - chance_of_null) * SALVAGE * points
    return max(points, aiming_for_null)


def _lost_null_worth(position: Position, winner: Seat, tricks_left: int) -> float:
    """Return the expected points that the winner of this trick gives up, because it can no longer have a null round.

    In a null round a seat wins no trick, which earns points too. The fewer tricks are left, the likelier it was.
    """
    if not position.may_be_null[winner]:
        return 0.0
    chance_of_null = NULL_RATE ** (tricks_left / TRICKS)
    return position.null_worth[winner] * chance_of_null


def stake(position: Position, winner: Seat, card: Card | None = None) -> float:
    """Return the points that `winner` would get for this trick. card: the next bid, or None.

    Black cards have points. One of them is the prize in the centre, and black cards that seats have bid (played) are
    added. If the prize is face down, take the mean over all possible prizes.
    """
    black_bids = [bid for bid in [*position.bids.values(), card] if bid and is_black(bid)]
    added_points = sum(NUMBER[bid] for bid in black_bids)
    prizes = [_prize_value(prize, position.points[winner] + added_points) for prize in position.prizes]
    return added_points + sum(prizes) / len(prizes)


def later_points(position: Position, cards: list[Card]) -> float:
    """Return the points that these cards may win in later tricks, if the best cards are played for the best prizes.

    A card wins the prize of its trick if it beats the cards of the rivals. Every trick is played for one prize.
    """
    count, prizes = len(cards), position.later_prizes  # The best prize comes first.
    rivals = LATER_RIVALS * (len(position.points) - 1)  # the number of rivals to beat
    points = 0.0
    best_first = sorted(cards, key=lambda card: _beat_chance(position, card, rivals), reverse=True)
    for place, card in enumerate(best_first):
        # There are more prizes than tricks. Cut the list into one part for each card, and take the middle of its part.
        prize = prizes[(2 * place + 1) * len(prizes) // (2 * count)]
        # A rival's bid is about as good as the best of several random cards: the better the prize, the more of them. So
        # the card must beat this number of random cards.
        rival_cards = rivals * count ** _keenness(position, prize)
        points += prize * _beat_chance(position, card, rival_cards)
    return points


def null_chance(position: Position, cards: list[Card]) -> float:
    """Return the chance that none of these cards wins a later trick, if the seat plays each at the safest moment.

    That is the aim in a null round: a round without a trick, which earns points too. It is safe to play a card after a
    better one of a rival. So a card is a danger only if it beats nearly all cards of rivals.
    """
    rivals_to_beat = DODGED_RIVALS * (len(position.points) - 1)
    chance = 1.0
    for card in cards:
        chance *= 1 - DANGER * _beat_chance(position, card, rivals_to_beat)
    return chance


def _beat_chance(position: Position, card: Card, count: float) -> float:
    """Return the chance that `card` beats `count` random cards of rivals in a later trick."""
    highest_wins, lowest_wins = position.strength[card]
    return (1 - position.lowest_chance) * highest_wins**count + position.lowest_chance * lowest_wins**count


def draw_count(position: Position, rival: Seat) -> float:
    """Return how good a bid to expect of a rival: about as good as the best of this number of random cards."""
    keenness = _keenness(position, stake(position, rival)) - NULL_SHYNESS * position.may_be_null[rival]
    return position.cards_left[rival] ** keenness


def _keenness(position: Position, points: float) -> float:
    """Return 1 for a rival that bids its best card, 0 for a random bid, and less if it tries to lose."""
    return min(BASE_KEENNESS + PRIZE_KEENNESS * points / position.mean_prize, 1.0)


def winner_chances(position: Position, rng: Random) -> Callable[[Card], Chances]:
    """Return a function of a card: the chance of each seat to win this trick if the card is played.

    The followers are the seats that bid (play a card) after this one. The function takes each of their bids to be as
    good as the best of some random cards: `draw_count` is their number. A formula gives the chances. Only under the
    option for colour bids they come from random samples, because the winner depends on too much for a formula.
    """
    draw_counts = {rival: draw_count(position, rival) for rival in position.followers}
    if position.colour_bids:
        return partial(_sampled_chances, position, _sample_continuations(position, draw_counts, rng))
    return partial(_estimated_chances, position, draw_counts)


def _estimated_chances(position: Position, draw_counts: dict[Seat, float], card: Card) -> Chances:
    """Return the chance of each seat to win the trick if `card` is played, and under None that nobody wins it.

    A bid is the card that a seat plays. The best number wins, but nobody wins a tie. draw_counts: for each seat that
    bids later, a number of random cards; its bid is taken to be the best of them.
    """
    bids = position.bids | {position.seat: card}
    numbers = {seat: NUMBER[bid] for seat, bid in bids.items() if bid in NUMBER}
    draws = sum(draw_counts.values())
    chances: Chances = {}
    beaten = 1.0  # the chance that a later bid wins: certain if there is only the Ally so far, a card without a number
    if numbers:
        best = (min if position.lowest else max)(numbers.values())
        holders = [seat for seat, number in numbers.items() if number == best]
        # The best bid wins if it is alone, and all later bids are worse. If one is equal and none better, it is a tie.
        all_worse = position.worse_shares[best] ** draws if len(holders) == 1 else 0.0
        none_better = position.no_better_shares[best] ** draws
        chances, beaten = {holders[0]: all_worse, None: none_better - all_worse}, 1 - none_better
    # Each random card is as likely as any other to be the best of all. So a seat's chance goes by its number of them.
    return chances | {rival: beaten * count / draws for rival, count in draw_counts.items()}


def _sample_continuations(
    position: Position, draw_counts: dict[Seat, float], rng: Random
) -> list[tuple[list[Card], Card]]:
    """Return random ends of this trick: pairs of the bids that are still to come, and the prize.

    A bid is the card that a seat plays. draw_counts: for each seat that bids later, a number of random cards; its bid
    is the best of them. The number may be a fraction. The prize is random if it is face down.
    """
    worst_first = sorted(position.rival_cards, key=lambda card: position.worse_shares[NUMBER.get(card)])
    is_certain = not draw_counts and len(position.prizes) == 1
    continuations = []
    for _ in range(1 if is_certain else SAMPLES):
        # The greatest of `count` random numbers from 0 to 1 is distributed like a root of one such number. It says how
        # far up in the list the bid is. Two rivals may get the same card, which does little harm.
        bids = [worst_first[int(rng.random() ** (1 / count) * len(worst_first))] for count in draw_counts.values()]
        continuations.append((bids, rng.choice(position.prizes)))
    return continuations


def _sampled_chances(position: Position, continuations: list[tuple[list[Card], Card]], card: Card) -> Chances:
    """Return the chance of each seat to win the trick if `card` is played, and under None that nobody wins it.

    continuations: random ends of the trick, as pairs of the later bids (played cards) and the prize.
    """
    seats = [*position.bids, position.seat, *position.followers]  # in the order of the bids
    win_counts: Counter[Seat | None] = Counter()
    for later_bids, prize in continuations:
        bids = [*position.bids.values(), card, *later_bids]
        winning = None  # the index of the bid that wins
        if any(bid in NUMBER for bid in bids):  # Cards without a number cannot win.
            winning = trick_outcome(bids, prize, lowest=position.lowest, colour_bids=True).winning
        win_counts[None if winning is None else seats[winning]] += 1
    return {winner: count / len(continuations) for winner, count in win_counts.items()}


def _ally_value(position: Position, card: Card, winner: Seat | None, later: float) -> float:
    """Return what the Ally in the hand is worth, if `card` is played to this trick and `winner` (None: nobody) wins it.

    The player of the Ally and the winner of its trick become partners: they share their points of the round. A seat
    that keeps the Ally hopes to play it in a trick that the best rival wins. later: the expected points of this seat in
    later tricks.
    """
    seat, seats, tricks_left = position.seat, len(position.points), len(position.hand) - 1
    points: list[float] = list(position.points)  # by seat, after this trick
    if winner is not None:
        points[winner] += stake(position, winner, card)
    # What an average rival may win later: its share of the tricks, for prizes of average value.
    rival_later = tricks_left / seats * sum(position.later_prizes) / max(len(position.later_prizes), 1)
    break_even = points[seat] + later - rival_later  # A partner with as many points now brings neither gain nor loss.
    # Of a partner's points above that the seat gains half. The partner, one of its rivals, loses as much.
    gain_share = (1 + 1 / (seats - 1)) / 2
    if card == ALLY:
        return 0.0 if winner is None else gain_share * (points[winner] - break_even)
    # The card is another one, so the Ally stays in the hand.
    best_rival_points = max(score for other, score in enumerate(points) if other != seat)
    return PATIENCE * gain_share * max(best_rival_points - break_even, 0.0)
