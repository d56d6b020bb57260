"""The hard player of Bleven with four seats: the rule of thumb, with odds that account for drawing.

Before the first trick it samples the fields of other seats from `drawn.json`, by their number of discards. Fresh fields
are weaker: against them an average field would look good until it meets three better ones. With two seats these odds
serve in the preset "letter", where nothing is solved and players may always draw.
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

FOUR = TURNS._replace(stays=-1.0, helps=-1.0, raises=-4.0)  # The hard bot with four seats.
TRIES = 40  # The number of attempts to sample a field that fits.
FEW = 20  # With fewer sampled fields that fit, the odds use all possible fields.


class PairsBot(BlevenBot):
    """The rule of thumb with odds that account for drawing."""

    def odds_of(self, position, fields, rng):
        return odds_of(position, fields, rng, self.worlds)


def odds_of(position, fields, rng, count):
    """Return the same as `games.bleven.bot.odds_of`, but account for drawing before the first trick."""
    alone = position.players == 1
    if position.played or not position.rivals or (alone and not position.deduced_pays):
        return odds_by_rule(position, fields, rng, count)
    if position.short and len(position.hand) == FIELD_SIZE:
        fields = [(-1,) * FIELD_SIZE]  # Such a field wins no trick.
    unseen = {*position.unseen}
    if alone:
        likely = _likely_fields(position.rivals[0], unseen)
        if len(likely) < FEW:
            return odds_by_rule(position, fields, rng, count)
        return [_weighed_odds(field, likely) for field in fields]
    worlds = [_imagined(position.rivals, unseen, rng) for _ in range(count)]
    return [counted_odds(position, field, worlds) for field in fields]


def _imagined(rivals, unseen, rng):
    """Sample all hidden fields. Return the tricks won without the own cards, and the card to beat in each trick.

    The partner wins a trick in which the partner's card is the highest.
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
    """Sample a field for a rival from `drawn.json`, ascending. It must fit the unseen and unused cards."""
    fields = drawn_fields()[min(rival.discards, FULL_RESERVE)]
    for _ in range(TRIES):
        field = fields[int(rng.random() * len(fields))]
        if not (unseen.issuperset(field) and used.isdisjoint(field)):
            continue
        beyond = sum([VALUES[card] for card in field]) - rival.needs
        likely = prod([likelihood(rival, card) for card in field]) * (BLUFF if beyond < rival.bluff else 1.0)
        if beyond >= 0 and rng.random() < likely:
            return field
    return sorted(rng.sample(sorted(unseen - used), FIELD_SIZE))  # Hardly any field fits. An odd one does little harm.


def _likely_fields(rival, unseen):
    """Return pairs of a possible field of a rival and its weight."""
    pairs = []
    for field in drawn_fields()[min(rival.discards, FULL_RESERVE)]:
        beyond = sum([VALUES[card] for card in field]) - rival.needs
        if beyond >= 0 and unseen.issuperset(field):
            likely = prod([likelihood(rival, card) for card in field])
            pairs.append((field, likely * (BLUFF if beyond < rival.bluff else 1.0)))
    return pairs


def _weighed_odds(field, likely):
    """Return the odds of a field. likely: pairs of a rival's field and its weight."""
    odds, total = [0.0] * len(WON), sum([weight for _, weight in likely])
    one, two, three = field
    for (first, second, third), weight in likely:
        odds[(one > first) | (two > second) << 1 | (three > third) << 2] += weight / total
    return odds


@cache
def drawn_fields():
    """Return sampled fields, a list by the number of discards. Their players always discard the weakest card."""
    fields_by_discards = json.loads((Path(__file__).parent / "drawn.json").read_text())
    return [[tuple(map(LETTERS.index, field)) for field in fields.split(" ")] for fields in fields_by_discards.values()]
