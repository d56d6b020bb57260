from email import message_from_bytes

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress

from accounts.models import User
from games.notifications import delivery_methods, push, waiting
from tests.notifications.servers import Browser, Server
from tests.play.test_slow_play import slow
from tests.processes import free_port

__all__ = ["slow"]

ORIGIN = "https://valat.example"


@pytest.fixture(autouse=True)
def _own_push(settings):
    """A key for push messages, and nothing remembered of another test's matches."""
    settings.VAPID_PRIVATE_KEY = push.new_private_key()
    push._signing_key.cache_clear()
    waiting.forget()


@pytest.fixture
def server(settings):
    """A server of the host's own, to which push and webhooks may lead."""
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    server = Server()
    yield server
    server.close()


@pytest.fixture
def browser(server):
    return Browser(f"{server.url}/browser/1")


@pytest.fixture
def subscribe():
    """Lets a user take push messages in a browser: the Way."""

    def subscribe(user, browser):
        known = delivery_methods.Browser(**browser.fields, name="Firefox on Linux")
        return delivery_methods.subscribe(user, None, known, ORIGIN)

    return subscribe


@pytest.fixture
def confirm():
    """Gives a user an address of mail that they have confirmed."""

    def confirm(user, address="somebody@example.org"):
        User.objects.filter(pk=user.pk).update(email=address)
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
        user.refresh_from_db()

    return confirm


class MailServer:
    """A mail server of the test's own, which keeps what it takes."""

    def __init__(self):
        self.mails = []
        self.answer = "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.answer.startswith("250"):
            self.mails.append(message_from_bytes(envelope.content))
        return self.answer


@pytest.fixture
def mail_server(settings):
    handler = MailServer()
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.MAILERS = {
        "default": {
            "BACKEND": "config.mail.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": controller.port},
        }
    }
    yield handler
    controller.stop()
