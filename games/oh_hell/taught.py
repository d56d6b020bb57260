"""The taught Oh Hell player: the rule of thumb's figures, weighed by two small networks that have learned by playing.

The rule of thumb says of every bid and of every card how many points it promises. What it leaves out, a network adds:
who still needs tricks and who plays after this seat, how many tricks all want, what a card leaves in its suit. The
networks learned to have more points than the others on average, by playing 130 million hands with every number of
seats and cards: at half of the tables among the rule of thumb, at the others among themselves and players who err.
docs/research/bots.md has the figures; tools/teach_oh_hell teaches others like them. With another scoring the rule
plays alone.
"""

import json
from math import sqrt, sumprod
from pathlib import Path

from games.kit.card_sets import HIGHER, LOWER, NUMBER, OF_SUIT, PACK, SUIT, beats, members
from games.kit.tricks import cards_played, winning_place
from games.oh_hell.bot import OhHellBot, later_chances, read_table, standing_chance, winning_chance
from games.oh_hell.rules import MADE

NETWORKS = json.loads(Path(__file__).with_name("networks.json").read_text())
SCORING = "positive"  # that they were taught
TRUST = {"bid": 1.0, "play": 2.0}  # in what the rule of thumb promises, for each point less than its best
LOWER_BIDS, HIGHER_BIDS = 2, 3  # how far a bid may lie from the rule's


class TaughtBot:
    """Plays every number of seats, style and scoring. It draws no random numbers: one position, one move."""

    name = "taught"

    def __init__(self):
        self.rule = OhHellBot()

    def choose(self, table, moves, rng):
        if len(moves) == 1 or table["options"]["scoring_style"] != SCORING:
            return self.rule.choose(table, moves, rng)
        scored = scored_moves(table, moves)
        return max(scored, key=lambda each: each[1])[0]


def scored_moves(table, moves):
    """Those of `moves` that seem worth a thought, in their order, with how good they seem: a list of (move, number).

    The numbers are logarithms of how much likelier one move is than another of who has learned to try them by chance.
    """
    position = read_table(table)
    if table["phase"] == "bid":
        bids = bid_scores(position, [move["tricks"] for move in moves], table["stock"])
        return [({"type": "bid", "tricks": bid}, score) for bid, score in bids.items()]
    cards = card_scores(position, [NUMBER[move["card"]] for move in moves], _need_of_winner(table))
    return [({"type": "play", "card": PACK[card]}, score) for card, score in cards.items()]


def _need_of_winner(table):
    """How many tricks more the seat needs whose card is winning this trick; None where none has been played."""
    trick = cards_played(table["trick"])
    if not trick:
        return None
    seat = (table["trick"]["leader"] + winning_place(trick, table["trump"])) % table["seats"]
    return table["bids"][seat] - table["taken"][seat]


def best_card(position, cards, winner):
    """The one of `cards` that seems best, of equals the first. winner: what its seat needs whose card is winning."""
    scores = card_scores(position, cards, winner)
    return max(scores, key=scores.get)


def bid_scores(position, bids, stock):
    """How good those of `bids` seem that are near the rule's: {bid: a number}. stock: how many cards nobody holds."""
    chances = list(later_chances(position).values())
    likely = chances_of_counts(chances)
    mean, variance = sum(chances), sum(chance * (1.0 - chance) for chance in chances)
    promises = {bid: mean + MADE * likely[bid] for bid in bids}
    usual = max(promises, key=promises.get)
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
        stock / 52,
        sides.count(0) / 3,
        sum(card % 13 == 12 for suit in sides for card in members(suit)) / 3,
        *_sure_and_hopeless(chances),
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


def card_scores(position, cards, winner):
    """How good `cards` seem: {card: a number}.

    winner: how many tricks more its seat needs whose card is winning this trick; None before the lead.
    """
    later = later_chances(position)
    hand, unseen, trump, rivals, best = position.hand, position.unseen, position.trump, position.rivals, position.best
    left, need, others = hand.bit_count(), position.bid - position.taken, len(rivals)
    counts = {card: chances_of_counts([chance for each, chance in later.items() if each != card]) for card in cards}
    now = {card: winning_chance(position, card) for card in cards}
    promises = [_promise(position, counts[card], now[card]) for card in cards]
    most, mean = max(promises), sum(later.values())
    after, needs = rivals[: position.following], [rival.need for rival in rivals]
    shared = [
        left / 10,
        _within(need / left, -1.0, 2.0),
        need == 0,
        need < 0,
        need == left,
        best is None,
        len(after) / others,
        sum(rival.need > 0 for rival in after) / others,
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
            promise / 10,
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


def _promise(position, counts, now):
    """The points that the rule of thumb expects of a card.

    counts: the chances to take 0, 1, 2, ... tricks with the other cards. now: its chance to take this one.
    """
    expected = sum(count * chance for count, chance in enumerate(counts))
    need = position.bid - position.taken
    made = sum(
        chance * counts[place] for place, chance in ((need, 1.0 - now), (need - 1, now)) if 0 <= place < len(counts)
    )
    return position.taken + expected + now + MADE * made


def _sure_and_hopeless(chances):
    """What part of cards is nearly sure of a later trick, and what part of it has hardly a chance of one."""
    return [
        sum(chance > 0.8 for chance in chances) / len(chances),
        sum(chance < 0.2 for chance in chances) / len(chances),
    ]


def _weighed(kind, promises, shared, own):
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


def chances_of_counts(chances):
    """The chance to take 0, 1, 2, ... tricks with cards that take one each with these chances."""
    likely = [1.0]
    for chance in chances:
        likely = [
            (1.0 - chance) * same + chance * one_less
            for same, one_less in zip([*likely, 0.0], [0.0, *likely], strict=True)
        ]
    return likely


def _within(number, least, most):
    return min(max(number, least), most)
