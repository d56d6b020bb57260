"""The sensible Bids player: weighs what a trick is worth against what its cards may still be worth.

For every card it asks three things. Who may win this trick if it plays that card? What is it worth that this seat, or
another, wins or that nobody does? And what are the cards that it keeps worth: points in later tricks, or a round
without a black card, whichever is more? It plays the card with the best sum. So it bids high where the prize is high
or the trick is cheap to win, throws low cards away otherwise, and with a weak hand throws high ones under higher ones.

In colour bids who wins depends on too much for a formula, so there it tries some ways in which the trick may go on.

choose_card is the whole policy; it is what a search would play out rounds with.
"""

from collections import Counter
from functools import partial
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
    outcome,
)
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import TRICKS

# Found by playing bots that differ in one of them against each other, at four and five seats; none is critical.
KEEN, KEENER = -0.1, 0.3  # how keen rivals are on a trick without points, and how much keener for each mean prize
SHY = 0.2  # the less keen while a rival has no black card and may want none
LATER = 0.6  # part of the rivals that a card still has to beat if it is played at the right moment
DANGER, DODGED = 0.8, 1.2  # how likely a card takes a trick that its seat does not want, see `null_chance`
SALVAGE = 0.9  # part of the points expected that is left when a null round fails
NULLS = 0.4  # how likely a seat has a null round, before it is dealt
LEAD = 0.6  # points that having to lead the next trick costs
PATIENCE = 0.7  # part of what the best partner would be worth that a seat gets by keeping the Ally
SAMPLES = 16  # ways in which a trick may go on that are tried in colour bids


class BidsBot:
    """Plays every number of seats and all options. It draws random numbers for colour bids only."""

    name = "sensible-1"

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
    strength: dict  # by card in hand: what part is worse where the highest number wins, and where the lowest does
    flipped: float  # the chance that the lowest number wins a later trick
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
        strength={card: (highest[NUMBER.get(card)], lowest[NUMBER.get(card)]) for card in hand},
        flipped=flipped,
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
    chances = winner_chances(position, rng)
    return max(cards, key=lambda card: promise(position, card, chances(card)))


def promise(position, card, chances):
    """What `card` is worth if it is played and each seat, or nobody (None), wins the trick with these chances."""
    seat, worth = position.seat, position.worth
    kept = [other for other in position.hand if other != card]
    points = later_points(position, kept)
    null = null_chance(position, kept) if position.clean[seat] else 0.0
    unless_won = max(points, null * position.null_worth[seat] + (1 - null) * SALVAGE * points)
    promised = 0.0
    for winner, chance in chances.items():
        later = points - LEAD if winner == seat else unless_won
        value = worth[seat] * later
        if winner is not None:
            value += worth[winner] * stake(position, winner, card)
            if winner != seat:
                value -= worth[winner] * _lost_null_round(position, winner, len(kept))
        if ALLY in position.hand:
            value += _partnership(position, card, winner, later)
        promised += chance * value
    return promised


def _lost_null_round(position, winner, left):
    """What `winner` loses because it can have no null round any more; the fewer tricks are left, the more."""
    return position.null_worth[winner] * NULLS ** (left / TRICKS) if position.clean[winner] else 0.0


def stake(position, winner, card=None):
    """The points that `winner` gets for this trick, on average if the prize is unknown. card: played to it as well."""
    black = [bid for bid in [*position.bids.values(), card] if bid and is_black(bid)]
    points = sum(NUMBER[bid] for bid in black)
    prizes = [_prize(prize, position.points[winner] + points) for prize in position.prizes]
    return points + sum(prizes) / len(prizes)


