"""Random states that fit a seat's view: the cards that it cannot see are dealt again.

Source: "Sampling" on the rules page.
"""

from collections.abc import Callable, Mapping
from math import comb, factorial, perm
from operator import mul
from random import Random

from games.bids.rules.pack import ALLY, NUMBER, SURPRISE, black_in_hands, in_order, is_black, pack_of
from games.bids.rules.state import Line, Match, Round, State, Trick, between_rounds, state_of
from games.bids.types import FinishedTrick, ScoredRound, View
from games.kit.contract import Card
from games.kit.sampling import shuffled
from games.kit.tricks import cards_played


def sample(view: View, rng: Random) -> State:
    return sample_many(view, rng, 1)[0]


def sample_many(view: View, rng: Random, count: int) -> list[State]:
    match = Match(view["seats"], **view["options"])
    lines = tuple(_load_line(row) for row in view["score_sheet"]["rounds"])
    tricks = tuple(map(_load_trick, view["tricks"]))
    last_trick = _load_trick(view["last_trick"]) if view["last_trick"] else None
    if view["phase"] != "play":
        return [between_rounds(match, lines, tricks, last_trick)] * count
    round_, trick = Round(match, lines), cards_played(view)
    to_act, lowest, leader, centre = view["to_act"], view["lowest"], view["leader"], view["centre"]
    deal_cards = _dealer_of_cards(match, view, tricks, trick)
    states = []
    for _ in range(count):
        hands, stock = deal_cards(rng)
        under = stock.pop(0) if centre == SURPRISE else None
        values = (round_, "play", to_act, (), hands, tuple(stock))
        states.append(state_of((*values, lowest, leader, centre, under, trick, tricks, last_trick)))
    return states


# From JSON


def _load_trick(trick: FinishedTrick) -> Trick:
    values: Mapping[str, object] = {**trick, "cards": cards_played(trick)}
    return Trick._make(values[name] for name in Trick._fields)


def _load_line(row: ScoredRound) -> Line:
    ally = (row["ally"]["seat"], row["ally"]["partner"]) if row["ally"] else None
    return Line(
        tuple(row["trick_points"]),
        tuple(row["doubling"]),
        tuple(row["black_cards"]),
        tuple(row["lucky_loser"]),
        tuple(row["ally_change"]),
        tuple(row["total"]),
        ally,
    )


# Cards


def _dealer_of_cards(
    match: Match, view: View, tricks: tuple[Trick, ...], trick: tuple[Card, ...]
) -> Callable[[Random], tuple[tuple[tuple[Card, ...], ...], list[Card]]]:
    """Return a function deal(rng) that deals the cards at random that a seat cannot see.

    It returns the hands by seat and the face-down centre cards, the next one first. All pairs of shuffles that fit the
    view are equally likely. tricks: the finished tricks. trick: the cards of the current one.
    """
    assert view["centre"]
    own, turned_up, played = view["hand"], [view["centre"]], list(trick)
    for finished in tricks:
        turned_up += [finished.centre, finished.under] if finished.under else [finished.centre]
        played += finished.cards
    visible = {*own, *turned_up, *played}
    unseen = [card for card in pack_of(match) if card not in visible]
    # Black cards with a number are in hands or in the stock, all other black ones in the stock.
    numbered = [card for card in unseen if is_black(card) and card in NUMBER]
    special = [card for card in unseen if is_black(card) and card not in NUMBER]
    coloured = [card for card in unseen if not is_black(card) and card != ALLY]
    ally = [ALLY] if ALLY in unseen else []

    counts = [0 if seat == view["seat"] else count for seat, count in enumerate(view["hand_counts"])]
    black = black_in_hands(match.seats, match.ally)
    black_left = black - sum(map(is_black, [*own, *played]))
    coloured_left = sum(counts) - black_left - len(ally)
    # Until a card with a number is turned up, not all orders of the stock are equally likely.
    only_special = all(card not in NUMBER for card in turned_up)

    def deal(rng: Random) -> tuple[tuple[tuple[Card, ...], ...], list[Card]]:
        blacks = shuffled(numbered, rng)
        hand_pack = blacks[:black_left] + ally + shuffled(coloured, rng)[:coloured_left]
        hand_pack = shuffled(hand_pack, rng)
        hands = []
        for seat, count in enumerate(counts):
            hands.append(tuple(own) if seat == view["seat"] else in_order(hand_pack[:count]))
            hand_pack = hand_pack[count:]
        rest = blacks[black_left:]
        if only_special:
            return tuple(hands), _sample_stock(rest, shuffled(special, rng), len(turned_up), black, rng)
        return tuple(hands), shuffled(rest + special, rng)

    return deal


def _sample_stock(
    numbered: list[Card], special: list[Card], turned_up_count: int, dealt_count: int, rng: Random
) -> list[Card]:
    """Return a random order of the stock: the black cards that are turned up one by one. The next card comes first.

    So far only special cards have been turned up, none with a number. Then not all orders are equally likely. The hands
    got the first black cards with a number from the shuffle. These were mixed in any way with the special cards before
    the next number. More special cards have more such mixtures, so they are likelier to be on top.

    numbered, special: the cards of the stock with and without a number, shuffled. turned_up_count: how many were turned
    up before. dealt_count: how many black cards were dealt to the hands.
    """
    size = len(numbered) + len(special)
    counts_on_top = range(len(special) + 1)  # the possible numbers of special cards before the first number
    # A count is as likely as it has possible shuffles: the orders of the stock with that count of special cards on top,
    # times the mixtures of the special cards turned up or on top with the black cards of the hands.
    orders = [perm(len(special), count) * len(numbered) * factorial(size - count - 1) for count in counts_on_top]
    mixtures = [comb(dealt_count + turned_up_count + count, dealt_count) for count in counts_on_top]
    (on_top,) = rng.choices(counts_on_top, list(map(mul, orders, mixtures)))
    others = numbered[1:] + special[on_top:]
    rng.shuffle(others)
    return [*special[:on_top], numbered[0], *others]
