from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    """Statistics of a player's finished matches, and who may read them."""

    name = "games.statistics"
    verbose_name = "statistics"

    def ready(self) -> None:
        from django.db.models.signals import pre_delete

        from accounts.signals import guest_moving
        from games.deal_index.signals import facts_stored
        from games.models import Match
        from games.statistics import figures

        facts_stored.connect(figures.add_match)
        guest_moving.connect(figures.recount)
        pre_delete.connect(figures.drop_match, sender=Match)
