from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models.signals import post_delete, pre_delete
from django.http import HttpRequest

from accounts.signals import account_closing, rights_changed

if TYPE_CHECKING:
    from allauth.usersessions.models import UserSession

    from accounts.models import User


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
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

        from accounts.addresses import offer_restore_after_change, offer_restore_after_removal
        from accounts.confirming import remind_to_repeat
        from accounts.devices import exclude_browsers
        from accounts.models import User
        from accounts.programs import delete_programs

        account_closing.connect(delete_programs)
        pre_delete.connect(exclude_browsers, sender=User)
        authentication_step_completed.connect(remind_to_repeat)
        email_changed.connect(offer_restore_after_change)
        email_removed.connect(offer_restore_after_removal)
        user_logged_in.connect(_prepare_cookies)
        for signal in (password_changed, password_reset, password_set):
            signal.connect(_send_rights_changed)
        post_delete.connect(_send_rights_changed_by_session, sender=UserSession)


def _prepare_cookies(sender: type, request: HttpRequest | None, user: "User", **_: object) -> None:
    """Receive a login: note which cookies to set, for the user's language and for the logins of this browser.

    The cookies are set later, when middleware finds these attributes of the request. An account without a language
    gets the language of the page.
    """
    from accounts.models import language_spoken

    if not user.language and (language := language_spoken()):
        user.language = language
        user.save(update_fields=["language"])
    if request is not None:  # A login without a request has no browser.
        request.language_to_keep = user.language
        request.user_to_remember = user


def _send_rights_changed(sender: type, user: "User", **_: object) -> None:
    rights_changed.send(sender, user_ids=[user.pk])


def _send_rights_changed_by_session(sender: type, instance: "UserSession", **_: object) -> None:
    rights_changed.send(sender, user_ids=[instance.user_id])
