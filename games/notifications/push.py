"""Web Push messages to browsers. pywebpush encrypts them and signs them with the site's key."""

import base64
import binascii
import json
from collections.abc import Mapping
from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid import Vapid02

from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.words import Message

TTL = 24 * 3600  # Seconds for which the push service stores a message while the browser is closed.
GONE = (404, 410)


class Gone(Exception):
    """The browser has ended its subscription."""


class _GuardedSession:
    """A replacement for the session of `requests` that pywebpush posts with."""

    @staticmethod
    def post(url: str, *, data: bytes, headers: Mapping[str, object], timeout: float) -> guard.Answer:
        return guard.post(url, data, {name: str(value) for name, value in headers.items()})


def is_offered() -> bool:
    """Return whether this site has push messages, which need a key."""
    return bool(settings.VAPID_PRIVATE_KEY)


@lru_cache(1)
def _signing_key(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


def public_key() -> str:
    """Return the public key of the site as base64url, or "" if it has none.

    A browser accepts only push messages that the site has signed with the private key of this one.
    """
    if not is_offered():
        return ""
    point = _signing_key(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return _encode(point)


def new_private_key() -> str:
    """Return a new value for VAPID_PRIVATE_KEY."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _encode(number.to_bytes(32, "big"))


def are_keys(public: str, secret: str) -> bool:
    """Return whether these can be the keys of a browser for push messages, each as base64url.

    public: a point of the elliptic curve P-256. secret: 16 bytes.
    """
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(public))
        return len(_decode(secret)) == 16
    except (ValueError, binascii.Error):
        return False


def send(method: DeliveryMethod, message: Message) -> None:
    """Send a push message to a browser, through the push service of its vendor.

    method: has the address and keys of the browser. Raise Gone if it no longer receives messages, or guard.Failure.
    """
    # Here, because this import loads an HTTP client, which would take a tenth of the start of every command.
    from pywebpush import WebPushException, webpush

    body = {
        "title": message.sentences[0],
        "body": " ".join(message.sentences[1:]),
        "url": message.path,
        "waiting": message.waiting,
    }
    contact = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">")  # The address in "Valat <mail@example.org>".
    try:
        webpush(
            {"endpoint": method.address, "keys": {"p256dh": method.public_key, "auth": method.secret}},
            json.dumps(body, ensure_ascii=False),
            vapid_private_key=_signing_key(settings.VAPID_PRIVATE_KEY),
            vapid_claims={"sub": f"mailto:{contact}"},
            ttl=TTL,
            headers={"Topic": "valat", "Urgency": "high"},  # A newer message of a topic replaces an undelivered one.
            requests_session=_GuardedSession(),
        )
    except WebPushException as refusal:
        if refusal.status_code in GONE:
            raise Gone from None
        status = refusal.status_code or 0
        raise guard.Rejected(
            lazy("The push service answered {status}. Try again later.", status=status), status
        ) from refusal


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    if not text.isascii():
        raise ValueError("That is no base64url.")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
