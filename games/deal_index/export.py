"""The deals file of the account export."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.deal_index.models import SeatFacts
from games.kit.language import lazy

COLUMNS = ("seat__match__code", "seat__match__game", "deal__number", "points", "score", "facts", "deal__facts")


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a dict for each scored deal that a user has played, the newest match first: their copy of our data.

    A game notes facts about each deal, such as the trump suit, and about each seat in it, such as its bid. Guided
    matches, which teach a game, are left out.
    """
    own = SeatFacts.objects.filter(seat__user=user, seat__match__guide=False)
    rows = own.order_by("-seat__match_id", "-deal__number").values_list(*COLUMNS)
    for match, game, deal, points, score, seat_facts, deal_facts in rows.iterator(chunk_size=1000):
        facts = {"points": points, "score": score} | seat_facts
        yield {"match": match, "game": game, "deal": deal, "facts": facts, "deal_facts": deal_facts}


EXPORTS = [
    Export(
        name="deals",
        description=lazy(
            "What there is to know of every scored deal of yours, newest first, one JSON document per line. Your "
            "statistics and bests are made of it; the rules page of each game explains it."
        ),
        count=lambda user: 0,  # The deals are derived from matches, which are counted already.
        documents=documents,
        is_owner=lambda since: Exists(SeatFacts.objects.filter(seat__user=OuterRef("pk")).none()),
    )
]
