"""The learned choices of the Oh Hell bots: the figures of the rule of thumb, weighed by two small neural networks.

The rule of thumb gives the points to expect of every bid and every card. The networks add what it leaves out. They see
which players still need tricks, who plays after this seat, the sum of all bids, the rest of a suit, and the scores of
the match. They learned to win matches with every number of seats and every scoring, mostly against the rule
of thumb. docs/research/bots.md has the results, and tools/teach_oh_hell trains such networks.

The bid of a single card is calculated. No bid is lower than the tricks that the hand takes for certain, or higher than
the tricks that it can take, unless the hook leaves no other.
"""

import json
from collections.abc import Collection, Sequence
from math import sqrt, sumprod
from pathlib import Path

from games.kit.card_sets import HIGHER, LOWER, NUMBER, OF_SUIT, PACK, SUIT, beats, members
from games.kit.contract import Move, Seat
from games.kit.tricks import cards_played, winning_place
from games.oh_hell.bot import (
    Position,
    expected,
    later_chances,
    points,
    read_table,
    seat_of,
    standing_chance,
    winning_chance,
    worth_of_tricks,
)
from games.oh_hell.types import View

NETWORKS = json.loads(Path(__file__).with_name("networks.json").read_text())
RULE_WEIGHT = {"bid": 1.0, "play": 2.0}  # the score of each point that the rule of thumb expects
WORST_LEAD = -6.0  # Moves that are worse than the best by more points are all equally bad.
LOWER_BIDS, HIGHER_BIDS = 2, 3  # A bid may differ from the rule's by this much.
ODD_BID_WEIGHT = 0.1  # the weight of a card that does not fit the bid of a rival, if others weigh 1

type Scores = dict[int, float]  # by bid or card


def scored_moves(table: View, moves: list[Move], forgets: bool = False) -> list[tuple[Move, float]]:
    """Return the sensible moves (bids or cards) with their scores by the neural networks, in the order of `moves`.

    A score is the logarithm of a likelihood, up to a constant. table: the game as the seat to act sees it. forgets:
    whether the seat remembers only the last trick, which makes an easy bot.
    """
    position = read_table(table)
    if table["phase"] == "bid":
        bids = bid_scores(table, position, [move["tricks"] for move in moves])
        return [({"type": "bid", "tricks": bid}, score) for bid, score in bids.items()]
    if forgets:
        position = _forget_old_tricks(table, position)
    cards = card_scores(table, position, [NUMBER[move["card"]] for move in moves])
    return [({"type": "play", "card": PACK[card]}, score) for card, score in cards.items()]


def _forget_old_tricks(table: View, position: Position) -> Position:
    """Return what a seat knows if it remembers only the last trick.

    Older cards may be anywhere again for this seat. It has also forgotten who did not follow suit, and so who has no
    card of a suit (is void in it).
    """
    old = [NUMBER[card] for trick in table["tricks"][:-1] for card in cards_played(trick)]
    rivals = tuple(rival._replace(voids=(False,) * 4) for rival in position.rivals)
    # Sets of cards are ints with a bit for each card.
    return position._replace(unseen=position.unseen | sum(1 << card for card in old), rivals=rivals)


# The lowest and the highest number of tricks of a hand


def certain_tricks(position: Position) -> int:
    """Return the number of tricks that a whole hand takes for certain, however the others play.

    Only trumps are certain. Hands are sets of bits.
    """
    trumps = position.hand & OF_SUIT[position.trump]
    beaten = 0
    for card in reversed(members(trumps)):  # From the highest down. Each higher trump outside can beat one of them.
        if (position.unseen & HIGHER[card]).bit_count() > beaten:
            beaten += 1
    return trumps.bit_count() - beaten


def possible_tricks(position: Position) -> int:
    """Return the number of tricks that a whole hand takes in the best case: all or none.

    It takes none if the seat does not lead and holds no card that beats a lead. Without a trick it never leads.
    """
    can_beat_a_lead = any(
        SUIT[card] == position.trump or position.unseen & LOWER[card] for card in members(position.hand)
    )
    return position.hand.bit_count() if position.leads or can_beat_a_lead else 0


