"""The sensible Bids player: weighs what a trick is worth against what its cards may still be worth.

For every card it asks three things. Who may win this trick if it plays that card? What is it worth that this seat, or
another, wins or that nobody does? And what are the cards that it keeps worth: points in later tricks, or a round
without a black card, whichever is more? It plays the card with the best sum. So it bids high where the prize is high
or the trick is cheap to win, throws low cards away otherwise, and with a weak hand throws high ones under higher ones.

choose_card is the whole policy; it is what a search would play out rounds with.
"""

from collections import Counter
from functools import partial
from typing import NamedTuple

from games.rules.bids_scoring import LUCKY_LOSER
from games.rules.bids_tricks import (
    ALLY,
    DOUBLE,
    HIGHEST,
    LOWEST,
    NUMBER,
    SURPRISE,
    black_in_hands,
    is_black,
    make_pack,
    outcome,
)

# How keen rivals are on a trick, see `pull`: at no stake, more for each mean prize at stake, and how keen they can be.
KEEN, KEENER, KEENEST = -0.1, 0.3, 1.0
SHY = 0.2  # the less keen while a rival has no black card and may want none
LATER = 0.6  # part of the rivals that a card played at the right moment must still beat
DANGER, DODGED = 0.8, 1.2  # of a card to take a trick that its seat does not want, see `null_chance`
SALVAGE = 0.9  # part of the points expected that is left when a null round fails
NULLS = 0.4  # null rounds of a seat in each round to come
PATIENCE = 0.7  # part of what the best partner would be worth that a seat may expect from keeping the Ally
LEAD = 0.6  # points that having to lead costs
SAMPLES = 24  # ends of a trick that are looked at in colour bids


class BidsBot:
    """Plays every number of seats and all options. It draws random numbers for colour bids only."""

    name = "sensible"

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        return {"type": "play", "card": choose_card(read_table(table), [move["card"] for move in moves], rng)}


class Position(NamedTuple):
    """What a seat knows when it is to act. Lists go by seat."""

    seat: int
    hand: list
    bids: dict  # the cards of this trick by seat, in the order played
    followers: list  # the seats that still play to this trick after this one
    cards_left: list  # how many cards each seat holds
    prizes: list  # the cards that this trick may be for: one, or all that may lie under the Surprise card
    lowest: bool  # whether the lowest number wins this trick
    colour_bids: bool
    held: dict  # the unseen cards that rivals may hold, each with its chance to be in a hand
    worse: dict  # by number: what part of the cards that rivals hold is worse in this trick
    no_better: dict  # and what part is no better
    strength: dict  # by card in hand: what part is worse in a later trick
    coming: list  # what the unseen cards that may be prizes are worth to this seat, the best first
    mean_prize: float
    points: list  # won this round
    clean: list  # whether the seat has no black card yet
    null_worth: list  # what a null round is worth to the seat
    worth: list  # what a point for the seat is worth to this one


