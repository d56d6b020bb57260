"""By what somebody is told of things, as accounts ask for it."""

from django.db.models import Exists, OuterRef

from accounts.belongings import Belongings
from games.kit.language import lazily
from games.notices.models import Notice, Way
from games.notices.ways import wishes_of


def documents(user):
    """Yield what a user wishes to be told by which channel, then each way, then what was written lately."""
    yield {"wishes": {channel: sorted(kinds) for channel, kinds in wishes_of(user).items()}}
    for way in user.ways.order_by("-pk"):
        yield {"channel": way.channel, "name": way.name, "address": way.address, "made_at": way.made_at}
    for notice in Notice.objects.filter(way__user=user).select_related("way", "match").order_by("-pk"):
        yield {
            "kind": notice.kind,
            "channel": notice.way.channel,
            "match": notice.match.code if notice.match else None,
            "written_at": notice.written_at,
            "handed_at": notice.handed_at,
        }


NOTICES = Belongings(
    name="notices",
    description=lazily("Of what you are told by push, email and webhook, and where to, one JSON document per line."),
    count=lambda user: user.ways.count(),
    documents=documents,
    is_owner=lambda since: Exists(Way.objects.filter(user=OuterRef("pk"), made_at__gte=since)),
)
