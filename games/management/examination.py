"""The examination of a running site: what `manage.py doctor` finds, each finding with its remedy."""

import base64
import http.client
import os
import platform
import re
import secrets
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.checks import WARNING, run_checks
from django.core.mail import EmailMessage, mailers
from django.db import connection
from django.utils import timezone

from config.version import version
from games.models import Heartbeat
from games.notifications import push
from games.pages.health import database_trouble, late_matches, redis_trouble

GIGABYTE = 1024**3
FREE_SPACE = GIGABYTE  # A disk with less free space is nearly full.
BACKUP_AGE = 26  # Hours: a day, and time for the backup itself.
SILENCE = 10  # Seconds without a heartbeat, after which a kind of process counts as stopped.
OPEN_FILES = 4096  # Every socket is an open file.
ANSWER_WITHIN = 10  # Seconds for an answer from the network.
HTTPS_CHECKS = {"security.W004", "security.W008", "security.W012", "security.W016"}  # They fail without HTTPS=on.
SITE_COMMANDS = re.compile(r"manage\.py (serve|clock)|config\.asgi:application")


class Finding(NamedTuple):
    """One line of the report."""

    is_well: bool
    subject: str  # such as "Clock"
    words: str  # what there is, and if it is not well, what to do


@dataclass(frozen=True)
class Visit:
    """What a host tells the doctor of the site."""

    address: str = ""  # the public one, such as https://valat.example; "" if it is not to be asked
    mail_to: str = ""  # the address for a test mail; "" to send none
    backups: Path | None = None  # the folder of daily backups


def examine(visit: Visit) -> Iterator[Finding]:
    """Examine the site of these settings, from its files to its public address. Yield each finding as it is made."""
    yield _versions()
    yield from _settings()
    yield from _private_files()
    yield from _disks(visit)
    trouble = database_trouble(writing=True)
    yield _finding("Database", trouble, "can be written and has all migrations.")
    if not trouble:
        yield from _heartbeats()
        yield from _database_client()
    yield _finding("Redis", redis_trouble(), "answers." if settings.REDIS_URL else "is not used.")
    yield from _open_files()
    yield _push_key()
    yield _mail(visit.mail_to)
    yield _backup(visit.backups)
    if visit.address:
        yield from _public_address(visit.address)
    else:
        yield Finding(False, "Page", "I know no public address. Set CSRF_TRUSTED_ORIGINS, or give one with --address.")


def _finding(subject: str, problems: list[str], praise: str) -> Finding:
    return Finding(not problems, subject, " ".join(problems) or praise)


def _versions() -> Finding:
    return Finding(True, "Versions", f"{version()}, {platform.platform()}.")


def _settings() -> Iterator[Finding]:
    warnings = [each for each in run_checks(include_deployment_checks=True) if each.level >= WARNING]
    messages = {message.id: message for message in warnings if not message.is_silenced()}
    if not settings.SECURE_SSL_REDIRECT:
        words = "HTTPS is off, so passwords travel openly. Set HTTPS=on as soon as the proxy has a certificate."
        yield Finding(False, "Settings", words)
    for name, message in messages.items():
        if name not in HTTPS_CHECKS:
            yield Finding(False, "Settings", f"{message.msg} {message.hint or ''} ({name})")
    if settings.SECURE_SSL_REDIRECT and not messages.keys() - HTTPS_CHECKS:
        yield Finding(True, "Settings", "pass all checks.")


def _private_files() -> Iterator[Finding]:
    """Look for secrets that every user of the machine can read."""
    files = {settings.BASE_DIR / ".env": "settings"}
    if connection.vendor == "sqlite":
        files[Path(connection.settings_dict["NAME"])] = "database"
    for file, what in files.items():
        if not file.exists():
            continue
        is_public = bool(file.stat().st_mode & 0o007)
        words = (
            f"{file} can be read by everybody on this machine: chmod o= {file}" if is_public else f"{file} is private."
        )
        yield Finding(not is_public, f"File of the {what}", words)


def _disks(visit: Visit) -> Iterator[Finding]:
    folders = [Path(settings.STATIC_ROOT)]
    if connection.vendor == "sqlite":
        folders.append(Path(connection.settings_dict["NAME"]).parent)
    if visit.backups:
        folders.append(visit.backups)
    by_disk = {folder.stat().st_dev: folder for folder in folders if folder.is_dir()}
    for folder in by_disk.values():
        free = shutil.disk_usage(folder).free
        words = f"{free / GIGABYTE:.1f} GB are free at {folder}."
        if free < FREE_SPACE:
            words += " Remove old versions, backups or logs: a full disk stops every move."
        yield Finding(free >= FREE_SPACE, "Disk", words)


def _heartbeats() -> Iterator[Finding]:
    """Look whether web processes and clocks run: each kind notes the time in the database once a second."""
    beats = dict(Heartbeat.objects.values_list("kind", "beat_at"))
    remedies = {
        Heartbeat.Kind.WEB: ("Web process", "Start it: systemctl start valat.target"),
        Heartbeat.Kind.CLOCK: ("Clock", "Bots and time limits need it: systemctl start valat.target"),
    }
    for kind, (subject, remedy) in remedies.items():
        if kind not in beats:
            yield Finding(False, subject, f"has never run on this database. {remedy}")
            continue
        seconds = (timezone.now() - beats[kind]).total_seconds()
        words = "runs." if seconds < SILENCE else f"has been silent for {seconds:,.0f} seconds. {remedy}"
        yield Finding(seconds < SILENCE, subject, words)
    if late := late_matches():
        yield Finding(
            False, "Tables", f"{late} have waited for more than a minute. Start another clock, or read its log."
        )


