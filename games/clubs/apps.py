from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ClubsConfig(AppConfig):
    name = "games.clubs"
    verbose_name = gettext_lazy("clubs")

    def ready(self) -> None:
        from accounts import signals
        from games.chat.reporting import taken_back
        from games.clubs import board, leading, leaving

        signals.account_closing.connect(leaving.leave_all)
        taken_back.connect(leading.take_words_back)
        taken_back.connect(board.take_back)
