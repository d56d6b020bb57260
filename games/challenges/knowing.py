"""How somebody knew the cards of a challenge before they had played them to the end, as far as that is known here."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import site_day
from games.challenges.models import Challenge, ChallengePlay, SeenMatch
from games.models import Match, Seat


def how_known(user: User, challenge: Challenge, *, own: int = 0, until: datetime | None = None) -> str:
    """How a user knows the cards of a challenge, of ChallengePlay.Knew; "" where that isn't known here.

    own: the match, by its key, in which they play them. until: what came later doesn't count.
    """
    until = until or timezone.now()
    if Seat.objects.filter(match__challenges=challenge, user=user.pk).exists():
        return ChallengePlay.Knew.SAT
    alike = _with_these_cards(challenge)
    plays = ChallengePlay.objects.filter(challenge__in=alike, user=user.pk, begun_at__lte=until)
    in_teams = team_seats(user, alike).filter(match__started_at__lte=until)
    if plays.exclude(match=own).exists() or in_teams.exclude(match=own).exists():
        return ChallengePlay.Knew.PLAYED
    shown = Q(match__challenges=challenge) | Q(match__challenge_play__challenge__in=alike)
    shown |= Q(match__team_table__team_match__challenge__in=alike)
    ways = set(
        SeenMatch.objects.filter(shown, user=user.pk, at__lte=until).exclude(match=own).values_list("how", flat=True)
    )
    if SeenMatch.How.REPLAYED in ways:
        return ChallengePlay.Knew.REPLAYED
    return ChallengePlay.Knew.WATCHED if ways else ""


def known_by_the_end(user: User, challenge: Challenge, match: Match) -> str:
    """How a user knew the cards by the end of the match in which they have played them, what they saw meanwhile too."""
    known = how_known(user, challenge, own=match.pk, until=match.ended_at)
    return known or lateness(challenge, match.ended_at)


def lateness(challenge: Challenge, at: datetime) -> str:
    """LATE where the seed of a challenge's day had been told by then, of ChallengePlay.Knew; else ""."""
    return ChallengePlay.Knew.LATE if challenge.day and challenge.day < site_day(at) else ""


def team_seats(user: User, challenges: Iterable[Challenge]) -> QuerySet[Seat]:
    """The seats of a user at tables of team matches with the cards of these challenges."""
    return Seat.objects.filter(user=user.pk, match__team_table__team_match__challenge__in=challenges)


def _with_these_cards(challenge: Challenge) -> QuerySet[Challenge]:
    """The challenges of which a play shows the cards of this one, itself first: from all seats of the same match.

    What is played of one deal begins with all the deals before it.
    """
    if challenge.original_id is None:
        return Challenge.objects.filter(pk=challenge.pk)
    alike = Challenge.objects.filter(original=challenge.original_id)
    return alike if challenge.deal is None else alike.filter(Q(deal=None) | Q(deal__gte=challenge.deal))
