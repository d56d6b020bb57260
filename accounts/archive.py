"""Everything that we store about a user, as a zip file that is written while it is sent."""

import json
import zipfile
from collections.abc import AsyncIterator, Buffer, Iterator
from functools import partial
from io import RawIOBase
from textwrap import fill

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_lazy

from accounts.export import all_exports
from accounts.models import User
from accounts.time_zones import in_full

PROFILE = gettext_lazy(
    "Your account: your name, your email addresses, your bots, how you log in. Your password and the "
    "secrets of two-factor authentication and bots are left out."
)
SESSIONS = gettext_lazy("Where you were logged in.")
README_WIDTH = 106  # characters
MIN_PIECE = 256 * 1024  # bytes


def stream(user: User, host: str) -> AsyncIterator[bytes]:
    """Return the bytes of the zip file in pieces. The database is read in another thread."""
    return _stream(pieces(user, host))


async def _stream(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await sync_to_async(partial(next, parts, None))()) is not None:
        yield piece


def pieces(user: User, host: str) -> Iterator[bytes]:
    """Return the bytes of the zip file in pieces. The whole file is never in memory."""
    # The iterator is read after the request, when another language may be active.
    return _generate_pieces(user, readme(user, host, in_full(timezone.now())))


def _generate_pieces(user: User, text: str) -> Iterator[bytes]:
    """Yield a zip file with everything that we store about a user, in pieces while its files are written.

    So the whole archive is never in memory. text: of the readme.
    """
    buffer = ZipBuffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", text)
        archive.writestr("profile.json", _json(profile(user), indent=2))
        archive.writestr("sessions.json", _json(sessions(user), indent=2))
        yield buffer.take()
        for kind in all_exports():
            with archive.open(f"{kind.name}.jsonl", "w", force_zip64=True) as lines:
                for document in kind.documents(user):
                    lines.write(_json(document).encode() + b"\n")
                    if buffer.size >= MIN_PIECE:
                        yield buffer.take()
            yield buffer.take()
    yield buffer.take()


def readme(user: User, host: str, date: str) -> str:
    """Return a text that describes the files of the archive: names on the left, descriptions on the right.

    host: the name of the site. date: of the archive, in words.
    """
    heading = gettext("What {host} stored about {name} on {date}.").format(host=host, name=user.username, date=date)
    files = [("profile.json", PROFILE), ("sessions.json", SESSIONS)]
    files += [(f"{kind.name}.jsonl", kind.description) for kind in all_exports()]
    return f"{heading}\n\n" + "".join(
        fill(str(words), README_WIDTH, initial_indent=f"{name:15} ", subsequent_indent=" " * 16) + "\n"
        for name, words in files
    )


def profile(user: User) -> dict[str, object]:
    return {
        "name": user.username,
        "past_names": list(user.past_names.order_by("changed_at").values("name", "changed_at")),
        "avatar": user.avatar,
        "language": user.language,
        "time_zone": user.time_zone,
        "guest": user.is_guest,
        "bots": list(user.programs.values_list("user__username", flat=True)),
        "joined": user.date_joined,
        "last_login": user.last_login,
        "email": user.email,
        "email_addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "former_addresses": list(user.former_addresses.order_by("pk").values("email", "changed_at")),
        "has_password": user.has_usable_password(),
        "sanctions": list(
            user.sanctions.order_by("pk").values("kind", "reason", "since", "until", "read_at", "lifted_at")
        ),
        "second_factors": [
            {"kind": _factor_kind(factor), "name": _passkey_name(factor), "created": factor.created_at}
            | {"last_used": factor.last_used_at}
            for factor in Authenticator.objects.filter(user=user)
        ],
    }


def sessions(user: User) -> list[dict[str, object]]:
    rows = UserSession.objects.filter(user=user).order_by("created_at")
    return list(rows.values("created_at", "last_seen_at", "ip", "user_agent"))


class ZipBuffer(RawIOBase):
    """A writable file that returns its content in pieces and then forgets it. size: bytes not yet taken."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size = 0

    def write(self, data: Buffer, /) -> int:
        chunk = bytes(data)
        self._chunks.append(chunk)
        self.size += len(chunk)
        return len(chunk)

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        piece = b"".join(self._chunks)
        self._chunks.clear()
        self.size = 0
        return piece


def _factor_kind(factor: Authenticator) -> str:
    with translation.override("en"):  # The archive's data is the same in all languages.
        return str(factor.get_type_display())


def _passkey_name(factor: Authenticator) -> str:
    return factor.wrap().name if factor.type == Authenticator.Type.WEBAUTHN else ""


def _json(document: object, indent: int | None = None) -> str:
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent)