def read_table(table):
    """The `Position` of the seat whose view `table` is."""
    seat, seats, options, hand = table["seat"], table["seats"], table["options"], table["hand"]
    current, centre = table["score_sheet"]["current"], table["centre"]
    points = [sum(both) for both in zip(current["trick_points"], current["doubling"], strict=True)]
    bids = {play["seat"]: play["card"] for play in table["plays"]}
    played = [*bids.values()] + [play["card"] for trick in table["tricks"] for play in trick["plays"]]
    turned_up = [trick[place] for trick in table["tricks"] for place in ("centre", "under")]
    seen = {*hand, *played, centre, *turned_up}
    flags = {name: options[name] for name in ("ally", "minus5_2x", "lowest", "surprise")}
    unseen = [card for card in make_pack(seats, **flags) if card not in seen]
    black = [card for card in unseen if is_black(card)]
    numbered = [card for card in black if card in NUMBER]
    black_left = black_in_hands(seats, options["ally"]) - sum(map(is_black, [*hand, *played]))
    held = {card: 1.0 for card in unseen if not is_black(card)}
    if black_left:
        held |= dict.fromkeys(numbered, black_left / len(numbered))
    highest, up_to = _shares(held, lowest=False)
    lowest, down_to = _shares(held, lowest=True)
    # The Lowest card may be at any place of the stock, so that on average it comes before half of the tricks it is in.
    flipped = len(hand) / 2 / max(table["stock_count"], 1) if LOWEST in unseen else float(table["lowest"])
    nulls_later = NULLS * (options["rounds"] - table["round"])
    return Position(
        seat=seat,
        hand=hand,
        bids=bids,
        followers=[(seat + step) % seats for step in range(1, seats - len(bids))],
        cards_left=table["hand_counts"],
        prizes=black if centre == SURPRISE else [centre],
        lowest=table["lowest"],
        colour_bids=options["colour_bids"],
        held=held,
        worse=lowest if table["lowest"] else highest,
        no_better=down_to if table["lowest"] else up_to,
        strength={
            card: (1 - flipped) * highest[NUMBER.get(card)] + flipped * lowest[NUMBER.get(card)] for card in hand
        },
        coming=sorted((_prize(card, points[seat]) for card in black if card != SURPRISE), reverse=True),
        mean_prize=(1 + HIGHEST[seats]) / 2,
        points=points,
        clean=[not count for count in current["black_cards"]],
        null_worth=[LUCKY_LOSER[seats] * (1 + nulls + nulls_later) for nulls in table["score_sheet"]["null_rounds"]],
        worth=_worth(seat, seats, current["ally"]),
    )


def _shares(held, lowest):
    """Two dicts: for each number what part of the cards that rivals hold is worse, and what part is no better.

    The number of the Ally is None: it is the worst.
    """
    counts = Counter()
    for card, chance in held.items():
        counts[NUMBER.get(card)] += chance
    total = sum(counts.values()) or 1.0
    below = 0.0
    worse, no_better = {}, {}
    for number in (None, *sorted(set(NUMBER.values()), reverse=lowest)):
        worse[number] = below / total
        below += counts[number]
        no_better[number] = below / total
    return worse, no_better


def _prize(card, points):
    """What a prize is worth to a seat with these points. Those of 2x are doubled."""
    return points if card == DOUBLE else NUMBER.get(card, 0)


def _worth(seat, seats, ally):
    """What a point for each seat is worth to this one, which wants to be ahead of the others' mean. Allies share."""
    worth = [-1 / (seats - 1)] * seats
    worth[seat] = 1.0
    if ally and seat in ally.values():
        for one in ally.values():
            worth[one] = (1 - 1 / (seats - 1)) / 2
    return worth


def choose_card(position, cards, rng):
    """The one of `cards` that promises the most; of equals the first."""
    winners = foresight(position, rng)

    def promised(card):
        return sum(chance * promise(position, card, winner) for winner, chance in winners(card).items())

    return max(cards, key=promised)


def promise(position, card, winner):
    """What it is worth to the seat that it plays `card` and this seat, or nobody (None), wins the trick."""
    seat, worth, clean = position.seat, position.worth, position.clean
    kept = [other for other in position.hand if other != card]
    mine = later_points(position, kept)
    if clean[seat] and winner != seat:
        null = null_chance(position, kept)
        mine = max(mine, null * position.null_worth[seat] + (1 - null) * SALVAGE * mine)
    worth_of_it = worth[seat] * mine
    if winner is not None:
        worth_of_it += worth[winner] * stake(position, winner, card)
        if clean[winner] and winner != seat:  # the fewer tricks are left, the likelier was a null round
            worth_of_it -= worth[winner] * position.null_worth[winner] * NULLS ** (len(kept) / 10)
    if winner == seat and kept:
        worth_of_it -= LEAD
    if ALLY in position.hand:
        worth_of_it += _partnership(position, card, winner, mine)
    return worth_of_it


def stake(position, winner, card=None):
    """The points that `winner` gets for this trick, on average if the prize is unknown. card: played to it as well."""
    black = [bid for bid in [*position.bids.values(), card] if bid and is_black(bid)]
    points = sum(NUMBER[bid] for bid in black)
    prizes = [_prize(prize, position.points[winner] + points) for prize in position.prizes]
    return points + sum(prizes) / len(prizes)


