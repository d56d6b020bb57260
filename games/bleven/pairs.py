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

from games.bleven.bot import TRICK_SETS, Odds, OtherPlayer, Situation, sampled_odds, weight_of
from games.bleven.bot import odds_of as odds_by_rule
from games.bleven.classes import LETTERS
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE
from games.bleven.simulation import NONE, Field

TRIES = 40  # The number of attempts to sample a field that fits.
FEW = 20  # With fewer sampled fields that fit, the odds use all possible fields.


def odds_of(situation: Situation, fields: Sequence[Field], rng: Random, count: int) -> list[Odds]:
    """Return the odds of each field (three cards of the seat to act): the chance of each set of tricks it may win.

    Before the first trick they depend on how many cards each other player has exchanged for better ones. Elsewhere the
    simpler odds of the rule of thumb do. situation: what the seat knows. count: the sample size if several seats have
    hidden cards.
    """
    world, others = situation.world, situation.others
    is_duel = world.options.seats == 2
    # Most matches of two are played by a strategy that was solved without these odds.
    is_solved = is_duel and not world.options.believer_wins_bet
    if world.trick_count or not others or is_solved:
        return odds_by_rule(situation, fields, rng, count)
    if situation.is_short and len(situation.hand) == FIELD_SIZE:
        fields = [(NONE,) * FIELD_SIZE]  # Cards below 15 win no trick, as if each were lower than any other.
    unseen = {*situation.unseen}
    if not is_duel:
        return sampled_odds(situation, fields, count, lambda player, used: _likely_field(player, unseen, used, rng))
    likely = _likely_fields(others[0], unseen)
    if len(likely) < FEW:  # Too few for good odds.
        return odds_by_rule(situation, fields, rng, count)
    return [_weighted_odds(field, likely) for field in fields]


def _likely_field(player: OtherPlayer, unseen: set[int], used: set[int], rng: Random) -> Sequence[int]:
    """Sample the three cards of another player, ascending, so that likelier ones come more often.

    They come from simulated players who have exchanged as many cards. unseen: the cards that the player may hold. used:
    cards already given to others.
    """
    fields = drawn_fields()[min(player.discards, FULL_RESERVE)]
    for _ in range(TRIES):
        field = fields[int(rng.random() * len(fields))]
        if unseen.issuperset(field) and used.isdisjoint(field):
            weight = weight_of(player, field)  # from 0 to 1
            if weight and rng.random() < weight:
                return field
    return sorted(rng.sample(sorted(unseen - used), FIELD_SIZE))  # Hardly any field fits. An odd one does little harm.


def _likely_fields(player: OtherPlayer, unseen: set[int]) -> list[tuple[Field, float]]:
    """Return the fields (three cards) that another player may hold, each with its weight: how likely it is.

    They are samples of what simulated players held after exchanging as many cards. unseen: the cards that the player
    may hold. No more cards can be exchanged than the reserve has.
    """
    exchanges = min(player.discards, FULL_RESERVE)
    fields = [field for field in drawn_fields()[exchanges] if unseen.issuperset(field)]
    return [(field, weight) for field in fields if (weight := weight_of(player, field))]


def _weighted_odds(field: Field, likely: list[tuple[Field, float]]) -> Odds:
    """Return the chance of each set of tricks that a field (three cards) wins, a list by the set.

    A set has a bit for each trick. likely: the fields that the opponent may hold, with their weights.
    """
    odds, total = [0.0] * len(TRICK_SETS), sum([weight for _, weight in likely])
    low, middle, high = field  # Both sides play their cards in ascending order.
    for (rival_low, rival_middle, rival_high), weight in likely:
        won = (low > rival_low) | (middle > rival_middle) << 1 | (high > rival_high) << 2
        odds[won] += weight / total
    return tuple(odds)


@cache
def drawn_fields() -> list[list[Field]]:
    """Return fields (three cards) sampled by tools/draw_bleven.py, a list by the number of cards exchanged.

    The simulated players drew a card that often, and always discarded their weakest card. In the file each letter is
    a card.
    """
    fields_by_discards = json.loads((Path(__file__).parent / "drawn.json").read_text())
    return [[tuple(map(LETTERS.index, field)) for field in fields.split(" ")] for fields in fields_by_discards.values()]
