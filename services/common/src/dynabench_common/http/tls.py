"""The server certificate of a process that speaks HTTPS.

A renewed certificate is used from the next connection on. Its files are checked for each connection, which costs two
system calls. If the new files do not match each other, the former certificate stays in use, and the log says why.
`pools.py` describes how callers check it. A greenlet process may import that module only after it has become one.
"""

import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from socket import MSG_PEEK, socket
from typing import Any

from dynabench_common.settings import ServiceSettings, SettingsError
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
HANDSHAKE_SECONDS = 10.0
TLS_RECORD = b"\x16"
"""First byte of a handshake; no line of HTTP begins with it."""
PROBLEM = (
    b'{"type": "about:blank", "title": "This port speaks TLS", "status": 400, '
    b'"detail": "HTTP came to a port that speaks HTTPS.", "remedy": "Write https:// in the address of this service."}'
)
PLAINLY = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n"
    b"Connection: close\r\n\r\n%b" % (len(PROBLEM), PROBLEM)
)
MakeContext = Callable[[], ssl.SSLContext]


class ShownCertificate:
    """Gives connections the current certificate on disk."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = (certificate, key)
        self._seen: tuple[tuple[int, int], ...] = ()
        self._context: ssl.SSLContext | None = None
        self._lock = threading.Lock()

    def __call__(self, _configuration: object, make: MakeContext) -> ssl.SSLContext:
        """Return the TLS context for the next connection; `make` builds one from the files."""
        seen = self._stamps()
        if self._context is None or seen != self._seen:
            with self._lock:
                self._context, self._seen = self._renewed(make), seen
        return self._context

    def _renewed(self, make: MakeContext) -> ssl.SSLContext:
        try:
            fresh = make()
        except OSError as err:
            if self._context is None:
                raise
            log.warning("certificate_not_taken_up", file=str(self._files[0]), reason=str(err))
            return self._context
        fresh.minimum_version = ssl.TLSVersion.TLSv1_2

        # The server takes one context for all connections; each connection checks here again.
        def choose(connection: Any, _name: str | None, used: ssl.SSLContext) -> None:
            now = self(None, make)
            if now is not used:
                connection.context = now

        fresh.sni_callback = choose
        return fresh

    def _stamps(self) -> tuple[tuple[int, int], ...]:
        try:
            return tuple((found.st_mtime_ns, found.st_ino) for found in (file.stat() for file in self._files))
        except OSError:
            return self._seen


def shown_certificate(settings: ServiceSettings) -> dict[str, Any]:
    """Return gunicorn's options to serve HTTPS; none where HTTP is asked for. Raises SettingsError."""
    certificate, key = settings.http_certificate_file, settings.http_private_key_file
    if certificate is None or key is None:
        return {}
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except OSError as err:
        raise SettingsError(
            f"unusable environment: HTTP_CERTIFICATE_FILE {certificate} and HTTP_PRIVATE_KEY_FILE {key} can't be used: "
            f"{err.strerror or err}. Give a certificate and its private key, both as PEM, the key without a password."
        ) from err
    return {
        "certfile": str(certificate),
        "keyfile": str(key),
        "ssl_context": ShownCertificate(certificate, key),
    }


def answered_plainly(connection: socket) -> bool:
    """Answer a client that speaks HTTP to an HTTPS port; return whether it did. Waits for the first byte."""
    if connection.recv(1, MSG_PEEK) == TLS_RECORD:
        return False
    connection.sendall(PLAINLY)
    return True
