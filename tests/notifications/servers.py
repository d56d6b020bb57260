"""Servers on this machine that are posted to, and browsers that take push messages."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Server:
    """An HTTP server that keeps what is posted to it, and answers as it is told."""

    def __init__(self, address="127.0.0.1", port=0, context=None):
        self.posts = []  # (path, headers, body) each
        self.status, self.headers, self.body = 201, {}, b""
        self.before_answer = lambda connection: None

        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler):
                body = handler.rfile.read(int(handler.headers["Content-Length"]))
                self.posts.append((handler.path, handler.headers, body))
                self.before_answer(handler.connection)
                handler.send_response(self.status)
                for name, value in self.headers.items():
                    handler.send_header(name, value)
                handler.send_header("Content-Length", str(len(self.body)))
                handler.end_headers()
                handler.wfile.write(self.body)

            def log_message(handler, *_):
                pass

        self._server = ThreadingHTTPServer((address, port), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        if context:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self.url = f"http://{address}:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def documents(self):
        """What was posted, as JSON."""
        return [json.loads(body) for _, _, body in self.posts]


class Browser:
    """A browser that takes push messages at an address, and reads them as real ones do."""

    def __init__(self, endpoint):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = b"sixteen bytes!!!"
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.fields = {
            "endpoint": endpoint,
            "public_key": base64.urlsafe_b64encode(point).rstrip(b"=").decode(),
            "secret": base64.urlsafe_b64encode(self._secret).rstrip(b"=").decode(),
        }

    def read(self, body):
        """What a message says, decrypted."""
        plain = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return json.loads(plain)
