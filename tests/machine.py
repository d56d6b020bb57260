"""A machine of its own, with a fresh Debian 13 that systemd has booted, and the internet as far as a site needs it.

It is a container of systemd-nspawn, so its programs, users, services, ports and files are not those of this machine.
An authority for certificates, as Let's Encrypt is, and a mail server are at names that only this machine knows.
"""

import json
import os
import random
import shutil
import subprocess
from contextlib import suppress
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from aiosmtpd.controller import Controller

from tests.processes import Process, free_port, wait_until

SUITE = "trixie"
PROGRAMS = ("mmdebstrap", "systemd-nspawn", "pebble", "nginx", "nft", "ip", "openssl")
DOMAIN = "valat.example"
AUTHORITY = "acme-v02.api.letsencrypt.org"
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PEBBLE = {
    "certificate": "authority.pem",
    "privateKey": "authority.key",
    "httpPort": 80,
    "tlsPort": 443,
    "ocspResponderURL": "",
    "externalAccountBindingRequired": False,
}
# A failed command after "!" does not end a script of bash.
REFUTE = 'not() { if "$@" >/dev/null 2>&1; then echo "This should fail: $*"; exit 1; fi; }\n'
# Pebble's directory is at another path than Let's Encrypt's.
GATE = """
daemon off;
error_log stderr;
pid {folder}/gate.pid;
user root;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/gate;
    server {{
        listen {address}:443 ssl;
        ssl_certificate {folder}/authority.pem;
        ssl_certificate_key {folder}/authority.key;
        location / {{
            proxy_pass https://{address}:{port};
            proxy_set_header Host $host;
        }}
        location = /directory {{
            proxy_pass https://{address}:{port}/dir;
            proxy_set_header Host $host;
        }}
    }}
}}
"""


def command(*arguments, **options):
    """Run a program of this machine, and return what it prints."""
    done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))}:\n{done.stdout}{done.stderr}"
    return done.stdout


def unpack_debian(target, *packages):
    """Make a small Debian 13 with some packages in a folder or a .tar file. It trusts what this machine trusts."""
    folder = "/usr/local/share/ca-certificates"
    hooks = [f"--customize-hook=copy-in {file} {folder}" for file in Path(folder).glob("*.crt")]
    hooks.append('--customize-hook=chroot "$1" update-ca-certificates')
    include = f"--include={','.join(['ca-certificates', *packages])}"
    options = ["--quiet", "--variant=minbase", "--dpkgopt=force-unsafe-io", include, *hooks]
    command("mmdebstrap", *options, SUITE, target)


