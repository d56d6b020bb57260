"""The hard player of Bleven with four seats: the rule of thumb, but its odds know that fields get stronger by drawing.

Before the first trick it imagines the others with fields that were drawn to as often as they have drawn, `drawn.json`.
Fields as they are dealt would let a middling one look good to the end, when it meets three that are better.
"""

import json
from functools import cache
from math import prod
from pathlib import Path

from games.bleven.bot import BLUFF, BlevenBot, counted_odds, likelihood
from games.bleven.bot import odds_of as odds_by_rule
from games.bleven.classes import LETTERS
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import CARDS, FULL_RESERVE

TRIES = 40  # to find a field, among those drawn, that may be in another hand


class PairsBot(BlevenBot):
    """The rule of thumb with such odds."""

    def odds_of(self, position, fields, rng):
        return odds_of(position, fields, rng, self.worlds)


def odds_of(position, fields, rng, count):
    """As `games.bleven.bot.odds_of`, from which they differ with four seats, before the first trick."""
    if position.players == 1 or position.played or not position.rivals:
        return odds_by_rule(position, fields, rng, count)
    if position.short and len(position.hand) == CARDS:
        fields = [(-1,) * CARDS]  # it takes no trick
    unseen = {*position.unseen}
    worlds = [_imagined(position.rivals, unseen, rng) for _ in range(count)]
    return [counted_odds(position, field, worlds) for field in fields]


def _imagined(rivals, unseen, rng):
    """Hidden fields for all: the tricks that the partner has, none yet, and for each trick the card to beat.

    Where the partner's card is the highest, the trick is the own side's whatever the own card.
    """
    theirs, partners, used = [-1] * CARDS, [-1] * CARDS, set()
    for rival in rivals:
        field = _likely_field(rival, unseen, used, rng)
        used.update(field)
        best = partners if rival.partner else theirs
        best[:] = map(max, best, field)
    won = sum((partners[place] > theirs[place]) << place for place in range(CARDS))
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
    return sorted(rng.sample(sorted(unseen - used), CARDS))  # hardly anything fits: an odd field does little harm


@cache
def drawn_fields():
    """By the number of discards, fields as chance leaves them to those who throw away what promises least."""
    found = json.loads((Path(__file__).parent / "drawn.json").read_text())
    return [[tuple(map(LETTERS.index, field)) for field in fields.split(" ")] for fields in found.values()]
