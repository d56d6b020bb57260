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
    """Return how a user knows the cards of a challenge.

    own: the primary key of the match in which they play the challenge. until: later events don't count.
    """
    until = until or timezone.now()
    if Seat.objects.filter(match__challenges=challenge, user=user.pk).exists():
        return str(Knew.SAT)
    challenges = _with_these_cards(challenge)
    plays = ChallengePlay.objects.filter(challenge__in=challenges, user=user.pk, begun_at__lte=until)
    in_teams = team_seats(user, challenges).filter(match__started_at__lte=until)
    if plays.exclude(match=own).exists() or in_teams.exclude(match=own).exists():
        return str(Knew.PLAYED)
    matches = Q(match__challenges=challenge) | Q(match__challenge_play__challenge__in=challenges)
    matches |= Q(match__team_table__team_match__challenge__in=challenges)
    ways = set(
        SeenMatch.objects.filter(matches, user=user.pk, at__lte=until).exclude(match=own).values_list("how", flat=True)
    )
    if SeenMatch.How.REPLAYED in ways:
        return str(Knew.REPLAYED)
    return str(Knew.WATCHED) if ways else ""


def known_by_the_end(user: User, challenge: Challenge, match: Match) -> str:
    """Return how a user knew the cards when they finished a match with them."""
    knew = how_known(user, challenge, own=match.pk, until=match.ended_at)
    return knew or lateness(challenge, match.ended_at)


def lateness(challenge: Challenge, at: datetime) -> str:
    """Return str(Knew.LATE) if the seed of the challenge's day was public at that time, else ""."""
    return str(Knew.LATE) if challenge.day and challenge.day < site_day(at) else ""


def team_seats(user: User, challenges: Iterable[Challenge]) -> QuerySet[Seat]:
    """Return the seats of a user in team matches with the cards of these challenges."""
    return Seat.objects.filter(user=user.pk, match__team_table__team_match__challenge__in=challenges)


def _with_these_cards(challenge: Challenge) -> QuerySet[Challenge]:
    """Return the challenges whose plays show the cards of this one: from any seat of the same match.

    A challenge of one deal begins with all earlier deals, so it shows their cards too.
    """
    if challenge.original_id is None:
        return Challenge.objects.filter(pk=challenge.pk)
    challenges = Challenge.objects.filter(original=challenge.original_id)
    return challenges if challenge.deal is None else challenges.filter(Q(deal=None) | Q(deal__gte=challenge.deal))
