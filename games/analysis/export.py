"""The solved mistakes in a user's archive."""

from django.db.models import Exists, F, OuterRef

from accounts.export import Export
from games.analysis.models import SolvedMistake
from games.kit.language import lazy

EXPORTS = [
    Export(
        name="solved_mistakes",
        description=lazy("The mistakes that you have solved, newest first, one JSON document per line."),
        count=lambda user: user.solved_mistakes.count(),
        documents=lambda user: user.solved_mistakes.order_by("-pk").values(
            "solved_at", match=F("verdict__analysis__match__code"), move=F("verdict__move")
        ),
        is_owner=lambda since: Exists(SolvedMistake.objects.filter(user=OuterRef("pk"))),
    )
]
