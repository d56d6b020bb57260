"""The odds and the discards for play-outs of Bleven. They are quick to compute, or cached.

Before the first trick a field is compared with random fields of 15 or more. With four seats, or in the preset "letter",
these depend on how often the opponents have drawn. After a trick, all cards above the last one played by a seat are
equally likely, and the remaining tricks count as independent.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from random import Random

from games.bleven.bot import TRICK_SETS, Odds, choose_discard
from games.bleven.pairs import drawn_fields
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM
from games.bleven.simulation import NONE, STAYED, Field, World

SAMPLES = 300  # The sample size: fields, or sets of fields, to compare a field with.
CARD_COUNT = len(VALUES)


def other_players(world: World) -> tuple[bool, int, int]:
    """Return the facts about other players that the odds depend on, from the view of the seat to act.

    The result is: whether its partner is still in the round, how many opponents are, and the fewest cards that one of
    them has exchanged. The last is 0 in matches of two with a solved strategy, where the odds ignore it.
    """
    status, seats, seat = world.status, world.options.seats, world.seat
    if seats == 2:
        discards = min(world.discards[1 - seat], FULL_RESERVE) if world.options.believer_wins_bet else 0
        return False, 1, discards
    # The neighbours on both sides, if they have not left. Negative indices count from the last seat.
    opponents = [other % seats for other in (seat - 3, seat - 1) if status[other] <= STAYED]
    discards = min([world.discards[other] for other in opponents], default=0)
    return world.has_partner, len(opponents), min(discards, FULL_RESERVE)


@lru_cache(maxsize=1 << 16)
def early_odds(field: Field, has_partner: bool, opponents: int, discards: int = 0) -> Odds:
    """Return the chance of each set of tricks that a side wins with this field (three cards), a list by the set.

    A set has a bit for each trick. Before the first trick the field is compared with random cards of the other players.
    opponents: their number. discards: the fewest cards that one of them has exchanged for better ones.
    """
    odds = [0.0] * len(TRICK_SETS)
    # Cards below 15 win no trick, as if each were lower than any other.
    low, middle, high = field if sum([VALUES[card] for card in field]) >= MIN_SUM else (NONE,) * FIELD_SIZE
    samples = _sample_cards(has_partner, opponents, discards)
    for (low_to_beat, middle_to_beat, high_to_beat), (partner_low, partner_middle, partner_high) in samples:
        won = (high > high_to_beat or partner_high > high_to_beat) << 2
        won |= (middle > middle_to_beat or partner_middle > middle_to_beat) << 1
        won |= low > low_to_beat or partner_low > low_to_beat
        odds[won] += 1 / SAMPLES
    return tuple(odds)


@cache
def _sample_cards(has_partner: bool, opponents: int, discards: int) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Return random cards of the other players: pairs of the opponents' best cards and the partner's cards.

    Both have a card for each trick. Without a partner, its cards are lower than any card. Every player has a sum of 15
    or more, because others do not play on. opponents: their number. discards: the number of cards that each exchanged.
    """
    rng = Random(f"{has_partner} {opponents}")  # The same samples in every process.
    samples: list[tuple[Sequence[int], Sequence[int]]] = []
    while len(samples) < SAMPLES:
        fields: Sequence[Sequence[int]]
        if discards:
            fields = rng.choices(drawn_fields()[discards], k=has_partner + opponents)
        else:
            cards = rng.sample(range(CARD_COUNT), FIELD_SIZE * (has_partner + opponents))
            fields = [sorted(cards[first : first + FIELD_SIZE]) for first in range(0, len(cards), FIELD_SIZE)]
        no_card_twice = len({card for field in fields for card in field}) == FIELD_SIZE * len(fields)
        if no_card_twice and all(sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields):
            # Field 0 is the partner's, if there is one.
            best = [max(cards) for cards in zip(*fields[has_partner:], strict=True)]
            samples.append((best, fields[0] if has_partner else [NONE] * FIELD_SIZE))
    return samples


