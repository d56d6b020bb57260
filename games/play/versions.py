"""Whether a stored match can be read here, and the sentence that says why not.

Another process of the same site may have rules or speeds that this one has not, after an update or before it; a host
may take a game away; what is stored may be damaged. Such a match is left as it is: its pages say why, its players may
leave, the host may close it. A match is played, replayed and checked for ever by the rules that it began under.
"""

from typing import Any

from django.db.models import Q

from games.catalog import InvalidOptions, Rules, all_games, find_rules, game_name
from games.kit.language import lazy
from games.models import Match
from games.play.errors import Refused
from games.play.pace import SPEEDS
from games.play.snapshot import Snapshot

BROKEN = lazy("The record of this match can’t be read. The host of this site can have it repaired.")


class Unreadable(Refused):
    """What was asked for takes something of the match that is not here, or can't be read."""

    status = 409


def rules_of(match: Match | Snapshot) -> Rules:
    """The rules of a match. Raises Unreadable."""
    rules = find_rules(match.game, match.rules_version)
    if rules is None:
        raise Unreadable(missing_rules(match))
    return rules


def missing_rules(match: Match | Snapshot) -> str:
    """What is said of a match whose rules are not here."""
    sentence = (
        "This match is played by version {version} of the rules of {game}, which are not available at the moment."
    )
    return lazy(sentence, version=match.rules_version, game=game_name(match.game))


def obstacle_to(match: Match) -> str:
    """Why a match can't be played here, whatever its moves are, as a sentence; "" where it can."""
    rules = find_rules(match.game, match.rules_version)
    if rules is None:
        return missing_rules(match)
    if match.status in Match.RUNNING and match.speed not in SPEEDS:
        sentence = "This match is played at the speed “{speed}”, which is not available at the moment."
        return lazy(sentence, speed=match.speed)
    if not fits(rules, match.seat_count, match.options):
        return BROKEN
    return ""


def fits(rules: Rules, seat_count: int, options: Any) -> bool:
    """Whether a match of these rules may have so many seats and these options."""
    try:
        rules.clean_options(seat_count, options)
    except InvalidOptions:
        return False
    return True


def demand_playable(match: Match) -> None:
    """Raise Unreadable where there is an obstacle to a match."""
    if obstacle := obstacle_to(match):
        raise Unreadable(obstacle)


def played_here() -> Q:
    """The condition of matches whose rules, speed and way of shuffling are here."""
    ours = Q()
    for game in all_games():
        ours |= Q(game=game.slug, rules_version__in=[rules.version for rules in game.rules])
    return ours & Q(speed__in=list(SPEEDS))
