from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ClubsConfig(AppConfig):
    """Private groups with tables and standings of their own."""

    name = "games.clubs"
    label = "clubs"
    verbose_name = gettext_lazy("clubs")

    def ready(self):
        from accounts import belongings, signals
        from games.clubs import leading, leaving
        from games.clubs.belongings import CLUBS
        from games.talk.reporting import taken_back

        belongings.register(CLUBS)
        signals.account_closing.connect(leaving.leave_all)
        taken_back.connect(leading.take_words_back)
