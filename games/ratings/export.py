"""The rating changes in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.ratings.models import RatingChange
from games.ratings.strength import Strength


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a document for each rated match of a user, the newest first: what it did to their rating, in points."""
    changes = RatingChange.objects.filter(player__user=user).select_related("rated__board", "rated__match")
    for change in changes.order_by("-rated__ended_at"):
        before, after = Strength(change.mu_before, change.sigma_before), Strength(change.mu, change.sigma)
        yield {
            "match": change.rated.match.code,
            "game": change.rated.board.game,
            "pace": change.rated.board.pace,
            "before": before.points,
            "after": after.points,
            "uncertainty": after.error,
        }


EXPORTS = [
    Export(
        name="ratings",
        description=lazy("What your rated matches did to your ratings, newest first, one JSON document per line."),
        count=lambda user: RatingChange.objects.filter(player__user=user).count(),
        documents=documents,
        is_owner=lambda since: Exists(RatingChange.objects.filter(player__user=OuterRef("pk"))),
    )
]
