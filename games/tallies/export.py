"""The tallies in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.play.errors import Refused
from games.tallies.files import document
from games.tallies.lists import is_own
from games.tallies.models import CONFIRMED, Tally


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a document for each tally that the user keeps, the newest first."""
    for tally in Tally.objects.filter(keeper=user).order_by("-pk").iterator(chunk_size=20):
        try:
            yield {"code": tally.code, **document(tally)}
        except Refused:  # This site cannot count it any more.
            yield {"code": tally.code, "game": tally.game, "options": tally.options}
    for seat in user.tally_seats.filter(CONFIRMED).exclude(tally__keeper=user).select_related("tally"):
        yield {"code": seat.tally.code, "game": seat.tally.game, "seat": seat.seat, "score": seat.score}


EXPORTS = [
    Export(
        name="tallies",
        description=lazy(
            "The scores that you keep of games at real tables, newest first, and your results in those of others, one "
            "JSON document per line. Any Valat site can read your own."
        ),
        count=lambda user: Tally.objects.filter(is_own(user)).count(),
        documents=documents,
        is_owner=lambda since: Exists(Tally.objects.filter(keeper=OuterRef("pk"))),
        is_of_guests=True,
    )
]