def _database_client() -> Iterator[Finding]:
    """Compare PostgreSQL's own tools with its server: an older pg_dump can't write a backup of a newer server."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        server = int(cursor.fetchone()[0]) // 10_000
    try:
        version = subprocess.run(["pg_dump", "--version"], capture_output=True, text=True, check=True).stdout
        client = int(re.findall(r"(\d+)(?:\.\d+)*", version)[0])
    except (OSError, subprocess.CalledProcessError, IndexError):
        client = 0
    words = f"PostgreSQL {server}, pg_dump {client or 'is missing'}."
    if client < server:
        words += f" Backups need its client of that version: apt install postgresql-client-{server}"
    yield Finding(client >= server, "Backup tool", words)


def _open_files() -> Iterator[Finding]:
    """Look at the limit of open files of the site's processes, as far as this system shows them."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            limit_line = re.search(r"^Max open files +(\d+)", (folder / "limits").read_text(), re.MULTILINE)
            is_ours = folder.stat().st_uid == os.getuid() and (folder / "cwd").resolve() == settings.BASE_DIR
            if is_ours and SITE_COMMANDS.search(command) and limit_line:
                limit = int(limit_line[1])
                words = f"Process {folder.name} may open {limit:,}."
                if limit < OPEN_FILES:
                    words += " Set LimitNOFILE=65536 in its unit: every player needs one."
                yield Finding(limit >= OPEN_FILES, "Open files", words)


def _push_key() -> Finding:
    if not push.is_offered():
        return Finding(True, "Push", "is off. To offer push messages, run manage.py vapid_keys.")
    try:
        push.public_key()
    except ValueError as error:
        return Finding(False, "Push", f"VAPID_PRIVATE_KEY is no key ({error}). Make one: manage.py vapid_keys --print")
    return Finding(True, "Push", "has its key.")


def _mail(mail_to: str) -> Finding:
    """Send a test mail, or only log in to the mail server if there is no address for one."""
    if not settings.HAS_MAIL:
        return Finding(True, "Mail", "is off: give lost passwords back in the admin, or set EMAIL_URL.")
    try:
        if mail_to:
            EmailMessage("Valat: test", "The doctor of your site has sent this mail.", to=[mail_to]).send()
            return Finding(True, "Mail", f"was sent to {mail_to}. Look whether it has arrived, also among spam.")
        with closing(mailers.default) as mailer:
            mailer.open()
    except OSError as error:
        return Finding(False, "Mail", f"can’t be sent: {error}. Correct EMAIL_URL or DEFAULT_FROM_EMAIL.")
    return Finding(True, "Mail", "The server lets us in. To send a test mail: --mail you@example.org")


def _backup(folder: Path | None) -> Finding:
    newest = max((file.stat().st_mtime for file in folder.glob("*.backup")), default=0) if folder else 0
    remedy = "systemctl enable --now valat-daily.timer makes one a day."
    if not newest:
        return Finding(False, "Backup", f"There is none in {folder or 'a folder that I know of (--backups)'}. {remedy}")
    hours = (time.time() - newest) / 3600
    words = f"The newest is {hours:,.0f} hours old."
    if hours > BACKUP_AGE:
        words += f" {remedy} Read its log: journalctl -u valat-daily"
    return Finding(hours <= BACKUP_AGE, "Backup", words)


# The public address


class _Request(NamedTuple):
    """A request to the public address."""

    subject: str
    path: str
    status: int  # of a good answer
    remedy: str  # for any other answer
    headers: dict[str, str]


def _public_address(address: str) -> Iterator[Finding]:
    """Visit the site as a browser does: a page, a static file, and a socket."""
    page = "400: name the host in ALLOWED_HOSTS. 301: let the proxy send X-Forwarded-Proto. Else read the logs."
    upgrade = "Let the proxy pass Upgrade, and name this address in CSRF_TRUSTED_ORIGINS."
    requests = [
        _Request("Page", "/", 200, page, {}),
        _Request("Socket", "/ws/lobby/", 101, upgrade, _handshake(address)),
    ]
    try:
        icon = staticfiles_storage.url("img/icons.svg")
        requests.append(_Request("Static file", icon, 200, "Let the proxy read STATIC_ROOT.", {}))
    except ValueError:
        yield Finding(False, "Static files", "have not been collected: manage.py collectstatic --noinput")
    for request in requests:
        where = f"{address}{request.path}"
        try:
            status = _status(address, request.path, request.headers)
        except (OSError, http.client.HTTPException) as error:
            advice = "Look at the name, the proxy and the certificate."
            yield Finding(False, request.subject, f"{where} can’t be reached: {error}. {advice}")
            return
        is_well = status == request.status
        yield Finding(
            is_well, request.subject, f"{where} answers {status}." + ("" if is_well else f" {request.remedy}")
        )


def _handshake(address: str) -> dict[str, str]:
    """Return the headers with which a page at this address asks for a socket (RFC 6455, 4.1)."""
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    return {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Origin": address,
        "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Version": "13",
    }


def _status(address: str, path: str, headers: dict[str, str]) -> int:
    """Return the status that this path answers with. Raise OSError or HTTPException if nothing answers."""
    parts = urlsplit(address)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        server: http.client.HTTPConnection = http.client.HTTPSConnection(
            parts.netloc, timeout=ANSWER_WITHIN, context=context
        )
    else:
        server = http.client.HTTPConnection(parts.netloc, timeout=ANSWER_WITHIN)
    with closing(server):
        server.request("GET", path, headers=headers)
        return server.getresponse().status
