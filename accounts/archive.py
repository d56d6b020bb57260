"""Everything that we store about a user, as one zip file, made while it is sent."""

import json
import zipfile

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from games.history.lists import player_line
from games.history.records import export_match
from games.models import Match, Seat

BATCH = 20  # matches written between two pieces

README = """\
What {host} stores about {name}, on {date}.

profile.json    Your account: name, addresses, how you log in. Your password and the secrets of your
                second factors are left out.
sessions.json   Where you are logged in.
matches.jsonl   Your matches, the newest first, one JSON document on each line. A finished match is complete,
                with every shuffle and every move, and can be imported by any Valat site. Of a match that is
                not over there is only what everybody may know: the cards would tell.
"""


async def stream(user, host):
    """The bytes of the zip file, piece by piece; the database is read in another thread."""
    parts = pieces(user, host)
    while (piece := await sync_to_async(next)(parts, None)) is not None:
        yield piece


def pieces(user, host):
    """The bytes of the zip file, piece by piece, never the whole of it in memory."""
    outlet = Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:
        date = timezone.now().date().isoformat()
        archive.writestr("README.txt", README.format(host=host, name=user.username, date=date))
        archive.writestr("profile.json", _json(profile(user), indent=2))
        archive.writestr("sessions.json", _json(sessions(user), indent=2))
        yield outlet.take()
        matches = list(Seat.objects.filter(user=user).order_by("-match_id").values_list("match_id", flat=True))
        with archive.open("matches.jsonl", "w", force_zip64=True) as lines:
            for start in range(0, len(matches), BATCH):
                for match in Match.objects.filter(pk__in=matches[start : start + BATCH]).order_by("-pk"):
                    lines.write(_json(match_document(match)).encode() + b"\n")
                yield outlet.take()
    yield outlet.take()


def profile(user):
    """A user's account, as a dict."""
    return {
        "name": user.username,
        "guest": user.is_guest,
        "joined": user.date_joined,
        "last_login": user.last_login,
        "email": user.email,
        "email_addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "has_password": user.has_usable_password(),
        "second_factors": [
            {"kind": factor.get_type_display(), "name": _key_name(factor), "created": factor.created_at}
            | {"last_used": factor.last_used_at}
            for factor in Authenticator.objects.filter(user=user)
        ],
    }


def sessions(user):
    """Where a user is logged in, as a list of dicts."""
    rows = UserSession.objects.filter(user=user).order_by("created_at")
    return list(rows.values("created_at", "last_seen_at", "ip", "user_agent"))


def match_document(match):
    """A finished match as a record; of any other only what everybody may know."""
    if match.status == Match.Status.OVER:
        return export_match(match)
    seats = match.seats.select_related("user").order_by("place")
    return {
        "code": match.code,
        "game": match.game,
        "options": match.options,
        "speed": match.speed,
        "status": match.status,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "players": [player_line(seat)["name"] for seat in seats],
    }


class Outlet:
    """A file to write to, whose bytes are taken away piece by piece."""

    def __init__(self):
        self._written = []

    def write(self, data):
        self._written.append(bytes(data))
        return len(data)

    def flush(self):
        pass

    def take(self):
        """What was written since the last time."""
        piece = b"".join(self._written)
        self._written.clear()
        return piece


def _key_name(factor):
    return factor.wrap().name if factor.type == Authenticator.Type.WEBAUTHN else ""


def _json(document, **options):
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, **options)
