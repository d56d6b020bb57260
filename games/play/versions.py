"""Whether this process can read a stored match, and the sentence that says why not.

During an update, other processes may have rules or speeds that this one lacks. A host may remove a game. Stored data
may be damaged. Such a match is left as it is: its pages say why, its players may leave, and the host may close it. A
match is always played, replayed and checked by the version of the rules that it began with.
"""

from django.db.models import Q

from games.catalog import InvalidOptions, Rules, all_games, find_rules, game_name
from games.kit.contract import Options
from games.kit.language import lazy
from games.models import Match
from games.play.errors import Refused
from games.play.pace import SPEEDS
from games.play.snapshot import Snapshot

BROKEN = lazy("The record of this match can’t be read. The people who run this site can have it repaired.")


class Unreadable(Refused):
    """The request needs a part of the match that is not available here, or is damaged."""

    status = 409


def rules_of(match: Match | Snapshot) -> Rules:
    """Return the rules of a match. Raise Unreadable if they are not available."""
    rules = find_rules(match.game, match.rules_version)
    if rules is None:
        raise Unreadable(_missing_rules_sentence(match))
    return rules


def _missing_rules_sentence(match: Match | Snapshot) -> str:
    sentence = (
        "This match is played by version {version} of the rules of {game}, which are not available at the moment. "
        "Try again later."
    )
    return lazy(sentence, version=match.rules_version, game=game_name(match.game))


def find_obstacle(match: Match) -> str:
    """Return why this process can't play a match, as a sentence; "" if it can. It does not look at the moves.

    A process of another version of the site may lack the rules or the speed. Options that the rules refuse are damaged.
    """
    rules = find_rules(match.game, match.rules_version)
    if rules is None:
        return _missing_rules_sentence(match)
    if match.status in Match.RUNNING and match.speed not in SPEEDS:
        sentence = "This match is played at the speed “{speed}”, which is not available at the moment. Try again later."
        return lazy(sentence, speed=match.speed)
    if not are_valid_options(rules, match.seat_count, match.options):
        return BROKEN
    return ""


def are_valid_options(rules: Rules, seat_count: int, options: Options) -> bool:
    """Return whether the rules allow this number of seats with these options."""
    try:
        rules.clean_options(seat_count, options)
    except InvalidOptions:
        return False
    return True


def demand_playable(match: Match) -> None:
    """Raise Unreadable if a match can't be played here."""
    if obstacle := find_obstacle(match):
        raise Unreadable(obstacle)


def playable_here() -> Q:
    """Return the condition for matches whose rules and speed are available in this process."""
    has_rules = Q()
    for game in all_games():
        has_rules |= Q(game=game.slug, rules_version__in=[rules.version for rules in game.rules])
    return has_rules & Q(speed__in=list(SPEEDS))
