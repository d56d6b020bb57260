"""POST requests to URLs that users have chosen, without access to this machine or its network.

The host's name is resolved once. All its addresses must be public, and the connection uses one of them. Redirects are
not followed. The size of answers and the time of the whole request are limited.
"""

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LookupTimeout
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from games.kit.language import Lazy, lazy

log = logging.getLogger("valat.notices")

# Seconds
RESOLVE_TIMEOUT = 3.0
CONNECT_TIMEOUT = 4.0
TOTAL_TIMEOUT = 5.0  # from connecting to the end of the answer

MAX_ANSWER_SIZE = 4096  # bytes
MAX_URL_LENGTH = 1000
NAT64_PREFIX = ipaddress.ip_network("64:ff9b::/96")  # The last four bytes are an IPv4 address.

type Address = IPv4Address | IPv6Address

_resolvers = ThreadPoolExecutor(8, thread_name_prefix="resolving")  # A lookup cannot be stopped, so it has a thread.


class Failure(Exception):
    """A message has not arrived, or may not have. The text is for the owner of the delivery method.

    is_retryable: it has certainly not arrived and may be sent again.
    """

    is_retryable = False


class Forbidden(Failure):
    """Messages to this URL are not allowed."""


class NotSent(Failure):
    """The server could not be reached, so nothing was sent."""

    is_retryable = True


class NoAnswer(Failure):
    """The message was sent, but no answer came. It may have arrived."""


class Rejected(Failure):
    """The server has answered with an error."""

    def __init__(self, words: Lazy, status_code: int) -> None:
        super().__init__(words)
        # With these the server is only busy or has a problem. All others would be the same next time.
        self.is_retryable = status_code in (408, 425, 429) or status_code >= 500


class Answer(NamedTuple):
    """The answer to a POST. pywebpush reads `reason`."""

    status_code: int
    text: str
    headers: Mapping[str, str]

    @property
    def reason(self) -> str:
        return str(self.status_code)


class Target(NamedTuple):
    """The parts of a URL."""

    is_secure: bool
    host: str
    port: int
    path: str


