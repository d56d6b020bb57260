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
    """Return how a user knows the cards of a challenge: they played, replayed or watched them. "" if they do not.

    own: the primary key of their match with these cards, which does not count. until: later events don't count.
    """
    until = until or timezone.now()
    if Seat.objects.filter(match__challenges=challenge, user=user.pk).exists():  # A seat in the original match.
        return str(Knew.SAT)
    challenges = _with_these_cards(challenge)
    plays = ChallengePlay.objects.filter(challenge__in=challenges, user=user.pk, begun_at__lte=until)
    in_teams = team_seats(user, challenges).filter(match__started_at__lte=until)
    if plays.exclude(match=own).exists() or in_teams.exclude(match=own).exists():
        return str(Knew.PLAYED)
    # The original match, the plays of others, and the tables of team matches with these cards.
    matches = Q(match__challenges=challenge) | Q(match__challenge_play__challenge__in=challenges)
    matches |= Q(match__team_table__team_match__challenge__in=challenges)
    ways = set(
        SeenMatch.objects.filter(matches, user=user.pk, at__lte=until).exclude(match=own).values_list("how", flat=True)
    )
    if SeenMatch.How.REPLAYED in ways:
        return str(Knew.REPLAYED)
    return str(Knew.WATCHED) if ways else ""


def known_by_the_end(user: User, challenge: Challenge, match: Match) -> str:
    """Return how a user knew the cards of a challenge when their match with these cards ended. "" if they did not."""
    knew = how_known(user, challenge, own=match.pk, until=match.ended_at)
    return knew or lateness(challenge, match.ended_at)


def lateness(challenge: Challenge, at: datetime) -> str:
    """Return Knew.LATE as a string if the seed of a deal of the day was public at that time, else "".

    From the seed everybody can compute the cards. It is published when the day is over.
    """
    return str(Knew.LATE) if challenge.day and challenge.day < site_day(at) else ""


def team_seats(user: User, challenges: Iterable[Challenge]) -> QuerySet[Seat]:
    """Return the seats of a user in team matches with the cards of these challenges.

    In a team match, two teams play the same cards at two tables.
    """
    return Seat.objects.filter(user=user.pk, match__team_table__team_match__challenge__in=challenges)


def _with_these_cards(challenge: Challenge) -> QuerySet[Challenge]:
    """Return the challenges that show the cards of this one to their players: from any seat of the same match.

    A challenge of one deal begins with all earlier deals, so it shows their cards too. A deal of the day belongs to no
    match, so it stands alone.
    """
    if challenge.original_id is None:
        return Challenge.objects.filter(pk=challenge.pk)
    challenges = Challenge.objects.filter(original=challenge.original_id)
    return challenges if challenge.deal is None else challenges.filter(Q(deal=None) | Q(deal__gte=challenge.deal))
