from django.apps import AppConfig
from django.core.signals import got_request_exception
from django.db.models.signals import pre_delete


class GamesConfig(AppConfig):
    """Where the games hear of accounts, and the sockets of the games."""

    name = "games"

    def ready(self):
        from accounts import belongings, signals
        from accounts.models import User
        from games.history.belongings import MATCHES, ODD_PLAYS
        from games.live import hub
        from games.play import metrics, seating
        from games.play.changes import match_changed

        match_changed.connect(hub.tell_hub)
        got_request_exception.connect(metrics.count_failed_page)
        signals.signed_out.connect(hub.close_sockets)
        signals.account_closing.connect(seating.leave_all)
        signals.renamed.connect(seating.redraw_name)
        pre_delete.connect(seating.redraw_without, sender=User)
        belongings.register(MATCHES)
        belongings.register(ODD_PLAYS)