def chance_of_one_card(table: View, position: Position) -> float:
    """Return the chance to take the only trick of a hand with one card.

    It is the product of the chances against each rival. A rival that has bid 0 or 1 probably holds a card that fits the
    bid. position: what the seat knows. The seat after the dealer leads.
    """
    (card,) = members(position.hand)
    seats, leader = table["seats"], (table["dealer"] + 1) % table["seats"]
    beating = _beating_cards(card, position.trump, position.unseen)
    chance, earlier_rivals = 1.0, 0
    for seat in [(leader + place) % seats for place in range(seats)]:
        if seat == table["seat"]:
            continue
        weights = _weights_of_one_card(table, position, seat, seat == leader)
        if seat == leader and SUIT[card] != position.trump:  # Then the card wins only if it follows a lower lead.
            lower = sum(weights[each] for each in members(position.unseen & LOWER[card]))
            chance *= lower / sum(weights.values())
        else:
            higher = sum(weights[each] for each in members(beating))
            # A rival that has not bid may hold any card except the cards of the rivals before it. None of these cards
            # beats this one, as the chances against those rivals are already part of the product.
            others_cards = earlier_rivals if table["bids"][seat] is None else 0
            chance *= 1.0 - higher / (sum(weights.values()) - others_cards)
        earlier_rivals += 1
    return min(max(chance, 0.0), 1.0)


def _beating_cards(card: int, trump: int, unseen: int) -> int:
    """Return the set of unseen cards that beat a card that was led or is a trump."""
    return unseen & (HIGHER[card] | (0 if SUIT[card] == trump else OF_SUIT[trump]))


def _weights_of_one_card(table: View, position: Position, seat: Seat, leads: bool) -> dict[int, float]:
    """Return, for each unseen card, how well it fits the bid of a rival who has only one card, as a weight.

    A good card fits a bid of 1, and any other card a bid of 0. Before the bid all cards weigh the same. A good card
    probably wins: it is led or a trump, and few cards beat it. leads: whether the rival leads.
    """
    bid, others = table["bids"][seat], table["seats"] - 1
    weights = {}
    for card in members(position.unseen):
        weights[card] = 1.0
        if bid is not None:
            beating_count = _beating_cards(card, position.trump, position.unseen).bit_count()
            unbeaten_chance = (1.0 - beating_count / len(PACK)) ** others
            is_good = (leads or SUIT[card] == position.trump) and unbeaten_chance > 0.5
            fits_bid = is_good == (bid == 1)
            weights[card] = 1.0 if fits_bid else ODD_BID_WEIGHT
    return weights


# Scores


def _match_numbers(table: View) -> list[float]:
    """Return the inputs of the neural networks about the match: its scoring, its stage, and the lead of the seat.

    The lead is over the best other seat. Its unit is 20 points, about the most that a hand earns. It counts more when
    few hands are left. table: the game as the seat to act sees it.
    """
    scoring, totals = table["options"]["scoring_style"], list(table["totals"])
    late = 1.0 / (table["hands_total"] - table["hand_number"] + 1)  # 1 in the last hand
    own = totals.pop(seat_of(table))
    lead = _clip((own - max(totals)) / 20, -2.0, 2.0)
    return [scoring == "neutral", scoring == "negative", late, lead * late]


def _need_of_winner(table: View) -> int | None:
    """Return how many tricks a seat still needs for its bid: the seat whose card is winning this trick so far.

    The number is negative if the seat has too many tricks. Return None if the trick has no cards.
    """
    trick = cards_played(table["trick"])
    if not trick:
        return None
    seat = table["trick"]["plays"][winning_place(trick, table["trump"])]["seat"]
    return (table["bids"][seat] or 0) - table["taken"][seat]


def sensible_bids(position: Position, bids: list[int]) -> list[int]:
    """Return the legal bids that the hand can make, or the nearest legal one if there is none.

    The dealer may not make the sum of all bids equal the number of tricks. bids: the legal ones.
    """
    least, most = certain_tricks(position), possible_tricks(position)
    return [bid for bid in bids if least <= bid <= most] or [min(bids, key=lambda bid: abs(bid - least))]


