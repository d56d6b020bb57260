"""Compute and store the results of finished matches with the cards of a challenge, when somebody wants to see them.

Also store how each player knew the cards. Everything that they saw before the end of their match counts.
"""

import logging
import time

from django.db import InterfaceError, OperationalError, transaction

from games.challenges.knowing import known_by_the_end
from games.challenges.models import Challenge, ChallengePlay, TeamMatch
from games.deal_index.making import deal_facts
from games.history.folding import steps_of
from games.models import Match
from games.play.versions import BROKEN, Unreadable, rules_of

PLAYS_AT_ONCE = 50  # Plays settled in one request.
RETRY_AFTER = 600.0  # Seconds until a failed match is tried again.

log = logging.getLogger("valat.lines")

_failed: dict[int, float] = {}  # The time of the failure by primary key of the match.


def settle_plays(challenge: Challenge) -> None:
    """Store the results of finished matches in which users played a challenge: the points of the user's seat.

    Store at most PLAYS_AT_ONCE, so that a page does not wait long. Also store whether the user knew the cards by then,
    which decides whether the result is ranked.
    """
    ended = challenge.plays.filter(points=None, match__status=Match.Status.OVER).select_related("match", "user")
    for play in ended.exclude(match__in=_recent_failures()).order_by("pk")[:PLAYS_AT_ONCE]:
        if points := points_of(play.match, challenge):  # None if they can't be computed.
            knew = play.knew or known_by_the_end(play.user, challenge, play.match)
            ChallengePlay.objects.filter(pk=play.pk, points=None).update(points=points[challenge.seat], knew=knew)


def settle_tables(team_match: TeamMatch) -> None:
    """Store the points of the finished tables of a team match, and how its players knew the cards.

    In a team match, two teams play the same cards at two tables. At the second table they have exchanged their seats.
    """
    over = team_match.tables.filter(points__isnull=True, match__status=Match.Status.OVER).select_related("match")
    for table in over.exclude(match__in=_recent_failures()):
        if points := points_of(table.match, team_match.challenge):
            with transaction.atomic():
                for seat in team_match.seats.filter(table=table.number, knew="").select_related("user"):
                    seat.knew = known_by_the_end(seat.user, team_match.challenge, table.match)
                    seat.save(update_fields=["knew"])
                table.points = points
                table.save(update_fields=["points"])


def points_of(match: Match, challenge: Challenge) -> list[float] | None:
    """Return the points of each seat in a finished match with the cards of a challenge.

    They are the points of the deal that the challenge is about, or the final scores if it is about a whole match.
    Return None if the match is damaged, or if this process lacks the version of its rules.
    """
    try:
        return _compute_points(match, challenge)
    except (OperationalError, InterfaceError):
        raise  # The database failed, not this match.
    except Exception:  # One bad match must not hide the results of the others.
        log.exception("What match %s came to could not be reckoned.", match.code)
        _failed[match.pk] = time.monotonic()
        return None


def _compute_points(match: Match, challenge: Challenge) -> list[float]:
    if challenge.deal is None:
        return list(match.seats.order_by("number").values_list("score", flat=True))
    rules = rules_of(match)
    steps = steps_of(match, rules)
    if len(steps) != match.move_count:
        raise Unreadable(BROKEN)
    for number, facts in deal_facts(rules, steps):
        if number == challenge.deal:
            return [float(seat["points"]) for seat in facts.seats]
    return [0.0] * match.seat_count  # Everybody passed.


def _recent_failures() -> list[int]:
    """Return the keys of matches whose points could not be computed in the last RETRY_AFTER seconds."""
    return [match for match, at in _failed.items() if time.monotonic() - at < RETRY_AFTER]


def forget() -> None:
    """Forget all failures. Tests need this because their matches reuse primary keys."""
    _failed.clear()