def later_points(position, kept):
    """The points to expect of these cards in later tricks: the strongest are played for the best prizes."""
    count, coming = len(kept), position.coming
    strengths = sorted((position.strength[card] for card in kept), reverse=True)
    points = 0.0
    for place, strength in enumerate(strengths):
        prize = coming[(2 * place + 1) * len(coming) // (2 * count)]
        rivals = LATER * (len(position.points) - 1)
        points += prize * strength ** (rivals * _pull(count, _keenness(position, prize)))
    return points


def null_chance(position, kept):
    """The chance that none of these cards takes a later trick, though played where they are least likely to."""
    chance = 1.0
    for card in kept:
        chance *= 1 - DANGER * position.strength[card] ** (DODGED * (len(position.points) - 1))
    return chance


def pull(position, other):
    """How many cards drawn at random a rival's bid is as good as: the best of so many is about what it will bid."""
    return _pull(position.cards_left[other], _keenness(position, stake(position, other)) - SHY * position.clean[other])


def _keenness(position, points):
    return min(KEEN + KEENER * points / position.mean_prize, KEENEST)


def _pull(cards, keenness):
    """1 with one card left, or with a keenness of 0, that is, at random; all cards with a keenness of 1."""
    return cards**keenness


def foresight(position, rng):
    """A function that says of a card who wins this trick, if it is played, with what chance: {seat or None: chance}."""
    pulls = {other: pull(position, other) for other in position.followers}
    if position.colour_bids:
        return partial(_counted_chances, position, _endings(position, pulls, rng))
    return partial(_winning_chances, position, pulls)


def _winning_chances(position, pulls, card):
    bids = position.bids | {position.seat: card}
    numbers = {seat: NUMBER[bid] for seat, bid in bids.items() if bid in NUMBER}
    together = sum(pulls.values())
    chances, beaten = {}, 1.0
    if numbers:
        best = (min if position.lowest else max)(numbers.values())
        holders = [seat for seat, number in numbers.items() if number == best]
        holds = position.worse[best] ** together if len(holders) == 1 else 0.0
        unbeaten = position.no_better[best] ** together
        chances, beaten = {holders[0]: holds, None: unbeaten - holds}, 1 - unbeaten
    return chances | {other: beaten * part / together for other, part in pulls.items()}


def _endings(position, pulls, rng):
    """Some ways in which the followers may end the trick: pairs of their cards and the prize."""
    worst_first = sorted(position.held, key=lambda card: position.worse[NUMBER.get(card)])
    return [
        (
            [worst_first[int(rng.random() ** (1 / part) * len(worst_first))] for part in pulls.values()],
            rng.choice(position.prizes),
        )
        for _ in range(SAMPLES)
    ]


def _counted_chances(position, endings, card):
    seats = [*position.bids, position.seat, *position.followers]
    counts = Counter()
    for followed, prize in endings:
        bids = [*position.bids.values(), card, *followed]
        if any(bid in NUMBER for bid in bids):  # a sample may hold the Ally more than once
            winning = outcome(bids, prize, lowest=position.lowest, colour_bids=True).winning
            counts[None if winning is None else seats[winning]] += 1
        else:
            counts[None] += 1
    return {winner: count / len(endings) for winner, count in counts.items()}


def _partnership(position, card, winner, mine):
    """What the Ally in hand is worth, if `card` is played and `winner` wins.

    mine: the points that this seat may expect of the rest of the round on its own.
    """
    seat, seats = position.seat, len(position.points)
    left = len(position.hand) - 1
    own = list(position.points)
    if winner is not None:
        own[winner] += stake(position, winner, card)
    mine += own[seat]
    fair = sum(position.coming) / max(len(position.coming), 1) * left / seats
    half = (1 + 1 / (seats - 1)) / 2  # what I gain by sharing, the partner loses
    if card == ALLY:
        return 0.0 if winner is None else half * (own[winner] + fair - mine)
    best = max(points for other, points in enumerate(own) if other != seat)
    return PATIENCE * half * max(best + fair - mine, 0.0)
