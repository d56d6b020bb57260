"""Web Push: a message to a browser, encrypted for it by pywebpush, signed with the site's own key."""

import base64
import binascii
import json
from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid import Vapid02

from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.words import Message

LASTS = 24 * 3600  # seconds for which a push service keeps a message for a browser that is off
GONE = (404, 410)


class Gone(Exception):
    """The browser no longer takes messages of ours."""


class _Guarded:
    """What pywebpush posts by, in place of a session of requests."""

    @staticmethod
    def post(url, *, data, headers, timeout):
        return guard.post(url, data, {name: str(value) for name, value in headers.items()})


def is_offered() -> bool:
    """Whether the host has made the keys that push needs."""
    return bool(settings.VAPID_PRIVATE_KEY)


@lru_cache(1)
def _keys(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


def public_key() -> str:
    """The site's public key, as browsers ask for it; "" without one."""
    if not is_offered():
        return ""
    point = _keys(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return _encoded(point)


def new_private_key() -> str:
    """A new key for a site, as VAPID_PRIVATE_KEY holds it."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _encoded(number.to_bytes(32, "big"))


def are_keys(public: str, secret: str) -> bool:
    """Whether these are the keys of a browser: a point of P-256 and 16 bytes, each as base64url."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(public))
        return len(_decoded(secret)) == 16
    except (ValueError, binascii.Error):
        return False


def send(method: DeliveryMethod, message: Message) -> None:
    """Send a message to a browser. Raises Gone, or guard.Failure."""
    # Here, for it brings along a client for HTTP that takes a tenth of every command's start.
    from pywebpush import WebPushException, webpush

    body = {
        "title": message.sentences[0],
        "body": " ".join(message.sentences[1:]),
        "url": message.path,
        "waiting": message.waiting,
    }
    contact = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">")
    try:
        webpush(
            {"endpoint": method.address, "keys": {"p256dh": method.public_key, "auth": method.secret}},
            json.dumps(body, ensure_ascii=False),
            vapid_private_key=_keys(settings.VAPID_PRIVATE_KEY),
            vapid_claims={"sub": f"mailto:{contact}"},
            ttl=LASTS,
            headers={"Topic": "valat", "Urgency": "high"},  # a newer message takes the place of one not yet delivered
            requests_session=_Guarded(),
        )
    except WebPushException as refusal:
        if refusal.status_code in GONE:
            raise Gone from None
        status = refusal.status_code or 0
        raise guard.NotTaken(
            lazy("The push service answered {status}. Try again later.", status=status), status
        ) from refusal


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    if not text.isascii():
        raise ValueError("That is no base64url.")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
