"""The odds of the hard bot's rule of thumb in Bleven, which account for drawing.

Before the first trick it samples the fields of other seats from `drawn.json`, by their number of discards. Fresh fields
are weaker: against them an average field would look good until it meets three better ones. With two seats these odds
serve in the preset "letter", where nothing is solved and players may always draw.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from games.bleven.bot import WON, Odds, Rival, Situation, sampled_odds, weight_of
from games.bleven.bot import odds_of as odds_by_rule
from games.bleven.classes import LETTERS
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE
from games.bleven.simulation import NONE, Field

TRIES = 40  # The number of attempts to sample a field that fits.
FEW = 20  # With fewer sampled fields that fit, the odds use all possible fields.


def odds_of(situation: Situation, fields: Sequence[Field], rng: Random, count: int) -> list[Odds]:
    """Return the same as `games.bleven.bot.odds_of`, but account for drawing before the first trick."""
    world, rivals = situation.world, situation.rivals
    is_duel = world.terms.seats == 2
    if world.trick_count or not rivals or (is_duel and not world.terms.deduced_pays):
        return odds_by_rule(situation, fields, rng, count)
    if situation.is_short and len(situation.hand) == FIELD_SIZE:
        fields = [(NONE,) * FIELD_SIZE]  # Such a field wins no trick.
    unseen = {*situation.unseen}
    if is_duel:
        likely = _likely_fields(rivals[0], unseen)
        if len(likely) < FEW:
            return odds_by_rule(situation, fields, rng, count)
        return [_weighted_odds(field, likely) for field in fields]
    return sampled_odds(situation, fields, count, lambda rival, used: _likely_field(rival, unseen, used, rng))


def _likely_field(rival: Rival, unseen: set[int], used: set[int], rng: Random) -> Sequence[int]:
    """Sample a field for a rival from `drawn.json`, ascending. It must fit the unseen and unused cards."""
    fields = drawn_fields()[min(rival.discards, FULL_RESERVE)]
    for _ in range(TRIES):
        field = fields[int(rng.random() * len(fields))]
        if unseen.issuperset(field) and used.isdisjoint(field):
            weight = weight_of(rival, field)
            if weight and rng.random() < weight:
                return field
    return sorted(rng.sample(sorted(unseen - used), FIELD_SIZE))  # Hardly any field fits. An odd one does little harm.


def _likely_fields(rival: Rival, unseen: set[int]) -> list[tuple[Field, float]]:
    """Return the possible fields of a rival and their weights."""
    fields = [field for field in drawn_fields()[min(rival.discards, FULL_RESERVE)] if unseen.issuperset(field)]
    return [(field, weight) for field in fields if (weight := weight_of(rival, field))]


def _weighted_odds(field: Field, likely: list[tuple[Field, float]]) -> Odds:
    """Return the odds of a field. likely: the rival's possible fields and their weights."""
    odds, total = [0.0] * len(WON), sum([weight for _, weight in likely])
    one, two, three = field
    for (first, second, third), weight in likely:
        odds[(one > first) | (two > second) << 1 | (three > third) << 2] += weight / total
    return tuple(odds)


@cache
def drawn_fields() -> list[list[Field]]:
    """Return sampled fields, a list by the number of discards. Their players always discard the weakest card."""
    fields_by_discards = json.loads((Path(__file__).parent / "drawn.json").read_text())
    return [[tuple(map(LETTERS.index, field)) for field in fields.split(" ")] for fields in fields_by_discards.values()]
