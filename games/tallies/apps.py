from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TalliesConfig(AppConfig):
    """Scores of games at real tables."""

    name = "games.tallies"
    verbose_name = gettext_lazy("tallies")

    def ready(self) -> None:
        from django.db.models.signals import pre_delete

        from accounts import signals
        from accounts.models import User
        from games.tallies import sharing

        pre_delete.connect(sharing.forget, sender=User)
        signals.parted.connect(sharing.part)
