"""A POST to an address that somebody else has chosen: never to this machine, its network, or anything else inside.

The host's name is resolved once, every address it has must be of the public internet, and the connection goes to that
very address. Redirects are not followed, answers are read up to a few thousand bytes, and all is over within seconds.
"""

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from games.kit.language import Lazy, lazy

log = logging.getLogger("valat.notices")

# Seconds
RESOLVE_WITHIN = 3.0
CONNECT_WITHIN = 4.0
ANSWER_WITHIN = 5.0  # from the moment of connecting to the end of the answer, however slowly its bytes drip

ANSWER_SIZE = 4096  # bytes read of an answer
LONGEST = 1000  # characters of an address
PREFIX_OF_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # the last four bytes are an IPv4 address

Address = IPv4Address | IPv6Address

_resolvers = ThreadPoolExecutor(8, thread_name_prefix="resolving")  # a lookup can't be stopped, only no longer awaited


class Failure(Exception):
    """A message has not arrived, as far as is known. Its text is a sentence for its owner."""

    again = False  # whether that is sure, so that it may be tried again


class Forbidden(Failure):
    """An address that nothing is ever sent to."""


class NotSent(Failure):
    """Nothing has been sent: the other side could not be reached."""

    again = True


class NoAnswer(Failure):
    """It may have arrived or not: it was sent, and no answer came."""


class NotTaken(Failure):
    """The other side has answered, but not that it has taken the message."""

    def __init__(self, words: Lazy, status_code: int):
        super().__init__(words)
        # It was in trouble or too busy; anything else will be the same the next time.
        self.again = status_code in (408, 425, 429) or status_code >= 500


class Answer(NamedTuple):
    """What the other side said."""

    status_code: int
    text: str
    headers: Mapping[str, str]

    @property
    def reason(self) -> str:
        return str(self.status_code)


class Target(NamedTuple):
    """An address, taken apart."""

    secure: bool
    host: str
    port: int
    path: str


def taken_apart(url: str) -> Target:
    """The parts of an address that something may be sent to, as far as can be seen without asking for its name.

    Raises Forbidden.
    """
    if len(url) > LONGEST or not url.isascii() or any(sign <= " " or sign in '\\"<>' for sign in url):
        raise Forbidden(lazy("We can’t use that address. Enter one such as https://example.org/hook."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Forbidden(lazy("We can’t use that address. Enter one such as https://example.org/hook.")) from None
    if parts.scheme not in ("https", "http") or not host or parts.username is not None or parts.password is not None:
        raise Forbidden(lazy("An address begins with https:// and the name of a server."))
    target = Target(
        secure=parts.scheme == "https",
        host=host,
        port=port or (443 if parts.scheme == "https" else 80),
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    if not target.secure and not settings.NOTICES_INSIDE:
        raise Forbidden(lazy("An address begins with https://."))
    if literal := _literal(host):
        _demand_allowed(literal, target)
    return target


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post a body, and return the Answer, redirects included. Raises Forbidden, NotSent or NoAnswer."""
    target = taken_apart(url)
    address = _resolved(target)
    default = target.port == (443 if target.secure else 80)
    host = f"[{target.host}]" if ":" in target.host else target.host
    own = {"Host": host if default else f"{host}:{target.port}", "Accept-Encoding": "identity"}
    sent = False
    late = threading.Event()
    try:
        with _connected(target, address, late) as connection:
            sent = True
            connection.request("POST", target.path, body, {"User-Agent": "Valat", **headers, **own})
            response = connection.getresponse()
            text = response.read(ANSWER_SIZE).decode("utf-8", "replace")
            if late.is_set():  # what was read then is only a part
                raise TimeoutError
            return Answer(response.status, text, dict(response.headers))
    except (OSError, HTTPException, ValueError) as error:
        log.debug("Posting to %s failed: %r", target.host, error)
        raise (NoAnswer if sent else NotSent)(_in_words(TimeoutError() if late.is_set() else error)) from None


@contextmanager
def _connected(target: Target, address: Address, late: threading.Event) -> Iterator[HTTPConnection]:
    """A connection that hangs up after ANSWER_WITHIN seconds: the limits of sockets are only for each of their reads.

    late: set when it hangs up.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        line = stack.enter_context(socket.create_connection((str(address), target.port), CONNECT_WITHIN))
        handle = stack.enter_context(line.dup())  # TLS takes the line itself over

        def hang_up() -> None:
            late.set()
            with suppress(OSError):  # it has ended by itself
                handle.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(0, began + ANSWER_WITHIN - time.monotonic()), hang_up)
        timer.daemon = True
        timer.start()
        stack.callback(timer.cancel)
        if target.secure:
            context = ssl.create_default_context()
            line = stack.enter_context(context.wrap_socket(line, server_hostname=target.host))
        connection = HTTPConnection(target.host, target.port)
        connection.sock = line
        stack.callback(connection.close)
        yield connection


def _resolved(target: Target) -> Address:
    """The one address that is connected to. Raises Forbidden where any of the name's is inside, NotSent without one."""
    try:
        lookup = _resolvers.submit(_look_up, target.host, target.port)
        found = lookup.result(RESOLVE_WITHIN)
    except (OSError, UnicodeError):
        raise NotSent(lazy("There is no server of that name. Check the address.")) from None
    except Late:
        lookup.cancel()
        raise NotSent(lazy("The server’s name could not be looked up in time. Try again later.")) from None
    if not found:
        raise NotSent(lazy("There is no server of that name. Check the address."))
    for address in found:
        _demand_allowed(address, target)
    return found[0]


def _look_up(host: str, port: int) -> list[Address]:
    """Every address of a name, in the order in which they are to be tried."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(entry[4][0])) for entry in found]


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _demand_allowed(address: Address, target: Target) -> None:
    if any(address in network for network in _inside_allowed()):
        return
    if not is_public(address):
        raise Forbidden(lazy("We don’t send anything to this address. Enter a public one."))
    if not target.secure:
        raise Forbidden(lazy("An address begins with https://."))


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet, and stands for no other that is not."""
    if isinstance(address, IPv6Address):
        translated = IPv4Address(address.packed[-4:]) if address in PREFIX_OF_NAT64 else address.ipv4_mapped
        if address.scope_id:
            return False
        if translated is not None:
            return is_public(translated)
        if address.is_site_local or address.sixtofour or address.teredo:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _inside_allowed() -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(network, strict=False) for network in settings.NOTICES_INSIDE]


def _in_words(error: Exception) -> Lazy:
    if isinstance(error, TimeoutError):
        return lazy("The server did not answer in time.")
    return lazy("The server could not be reached, or hung up.")
