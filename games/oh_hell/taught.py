"""The thinking Oh Hell player: the rule of thumb's figures, weighed by two small networks that learned by playing.

The rule of thumb says of every bid and of every card how many points it promises. The networks add what it leaves out:
who still needs tricks and who plays after this seat, how many tricks all want, what a card leaves in its suit, and the
standing of the match. They learned to win matches, with every number of seats and every scoring, mostly among the rule
of thumb. docs/research/bots.md has the figures; tools/teach_oh_hell teaches others like them.

The bid of a single card is worked out. No bid is lower than the tricks that the hand must take, or higher than those
that it can take, unless the hook leaves no other.
"""

import json
from collections.abc import Collection
from math import sqrt, sumprod
from pathlib import Path

from games.kit.card_sets import HIGHER, LOWER, NUMBER, OF_SUIT, PACK, SUIT, beats, members
from games.kit.contract import Move, Table
from games.kit.tricks import cards_played, winning_place
from games.oh_hell.bot import (
    Position,
    expected,
    later_chances,
    points,
    read_table,
    standing_chance,
    winning_chance,
    worth_of_tricks,
)

NETWORKS = json.loads(Path(__file__).with_name("networks.json").read_text())
TRUST = {"bid": 1.0, "play": 2.0}  # in what the rule of thumb promises, for each point less than its best
LOWER_BIDS, HIGHER_BIDS = 2, 3  # how far a bid may lie from the rule's
ODD_BID = 0.1  # how likely a card is with which a rival should not have bid as it did

Scores = dict[int, float]


def scored_moves(table: Table, moves: list[Move], forgets: bool = False) -> list[tuple[Move, float]]:
    """The moves that are worth a thought, with their scores: (move, score), in the order of `moves`.

    A score is the logarithm of a likelihood, up to a constant. forgets: whether the seat remembers no card that was
    played before the last trick.
    """
    position = read_table(table)
    if table["phase"] == "bid":
        bids = bid_scores(table, position, [move["tricks"] for move in moves])
        return [({"type": "bid", "tricks": bid}, score) for bid, score in bids.items()]
    if forgets:
        position = _with_old_tricks_forgotten(table, position)
    cards = card_scores(table, position, [NUMBER[move["card"]] for move in moves])
    return [({"type": "play", "card": PACK[card]}, score) for card, score in cards.items()]


def _with_old_tricks_forgotten(table: Table, position: Position) -> Position:
    old = [NUMBER[card] for trick in table["tricks"][:-1] for card in cards_played(trick)]
    rivals = tuple(rival._replace(voids=(False,) * 4) for rival in position.rivals)
    return position._replace(unseen=position.unseen | sum(1 << card for card in old), rivals=rivals)


# What a hand must take, and what it can


def certain_tricks(position: Position) -> int:
    """The tricks that a hand must take before the first card, whatever the others hold and play."""
    trumps = position.hand & OF_SUIT[position.trump]
    beaten = 0
    for card in reversed(members(trumps)):  # each higher trump outside can beat one of them
        beaten += (position.unseen & HIGHER[card]).bit_count() > beaten
    return trumps.bit_count() - beaten


def possible_tricks(position: Position) -> int:
    """The tricks that a hand can take before the first card, if the others hold and play what suits it."""
    if position.leads or any(
        SUIT[card] == position.trump or position.unseen & LOWER[card] for card in members(position.hand)
    ):
        return position.hand.bit_count()
    return 0  # it never leads, and every card loses to the lead


def chance_of_one_card(table: Table, position: Position) -> float:
    """The chance to take the only trick: exact before anybody has bid. Bids make cards that fit them likelier."""
    (card,) = members(position.hand)
    seats, leader = table["seats"], (table["dealer"] + 1) % table["seats"]
    beating = _beating(card, position.trump, position.unseen)
    chance = 1.0
    for dealt, seat in enumerate((leader + place) % seats for place in range(seats)):
        if seat == table["seat"]:
            continue
        weights = _weights_of_one_card(table, position, seat, seat == leader)
        total = sum(weights.values())
        if seat == leader and SUIT[card] != position.trump:  # such a card takes the trick only under its own suit
            chance *= sum(weights[each] for each in members(position.unseen & LOWER[card])) / total
        else:
            gone = dealt - (table["seat"] == leader) if table["bids"][seat] is None else 0  # None of these beats it.
            chance *= 1.0 - sum(weights[each] for each in members(beating)) / (total - gone)
    return max(chance, 0.0)


def _beating(card: int, trump: int, unseen: int) -> int:
    """The unseen cards that beat this one, which was led or is a trump."""
    return unseen & (HIGHER[card] | (0 if SUIT[card] == trump else OF_SUIT[trump]))


