"""The odds that seats go by in play-outs of Bleven: quickly found, or found once and kept.

Before the first trick a field is compared with imagined ones of which no more is known than that they have 15, and how
often the opponents have drawn: with four seats, or to the letter. After a trick all cards above the one that a seat has
played are as likely, and the tricks to come are taken as if apart.
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

IMAGINED = 300  # fields, or sets of them, that a field is compared with
CARD_COUNT = len(VALUES)


class Prospect(NamedTuple):
    """What a field promises. odds: by the set of tricks that the own side wins."""

    odds: list
    promise: float  # as `games.bleven.bot.promise`
    lead: float  # that less the promise of the other side


def company(world, seat):
    """Whether the partner may play, how many opponents may, and how often they have drawn, at least.

    The last is 0 where odds don't go by it, as `games.bleven.pairs.odds_of` has them.
    """
    status, seats = world.status, world.terms.seats
    if seats == 2:
        return False, 1, min(world.discards[1 - seat], FULL_RESERVE) if world.terms.deduced_pays else 0
    opponents = [other % seats for other in (seat - 3, seat - 1) if status[other] <= STAYED]
    drawn = min([world.discards[other] for other in opponents], default=0)
    return status[seat - 2] <= STAYED, len(opponents), min(drawn, FULL_RESERVE)


@lru_cache(maxsize=1 << 16)
def prospect(field, partner, opponents, drawn=0):
    """The `Prospect` of a field before the first trick. One short of 15 wins nothing. The rest as of `company`."""
    odds = [0.0] * len(WON)
    one, two, three = field if sum([VALUES[card] for card in field]) >= MIN_SUM else (NONE,) * FIELD_SIZE
    for (first, second, third), (own, owned, owning) in _imagined(partner, opponents, drawn):
        won = (one > first or own > first) | (two > second or owned > second) << 1
        odds[won | (three > third or owning > third) << 2] += 1 / IMAGINED
    best = promise(odds)
    return Prospect(odds, best, best - promise(odds[::-1]))


@cache
def _imagined(partner, opponents, drawn):
    """Pairs of the cards to beat and those of the partner, by trick, with fields of 15 or more."""
    rng, found = Random(f"{partner} {opponents}"), []
    while len(found) < IMAGINED:
        if drawn:
            fields = rng.choices(drawn_fields()[drawn], k=partner + opponents)
        else:
            cards = rng.sample(range(CARD_COUNT), FIELD_SIZE * (partner + opponents))
            fields = [sorted(cards[first : first + FIELD_SIZE]) for first in range(0, len(cards), FIELD_SIZE)]
        apart = len({card for field in fields for card in field}) == FIELD_SIZE * len(fields)
        if apart and all(sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields):
            best = [max(cards) for cards in zip(*fields[partner:], strict=True)]
            found.append((best, fields[0] if partner else [NONE] * FIELD_SIZE))
    return found


@lru_cache(maxsize=1 << 16)
def thrown(cards, seats):
    """The one of four cards whose going leaves the field that promises most, of 15 if that can be; the lowest."""

    def worth(gone):
        field = tuple([card for card in cards if card != gone])
        return sum([VALUES[card] for card in field]) >= MIN_SUM, prospect(field, seats == 4, seats // 2).promise

    return max(cards, key=worth)


def late_odds(world, seat):
    """The odds after a trick: of each of those to come the chance that the side wins it, as if they were apart."""
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
    """The chance that a card, or the partner's, beats those of the opponents in one trick.

    low, lows: the highest cards that the partner, NONE without one, and the opponents have played. place: of the cards
    that everybody has left, from the lowest.
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
    """How likely the cards of all opponents are below this one."""
    found = 1.0
    for low in lows:
        found *= _below(card, low, place, left)
    return found


def _below(card, low, place, left):
    """How likely the card at a place of those that are left, all of them above `low`, is below this one."""
    above = CARD_COUNT - 1 - low
    under = min(max(card - low - 1, 0), above)
    if above < left:
        return 1.0
    return sum(comb(under, count) * comb(above - under, left - count) for count in range(place + 1, left + 1)) / comb(
        above, left
    )
