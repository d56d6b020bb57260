"""nginx as tools/install.sh sets it up."""

import re
import shutil
import ssl
import subprocess
from pathlib import Path

import httpx
from websockets.sync.client import connect

from tests.processes import ROOT, Process, free_port

CONFIGURATION = (ROOT / "tools" / "hosting" / "nginx.conf").read_text()
NGINX = shutil.which("nginx")
MAIN = """
daemon off;
error_log stderr;
pid {folder}/nginx.pid;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {http}
}}
"""


class Nginx(Process):
    """nginx as the page says, but for the ports and folders of these tests. `certificate` is its own.

    patience: how many seconds it waits for a head. One is too few for a client that shares its process with servers.
    """

    def __init__(self, folder, backends, patience=30):
        self.port, self.plain_port = free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.certificate = folder / "fullchain.pem"
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=valat.example"]
        make += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "privkey.pem", "-out", self.certificate]
        subprocess.run(make, check=True, capture_output=True)
        text = re.sub(r"^.*listen \[::\].*\n", "", CONFIGURATION, flags=re.MULTILINE)
        text, listens = re.subn(r"listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl", text)
        text, plain = re.subn(r"listen 80;", f"listen 127.0.0.1:{self.plain_port};", text)
        text, certificates = re.subn(r"/etc/letsencrypt/live/valat.example/", f"{folder}/", text)
        for port, backend in zip((8001, 8002), backends, strict=True):
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{backend.port}")
        text = text.replace("/srv/valat", str(folder))
        text, waits = re.subn(r"(client_header_timeout) 30s;", rf"\1 {patience}s;", text)
        assert (listens, plain, certificates, waits) == (1, 1, 2, 1)
        owner = "user root;" if Path("/root").owner() == folder.owner() else ""
        self._file = folder / "nginx.conf"
        self._file.write_text(MAIN.format(folder=folder, http=text, user=owner))
        super().__init__("nginx", [NGINX, "-p", str(folder), "-c", str(self._file)], folder / "nginx.log")

    def answers(self):
        try:
            self.ask("/metrics")
        except httpx.TransportError:
            return False
        return True

    def kill(self):
        if self.is_running:
            self._process.terminate()  # or its workers would stay
            self._process.wait(20)

    @property
    def tls(self):
        return ssl.create_default_context(cafile=self.certificate)

    def ask(self, path, method="GET"):
        """The response to a request of its own."""
        return httpx.request(method, f"{self.url}{path}", headers={"Host": "valat.example"}, verify=self.tls)

    def connect(self, path):
        return connect(f"wss://127.0.0.1:{self.port}{path}", ssl=self.tls)

    def post(self, path, size):
        """The response to a body of so many bytes."""
        return httpx.post(f"{self.url}{path}", content=bytes(size), verify=self.tls)

    def open_socket(self, path):
        """Which server a WebSocket leads to."""
        with self.connect(path) as socket:
            return socket.recv(10)