def _weights_of_one_card(table: Table, position: Position, seat: int, leads: bool) -> dict[int, float]:
    """By unseen card how likely a rival holds it, up to a factor, by its bid."""
    bid, others = table["bids"][seat], table["seats"] - 1
    weights = {}
    for card in members(position.unseen):
        weights[card] = 1.0
        if bid is not None:
            stands = (1.0 - _beating(card, position.trump, position.unseen).bit_count() / len(PACK)) ** others
            is_good = (leads or SUIT[card] == position.trump) and stands > 0.5
            weights[card] = 1.0 if is_good == (bid == 1) else ODD_BID
    return weights


# Scores


def _match_numbers(table: Table) -> list[float]:
    """The scoring, how late in the match it is, and how far this seat is ahead of the best other one."""
    scoring, totals = table["options"]["scoring_style"], list(table["totals"])
    late = 1.0 / (table["hands_total"] - table["hand_number"] + 1)
    own = totals.pop(table["seat"])
    return [scoring == "neutral", scoring == "negative", late, _within((own - max(totals)) / 20, -2.0, 2.0) * late]


def _need_of_winner(table: Table) -> int | None:
    """How many tricks more the seat needs whose card is winning this trick; None where none has been played."""
    trick = cards_played(table["trick"])
    if not trick:
        return None
    seat = (table["trick"]["leader"] + winning_place(trick, table["trump"])) % table["seats"]
    return table["bids"][seat] - table["taken"][seat]


def sensible_bids(position: Position, bids: list[int]) -> list[int]:
    """Those of the bids that the hand can make; the nearest one where the hook leaves none."""
    least, most = certain_tricks(position), possible_tricks(position)
    return [bid for bid in bids if least <= bid <= most] or [min(bids, key=lambda bid: abs(bid - least))]


def bid_scores(table: Table, position: Position, bids: list[int]) -> Scores:
    """How good the sensible ones of `bids` near the rule's seem."""
    bids = sensible_bids(position, bids)
    if table["cards"] == 1:
        chances = [chance_of_one_card(table, position)]
        return {bid: expected(points(position.scoring, bid, range(2)), chances)[0] for bid in bids}
    chances = list(later_chances(position).values())
    likely = chances_of_counts(chances)
    mean, variance = sum(chances), sum(chance * (1.0 - chance) for chance in chances)
    counts = range(len(likely))
    promises = {bid: sumprod(likely, points(position.scoring, bid, counts)) for bid in bids}
    usual = max(promises, key=lambda bid: promises[bid])
    promises = {bid: promise for bid, promise in promises.items() if -LOWER_BIDS <= bid - usual <= HIGHER_BIDS}
    cards, rivals, best = len(chances), len(position.rivals), promises[usual]
    made = [rival.need for rival in position.rivals if rival.need is not None]  # bids, as nobody has taken a trick
    is_last = len(made) == rivals
    suits = [position.hand & suit for suit in OF_SUIT]
    sides = suits[: position.trump] + suits[position.trump + 1 :]
    shared = [
        cards / 13,
        (rivals - 1) / 5,
        len(made) / (rivals + 1),
        is_last,
        mean,
        sqrt(variance),
        suits[position.trump].bit_count() / cards,
        mean / cards,
        (sum(made) - cards * len(made) / (rivals + 1)) / cards,
        position.leads,
        table["stock"] / 52,
        sides.count(0) / 3,
        sum(card % 13 == 12 for suit in sides for card in members(suit)) / 3,
        *_sure_and_hopeless(chances),
        *_match_numbers(table),
    ]
    own = [
        [
            _within(bid - mean, -4.0, 4.0),
            likely[bid],
            sum(likely[:bid]),
            _within((promise - best) / 5, -2.0, 0.0),
            bid / cards,
            _within(abs(bid - mean) / (sqrt(variance) + 0.1), 0.0, 4.0),
            (sum(made) + bid - cards) / cards if is_last else 0.0,
            likely[bid - 1] if bid else 0.0,
            likely[bid + 1] if bid < cards else 0.0,
        ]
        for bid, promise in promises.items()
    ]
    return dict(zip(promises, _weighed("bid", list(promises.values()), shared, own), strict=True))


