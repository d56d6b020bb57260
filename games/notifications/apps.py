from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class NotificationsConfig(AppConfig):
    """What people are told who have no page open."""

    name = "games.notifications"
    verbose_name = gettext_lazy("notices")

    def ready(self):
        from django.contrib.auth.signals import user_logged_out

        from accounts.signals import account_closing
        from games.notifications import delivery_methods, finding  # noqa: F401 - which listens to new rows

        user_logged_out.connect(delivery_methods.signed_out)
        account_closing.connect(delivery_methods.forget)
