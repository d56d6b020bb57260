"""Nothing is posted to where it must not go, however its address says so, and nobody can hold up who posts."""

import ipaddress
import socket
import ssl
import threading
import time
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from games.notifications import guard
from tests.notifications.servers import Server

INTERNAL = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
    # Others in disguise: mapped, compatible, 6to4, NAT64, Teredo, with a zone
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
    *("2001:0:7f00:1::", "fe80::1%eth0", "2606:4700::1%eth0"),
]
PUBLIC = ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]


@pytest.fixture
def names(monkeypatch):
    """What names lead to, each time another list of addresses; literal addresses are left as they are."""
    answers, resolve = {}, socket.getaddrinfo

    def look_up(host, port, *arguments, **options):
        if host not in answers:
            return resolve(host, port, *arguments, **options)
        found = answers[host].pop(0)
        return [entry for address in found for entry in resolve(address, port, *arguments, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return answers


def test_only_addresses_of_the_public_internet_are_public():
    assert [address for address in INTERNAL if guard.is_public(ipaddress.ip_address(address))] == []
    assert [address for address in PUBLIC if not guard.is_public(ipaddress.ip_address(address))] == []


@pytest.mark.parametrize(
    "url",
    [
        *("http://93.184.216.34/", "ftp://example.org/", "file:///etc/passwd", "https://", "https:///path"),
        *("https://user:password@example.org/", "https://example.org@127.0.0.1/", "https://127.0.0.1/"),
        *("https://[::1]/", "https://[::ffff:169.254.169.254]/latest/meta-data/", "https://example.org:99999/"),
        *("https://example.org/a b", "https://example.org/\r\nX-Header: 1", "https://exämple.org/"),
        *("https://example.org\\@127.0.0.1/", "https://example.org/" + "a" * 1000, ""),
    ],
)
def test_an_address_that_may_not_be_used_is_refused_before_anything_is_asked(url):
    with pytest.raises(guard.Forbidden):
        guard.parse_url(url)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"])
def test_other_ways_to_write_this_machine_are_refused(host):
    with pytest.raises(guard.Forbidden):
        guard.post(f"https://{host}/", b"", {})


@pytest.mark.parametrize("found", [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["2606:4700::1111", "::1"]])
def test_a_name_that_leads_inside_is_refused_even_if_it_leads_elsewhere_too(names, found):
    names["hook.example"] = [found]

    with pytest.raises(guard.Forbidden):
        guard.post("https://hook.example/", b"", {})


def test_a_name_that_resolves_anew_leads_to_where_it_led_when_it_was_looked_at(names, server):
    other = Server("127.0.0.2", server.port)
    names["hook.example"] = [["127.0.0.1"], ["127.0.0.2"]]
    try:
        answer = guard.post(f"http://hook.example:{server.port}/x", b"{}", {})
    finally:
        other.close()

    assert (answer.status_code, len(server.posts), other.posts) == (201, 1, [])
    assert server.posts[0][1]["Host"] == f"hook.example:{server.port}"
    assert names["hook.example"] == [["127.0.0.2"]]  # nobody has asked again


def test_what_is_allowed_inside_is_only_what_the_host_has_named(server):
    with pytest.raises(guard.Forbidden):
        guard.post(f"http://127.0.0.2:{server.port}/", b"", {})


def test_a_redirect_is_an_answer_and_is_not_followed(server):
    server.status, server.headers = 307, {"Location": f"{server.url}/elsewhere"}

    answer = guard.post(f"{server.url}/hook", b"{}", {})

    assert (answer.status_code, [path for path, *_ in server.posts]) == (307, ["/hook"])


def test_of_a_long_answer_only_the_beginning_is_read(server):
    server.body = b"x" * 50_000_000

    assert len(guard.post(server.url, b"{}", {}).text) == guard.MAX_ANSWER_SIZE


def test_who_answers_byte_by_byte_is_given_up(server, monkeypatch):
    monkeypatch.setattr(guard, "TOTAL_TIMEOUT", 0.3)

    def drip(connection):
        for _ in range(100):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.02)

    server.before_answer = drip
    began = time.monotonic()

    with pytest.raises(guard.NoAnswer):
        guard.post(server.url, b"{}", {})

    assert time.monotonic() - began < 1.5


def test_a_body_that_drips_until_we_hang_up_is_no_answer(server, monkeypatch):
    monkeypatch.setattr(guard, "TOTAL_TIMEOUT", 0.3)
    hung_up = threading.Event()

    def drip(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")  # it says no length: the end of the line is the end of the body
        with suppress(OSError):
            while not hung_up.wait(0.02):
                connection.sendall(b".")

    server.before_answer = drip
    try:
        with pytest.raises(guard.NoAnswer, match="in time"):
            guard.post(server.url, b"{}", {})
    finally:
        hung_up.set()


def test_who_agrees_upon_tls_byte_by_byte_is_given_up(settings, monkeypatch):
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    monkeypatch.setattr(guard, "TOTAL_TIMEOUT", 0.3)

    def drip(listening):
        line, _ = listening.accept()
        with line, suppress(OSError):
            for byte in b"\x16\x03\x03\x3f\xff" + bytes(100):  # a handshake of 16 kB begins
                line.sendall(bytes([byte]))
                time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=[listening], daemon=True).start()
        began = time.monotonic()
        with pytest.raises(guard.NotSent):
            guard.post(f"https://127.0.0.1:{listening.getsockname()[1]}/", b"{}", {})

    assert time.monotonic() - began < 1.5


def test_a_name_that_nobody_knows_or_a_closed_port_is_nothing_sent(settings, names, monkeypatch):
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(guard.NotSent):
            guard.post(f"http://127.0.0.1:{unused.getsockname()[1]}/", b"", {})
    monkeypatch.setattr(guard, "RESOLVE_TIMEOUT", 0.05)
    monkeypatch.setattr(guard, "_look_up", lambda host, port: time.sleep(0.3))
    with pytest.raises(guard.NotSent):
        guard.post("https://slow.example/", b"", {})


@pytest.fixture
def secure(tmp_path, monkeypatch, settings):
    """A server with a certificate for hook.example, of an authority that is trusted here."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hook.example")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1))
        .not_valid_after(datetime.now() + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hook.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "certificate.pem"
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(certificate.public_bytes(encoding) + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    server = Server(context=context)
    yield server
    server.close()


def test_over_https_the_server_proves_the_name_that_was_asked_for(secure, names):
    names["hook.example"] = [["127.0.0.1"]]
    names["other.example"] = [["127.0.0.1"]]

    assert guard.post(f"https://hook.example:{secure.port}/", b"{}", {}).status_code == 201
    with pytest.raises(guard.NotSent):
        guard.post(f"https://other.example:{secure.port}/", b"{}", {})
    assert len(secure.posts) == 1
