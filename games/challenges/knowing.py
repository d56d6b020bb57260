"""Find out how a user knew the cards of a challenge before they finished it. If they did not, the result is ""."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import site_day
from games.challenges.models import Challenge, ChallengePlay, SeenMatch
from games.models import Match, Seat

Knew = ChallengePlay.Knew


def how_known(user: User, challenge: Challenge, *, own: int = 0, until: datetime | None = None) -> str:
    """Return how a user knows the cards of a challenge, which others play too, as a value of Knew. "" if they do not.

    They may have played the cards, seen a replay, or watched somebody: return the first of these that is true. until: a
    time; what happened later does not count. None means now. own: the primary key of the match that is to be judged,
    which does not count.
    """
    until = until or timezone.now()
    if Seat.objects.filter(match__challenges=challenge, user=user.pk).exists():  # A seat in the original match.
        return str(Knew.SAT)
    challenges = _with_these_cards(challenge)
    plays = ChallengePlay.objects.filter(challenge__in=challenges, user=user.pk, begun_at__lte=until)
    in_teams = team_seats(user, challenges).filter(match__started_at__lte=until)
    if plays.exclude(match=own).exists() or in_teams.exclude(match=own).exists():
        return str(Knew.PLAYED)
    # The matches with these cards: the original one, the plays of others, and the tables of team matches.
    matches = Q(match__challenges=challenge) | Q(match__challenge_play__challenge__in=challenges)
    matches |= Q(match__team_table__team_match__challenge__in=challenges)
    sightings = SeenMatch.objects.filter(matches, user=user.pk, at__lte=until).exclude(match=own)
    ways = set(sightings.values_list("how", flat=True))
    if SeenMatch.How.REPLAYED in ways:
        return str(Knew.REPLAYED)
    return str(Knew.WATCHED) if ways else ""


def known_by_the_end(user: User, challenge: Challenge, match: Match) -> str:
    """Return how a user knew the cards of a challenge when their match with these cards ended. "" if they did not."""
    knew = how_known(user, challenge, own=match.pk, until=match.ended_at)
    return knew or lateness(challenge, match.ended_at)


def lateness(challenge: Challenge, at: datetime) -> str:
    """Return "late" (Knew.LATE) if anybody could compute the cards of a challenge at that time, else "".

    The cards of a deal of the day follow from its seed, which we publish when the day is over. Other challenges have no
    day.
    """
    return str(Knew.LATE) if challenge.day and challenge.day < site_day(at) else ""


def team_seats(user: User, challenges: Iterable[Challenge]) -> QuerySet[Seat]:
    """Return the seats of a user in team matches with the cards of these challenges.

    In a team match, two teams play the same cards at two tables.
    """
    return Seat.objects.filter(user=user.pk, match__team_table__team_match__challenge__in=challenges)


def _with_these_cards(challenge: Challenge) -> QuerySet[Challenge]:
    """Return the challenges (this one too) whose players see the cards of this one.

    These are made of the same match, perhaps with another seat. A challenge of one deal begins with all earlier deals
    of its match, so it shows their cards too. A deal of the day is made of no match, so no other shows its cards.
    """
    if challenge.original_id is None:
        return Challenge.objects.filter(pk=challenge.pk)
    challenges = Challenge.objects.filter(original=challenge.original_id)
    return challenges if challenge.deal is None else challenges.filter(Q(deal=None) | Q(deal__gte=challenge.deal))
