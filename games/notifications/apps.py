from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy


class NotificationsConfig(AppConfig):
    """What people are told who have no page open."""

    name = "games.notifications"
    verbose_name = gettext_lazy("notices")

    def ready(self):
        from django.contrib.auth.signals import user_logged_out

        from accounts.people.models import Friendship
        from accounts.signals import account_closing
        from games.challenges.models import TeamTable
        from games.chat.models import DirectMessage
        from games.comments.models import Comment
        from games.models import Invitation, Match
        from games.notifications import delivery_methods, finding

        post_save.connect(finding.invited, sender=Invitation)
        post_save.connect(finding.asked, sender=Friendship)
        post_save.connect(finding.wrote, sender=DirectMessage)
        post_save.connect(finding.started, sender=Match)
        post_save.connect(finding.began_in_teams, sender=TeamTable)
        post_save.connect(finding.replied, sender=Comment)
        user_logged_out.connect(delivery_methods.signed_out)
        account_closing.connect(delivery_methods.forget)
