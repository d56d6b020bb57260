from django.apps import AppConfig


class FactsConfig(AppConfig):
    """What finished matches were made of, for searches and statistics."""

    name = "games.facts"
    label = "facts"
    verbose_name = "facts"

    def ready(self):
        from accounts.belongings import register
        from games.facts.belongings import DEALS

        register(DEALS)
