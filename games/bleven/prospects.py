"""The odds for play-outs of Bleven. They are quick to compute, or cached.

Before the first trick a field is compared with random fields of 15 or more. With four seats, or in the preset "letter",
these depend on how often the opponents have drawn. After a trick, all cards above the last one played by a seat are
equally likely, and the remaining tricks count as independent.
"""

from functools import cache, lru_cache
from math import comb
from random import Random
from typing import NamedTuple

from games.bleven.bot import WON, promise
from games.bleven.pairs import drawn_fields
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM
from games.bleven.simulation import NONE, STAYED

IMAGINED = 300  # The sample size: fields, or sets of fields, to compare a field with.
CARD_COUNT = len(VALUES)


class Prospect(NamedTuple):
    """The value of a field. odds: by the set of tricks that its side wins."""

    odds: list
    promise: float  # See `games.bleven.bot.promise`.
    lead: float  # The promise minus the other side's.


def company(world, seat):
    """Return whether the partner may play, the number of opponents who may, and their fewest discards.

    The discards are 0 where `games.bleven.pairs.odds_of` ignores them too.
    """
    status, seats = world.status, world.terms.seats
    if seats == 2:
        return False, 1, min(world.discards[1 - seat], FULL_RESERVE) if world.terms.deduced_pays else 0
    opponents = [other % seats for other in (seat - 3, seat - 1) if status[other] <= STAYED]
    drawn = min([world.discards[other] for other in opponents], default=0)
    return status[seat - 2] <= STAYED, len(opponents), min(drawn, FULL_RESERVE)


@lru_cache(maxsize=1 << 16)
def prospect(field, partner, opponents, drawn=0):
    """Return the `Prospect` of a field before the first trick. The other arguments come from `company`."""
    odds = [0.0] * len(WON)
    one, two, three = field if sum([VALUES[card] for card in field]) >= MIN_SUM else (NONE,) * FIELD_SIZE
    for (first, second, third), (own, owned, owning) in _imagined(partner, opponents, drawn):
        won = (one > first or own > first) | (two > second or owned > second) << 1
        odds[won | (three > third or owning > third) << 2] += 1 / IMAGINED
    best = promise(odds)
    return Prospect(odds, best, best - promise(odds[::-1]))


@cache
def _imagined(partner, opponents, drawn):
    """Return pairs of the cards to beat and the partner's cards, both by trick. All fields have 15 or more."""
    rng, samples = Random(f"{partner} {opponents}"), []
    while len(samples) < IMAGINED:
        if drawn:
            fields = rng.choices(drawn_fields()[drawn], k=partner + opponents)
        else:
            cards = rng.sample(range(CARD_COUNT), FIELD_SIZE * (partner + opponents))
            fields = [sorted(cards[first : first + FIELD_SIZE]) for first in range(0, len(cards), FIELD_SIZE)]
        apart = len({card for field in fields for card in field}) == FIELD_SIZE * len(fields)
        if apart and all(sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields):
            best = [max(cards) for cards in zip(*fields[partner:], strict=True)]
            samples.append((best, fields[0] if partner else [NONE] * FIELD_SIZE))
    return samples


@lru_cache(maxsize=1 << 16)
def thrown(cards, seats):
    """Return the discard out of four cards that leaves the best field, of 15 or more if possible."""

    def worth(discard):
        field = tuple([card for card in cards if card != discard])
        return sum([VALUES[card] for card in field]) >= MIN_SUM, prospect(field, seats == 4, seats // 2).promise

    return max(cards, key=worth)


def late_odds(world, seat):
    """Return the odds after the first trick. The remaining tricks count as independent."""
    played, side = world.played, seat % 2
    status, fields = world.status, world.fields
    partner = world.partner(seat)
    low = fields[partner][played - 1] if partner >= 0 else NONE
    lows = tuple([fields[other][played - 1] for other in range(1 - side, len(status), 2) if status[other] == STAYED])
    field = (NONE,) * FIELD_SIZE if world.terms.seats == 2 and world.short(seat) else fields[seat]
    odds = [0.0] * len(WON)
    odds[world.won_by(side)] = 1.0
    for place in range(played, FIELD_SIZE):
        chance = _chance(field[place], low, lows, place - played, FIELD_SIZE - played)
        for won in range(1 << place):
            odds[won | 1 << place] = odds[won] * chance
            odds[won] *= 1 - chance
    return odds


@lru_cache(maxsize=1 << 14)
def _chance(card, low, lows, place, left):
    """Return the chance that a card, or the partner's card, beats the opponents' cards in one trick.

    low: the partner's highest played card, NONE without a partner. lows: the opponents' highest played cards. place:
    the index of the card in a hand, ascending. left: the number of cards in each hand.
    """
    chance = _under(card, lows, place, left)
    if low < 0:
        return chance
    chance *= _below(card, low, place, left)
    for other in range(max(card, low) + 1, CARD_COUNT):
        likely = _below(other + 1, low, place, left) - _below(other, low, place, left)
        chance += likely * _under(other, lows, place, left)
    return chance


def _under(card, lows, place, left):
    """Return the chance that the cards of all opponents are below this one."""
    chance = 1.0
    for low in lows:
        chance *= _below(card, low, place, left)
    return chance


def _below(card, low, place, left):
    """Return the chance that the card at this place of a hand is below this one. All its cards are above `low`."""
    above = CARD_COUNT - 1 - low
    under = min(max(card - low - 1, 0), above)
    if above < left:
        return 1.0
    return sum(comb(under, count) * comb(above - under, left - count) for count in range(place + 1, left + 1)) / comb(
        above, left
    )
