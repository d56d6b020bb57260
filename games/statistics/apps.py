from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    """What somebody's finished matches come to, and who may read it."""

    name = "games.statistics"
    label = "statistics"
    verbose_name = "statistics"

    def ready(self):
        from django.db.models.signals import pre_delete

        from accounts.belongings import register
        from games.facts.signals import facts_stored
        from games.models import Match
        from games.statistics import figures
        from games.statistics.belongings import SHOWN

        register(SHOWN)
        facts_stored.connect(figures.add_match)
        pre_delete.connect(figures.drop_match, sender=Match)