def bid_scores(table: View, position: Position, bids: list[int]) -> Scores:
    """Return the scores of the sensible bids near the one that the rule of thumb makes.

    A network corrects the points that the rule expects. It sees numbers of the whole position, and of each bid.
    """
    bids = sensible_bids(position, bids)
    if table["cards"] == 1:
        chances = [chance_of_one_card(table, position)]
        return {bid: expected(points(position.scoring, bid, range(2)), chances)[0] for bid in bids}
    chances = list(later_chances(position).values())
    likely = chances_of_counts(chances)
    mean, variance = sum(chances), sum(chance * (1.0 - chance) for chance in chances)
    counts = range(len(likely))
    expectations: Scores = {bid: sumprod(likely, points(position.scoring, bid, counts)) for bid in bids}
    usual = max(expectations, key=expectations.__getitem__)
    expectations = {
        bid: expectation for bid, expectation in expectations.items() if -LOWER_BIDS <= bid - usual <= HIGHER_BIDS
    }
    cards, rivals, best = len(chances), len(position.rivals), expectations[usual]
    earlier = [rival.need for rival in position.rivals if rival.need is not None]  # Nobody has taken a trick yet.
    is_last = len(earlier) == rivals
    suits = [position.hand & suit for suit in OF_SUIT]
    sides = suits[: position.trump] + suits[position.trump + 1 :]
    shared: list[float] = [
        cards / 13,
        (rivals - 1) / 5,
        len(earlier) / (rivals + 1),
        is_last,
        mean,
        sqrt(variance),
        suits[position.trump].bit_count() / cards,
        mean / cards,
        (sum(earlier) - cards * len(earlier) / (rivals + 1)) / cards,
        position.leads,
        table["stock"] / 52,
        sides.count(0) / 3,
        sum(card % 13 == 12 for suit in sides for card in members(suit)) / 3,
        *_sure_and_hopeless(chances),
        *_match_numbers(table),
    ]
    own = [
        [
            _clip(bid - mean, -4.0, 4.0),
            likely[bid],
            sum(likely[:bid]),
            _clip((expectation - best) / 5, -2.0, 0.0),
            bid / cards,
            _clip(abs(bid - mean) / (sqrt(variance) + 0.1), 0.0, 4.0),
            (sum(earlier) + bid - cards) / cards if is_last else 0.0,
            likely[bid - 1] if bid else 0.0,
            likely[bid + 1] if bid < cards else 0.0,
        ]
        for bid, expectation in expectations.items()
    ]
    return dict(zip(expectations, _network_scores("bid", list(expectations.values()), shared, own), strict=True))


def card_scores(table: View, position: Position, cards: list[int]) -> Scores:
    """Return the scores of the legal cards.

    A network corrects the points that the rule of thumb expects. It sees numbers of the whole position, and of each
    card.
    """
    winner = _need_of_winner(table)
    worth = worth_of_tricks(position)
    later = later_chances(position)
    hand, unseen, trump, rivals, best = position.hand, position.unseen, position.trump, position.rivals, position.best
    left, need, others = hand.bit_count(), position.need, len(rivals)
    counts = {card: chances_of_counts([chance for each, chance in later.items() if each != card]) for card in cards}
    now = {card: winning_chance(position, card) for card in cards}
    expectations = [_expected_points(worth, counts[card], now[card]) for card in cards]
    most, mean = max(expectations), sum(later.values())
    needs = [rival.need or 0 for rival in rivals]
    after = needs[: position.following]
    shared: list[float] = [
        left / 10,
        _clip(need / left, -1.0, 2.0),
        need == 0,
        need < 0,
        need == left,
        best is None,
        len(after) / others,
        sum(each > 0 for each in after) / others,
        after.count(0) / others,
        winner is not None and 0 < winner <= left,
        winner == 0,
        _clip((sum(max(each, 0) for each in [need, *needs]) - left) / left, -2.0, 2.0),
        needs.count(0) / others,
        sum(not 0 <= each <= left for each in needs) / others,
        _clip(mean - need, -3.0, 3.0),
        sum(chance * (1.0 - chance) for chance in later.values()),
        (hand & OF_SUIT[trump]).bit_count() / left,
        (unseen & OF_SUIT[trump]).bit_count() / 13,
        (others - 1) / 5,
        1.0 - sum(rival.cards for rival in rivals) / unseen.bit_count(),
        need > left,
        0.0 if best is None else standing_chance(position, best),
        _clip(max(needs) / left, 0.0, 1.0),
        *_sure_and_hopeless(later.values()),
        *_match_numbers(table),
    ]
    own = []
    for card, expectation in zip(cards, expectations, strict=True):
        suit = SUIT[card]
        higher, lower, length = unseen & HIGHER[card], unseen & LOWER[card], (hand & OF_SUIT[suit]).bit_count()
        of_rest = [0.0] * 14 + counts[card] + [0.0] * 14  # Index 14 is the chance of no trick.
        follows, leaves = suit == position.led, best is not None and suit != position.led
        numbers = [
            now[card],
            later[card],
            _clip((expectation - most) / 5, -2.0, 0.0),
            _clip(expectation / 10, -2.0, 2.0),
            suit == trump,
            higher.bit_count() / 6,
            lower.bit_count() / 6,
            length / 5,
            (hand & HIGHER[card]).bit_count() / 4,
            (hand & LOWER[card]).bit_count() / 4,
            card % 13 / 12,
            sum(rival.voids[suit] for rival in rivals) / others,
            follows,
            leaves and suit == trump,
            leaves and suit != trump,
            best is not None and beats(card, best, trump),
            now[card] > 0.999,
            (unseen & OF_SUIT[suit]).bit_count() / 13,
            _clip(mean - later[card] + now[card] - need, -3.0, 3.0),
            length == 1,
            of_rest[14 + need],
            of_rest[13 + need] if need > 0 else 0.0,
            sum(counts[card][: max(need - 1, 0)]),
            not lower,
            not higher,
        ]
        own.append(numbers)
    return dict(zip(cards, _network_scores("play", expectations, shared, own), strict=True))


