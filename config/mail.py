"""Mails leave by SMTP with an id that ends in the site's own domain."""

from collections.abc import Sequence
from email.utils import make_msgid

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends import smtp


class EmailBackend(smtp.EmailBackend):
    """Django's, whose ids end in the name of the machine. That is often localhost, which filters of spam mistrust."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
        for message in email_messages:
            message.extra_headers.setdefault("Message-ID", make_msgid(domain=domain))
        return super().send_messages(email_messages)
