"""The statistics privacy settings in the account export."""

from django.db.models import Exists, OuterRef

from accounts.export import Export
from games.kit.language import lazy
from games.statistics.models import StatisticsPrivacy

EXPORTS = [
    Export(
        name="statistics_shown",
        description=lazy("Who may see your statistics."),
        count=lambda user: 0,  # Settings need no count.
        documents=lambda user: StatisticsPrivacy.objects.filter(user=user).values(
            "results", "people", "deals", "bests"
        ),
        is_owner=lambda since: Exists(StatisticsPrivacy.objects.filter(user=OuterRef("pk")).none()),
    )
]
