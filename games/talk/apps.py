from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TalkConfig(AppConfig):
    """What people say to each other, and what becomes of it where somebody minds."""

    name = "games.talk"
    label = "talk"
    verbose_name = gettext_lazy("talk")

    def ready(self):
        from accounts.belongings import register
        from games.talk.belongings import TALK

        register(TALK)
