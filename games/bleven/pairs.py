"""The hard player of Bleven with four seats: the rule of thumb, but its odds know that fields get stronger by drawing.

Before the first trick it imagines the others with fields that were drawn to as often as they have drawn, `drawn.json`.
Fields as they are dealt would let a middling one look good to the end, when it meets three that are better. With two
seats such odds serve where nothing is solved and everybody may draw on: to the letter.
"""

import json
from functools import cache
from math import prod
from pathlib import Path

from games.bleven.bot import BLUFF, TURNS, WON, BlevenBot, counted_odds, likelihood
from games.bleven.bot import odds_of as odds_by_rule
from games.bleven.classes import LETTERS
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE

FOUR = TURNS._replace(stays=-1.0, helps=-1.0, raises=-4.0)  # as of the hard bot with four seats
TRIES = 40  # to find a field, among those drawn, that may be in another hand
FEW = 20  # fields: with fewer that may be there odds are those of all that it can be


class PairsBot(BlevenBot):
    """The rule of thumb with such odds."""

    def odds_of(self, position, fields, rng):
        return odds_of(position, fields, rng, self.worlds)


def odds_of(position, fields, rng, count):
    """As `games.bleven.bot.odds_of`; they differ before the first trick, with two seats only to the letter."""
    alone = position.players == 1
    if position.played or not position.rivals or (alone and not position.deduced_pays):
        return odds_by_rule(position, fields, rng, count)
    if position.short and len(position.hand) == FIELD_SIZE:
        fields = [(-1,) * FIELD_SIZE]  # it takes no trick
    unseen = {*position.unseen}
    if alone:
        likely = _likely_fields(position.rivals[0], unseen)
        if len(likely) < FEW:
            return odds_by_rule(position, fields, rng, count)
        return [_weighed_odds(field, likely) for field in fields]
    worlds = [_imagined(position.rivals, unseen, rng) for _ in range(count)]
    return [counted_odds(position, field, worlds) for field in fields]


def _imagined(rivals, unseen, rng):
    """Hidden fields for all: the tricks that the partner has, none yet, and for each trick the card to beat.

    Where the partner's card is the highest, the trick is the own side's whatever the own card.
    """
    theirs, partners, used = [-1] * FIELD_SIZE, [-1] * FIELD_SIZE, set()
    for rival in rivals:
        field = _likely_field(rival, unseen, used, rng)
        used.update(field)
        best = partners if rival.partner else theirs
        best[:] = map(max, best, field)
    won = sum((partners[place] > theirs[place]) << place for place in range(FIELD_SIZE))
    return won, theirs


def _likely_field(rival, unseen, used, rng):
    """One of the fields that are drawn to as many discards, of cards that may be there; ascending."""
    fields = drawn_fields()[min(rival.discards, FULL_RESERVE)]
    for _ in range(TRIES):
        field = fields[int(rng.random() * len(fields))]
        if not (unseen.issuperset(field) and used.isdisjoint(field)):
            continue
        beyond = sum([VALUES[card] for card in field]) - rival.needs
        likely = prod([likelihood(rival, card) for card in field]) * (BLUFF if beyond < rival.bluff else 1.0)
        if beyond >= 0 and rng.random() < likely:
            return field
    return sorted(rng.sample(sorted(unseen - used), FIELD_SIZE))  # hardly anything fits: an odd field does little harm


def _likely_fields(rival, unseen):
    """Pairs of a field that is drawn to as many discards, of cards that may be there, and how likely it is."""
    found = []
    for field in drawn_fields()[min(rival.discards, FULL_RESERVE)]:
        beyond = sum([VALUES[card] for card in field]) - rival.needs
        if beyond >= 0 and unseen.issuperset(field):
            likely = prod([likelihood(rival, card) for card in field])
            found.append((field, likely * (BLUFF if beyond < rival.bluff else 1.0)))
    return found


def _weighed_odds(field, likely):
    """The odds of a field against others, pairs of a field and how likely it is."""
    odds, total = [0.0] * len(WON), sum([weight for _, weight in likely])
    one, two, three = field
    for (first, second, third), weight in likely:
        odds[(one > first) | (two > second) << 1 | (three > third) << 2] += weight / total
    return odds


@cache
def drawn_fields():
    """By the number of discards, fields as chance leaves them to those who throw away what promises least."""
    found = json.loads((Path(__file__).parent / "drawn.json").read_text())
    return [[tuple(map(LETTERS.index, field)) for field in fields.split(" ")] for fields in found.values()]