def later_points(position, kept):
    """The points to expect of these cards in later tricks: the strongest are played for the best prizes."""
    count, coming = len(kept), position.coming
    rivals = LATER * (len(position.points) - 1)
    points = 0.0
    strongest = sorted(kept, key=lambda card: _beats(position, card, rivals), reverse=True)
    for place, card in enumerate(strongest):
        prize = coming[(2 * place + 1) * len(coming) // (2 * count)]  # there are more than will be turned up
        points += prize * _beats(position, card, rivals * count ** _keenness(position, prize))
    return points


def null_chance(position, kept):
    """The chance that none of these cards takes a later trick, though played where they are least likely to."""
    chance = 1.0
    for card in kept:
        chance *= 1 - DANGER * _beats(position, card, DODGED * (len(position.points) - 1))
    return chance


def _beats(position, card, count):
    """The chance of `card` to be better, in a later trick, than so many cards drawn at random from what rivals hold."""
    high, low = position.strength[card]
    return (1 - position.flipped) * high**count + position.flipped * low**count


def cards_matched(position, other):
    """The bid of a rival is about as good as the best of how many cards drawn at random from what it may hold."""
    keen = _keenness(position, stake(position, other)) - SHY * position.clean[other]
    return position.cards_left[other] ** keen


def _keenness(position, points):
    """1 for a rival that always bids its best card, 0 for one that bids any, less for one that ducks."""
    return min(KEEN + KEENER * points / position.mean_prize, 1.0)


def winner_chances(position, rng):
    """A function that says of a card who wins this trick, if it is played, with what chance: {seat or None: chance}."""
    matched = {other: cards_matched(position, other) for other in position.followers}
    if position.colour_bids:
        return partial(_counted_chances, position, _continuations(position, matched, rng))
    return partial(_winning_chances, position, matched)


def _winning_chances(position, matched, card):
    bids = position.bids | {position.seat: card}
    numbers = {seat: NUMBER[bid] for seat, bid in bids.items() if bid in NUMBER}
    together = sum(matched.values())
    chances, beaten = {}, 1.0  # the Ally leads
    if numbers:
        best = (min if position.lowest else max)(numbers.values())
        holders = [seat for seat, number in numbers.items() if number == best]
        holds = position.worse[best] ** together if len(holders) == 1 else 0.0
        unbeaten = position.no_better[best] ** together
        chances, beaten = {holders[0]: holds, None: unbeaten - holds}, 1 - unbeaten
    return chances | {other: beaten * part / together for other, part in matched.items()}


def _continuations(position, matched, rng):
    """Some ways in which the trick may go on: pairs of the followers' bids and the prize."""
    worst_first = sorted(position.held, key=lambda card: position.worse[NUMBER.get(card)])
    ways = []
    for _ in range(SAMPLES if matched or len(position.prizes) > 1 else 1):
        # The place of the best of so many cards drawn at random. Two may draw the same card, which does little harm.
        bids = [worst_first[int(rng.random() ** (1 / part) * len(worst_first))] for part in matched.values()]
        ways.append((bids, rng.choice(position.prizes)))
    return ways


def _counted_chances(position, ways, card):
    seats = [*position.bids, position.seat, *position.followers]
    counts = Counter()
    for followed, prize in ways:
        bids = [*position.bids.values(), card, *followed]
        winning = None
        if any(bid in NUMBER for bid in bids):
            winning = outcome(bids, prize, lowest=position.lowest, colour_bids=True).winning
        counts[None if winning is None else seats[winning]] += 1
    return {winner: count / len(ways) for winner, count in counts.items()}


def _partnership(position, card, winner, later):
    """What holding the Ally is worth, if `card` is played and `winner` wins.

    later: the points that this seat may expect in later tricks, or of a null round.
    """
    seat, seats, left = position.seat, len(position.points), len(position.hand) - 1
    own = list(position.points)
    if winner is not None:
        own[winner] += stake(position, winner, card)
    fair = left / seats * sum(position.coming) / max(len(position.coming), 1)  # what a rival may still win
    even_at = own[seat] + later - fair  # points of a partner with whom nothing is gained
    half = (1 + 1 / (seats - 1)) / 2  # an ally gains half the difference, and the other loses as much
    if card == ALLY:
        return 0.0 if winner is None else half * (own[winner] - even_at)
    best = max(points for other, points in enumerate(own) if other != seat)
    return PATIENCE * half * max(best - even_at, 0.0)
