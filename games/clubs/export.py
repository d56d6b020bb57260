"""The clubs in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.clubs.models import ClubNotice, Membership
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a JSON document for each club that a user belongs to, the newest membership first."""
    for membership in user.club_memberships.select_related("club").order_by("-pk"):
        club = membership.club
        yield {"club": club.name, "text": club.text, "role": membership.role, "since": membership.since}
    for notice in user.club_notices.select_related("club").order_by("-pk"):
        dates = {"starts_at": notice.starts_at, "written_at": notice.written_at}
        yield {"club": notice.club.name, "notice": notice.text} | dates


EXPORTS = [
    Export(
        name="clubs",
        description=lazy("Your clubs and your notices there, newest first, one JSON document per line."),
        count=lambda user: user.club_memberships.count() + user.club_notices.count(),
        documents=documents,
        is_owner=lambda since: (
            Exists(Membership.objects.filter(user=OuterRef("pk")))
            | Exists(ClubNotice.objects.filter(author=OuterRef("pk")))
        ),
    )
]
