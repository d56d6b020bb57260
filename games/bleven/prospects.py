"""The odds and the discards for play-outs of Bleven. They are quick to compute, or cached.

Before the first trick a field is compared with random fields of 15 or more. With four seats, or in the preset "letter",
these depend on how often the opponents have drawn. After a trick, all cards above the last one played by a seat are
equally likely, and the remaining tricks count as independent.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from random import Random

from games.bleven.bot import WON, Odds, choose_discard
from games.bleven.pairs import drawn_fields
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM
from games.bleven.simulation import NONE, STAYED, Field, World

SAMPLES = 300  # The sample size: fields, or sets of fields, to compare a field with.
CARD_COUNT = len(VALUES)


def company(world: World) -> tuple[bool, int, int]:
    """Return whether the partner of the seat to act may play, how many opponents may, and their fewest discards.

    The discards are 0 where `games.bleven.pairs.odds_of` ignores them too.
    """
    status, seats, seat = world.status, world.terms.seats, world.seat
    if seats == 2:
        return False, 1, min(world.discards[1 - seat], FULL_RESERVE) if world.terms.deduced_pays else 0
    opponents = [other % seats for other in (seat - 3, seat - 1) if status[other] <= STAYED]
    discards = min([world.discards[other] for other in opponents], default=0)
    return world.has_partner, len(opponents), min(discards, FULL_RESERVE)


@lru_cache(maxsize=1 << 16)
def early_odds(field: Field, has_partner: bool, opponents: int, discards: int = 0) -> Odds:
    """Return the odds of a field before the first trick. The other arguments come from `company`."""
    odds = [0.0] * len(WON)
    one, two, three = field if sum([VALUES[card] for card in field]) >= MIN_SUM else (NONE,) * FIELD_SIZE
    for (first, second, third), (own, owned, owning) in _samples(has_partner, opponents, discards):
        won = (one > first or own > first) | (two > second or owned > second) << 1
        odds[won | (three > third or owning > third) << 2] += 1 / SAMPLES
    return tuple(odds)


@cache
def _samples(has_partner: bool, opponents: int, discards: int) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Return pairs of the cards to beat and the partner's cards, both by trick. All fields have 15 or more."""
    rng = Random(f"{has_partner} {opponents}")
    samples: list[tuple[Sequence[int], Sequence[int]]] = []
    while len(samples) < SAMPLES:
        fields: Sequence[Sequence[int]]
        if discards:
            fields = rng.choices(drawn_fields()[discards], k=has_partner + opponents)
        else:
            cards = rng.sample(range(CARD_COUNT), FIELD_SIZE * (has_partner + opponents))
            fields = [sorted(cards[first : first + FIELD_SIZE]) for first in range(0, len(cards), FIELD_SIZE)]
        apart = len({card for field in fields for card in field}) == FIELD_SIZE * len(fields)
        if apart and all(sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields):
            best = [max(cards) for cards in zip(*fields[has_partner:], strict=True)]
            samples.append((best, fields[0] if has_partner else [NONE] * FIELD_SIZE))
    return samples


@lru_cache(maxsize=1 << 16)
def best_discard(cards: Field, seats: int) -> int:
    """Return the best discard out of four cards."""
    return choose_discard(cards, lambda fields: [early_odds(field, seats == 4, seats // 2) for field in fields])


def late_odds(world: World, seat: int) -> Odds:
    """Return the odds after the first trick. The remaining tricks count as independent."""
    trick_count, side = world.trick_count, seat % 2
    status, fields = world.status, world.fields
    partner = world.partner(seat)
    low = fields[partner][trick_count - 1] if partner >= 0 else NONE
    opponents = range(1 - side, len(status), 2)
    lows = tuple([fields[other][trick_count - 1] for other in opponents if status[other] == STAYED])
    field = (NONE,) * FIELD_SIZE if world.terms.seats == 2 and world.is_short(seat) else fields[seat]
    odds = [0.0] * len(WON)
    odds[world.won_by(side)] = 1.0
    for place in range(trick_count, FIELD_SIZE):
        chance = _chance(field[place], low, lows, place - trick_count, FIELD_SIZE - trick_count)
        for won in range(1 << place):
            odds[won | 1 << place] = odds[won] * chance
            odds[won] *= 1 - chance
    return tuple(odds)


@lru_cache(maxsize=1 << 14)
def _chance(card: int, low: int, lows: Field, place: int, hand_size: int) -> float:
    """Return the chance that a card, or the partner's card, beats the opponents' cards in one trick.

    low: the partner's highest played card, NONE without a partner. lows: the opponents' highest played cards. place:
    the index of the card in a hand, ascending.
    """
    chance = _under(card, lows, place, hand_size)
    if low < 0:
        return chance
    chance *= _below(card, low, place, hand_size)
    for other in range(max(card, low) + 1, CARD_COUNT):
        likely = _below(other + 1, low, place, hand_size) - _below(other, low, place, hand_size)
        chance += likely * _under(other, lows, place, hand_size)
    return chance


def _under(card: int, lows: Field, place: int, hand_size: int) -> float:
    """Return the chance that the cards of all opponents are below this one."""
    chance = 1.0
    for low in lows:
        chance *= _below(card, low, place, hand_size)
    return chance


def _below(card: int, low: int, place: int, hand_size: int) -> float:
    """Return the chance that the card at this place of a hand is below this one. All its cards are above `low`."""
    above = CARD_COUNT - 1 - low
    under = min(max(card - low - 1, 0), above)
    if above < hand_size:
        return 1.0
    counts = range(place + 1, hand_size + 1)  # of cards below
    ways = sum(comb(under, count) * comb(above - under, hand_size - count) for count in counts)
    return ways / comb(above, hand_size)
