"""Mails with notifications. Their readers can unsubscribe with one click (RFC 8058), also when logged out."""

import email.message
import email.policy
import logging
from email.policy import Policy
from smtplib import SMTPConnectError, SMTPRecipientsRefused, SMTPResponseException

from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.validity import mail_address
from games.notifications.words import Message

log = logging.getLogger("valat.notices")

MAX_LINE_LENGTH = 990  # characters (RFC 5322 allows 998)
SALT = "games.notifications.unsubscribe"


def unsubscribe_token(user: User) -> str:
    """Return the signed end of the URL for unsubscribing."""
    return signing.Signer(salt=SALT).sign(str(user.pk))


def user_of_token(token: str) -> int | None:
    """Return the primary key of the user in a token for unsubscribing, or None if we have not signed the token."""
    try:
        return int(signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None


class _Mail(EmailMessage):
    """A mail with unfolded headers. Mail programs would not recognise a folded URL for unsubscribing."""

    def message(self, *, policy: Policy = email.policy.default) -> email.message.EmailMessage:
        return super().message(policy=policy.clone(max_line_length=MAX_LINE_LENGTH))


def send(method: DeliveryMethod, message: Message) -> None:
    """Send a message with notifications by mail. Its headers let the reader unsubscribe with one click.

    method: has the user and the URL of the site. Raise guard.Failure, which says whether the mail may be sent again.
    """
    unsubscribe = method.origin + reverse("unsubscribe", args=[unsubscribe_token(method.user)])
    context = {
        "user": method.user,
        "message": message,
        "url": method.origin + message.path,
        "settings_url": method.origin + reverse("notices"),
        "unsubscribe_url": unsubscribe,
    }
    mail = _Mail(
        subject=" ".join(message.sentences)[:150],
        body=render_to_string("notifications/mail.txt", context),
        to=[mail_address(method.user)],
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    try:
        mail.send()
    except SMTPRecipientsRefused as refusal:
        raise _refusal(method, *(code for code, _ in refusal.recipients.values())) from None
    except (SMTPConnectError, ConnectionRefusedError) as error:
        raise guard.NotSent(str(error)) from None
    except SMTPResponseException as error:
        raise _refusal(method, error.smtp_code) from None
    except OSError as error:  # Timeouts, and the other errors of smtplib. The mail may have arrived.
        raise guard.NoAnswer(str(error)) from None


def _refusal(method: DeliveryMethod, *codes: int) -> guard.Failure:
    """Return the error for a mail that the server has refused. codes: of its answers, one for each recipient.

    Codes from 400 to 499 mean that it may accept the mail later, so NotSent lets us try again.
    """
    if all(400 <= code < 500 for code in codes):
        return guard.NotSent(lazy("It was refused."))
    log.warning("A mail to user %s was refused: %s", method.user_id, codes)
    return guard.Failure(lazy("The mail was refused. Check your address."))
