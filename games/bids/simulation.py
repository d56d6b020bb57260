"""A fast simulation of rounds of Bids: hands as bit sets, and a policy of a few comparisons per card.

It follows games.bids.rules, and tests compare the two. A card of a hand is the number 5 * rank + colour. Colours go
from 0 (R) to 4 (black). Ranks go from 0 for the Ally up to 15, and depend on whether the highest or the lowest number
wins. A set of cards is the bits of an int. A centre card is its points, or one of the codes below.

The policy uses only the hand of the seat that plays and what everybody can see.
"""

from collections.abc import Callable
from functools import cache
from math import exp, log
from random import Random
from typing import NamedTuple

from games.bids.rules.pack import ALLY, COLOURS, HIGHEST, MINUS_5, NUMBER
from games.kit.card_sets import any_of

RANDOM_PLAYS = 0.1  # the share of random cards. People err, and a search that expects no mistakes is too confident.
COLOUR_COUNT = 5
ONE_RANK = (1 << COLOUR_COUNT) - 1  # the cards of a rank, as a set shifted down to rank 0
BLACK = 4
TOP_RANK = 15
DOUBLE_CODE, LOWEST_CODE, SURPRISE_CODE = 100, 101, 102
ALLY_SET = 1
COLOUR_SETS = tuple(sum(1 << COLOUR_COUNT * rank + colour for rank in range(1, 16)) for colour in range(COLOUR_COUNT))
COLOURED = sum(COLOUR_SETS[:BLACK])
ABOVE = tuple(-1 << COLOUR_COUNT * (rank + 1) for rank in range(TOP_RANK + 1))  # by rank, the cards of higher ranks
BELOW = tuple((1 << COLOUR_COUNT * rank) - 1 for rank in range(TOP_RANK + 1))  # by rank, the cards of lower ranks
RANK = tuple(card // COLOUR_COUNT for card in range(COLOUR_COUNT * (TOP_RANK + 1)))
COLOUR = tuple(card % COLOUR_COUNT for card in range(COLOUR_COUNT * (TOP_RANK + 1)))

# These were tuned in matches of the policy against the rule of thumb at three to five seats. None is critical. They
# mean the same as in games.bids.bot.
BASE_KEENNESS, PRIZE_KEENNESS = 0.1, 0.3
LATER_RIVALS = 0.6
DANGER, DODGED_RIVALS = 0.8, 1.2
LEAD_COST = 0.6
PATIENCE = 0.7


def rank_of(number: int, lowest: bool) -> int:
    """Return the rank of a number from -5 to 14. lowest: whether the lowest number wins."""
    rank = max(number, 0) + 1
    return TOP_RANK + 1 - rank if lowest else rank


@cache
def card_bits(lowest: bool) -> dict[str, int]:
    """Return for each card that a hand can hold its bit: an int that is the set with only this card.

    A card has the number 5 * rank + colour: the higher its rank, the better it is. The Ally, which cannot win, has rank
    0. lowest: whether the lowest number wins, so that low numbers have high ranks.
    """
    bits = {ALLY: ALLY_SET}
    for card, number in NUMBER.items():
        colour = "RGYBK".index(card[0])
        bits[card] = 1 << COLOUR_COUNT * rank_of(number, lowest) + colour
    return bits


@cache
def missing_cards(seats: int, lowest: bool) -> int:
    """Return the set of coloured (not black) cards that are not in the pack for this number of seats.

    With few players there are fewer colours and numbers. The set is an int with one bit per card. lowest: whether the
    lowest number wins; the bit of a card depends on it.
    """
    bits, numbers = card_bits(lowest), range(1, HIGHEST[seats] + 1)
    in_pack = sum(bits[f"{colour}{number}"] for colour in COLOURS[seats] for number in numbers)
    return COLOURED & ~in_pack


def reverse_ranks(cards: int) -> int:
    """Convert a set of cards when the lowest number begins to win in place of the highest, or the other way round.

    The set is an int with one bit per card. The bits of each rank are neighbours, and the best rank has the highest. So
    the ranks change places: the worst becomes the best. Only the Ally, which cannot win, stays at rank 0.
    """
    reversed_cards = cards & ALLY_SET
    for rank in range(1, TOP_RANK + 1):
        cards_of_rank = cards >> COLOUR_COUNT * rank & ONE_RANK
        reversed_cards |= cards_of_rank << COLOUR_COUNT * (TOP_RANK + 1 - rank)
    return reversed_cards


class CardValues(NamedTuple):
    """Estimates by card."""

    points: tuple[int, ...]  # the points of a black card for the winner of its trick
    power: tuple[float, ...]  # the points that the card may win later
    risk: tuple[float, ...]  # minus the logarithm of the chance that the card never wins a trick


@cache
def card_values(seats: int, lowest: bool) -> CardValues:
    """Return the estimates for every card: its points, what it may win later, and its risk to win an unwanted trick.

    They assume that rivals hold random numbers from 1 to the highest in the pack. lowest: whether the lowest number
    wins. Each estimate is a tuple by card: the number of a card is 5 * rank + colour.
    """
    rivals, highest = seats - 1, HIGHEST[seats]
    mean_prize = (1 + highest) / 2
    points, power, risk = [], [], []
    for card, rank in enumerate(RANK):
        number = (TOP_RANK + 1 - rank if lowest else rank) - 1  # the number on the card; 0 means black -5
        worse_numbers = highest - number if lowest else number - 1
        # The Ally, at rank 0, gets a number that is out of range. As it cannot win, its share becomes 0.
        worse_share = min(max(worse_numbers / highest, 0.0), 1.0)
        win_chance = worse_share ** (LATER_RIVALS * rivals)  # the chance to beat some of the rivals
        points.append((number or NUMBER[MINUS_5]) if COLOUR[card] == BLACK else 0)
        # Seats keep good cards for good prizes: the best for 1.5 times the mean, the worst for half of it.
        power.append(mean_prize * win_chance * (0.5 + win_chance))
        # Logarithms of chances can be added up over a hand.
        risk.append(-log(1 - DANGER * worse_share ** (DODGED_RIVALS * rivals)))
    return CardValues(tuple(points), tuple(power), tuple(risk))


class World(NamedTuple):
    """A position with all cards open, which a search tries. The lists are by seat, and nobody changes them."""

    seat: int  # to act
    colour_bids: bool
    lowest: bool  # whether the lowest number wins this trick
    hands: list[int]  # sets of cards
    stock: list[int]  # codes of centre cards, the next one last
    centre: int  # the code of the centre card
    under: int | None  # the code of the card under the Surprise card
    out_of_play: int  # the set of cards that have been played or are not in the pack
    bids: tuple[tuple[int, int], ...]  # (seat, card) of the trick in progress
    points: list[int]  # won in this round
    tricks: list[int]  # won in this round
    null_worth: list[float]  # the points for a round without a trick
    ally: tuple[int, int] | None  # the seat that played the Ally, and its partner


class RoundResult(NamedTuple):
    """The end of a round. The lists are by seat."""

    points: list[int]  # of tricks and doubling
    tricks: list[int]
    ally: tuple[int, int] | None


def round_totals(world: World, result: RoundResult) -> list[float]:
    """Return the points of each seat for a simulated round.

    A round without a trick is a null round, and the seat gets points for it. Two seats are allies if one of them has
    played the Ally and the other has won that trick. Each gets half of their sum.
    """
    totals = [
        points if tricks else points + null_worth
        for points, tricks, null_worth in zip(result.points, result.tricks, world.null_worth, strict=True)
    ]
    if result.ally:
        seat, partner = result.ally
        totals[seat] = totals[partner] = (totals[seat] + totals[partner]) / 2
    return totals


# An object with methods, in place of local names and arguments, made the hard bot 10% slower.
def play_out(  # noqa: C901
    world: World, card: int, rng: Random, choose: Callable[..., int] | None = None
) -> RoundResult:
    """Play the round to its end. The seat to act plays `card`, and then all seats follow the policy.

    world: the position, with all cards open. choose: a replacement for `policy`, for tests.
    """
    choose = choose or policy
    seat, colour_bids, lowest, hands, stock, centre, under, out_of_play, bids, points, tricks, null_worth, ally = world
    hands, stock, points, tricks, seats = list(hands), list(stock), list(points), list(tricks), len(hands)
    random, mean_prize, last_place = rng.random, (1 + HIGHEST[seats]) / 2, seats - 1
    values = card_values(seats, lowest)
    powers, risks = _sum_values_by_hand(hands, values)
    trick = Trick(colour_bids, centre, lowest)
    for other, bid in bids:
        trick.add(other, bid)
    black_points = sum(values.points[bid] for _, bid in bids)
    ally_seat = next((other for other, bid in bids if not bid), None)
    count = len(bids)
    while True:
        bit = 1 << card
        hands[seat] ^= bit
        out_of_play |= bit
        black_points += values.points[card]
        powers[seat] -= values.power[card]
        risks[seat] -= values.risk[card]
        trick.add(seat, card)
        if not card:
            ally_seat = seat
        if count == last_place:
            prize = centre
            if under is not None:
                prize = under
                trick.set_prize(under, lowest)
            winner = trick.winner
            if not trick.tied:
                points[winner] += black_points + (prize if prize < DOUBLE_CODE else 0)
                if prize == DOUBLE_CODE:
                    points[winner] *= 2
                tricks[winner] += 1
                if ally_seat is not None:
                    ally = ally_seat, winner
            seat = winner
            if not hands[seat]:
                return RoundResult(points, tricks, ally)
            reverses = not lowest and LOWEST_CODE in (under, stock[-1])
            centre, under = stock.pop(), None
            if centre == SURPRISE_CODE:
                under = stock.pop()
            if reverses:
                lowest, out_of_play = True, reverse_ranks(out_of_play)
                hands = list(map(reverse_ranks, hands))
                values = card_values(seats, lowest)
                powers, risks = _sum_values_by_hand(hands, values)
            trick = Trick(colour_bids, centre, lowest)
            black_points = count = 0
            ally_seat = None
        else:
            count += 1
            seat += 1
            if seat == seats:
                seat = 0
        hand = hands[seat]
        if not hand & (hand - 1):
            card = hand.bit_length() - 1
        elif random() < RANDOM_PLAYS:
            card = any_of(hand, random)
        else:
            stake: float = black_points
            if centre < DOUBLE_CODE:
                stake += centre
            elif centre == DOUBLE_CODE:
                stake += black_points + points[seat]
            elif centre == SURPRISE_CODE:
                stake += mean_prize
            card = choose(
                seat, hand, trick, out_of_play, stake, last_place - count, powers[seat], risks[seat],
                0.0 if tricks[seat] else null_worth[seat], points, mean_prize, values, ally,
            )  # fmt: skip


def _sum_values_by_hand(hands: list[int], values: CardValues) -> tuple[list[float], list[float]]:
    """Return two lists by hand: the sums of its cards' power (points they may win) and of their risk to win a trick.

    A hand is a set of cards: an int with one bit per card.
    """
    powers, risks = [], []
    for hand in hands:
        power = risk = 0.0
        while hand:
            card = hand.bit_length() - 1  # the number of the highest bit
            hand ^= 1 << card
            power += values.power[card]
            risk += values.risk[card]
        powers.append(power)
        risks.append(risk)
    return powers, risks


class Trick:
    """A trick in progress, and which bid would win it. Each seat bids by playing one card."""

    __slots__ = (
        "best",
        "best_bids",
        "best_place",
        "best_ranks",
        "bid_count",
        "centre",
        "colour_bids",
        "counts",
        "most",
        "tied",
        "winner",
    )

    def __init__(self, colour_bids: bool, centre: int, lowest: bool) -> None:
        self.colour_bids = colour_bids
        # The best rank, the last seat to bid it, and whether the trick would be burnt.
        self.best, self.winner, self.tied = 0, -1, True
        if colour_bids:
            self.bid_count = self.best_place = 0  # best_place: which bid is best, counted from 1
            self.counts, self.most = [0, 0, 0, 0, 1], 1  # The centre card counts as a black bid.
            self.best_ranks = [0] * COLOUR_COUNT  # by colour
            self.best_bids = [(0, -1)] * COLOUR_COUNT  # by colour, the place and the seat of the bid with this rank
            self.centre = 0
            self.set_prize(centre, lowest)

    def set_prize(self, prize: int, lowest: bool) -> None:
        """Set the black card that the trick is played for. With the option for colour bids it competes with the bids.

        If it is the best one, nobody wins, as in a tie. prize: its number, or for a card without one a code from
        `DOUBLE_CODE` up. lowest: whether the lowest number wins.
        """
        if self.colour_bids and prize < DOUBLE_CODE:
            self.centre = rank_of(prize, lowest)
            self.tied = self.tied or self._is_centre_best()

    def _is_centre_best(self) -> bool:
        return self.counts[BLACK] == self.most and self.centre >= self.best

    def add(self, seat: int, card: int) -> None:
        """Add a card that a seat has bid. The highest rank wins, and nobody wins if two cards share it (`tied`)."""
        rank = RANK[card]
        if not rank:
            return  # This is the Ally, which cannot win.
        if self.colour_bids:
            self._add_colour_bid(seat, COLOUR[card], rank)
        elif rank > self.best:
            self.best, self.winner, self.tied = rank, seat, False
        elif rank == self.best:
            # Nobody wins a tie, but the last seat that bid the best rank leads to the next trick.
            self.winner, self.tied = seat, True

    def _add_colour_bid(self, seat: int, colour: int, rank: int) -> None:
        """Add a bid under the option for colour bids: only cards of the colours that were bid most often can win.

        The best rank among them wins. If two bids share it, or if the centre card is as good, nobody wins (`tied`).
        Then `winner` is the last seat that bid the best rank, because it leads to the next trick.
        """
        self.bid_count += 1
        self.counts[colour] += 1
        if rank > self.best_ranks[colour]:
            self.best_ranks[colour], self.best_bids[colour] = rank, (self.bid_count, seat)
        # The number of bids of this colour, and the best of them: its rank, its place in the order of bids, its seat.
        count, best, (place, seat) = self.counts[colour], self.best_ranks[colour], self.best_bids[colour]
        if count < self.most:
            return  # Another colour has more bids.
        # With more bids than any other colour, this one alone can win. With as many as another one, ranks decide.
        if count > self.most or best > self.best:
            self.most, self.best, self.best_place, self.winner, self.tied = count, best, place, seat, False
        elif best == self.best:
            self.tied = True
            if place > self.best_place:  # The other colour's bid came first.
                self.best_place, self.winner = place, seat
        self.tied = self.tied or self._is_centre_best()

    def winning_cards(self, hand: int) -> int:
        """Return the set of cards of a hand that would win the trick if no more cards were played.

        A set of cards is an int with one bit per card. `ABOVE` has, by rank, the set of all cards of higher ranks. With
        the option for colour bids only the colours bid most often can win. The card in the centre is a black bid then.
        """
        if not self.colour_bids:
            return hand & ABOVE[self.best]
        # A card would be one more bid of its colour. If no other colour has more bids, it may win. It must beat the
        # bids of its colour and of others with as many bids, and the centre card if black is one of them.
        most, centre, winners = self.most, self.centre, 0
        for colour, cards in enumerate(COLOUR_SETS):
            own, count = hand & cards, self.counts[colour] + 1
            if own and count >= most:
                best = self.best_ranks[colour]  # the rank to beat
                if count == most and self.best > best:
                    best = self.best
                if centre > best and (colour == BLACK or (count == most == self.counts[BLACK])):
                    best = centre
                winners |= own & ABOVE[best]
        return winners


# The policy


def policy(  # noqa: PLR0913
    seat: int,
    hand: int,
    trick: Trick,
    out_of_play: int,
    stake: float,
    followers: int,
    power: float,
    risk: float,
    null_worth: float,
    points: list[int],
    mean_prize: float,
    values: CardValues,
    ally: tuple[int, int] | None,
) -> int:
    """Return the number of the card that a seat plays. Sets of cards are ints with one bit per card.

    stake: the points for winning the trick, with the bids so far. followers: the number of seats that bid after this
    one. power: the points that the hand may win later. risk: minus the logarithm of the chance that it wins no trick.
    null_worth: the points for a null round, one without a trick, or 0 if the seat has won a trick.
    """
    own = hand & ~ALLY_SET
    winners = trick.winning_cards(own)
    holder = -1 if trick.tied else trick.winner
    null_loss = max(exp(-risk) * null_worth - power, 0.0)
    if ally and seat in ally:
        stake = 0.0 if holder in ally else stake / 2
    elif (
        hand & ALLY_SET
        and holder >= 0
        and _should_play_ally(hand, points[holder] + stake, points[seat] + (power + null_loss), points, mean_prize)
    ):
        return 0
    losers = own ^ winners
    if null_loss and losers and trick.best:
        discard = losers.bit_length() - 1
    else:
        losers = losers or own
        discard = (losers & -losers).bit_length() - 1
    if not winners:
        can_burn = not followers and holder >= 0 and not trick.colour_bids
        ties = own & ABOVE[trick.best - 1] if can_burn else 0
        card = (ties & -ties).bit_length() - 1
        if ties and stake / (len(points) - 1) > values.power[card] - values.power[discard]:
            return card  # A tie burns the trick, so that no rival gets it.
        return discard
    value = stake * (1 + 1 / (len(points) - 1)) - null_loss - LEAD_COST
    if value <= 0:
        return discard
    cheapest = (winners & -winners).bit_length() - 1
    powers = values.power
    if not followers:
        return cheapest if value > powers[cheapest] - powers[discard] else discard
    unseen = COLOURED & ~(out_of_play | hand)
    count = unseen.bit_count() or 1
    rival_cards = followers * hand.bit_count() ** min(BASE_KEENNESS + PRIZE_KEENNESS * stake / mean_prize, 1.0)
    best_card, best_gain = discard, 0.0
    while winners:
        card = (winners & -winners).bit_length() - 1
        winners &= ABOVE[RANK[card]]
        # This ignores colour bids: a rival beats the card by a better number of any colour.
        win_chance = ((unseen & BELOW[RANK[card]]).bit_count() / count) ** rival_cards
        gain = win_chance * value - powers[card] + powers[discard]
        if gain > best_gain:
            best_card, best_gain = card, gain
    return best_card


def _should_play_ally(
    hand: int, partner_points: float, own_points: float, points: list[int], mean_prize: float
) -> bool:
    """Return whether to play the Ally to this trick. Its player and the winner of the trick will share their points.

    The winner should be a good partner: better than none, and nearly as good as the seat with the most points, which
    might win a later trick. partner_points: of the likely winner. own_points: what the seat has and may still win
    without the Ally. points: by seat. hand: a set of cards, one bit each. mean_prize: the mean points of a trick.
    """
    tricks_left = hand.bit_count() - 1
    partner_later_points = tricks_left / len(points) * mean_prize
    break_even = own_points - partner_later_points  # A partner with as many points now brings neither gain nor loss.
    gain = partner_points - break_even
    return gain > 0 and gain >= PATIENCE * (max(points) - break_even)
