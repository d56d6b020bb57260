"""The clubs in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.clubs.models import Membership
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a JSON document for each club that a user belongs to, the newest membership first."""
    for membership in user.club_memberships.select_related("club").order_by("-pk"):
        club = membership.club
        yield {"club": club.name, "text": club.text, "role": membership.role, "since": membership.since}


EXPORTS = [
    Export(
        name="clubs",
        description=lazy("The clubs that you belong to, newest first, one JSON document per line."),
        count=lambda user: user.club_memberships.count(),
        documents=documents,
        is_owner=lambda since: Exists(Membership.objects.filter(user=OuterRef("pk"))),
    )
]
