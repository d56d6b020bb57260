from django.apps import AppConfig
from django.db.models.signals import post_delete

from accounts.signals import account_closing, signed_out


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self):
        from allauth.account.signals import authentication_step_completed, email_changed, email_removed
        from allauth.usersessions.models import UserSession
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from accounts.addresses import note_change, note_removal
        from accounts.confirming import remind
        from accounts.programs import delete_programs

        account_closing.connect(delete_programs)
        authentication_step_completed.connect(remind)
        email_changed.connect(note_change)
        email_removed.connect(note_removal)
        user_logged_in.connect(_logged_in)
        user_logged_out.connect(_logged_out)
        post_delete.connect(_session_ended, sender=UserSession)


def _logged_in(sender, request, user, **_):
    """Have the browser show pages in the language of the account; one that has none takes that of the page."""
    from accounts.models import language_spoken

    if not user.language and (spoken := language_spoken()):
        user.language = spoken
        user.save(update_fields=["language"])
    if request is not None:
        request.language_to_keep = user.language


def _logged_out(sender, user, **_):
    if user is not None:
        signed_out.send(sender, user_id=user.pk)


def _session_ended(sender, instance, **_):
    signed_out.send(sender, user_id=instance.user_id)
