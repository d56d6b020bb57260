"""A position that a seat with this view may be in: the cards it cannot see are dealt anew, at random.

Source: "Sampling" on the rules page.
"""

from math import comb, factorial, perm
from operator import mul

from games.bids.rules.pack import ALLY, NUMBER, SURPRISE, black_in_hands, in_order, is_black, pack_of
from games.bids.rules.state import COLUMNS, Line, Match, Round, Trick, before_round, state_of
from games.kit.sampling import shuffled
from games.kit.tricks import cards_played


def sample(view, rng):
    return sample_many(view, rng, 1)[0]


def sample_many(view, rng, count):
    match = Match(view["seats"], **view["options"])
    lines = tuple(_line_of(row) for row in view["score_sheet"]["rounds"])
    tricks = tuple(map(_trick_of, view["tricks"]))
    last_trick = view["last_trick"] and _trick_of(view["last_trick"])
    if view["phase"] != "play":
        return [before_round(match, lines, tricks, last_trick)] * count
    round_, trick = Round(match, lines), cards_played(view)
    to_act, lowest, leader, centre = (view[name] for name in ("to_act", "lowest", "leader", "centre"))
    deal_cards = _dealer_of_cards(match, view, tricks, trick)
    states = []
    for _ in range(count):
        hands, stock = deal_cards(rng)
        under = stock.pop(0) if centre == SURPRISE else None
        held = (round_, "play", to_act, (), hands, tuple(stock))
        states.append(state_of((*held, lowest, leader, centre, under, trick, tricks, last_trick)))
    return states


# From JSON


def _trick_of(shown):
    """The Trick that `view._trick` made plain."""
    return Trick(cards=cards_played(shown), **{name: shown[name] for name in Trick._fields if name != "cards"})


def _line_of(row):
    """The Line that `view._row` made plain."""
    ally = row["ally"] and (row["ally"]["seat"], row["ally"]["partner"])
    return Line(*(tuple(row[column]) for column in COLUMNS), ally)


# Cards


def _dealer_of_cards(match, view, tricks, trick):
    """A function deal(rng): hands for all seats and the face-down cards of the centre, a list, the next first.

    tricks, trick: as in a State. Every pair of shuffles that fits the view is as likely as any other.
    """
    own, turned_up, played = view["hand"], [view["centre"]], list(trick)
    for done in tricks:
        turned_up += [done.centre, done.under] if done.under else [done.centre]
        played += done.cards
    seen = {*own, *turned_up, *played}
    unseen = [card for card in pack_of(match) if card not in seen]
    numbered = [card for card in unseen if is_black(card) and card in NUMBER]
    special = [card for card in unseen if is_black(card) and card not in NUMBER]
    coloured = [card for card in unseen if not is_black(card) and card != ALLY]
    ally = [ALLY] if ALLY in unseen else []

    counts = [0 if seat == view["seat"] else count for seat, count in enumerate(view["hand_counts"])]
    black = black_in_hands(match.seats, match.ally)
    black_left = black - sum(map(is_black, [*own, *played]))
    coloured_left = sum(counts) - black_left - len(ally)
    only_special = all(card not in NUMBER for card in turned_up)

    def deal(rng):
        blacks = shuffled(numbered, rng)
        held = blacks[:black_left] + ally + shuffled(coloured, rng)[:coloured_left]
        held = shuffled(held, rng)
        hands = []
        for seat, count in enumerate(counts):
            hands.append(tuple(own) if seat == view["seat"] else in_order(held[:count]))
            held = held[count:]
        rest = blacks[black_left:]
        if only_special:
            return tuple(hands), _sampled_stock(rest, shuffled(special, rng), len(turned_up), black, rng)
        return tuple(hands), shuffled(rest + special, rng)

    return deal


def _sampled_stock(numbered, special, turned_up, black, rng):
    """The stock in a random order, the next card first, before any card with a number has been turned up.

    numbered, special: its cards with and without a number, shuffled. turned_up: how many cards were on top of it.
    black: how many black cards were dealt to the hands. In the first shuffle these came before the first card with a
    number of the stock, mixed in any way with the special cards on top of it. The more of those, the more shuffles lead
    to the same stock, so that special cards are likelier to lie on top than elsewhere.
    """
    size, on_top = len(numbered) + len(special), range(len(special) + 1)
    orders = [perm(len(special), count) * len(numbered) * factorial(size - count - 1) for count in on_top]
    mixtures = [comb(black + turned_up + count, black) for count in on_top]
    (count,) = rng.choices(on_top, map(mul, orders, mixtures))
    rest = numbered[1:] + special[count:]
    rng.shuffle(rest)
    return [*special[:count], numbered[0], *rest]
