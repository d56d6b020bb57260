from django.apps import AppConfig
from django.db.models.signals import pre_delete
from django.utils.translation import gettext_lazy


class TalkConfig(AppConfig):
    """What people say to each other, and what becomes of it where somebody minds."""

    name = "games.talk"
    label = "talk"
    verbose_name = gettext_lazy("talk")

    def ready(self):
        from accounts.belongings import register
        from accounts.models import User
        from games.talk import reporting
        from games.talk.belongings import TALK

        register(TALK)
        pre_delete.connect(reporting.forget, sender=User)
