"""The export of a user's variations, challenges and seen matches."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet

from accounts.export import Export
from accounts.models import User
from games.challenges.models import Challenge, ChallengePlay, SeenMatch, Variation
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield what we store about a user's matches with known cards, as dicts: a part of their copy of our data.

    "variation": a match that plays on from another one. "challenge": cards that the user offers to others. "play": a
    match with such cards. "team": a seat in a team match. "seen": a match that the user has watched or replayed.
    """
    for variation in _variations(user).select_related("match", "original").order_by("-pk").iterator(chunk_size=100):
        original = variation.original.code if variation.original else None
        yield {
            "kind": "variation",
            "match": variation.match.code,
            "of": original,
            "move": variation.move,
            "seat": variation.seat,
        }
    for challenge in user.challenges.order_by("-pk").iterator(chunk_size=100):
        yield {"kind": "challenge", "code": challenge.code, "game": challenge.game, "made_at": challenge.made_at}
    for play in user.challenge_plays.select_related("match", "challenge").order_by("-pk").iterator(chunk_size=100):
        fields = {
            "challenge": play.challenge.code,
            "match": play.match and play.match.code,
            "knew": play.knew,
            "points": play.points,
        }
        yield {"kind": "play", **fields, "begun_at": play.begun_at}
    for seat in user.team_seats.select_related("team_match").order_by("-pk").iterator(chunk_size=100):
        yield {"kind": "team", "team_match": seat.team_match.code, "team": seat.team, "table": seat.table}
    for sighting in user.seen_matches.select_related("match").order_by("-pk").iterator(chunk_size=100):
        yield {"kind": "seen", "match": sighting.match.code, "how": sighting.how, "at": sighting.at}


def _variations(user: User) -> QuerySet[Variation]:
    return Variation.objects.filter(match__host=user)


def _count(user: User) -> int:
    querysets = (_variations(user), user.challenges, user.challenge_plays, user.team_seats, user.seen_matches)
    return sum(queryset.count() for queryset in querysets)


EXPORTS = [
    Export(
        name="lines",
        description=lazy(
            "Your variations and challenges, and the matches that you have watched or replayed, one JSON "
            "document per line. We keep the latter so that a challenge can say who knew its cards."
        ),
        count=_count,
        documents=documents,
        is_owner=lambda since: (
            Exists(ChallengePlay.objects.filter(user=OuterRef("pk"), begun_at__gte=since))
            | Exists(Challenge.objects.filter(made_by=OuterRef("pk"), made_at__gte=since))
            | Exists(SeenMatch.objects.filter(user=OuterRef("pk"), at__gte=since))
        ),
    )
]
