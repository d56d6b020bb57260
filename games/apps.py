from django.apps import AppConfig
from django.core.signals import got_request_exception
from django.db.models.signals import pre_delete


class GamesConfig(AppConfig):
    """Connects the signals of accounts and games to their receivers."""

    name = "games"

    def ready(self) -> None:
        from django.conf import settings

        from accounts import signals
        from accounts.models import User
        from games.chat.posting import talked
        from games.clubs.board import changed, club_news
        from games.history import claims, marks
        from games.kit import language
        from games.live import hub
        from games.notifications import finding
        from games.notifications.bell import rung
        from games.play import metrics, seating
        from games.play.changes import match_changed
        from games.tallies.keeping import tally_changed

        language.FOLDERS = settings.LOCALE_PATHS
        match_changed.connect(hub.push_match)
        talked.connect(hub.push_chat)
        changed.connect(hub.push_club)
        club_news.connect(finding.notify_of_club_news)
        tally_changed.connect(hub.push_tally)
        rung.connect(hub.push_bells)
        got_request_exception.connect(metrics.count_failed_page)
        signals.rights_changed.connect(hub.check_rights)
        signals.account_closing.connect(seating.leave_all)
        signals.barred.connect(seating.leave_all_when_barred)
        signals.parted.connect(seating.separate)
        signals.renamed.connect(seating.redraw_name)
        signals.guest_moving.connect(seating.lock_tables)
        signals.guest_adopted.connect(seating.settle_in)
        pre_delete.connect(seating.redraw_without, sender=User)
        marks.register("claims", marks.Source(claims.marks, claims.version))
