from django.apps import AppConfig


class DealIndexConfig(AppConfig):
    """Facts about the deals of finished matches, for searches and statistics."""

    name = "games.deal_index"
    verbose_name = "facts"

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from games.deal_index import played, search
        from games.play.store import match_over

        connection_created.connect(search.define_hits)
        match_over.connect(played.note_end)