class Machine:
    """Use it as `with Machine(folder) as machine`. `hosts` is a file with the addresses of its names."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "root"
        number = random.randrange(1, 255)  # Several of these machines may run beside each other.
        self.inside, self.outside = f"10.77.{number}.2", f"10.77.{number}.1"
        self.hosts = folder / "hosts"
        self.trust = folder / "trust.pem"  # the root certificate of the authority
        self.mails = []
        self._cable = f"valat{number}"
        self._processes = []
        self._leader = ""
        self._mail_server = None

    def __enter__(self):
        try:
            self._unpack()
            self._boot()
            self._connect()
            self._build_internet()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._leader:
            with suppress(AssertionError):
                self.run("systemctl poweroff --force")
        for process in reversed(self._processes):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                process._process.terminate()
                process._process.wait(20)
            process.kill()
        if self._mail_server:
            self._mail_server.stop()
        subprocess.run(["nft", "delete", "table", "ip", self._cable], capture_output=True, check=False)
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, script, **settings):
        """Run a script in the machine, as root in a shell. Return what it prints; fail if a command of it does."""
        enter = ["nsenter", "--target", self._leader, "--mount", "--uts", "--ipc", "--net", "--pid"]
        clean = ["env", "-i", f"PATH={PATHS}", "HOME=/root", "LANG=C.UTF-8", *(f"{k}={v}" for k, v in settings.items())]
        return command(
            *enter, *clean, "bash", "-euo", "pipefail", "-c", f"cd\n{REFUTE}{script}", stdin=subprocess.DEVNULL
        )

    def put(self, path, text):
        (self.root / path.lstrip("/")).write_text(text)

    def start_outside(self, name, arguments, **settings):
        """Start a program of this machine to which the names of `hosts` are known, and return its Process."""
        line = f'mount --bind {self.hosts} /etc/hosts && exec "$@"'
        process = Process(
            name,
            ["unshare", "--mount", "sh", "-c", line, "-", *map(str, arguments)],
            self.folder / f"{name}.log",
            os.environ | settings,
        )
        process.start()
        self._processes.append(process)
        return process

    def _unpack(self):
        """Make the root file system: what every Debian has, and systemd."""
        self.root.mkdir(parents=True)
        unpack_debian(self.root, "systemd-sysv", "dbus", "adduser")
        shutil.copy("/etc/resolv.conf", self.root / "etc" / "resolv.conf")
        names = f"127.0.0.1 localhost\n{self.inside} {DOMAIN}\n{self.outside} {AUTHORITY} mail.example\n"
        self.hosts.write_text(names)
        self.put("/etc/hosts", names)

    def _boot(self):
        arguments = (
            "--quiet --register=no --keep-unit --settings=no --resolv-conf=off --timezone=off --console=pipe --boot"
        )
        cable = f"--network-veth-extra={self._cable}:net0"
        nspawn = Process(
            "machine",
            ["systemd-nspawn", "--directory", str(self.root), cable, *arguments.split()],
            self.folder / "machine.log",
            os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
        )
        nspawn.start()
        self._processes.append(nspawn)
        children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
        self._leader = wait_until(lambda: self._booted(children.read_text().split()), 60, "Debian runs")

    def _booted(self, children):
        """Return the process of systemd in the machine, once the machine is up; else ""."""
        for child in children:
            self._leader = child
            with suppress(AssertionError, OSError):
                if Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                    self.run("systemctl is-active multi-user.target")
                    return child
        return ""

    def _connect(self):
        """Connect the machine to this one, and through it to the internet."""
        command("ip", "address", "add", f"{self.outside}/24", "dev", self._cable)
        command("ip", "link", "set", self._cable, "up")
        inside = ["nsenter", "--target", self._leader, "--net", "ip"]
        command(*inside, "address", "add", f"{self.inside}/24", "dev", "net0")
        command(*inside, "link", "set", "net0", "up")
        command(*inside, "route", "add", "default", "via", self.outside)
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        command("nft", "add table ip", self._cable)
        command("nft", f"add chain ip {self._cable} out {{ type nat hook postrouting priority 100 ; }}")
        command("nft", f"add rule ip {self._cable} out ip saddr {self.inside} masquerade")

    def _build_internet(self):
        """Start the authority and the mail server. The machine trusts the authority, as any does Let's Encrypt."""
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority"]
        names = f"subjectAltName=DNS:{AUTHORITY},IP:{self.outside}"
        files = ["-keyout", self.folder / "authority.key", "-out", self.folder / "authority.pem"]
        command(*make, "-addext", names, *files)
        port, management = free_port(), free_port()
        paths = {name: str(self.folder / PEBBLE[name]) for name in ("certificate", "privateKey")}
        listen = {
            "listenAddress": f"{self.outside}:{port}",
            "managementListenAddress": f"{self.outside}:{management}",
        }
        (self.folder / "pebble.json").write_text(json.dumps({"pebble": PEBBLE | paths | listen}))
        self.start_outside(
            "pebble",
            ["pebble", "-config", self.folder / "pebble.json"],
            PEBBLE_VA_NOSLEEP="1",
            PEBBLE_WFE_NONCEREJECT="0",
        )
        (self.folder / "gate.conf").write_text(GATE.format(folder=self.folder, address=self.outside, port=port))
        self.start_outside("gate", ["nginx", "-c", self.folder / "gate.conf"])
        ask = ["curl", "-fsS", "--retry", "20", "--retry-delay", "1", "--retry-all-errors"]
        ask += ["--cacert", self.folder / "authority.pem"]
        command(*ask, "--resolve", f"{AUTHORITY}:443:{self.outside}", f"https://{AUTHORITY}/directory")
        self.trust.write_text(command(*ask, f"https://{self.outside}:{management}/roots/0"))
        own = self.root / "usr/local/share/ca-certificates"
        shutil.copy(self.folder / "authority.pem", own / "authority.crt")
        shutil.copy(self.trust, own / "root.crt")
        self.run("update-ca-certificates")
        self._mail_server = Controller(self, hostname=self.outside, port=25)
        self._mail_server.start()

    async def handle_DATA(self, server, session, envelope):
        """Take a mail in, as aiosmtpd asks its handler to."""
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"
