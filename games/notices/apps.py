from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy


class NoticesConfig(AppConfig):
    """What people are told who have no page open."""

    name = "games.notices"
    label = "notices"
    verbose_name = gettext_lazy("notices")

    def ready(self):
        from django.contrib.auth.signals import user_logged_out

        from accounts.belongings import register
        from accounts.people.models import Friendship
        from accounts.signals import account_closing
        from games.comments.models import Comment
        from games.lines.models import TeamTable
        from games.models import Invitation, Match
        from games.notices import finding, ways
        from games.notices.belongings import NOTICES
        from games.talk.models import Message

        post_save.connect(finding.invited, sender=Invitation)
        post_save.connect(finding.asked, sender=Friendship)
        post_save.connect(finding.wrote, sender=Message)
        post_save.connect(finding.started, sender=Match)
        post_save.connect(finding.began_in_teams, sender=TeamTable)
        post_save.connect(finding.replied, sender=Comment)
        user_logged_out.connect(ways.signed_out)
        account_closing.connect(ways.forget)
        register(NOTICES)
