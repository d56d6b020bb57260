from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class NotificationsConfig(AppConfig):
    name = "games.notifications"
    verbose_name = gettext_lazy("Notifications")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out

        from accounts.signals import account_closing
        from games.notifications import bell, delivery_methods, finding  # noqa: F401 - finding connects its receivers.

        user_logged_out.connect(delivery_methods.forget_browser)
        account_closing.connect(delivery_methods.forget)
        account_closing.connect(bell.forget)
