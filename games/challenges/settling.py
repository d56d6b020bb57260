"""What finished matches with the cards of a challenge came to: reckoned once, when somebody asks, and stored.

With it is settled how those who played knew the cards: what they saw until their match was over counts.
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

AT_ONCE = 50  # plays that are settled while somebody waits
AGAIN_AFTER = 600.0  # seconds until one that could not be is tried again

log = logging.getLogger("valat.lines")

_failed: dict[int, float] = {}  # when, by the key of the match


def settle_plays(challenge: Challenge) -> None:
    """Settle plays that have ended since."""
    ended = challenge.plays.filter(points=None, match__status=Match.Status.OVER).select_related("match", "user")
    for each in ended.exclude(match__in=_put_off()).order_by("pk")[:AT_ONCE]:
        if points := points_of(each.match, challenge):
            knew = each.knew or known_by_the_end(each.user, challenge, each.match)
            ChallengePlay.objects.filter(pk=each.pk, points=None).update(points=points[challenge.seat], knew=knew)


def settle_tables(asked: TeamMatch) -> None:
    """Settle the tables of a team match that are over."""
    over = asked.tables.filter(points__isnull=True, match__status=Match.Status.OVER).select_related("match")
    for table in over.exclude(match__in=_put_off()):
        if points := points_of(table.match, asked.challenge):
            with transaction.atomic():
                for seat in asked.seats.filter(table=table.number, knew="").select_related("user"):
                    seat.knew = known_by_the_end(seat.user, asked.challenge, table.match)
                    seat.save(update_fields=["knew"])
                table.points = points
                table.save(update_fields=["points"])


def points_of(match: Match, challenge: Challenge) -> list[float] | None:
    """What a finished match with the cards of a challenge gave each seat: in its deal, or in the end.

    None where that can't be told: what is stored is damaged, or made by rules that are not here.
    """
    try:
        return _points(match, challenge)
    except (OperationalError, InterfaceError):
        raise  # that is not this match's fault
    except Exception:  # of one match: the others have theirs
        log.exception("What match %s came to could not be reckoned.", match.code)
        _failed[match.pk] = time.monotonic()
        return None


def _points(match: Match, challenge: Challenge) -> list[float]:
    if challenge.deal is None:
        return list(match.seats.order_by("number").values_list("score", flat=True))
    rules = rules_of(match)
    steps = steps_of(match, rules)
    if len(steps) != match.move_count:
        raise Unreadable(BROKEN)
    for number, facts in deal_facts(rules, steps):
        if number == challenge.deal:
            return [float(seat["points"]) for seat in facts.seats]
    return [0.0] * match.seat_count  # nobody wanted to play it


def _put_off() -> list[int]:
    """The keys of the matches that have failed lately, and are not tried again yet."""
    return [match for match, at in _failed.items() if time.monotonic() - at < AGAIN_AFTER]


def forget() -> None:
    """Forget what has failed, for tests: their matches have the same keys."""
    _failed.clear()
