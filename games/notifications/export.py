"""Subscriptions, delivery methods and notifications in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.notifications.delivery_methods import subscriptions_of
from games.notifications.models import DeliveryMethod, Notification


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield JSON documents about the notifications of a user.

    First the kinds that they want by push, mail and webhook, then the addresses to send to, then the recent
    notifications.
    """
    yield {"subscriptions": {medium: sorted(kinds) for medium, kinds in subscriptions_of(user).items()}}
    for method in user.delivery_methods.order_by("-pk"):
        yield {"medium": method.medium, "name": method.name, "address": method.address, "made_at": method.made_at}
    for notice in Notification.objects.filter(method__user=user).select_related("method", "match").order_by("-pk"):
        yield {
            "kind": notice.kind,
            "medium": notice.method.medium,
            "match": notice.match.code if notice.match else None,
            "written_at": notice.written_at,
            "handed_at": notice.handed_at,
        }


EXPORTS = [
    Export(
        name="notices",
        description=lazy(
            "Your notifications by push, email and webhook, and their addresses, one JSON document per line."
        ),
        count=lambda user: user.delivery_methods.count(),
        documents=documents,
        is_owner=lambda since: Exists(DeliveryMethod.objects.filter(user=OuterRef("pk"), made_at__gte=since)),
    )
]
