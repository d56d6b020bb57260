from django.apps import AppConfig


class FactsConfig(AppConfig):
    """What finished matches were made of, for searches and statistics."""

    name = "games.facts"
    label = "facts"
    verbose_name = "facts"

    def ready(self):
        from django.db.backends.signals import connection_created

        from accounts.belongings import register
        from games.facts import played, search
        from games.facts.belongings import DEALS
        from games.play.store import match_over

        register(DEALS)
        connection_created.connect(search.know_hits)
        match_over.connect(played.note_end)