def _expected_points(worth: Sequence[float], counts: Sequence[float], now: float) -> float:
    """Return the expected points of the hand if a card is played now.

    worth: the points of 0, 1, 2, ... tricks. counts: the chances to take 0, 1, 2, ... tricks with the other cards. now:
    the chance of the card to take this trick, which adds one.
    """
    return sum(
        chance * ((1.0 - now) * without + now * with_it)
        for chance, without, with_it in zip(counts, worth[:-1], worth[1:], strict=True)
    )


def _sure_and_hopeless(chances: Collection[float]) -> list[float]:
    """Return the share of cards that are nearly sure of a later trick, and the share with almost no chance of one.

    chances: by card, the chance to take a later trick.
    """
    return [
        sum(chance > 0.8 for chance in chances) / len(chances),
        sum(chance < 0.2 for chance in chances) / len(chances),
    ]


def _network_scores(
    kind: str, expectations: Sequence[float], shared: Sequence[float], own: Sequence[Sequence[float]]
) -> list[float]:
    """Return a score for each move: the points that the rule of thumb expects, corrected by a neural network.

    The network has one hidden layer of rectified linear units. It sees numbers of the position, which all moves share,
    and numbers of the move. kind: "bid" or "play". expectations: by move, the expected points. shared: the numbers of
    the position. own: by move, its numbers.
    """
    network, rule_weight, best = NETWORKS[kind], RULE_WEIGHT[kind], max(expectations)
    position = [*map(float, shared), 1.0]  # The last number is a constant.
    # The part of each hidden unit's input that all moves share is calculated once.
    shared_sums = [sumprod(weights, position) for weights in network["shared"]]
    scores = []
    for expectation, numbers in zip(expectations, own, strict=True):
        move, score = [*map(float, numbers)], rule_weight * max(expectation - best, WORST_LEAD)
        for shared_sum, weights, output_weight in zip(shared_sums, network["own"], network["out"], strict=True):
            unit_input = shared_sum + sumprod(weights, move)
            if unit_input > 0.0:  # A rectified linear unit puts out 0 for a negative input.
                score += output_weight * unit_input
        scores.append(score)
    return scores


def chances_of_counts(chances: list[float]) -> list[float]:
    """Return the chances to take 0, 1, 2, ... tricks in all. chances: the chance of each card to take one."""
    likely = [1.0]  # No card, no trick.
    for (
        chance
    ) in chances:  # Add a card. Each count comes from the same count without this trick, or from one less with it.
        likely = [
            (1.0 - chance) * same + chance * one_less
            for same, one_less in zip([*likely, 0.0], [0.0, *likely], strict=True)
        ]
    return likely


def _clip(number: float, least: float, most: float) -> float:
    return min(max(number, least), most)