def card_scores(table: Table, position: Position, cards: list[int]) -> Scores:
    """How good `cards` seem."""
    winner = _need_of_winner(table)
    worth = worth_of_tricks(position)
    later = later_chances(position)
    hand, unseen, trump, rivals, best = position.hand, position.unseen, position.trump, position.rivals, position.best
    assert position.bid is not None
    left, need, others = hand.bit_count(), position.bid - position.taken, len(rivals)
    counts = {card: chances_of_counts([chance for each, chance in later.items() if each != card]) for card in cards}
    now = {card: winning_chance(position, card) for card in cards}
    promises = [_promise(worth, counts[card], now[card]) for card in cards]
    most, mean = max(promises), sum(later.values())
    after, needs = rivals[: position.following], [rival.need or 0 for rival in rivals]
    shared = [
        left / 10,
        _within(need / left, -1.0, 2.0),
        need == 0,
        need < 0,
        need == left,
        best is None,
        len(after) / others,
        sum((rival.need or 0) > 0 for rival in after) / others,
        sum(rival.need == 0 for rival in after) / others,
        winner is not None and 0 < winner <= left,
        winner == 0,
        _within((sum(max(each, 0) for each in [need, *needs]) - left) / left, -2.0, 2.0),
        needs.count(0) / others,
        sum(not 0 <= each <= left for each in needs) / others,
        _within(mean - need, -3.0, 3.0),
        sum(chance * (1.0 - chance) for chance in later.values()),
        (hand & OF_SUIT[trump]).bit_count() / left,
        (unseen & OF_SUIT[trump]).bit_count() / 13,
        (others - 1) / 5,
        1.0 - sum(rival.cards for rival in rivals) / unseen.bit_count(),
        need > left,
        0.0 if best is None else standing_chance(position, best),
        _within(max(needs) / left, 0.0, 1.0),
        *_sure_and_hopeless(later.values()),
        *_match_numbers(table),
    ]
    own = []
    for card, promise in zip(cards, promises, strict=True):
        suit = SUIT[card]
        higher, lower, length = unseen & HIGHER[card], unseen & LOWER[card], (hand & OF_SUIT[suit]).bit_count()
        of_rest = [0.0] * 14 + counts[card] + [0.0] * 14  # its place 14 is the chance of no trick
        follows, leaves = suit == position.led, best is not None and suit != position.led
        numbers = [
            now[card],
            later[card],
            _within((promise - most) / 5, -2.0, 0.0),
            _within(promise / 10, -2.0, 2.0),
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
            _within(mean - later[card] + now[card] - need, -3.0, 3.0),
            length == 1,
            of_rest[14 + need],
            of_rest[13 + need] if need > 0 else 0.0,
            sum(counts[card][: max(need - 1, 0)]),
            not lower,
            not higher,
        ]
        own.append(numbers)
    return dict(zip(cards, _weighed("play", promises, shared, own), strict=True))


def _promise(worth: list[float], counts: list[float], now: float) -> float:
    """The points that the rule of thumb expects of a card.

    worth: of 0, 1, 2, ... tricks. counts: the chances to take so many with the other cards. now: to take this one.
    """
    return sum(
        chance * ((1.0 - now) * without + now * with_it)
        for chance, without, with_it in zip(counts, worth[:-1], worth[1:], strict=True)
    )


def _sure_and_hopeless(chances: Collection[float]) -> list[float]:
    """What part of cards is nearly sure of a later trick, and what part of it has hardly a chance of one."""
    return [
        sum(chance > 0.8 for chance in chances) / len(chances),
        sum(chance < 0.2 for chance in chances) / len(chances),
    ]


def _weighed(kind: str, promises: list[float], shared: list[float], own: list[list[float]]) -> list[float]:
    """A number for each of the moves, the higher the better.

    kind: "bid" or "play". promises: points, by the rule of thumb. shared: the numbers that describe the position; own:
    for each move those that describe it. The network is one hidden layer of rectified sums, by weights that stand in
    this order, a constant last.
    """
    network, trust, best = NETWORKS[kind], TRUST[kind], max(promises)
    position = [*map(float, shared), 1.0]
    sums, of_move, out = [sumprod(weights, position) for weights in network["shared"]], network["own"], network["out"]
    scores = []
    for promise, numbers in zip(promises, own, strict=True):
        move, score = [*map(float, numbers)], trust * max(promise - best, -6.0)
        for start, weights, weight in zip(sums, of_move, out, strict=True):
            total = start + sumprod(weights, move)
            if total > 0.0:
                score += weight * total
        scores.append(score)
    return scores


def chances_of_counts(chances: list[float]) -> list[float]:
    """The chance to take 0, 1, 2, ... tricks with cards that take one each with these chances."""
    likely = [1.0]
    for chance in chances:
        likely = [
            (1.0 - chance) * same + chance * one_less
            for same, one_less in zip([*likely, 0.0], [0.0, *likely], strict=True)
        ]
    return likely


def _within(number: float, least: float, most: float) -> float:
    return min(max(number, least), most)
