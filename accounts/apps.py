from django.apps import AppConfig
from django.db.models.signals import post_delete


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self):
        from allauth.usersessions.models import UserSession
        from django.contrib.auth.signals import user_logged_out

        # Open pages know their user from when they connected: whoever is logged out must not play on.
        user_logged_out.connect(_logged_out)
        post_delete.connect(_session_ended, sender=UserSession)


def _logged_out(user, **_):
    from games.live import hub as live

    if user is not None:
        live.hang_up(user.pk)


def _session_ended(instance, **_):
    from games.live import hub as live

    live.hang_up(instance.user_id)
