from django.apps import AppConfig
from django.db.models.signals import pre_delete
from django.utils.translation import gettext_lazy


class ChatConfig(AppConfig):
    """Chat at tables, messages between friends, and reports."""

    name = "games.chat"
    verbose_name = gettext_lazy("talk")

    def ready(self) -> None:
        from accounts.models import User
        from games.chat import reporting

        pre_delete.connect(reporting.forget, sender=User)