@lru_cache(maxsize=1 << 16)
def best_discard(cards: Field, seats: int) -> int:
    """Return the best discard out of four cards."""
    return choose_discard(cards, lambda fields: [early_odds(field, seats == 4, seats // 2) for field in fields])


def late_odds(world: World, seat: int) -> Odds:
    """Return the chance of each set of tricks that the side of a seat wins, after one or two tricks.

    The list is by the set, which has a bit for each trick. The seat knows its own field (three cards). Cards are played
    in ascending order, so other players hold cards above their last one. The chances of the remaining tricks are
    multiplied as if they were independent.
    """
    trick_count, side = world.trick_count, seat % 2
    status, fields = world.status, world.fields
    partner = world.partner(seat)
    partners_last = fields[partner][trick_count - 1] if partner >= 0 else NONE
    opponents = range(1 - side, len(status), 2)
    opponents_last = tuple([fields[other][trick_count - 1] for other in opponents if status[other] == STAYED])
    # Cards below 15 win no trick. With four seats such players have gone.
    field = (NONE,) * FIELD_SIZE if world.options.seats == 2 and world.is_short(seat) else fields[seat]
    odds = [0.0] * len(TRICK_SETS)
    odds[world.won_by(side)] = 1.0  # The finished tricks are certain.
    hand_size = FIELD_SIZE - trick_count
    for trick in range(trick_count, FIELD_SIZE):
        chance = _trick_chance(field[trick], partners_last, opponents_last, trick - trick_count, hand_size)
        for won in range(1 << trick):  # Split each set of earlier tricks into the two with and without this one.
            odds[won | 1 << trick] = odds[won] * chance
            odds[won] *= 1 - chance
    return tuple(odds)


@lru_cache(maxsize=1 << 14)
def _trick_chance(card: int, partners_last: int, opponents_last: Field, place: int, hand_size: int) -> float:
    """Return the chance that a card, or the partner's card, beats the opponents' cards in one trick.

    The other cards are hidden. Players play in ascending order, so they are higher than the cards played last:
    `partners_last` (NONE without a partner) and `opponents_last`. place: the place of the trick among those left, from
    0. hand_size: the number of tricks left.
    """
    chance = _chance_all_below(card, opponents_last, place, hand_size)
    if partners_last < 0:
        return chance
    # The own card wins, and the partner's is lower. Or the partner's card is higher, and wins.
    chance *= _chance_below(card, partners_last, place, hand_size)
    for other in range(max(card, partners_last) + 1, CARD_COUNT):  # The partner's card, if it is higher.
        up_to_other = _chance_below(other + 1, partners_last, place, hand_size)
        is_other = up_to_other - _chance_below(other, partners_last, place, hand_size)  # the chance of this card
        chance += is_other * _chance_all_below(other, opponents_last, place, hand_size)
    return chance


def _chance_all_below(card: int, opponents_last: Field, place: int, hand_size: int) -> float:
    """Return the chance that all opponents play a card below this one in a trick.

    opponents_last: the cards that they played last. place: the place of the trick among those left, from 0. hand_size:
    the number of tricks left.
    """
    chance = 1.0
    for last in opponents_last:
        chance *= _chance_below(card, last, place, hand_size)
    return chance


def _chance_below(card: int, last: int, place: int, hand_size: int) -> float:
    """Return the chance that a player's card in one trick is below `card`.

    The player plays a random hand in ascending order. All its cards are above `last`, the card played before. place:
    the place of the trick among those left, from 0. hand_size: the number of tricks left.
    """
    possible = CARD_COUNT - 1 - last
    lower = min(max(card - last - 1, 0), possible)
    if possible < hand_size:
        return 1.0
    # In ascending order, the card at `place` is below `card` if at least place + 1 cards of the hand are.
    counts = range(place + 1, hand_size + 1)
    ways = sum(comb(lower, count) * comb(possible - lower, hand_size - count) for count in counts)
    return ways / comb(possible, hand_size)