def parse_url(url: str) -> Target:
    """Return the parts of a URL that a user has chosen. Raise Forbidden if we may not post there.

    An IP address in it must be public, because a private one may lead into our own network. A host name may have other
    addresses later, so `post` checks them.
    """
    # Control characters are less than a space.
    has_bad_sign = not url.isascii() or any(sign <= " " or sign in '\\"<>' for sign in url)
    if len(url) > MAX_URL_LENGTH or has_bad_sign:
        raise Forbidden(lazy("We can’t use that address. Enter one such as https://example.org/hook."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Forbidden(lazy("We can’t use that address. Enter one such as https://example.org/hook.")) from None
    has_login = parts.username is not None or parts.password is not None
    if parts.scheme not in ("https", "http") or not host or has_login:
        raise Forbidden(lazy("Enter an address that begins with https:// and the name of a server."))
    target = Target(
        is_secure=parts.scheme == "https",
        host=host,
        port=port or (443 if parts.scheme == "https" else 80),
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    if not target.is_secure and not settings.NOTICES_INSIDE:  # The setting lists the host's own networks.
        raise Forbidden(lazy("Enter an address that begins with https://."))
    if address := _parse_address(host):
        _check_allowed(address, target)
    return target


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post a body to a URL that a user has chosen. Return the answer, also if it is a redirect or an error.

    Raise Forbidden for a private address, NotSent if the server can't be reached, and NoAnswer if it may have received
    the body but did not answer.
    """
    target = parse_url(url)
    address = _resolve(target)  # Connect to this address: another lookup of the name might give a private one.
    is_default_port = target.port == (443 if target.is_secure else 80)
    host = f"[{target.host}]" if ":" in target.host else target.host  # IPv6 addresses contain colons.
    own_headers = {"Host": host if is_default_port else f"{host}:{target.port}", "Accept-Encoding": "identity"}
    is_connected = False  # An error has another meaning before the connection than after it.
    timed_out = threading.Event()
    try:
        with _connect(target, address, timed_out) as connection:
            is_connected = True
            connection.request("POST", target.path, body, {"User-Agent": "Valat", **headers, **own_headers})
            response = connection.getresponse()
            text = response.read(MAX_ANSWER_SIZE).decode("utf-8", "replace")
            if timed_out.is_set():  # The text may be incomplete.
                raise TimeoutError
            return Answer(response.status, text, dict(response.headers))
    except (OSError, HTTPException, ValueError) as error:
        log.debug("Posting to %s failed: %r", target.host, error)
        sentence = _describe_failure(TimeoutError() if timed_out.is_set() else error)
        failure = NoAnswer if is_connected else NotSent  # Once connected, the server may have received the body.
        raise failure(sentence) from None


@contextmanager
def _connect(target: Target, address: Address, timed_out: threading.Event) -> Iterator[HTTPConnection]:
    """Open a connection, and close it after TOTAL_TIMEOUT seconds or at the end of the `with` block.

    The timeout of a socket only limits each single read, so a slow server could hold us for ever. address: the checked
    IP address of the target. timed_out: set when the time is over.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        sock = stack.enter_context(socket.create_connection((str(address), target.port), CONNECT_TIMEOUT))
        handle = stack.enter_context(sock.dup())  # TLS detaches `sock`, so the timer needs a handle of its own.

        def hang_up() -> None:
            timed_out.set()
            with suppress(OSError):  # The connection is already closed.
                handle.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(0, began + TOTAL_TIMEOUT - time.monotonic()), hang_up)
        timer.daemon = True
        timer.start()
        stack.callback(timer.cancel)
        if target.is_secure:
            context = ssl.create_default_context()
            sock = stack.enter_context(context.wrap_socket(sock, server_hostname=target.host))
        connection = HTTPConnection(target.host, target.port)
        connection.sock = sock
        stack.callback(connection.close)
        yield connection


def _resolve(target: Target) -> Address:
    """Look up the name of a host, in a thread. Return its preferred IP address.

    Raise Forbidden if any of its addresses is private: the host could be inside our network. Raise NotSent if it has
    none, or if the lookup takes too long.
    """
    try:
        lookup = _resolvers.submit(_look_up, target.host, target.port)
        addresses = lookup.result(RESOLVE_TIMEOUT)
    except (OSError, UnicodeError):
        raise NotSent(lazy("There is no server of that name. Check the address.")) from None
    except LookupTimeout:
        lookup.cancel()
        raise NotSent(lazy("The server’s name could not be looked up in time. Try again later.")) from None
    if not addresses:
        raise NotSent(lazy("There is no server of that name. Check the address."))
    for address in addresses:
        _check_allowed(address, target)
    return addresses[0]


def _look_up(host: str, port: int) -> list[Address]:
    """Return the addresses of a host, the preferred one first."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(entry[4][0])) for entry in entries]


def _parse_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_allowed(address: Address, target: Target) -> None:
    if any(address in network for network in _allowed_networks()):
        return
    if not is_public(address):
        raise Forbidden(lazy("We don’t send anything to this address. Enter a public one."))
    if not target.is_secure:
        raise Forbidden(lazy("Enter an address that begins with https://."))


def is_public(address: Address) -> bool:
    """Return whether an IP address is public, so that we may connect to it. Private ones are inside our network.

    Some IPv6 addresses lead to an IPv4 address that they contain. Then the IPv4 address decides.
    """
    if isinstance(address, IPv6Address):
        if address.scope_id:  # It is valid only within one network of this machine.
            return False
        is_translated = address in NAT64_PREFIX  # Its last four bytes are an IPv4 address.
        ipv4_address = IPv4Address(address.packed[-4:]) if is_translated else address.ipv4_mapped
        if ipv4_address is not None:
            return is_public(ipv4_address)
        # Tunnels (6to4, Teredo) lead to IPv4 addresses too, but nobody needs them any more.
        if address.is_site_local or address.sixtofour or address.teredo:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _allowed_networks() -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(network, strict=False) for network in settings.NOTICES_INSIDE]


def _describe_failure(error: Exception) -> Lazy:
    if isinstance(error, TimeoutError):
        return lazy("The server did not answer in time.")
    return lazy("The server could not be reached, or hung up.")
