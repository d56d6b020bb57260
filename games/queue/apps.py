from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class QueueConfig(AppConfig):
    name = "games.queue"
    verbose_name = gettext_lazy("queue for players")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from accounts import signals
        from games.queue import entering

        user_logged_in.connect(entering.keep_strip)
        signals.account_closing.connect(entering.leave)
        signals.barred.connect(entering.leave)
        signals.guest_logged_in.connect(entering.wait_on)
