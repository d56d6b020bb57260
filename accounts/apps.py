from django.apps import AppConfig
from django.db.models.signals import post_delete, pre_delete

from accounts.signals import account_closing, rights_changed


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self):
        from allauth.account.signals import (
            authentication_step_completed,
            email_changed,
            email_removed,
            password_changed,
            password_reset,
            password_set,
        )
        from allauth.usersessions.models import UserSession
        from django.contrib.auth.signals import user_logged_in

        from accounts.addresses import note_change, note_removal
        from accounts.confirming import remind
        from accounts.devices import exclude
        from accounts.models import User
        from accounts.programs import delete_programs

        account_closing.connect(delete_programs)
        pre_delete.connect(exclude, sender=User)
        authentication_step_completed.connect(remind)
        email_changed.connect(note_change)
        email_removed.connect(note_removal)
        user_logged_in.connect(_logged_in)
        for new_password in (password_changed, password_reset, password_set):
            new_password.connect(_password_changed)
        post_delete.connect(_session_ended, sender=UserSession)


def _logged_in(sender, request, user, **_):
    """Have the browser show pages in the language of the account; one that has none takes that of the page."""
    from accounts.models import language_spoken

    if not user.language and (spoken := language_spoken()):
        user.language = spoken
        user.save(update_fields=["language"])
    if request is not None:
        request.language_to_keep = user.language
        request.user_to_remember = user


def _password_changed(sender, user, **_):
    rights_changed.send(sender, user_ids=[user.pk])


def _session_ended(sender, instance, **_):
    rights_changed.send(sender, user_ids=[instance.user_id])
