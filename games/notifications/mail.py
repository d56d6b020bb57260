"""A mail to somebody who is away, with which its reader unsubscribes in one click (RFC 8058), logged in or not."""

import email.policy
import logging
from email.utils import make_msgid
from smtplib import SMTPConnectError, SMTPRecipientsRefused, SMTPResponseException
from urllib.parse import urlsplit

from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.standing import address_of_mail
from games.notifications.words import Message

log = logging.getLogger("valat.notices")

LONGEST_LINE = 990  # characters; RFC 5322 allows 998
SALT = "games.notifications.unsubscribe"


def token_of(user) -> str:
    """What an address to unsubscribe ends with: it says who, and nobody else can make it."""
    return signing.Signer(salt=SALT).sign(str(user.pk))


def user_of(token: str) -> int | None:
    """The key of the user whom a token is of, or None where it is forged."""
    try:
        return int(signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None


class _Mail(EmailMessage):
    """A mail whose headers are not folded: the address to unsubscribe would be encoded, and mail programs miss it."""

    def message(self, *, policy=email.policy.default):
        return super().message(policy=policy.clone(max_line_length=LONGEST_LINE))


def send(method: DeliveryMethod, message: Message) -> None:
    """Send a message by mail. Raises guard.Failure."""
    unsubscribe = method.origin + reverse("unsubscribe", args=[token_of(method.user)])
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
        to=[address_of_mail(method.user)],
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            "Message-ID": make_msgid(f"notice-{message.number}", urlsplit(method.origin).hostname),
        },
    )
    try:
        mail.send()
    except SMTPRecipientsRefused as refusal:
        raise _refusal(method, *(code for code, _ in refusal.recipients.values())) from None
    except SMTPConnectError as error:
        raise guard.NotSent(str(error)) from None
    except SMTPResponseException as error:
        raise _refusal(method, error.smtp_code) from None
    except (ConnectionRefusedError, TimeoutError) as error:
        raise (guard.NotSent if isinstance(error, ConnectionRefusedError) else guard.NoAnswer)(str(error)) from None
    except OSError as error:  # as are the other errors of smtplib
        raise guard.NoAnswer(str(error)) from None


def _refusal(method: DeliveryMethod, *codes: int) -> guard.Failure:
    """What a mail server means that has refused a mail with these codes: for now, or for good."""
    if all(400 <= code < 500 for code in codes):
        return guard.NotSent(lazy("It was refused."))
    log.warning("A mail to user %s was refused: %s", method.user_id, codes)
    return guard.Failure(lazy("The mail was refused."))
