"""Run by tests/ports_open.py as another user: probe ports, files and processes, and print each outcome.

Nothing but the standard library, since it runs outside the project's environment.
"""

import http.client
import json
import os
import socket
import ssl
import struct
import sys
from collections.abc import Callable

HOST = "127.0.0.1"
SECONDS = 5
REFUSED = "refused"


def over_http(port: int, path: str) -> str:
    """Request protected data."""
    status = _status(port, "GET", path)
    # TorchServe answers 400 without a token; pages redirect to the sign-in.
    return REFUSED if status in {302, 303, 400, 401, 403} else f"GET {path}: {status}"


def objects(port: int, path: str) -> str:
    """Read, write and delete an object of the store."""
    for method in ("GET", "PUT", "DELETE"):
        status = _status(port, method, path)
        if status != http.client.FORBIDDEN:
            return f"{method} {path}: {status}"
    return REFUSED


def certificate(port: int) -> str:
    """Connect without TLS, then with TLS but without a certificate."""
    try:
        status = _status(port, "GET", "/")
        if status != http.client.BAD_REQUEST:
            return f"plain HTTP: {status}"
    except (OSError, http.client.HTTPException):
        pass
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    try:
        with socket.create_connection((HOST, port), SECONDS) as plain, context.wrap_socket(plain) as secured:
            secured.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = secured.recv(100)
    except ssl.SSLError as err:
        return REFUSED if "CERTIFICATE_REQUIRED" in str(err).upper().replace(" ", "_") else f"TLS: {err}"
    except OSError:
        return REFUSED
    return f"TLS without a certificate: {answer!r}" if answer else REFUSED


def postgres(port: int) -> str:
    """Ask for the administrator's database; the answer must ask for a password."""
    body = struct.pack("!i", 196608) + b"user\0postgres\0database\0postgres\0\0"
    with socket.create_connection((HOST, port), SECONDS) as connection:
        connection.sendall(struct.pack("!i", len(body) + 4) + body)
        answer = connection.recv(1000)
    asks_for_password = answer[:1] == b"R" and struct.unpack("!i", answer[5:9])[0] != 0
    return REFUSED if asks_for_password or answer[:1] == b"E" else f"answered {answer[:40]!r}"


def kafka(port: int) -> str:
    """Ask which topics there are, without signing in."""
    body = struct.pack("!hhi", 3, 0, 1) + struct.pack("!h", 5) + b"knock" + struct.pack("!i", 0)
    with socket.create_connection((HOST, port), SECONDS) as connection:
        connection.sendall(struct.pack("!i", len(body)) + body)
        try:
            answer = connection.recv(1000)
        except OSError:
            return REFUSED
    return f"Kafka's topics: {answer!r}" if answer else REFUSED


def grpc(port: int, method: str) -> str:
    """Call a method of gRPC, by hand: the preface of HTTP/2, settings, headers and an empty message."""

    def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
        return (
            struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload
        )

    def literal(name: str, value: str) -> bytes:
        return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()

    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": method,
        ":authority": "localhost",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    headers = b"".join(literal(name, value) for name, value in fields.items())
    with socket.create_connection((HOST, port), SECONDS) as connection:
        connection.sendall(
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(1, 4, 1, headers)
        )
        connection.sendall(frame(0, 1, 1, b"\0\0\0\0\0"))
        answer = b""
        connection.settimeout(SECONDS)
        try:
            while data := connection.recv(10_000):
                answer += data
                if _ended(answer):
                    break
        except OSError:
            pass
    return f"gRPC {method}: {answer!r}" if _holds_data(answer) else REFUSED


def files(paths: list[str]) -> str:
    """Search for readable or writable files."""
    found = [path for path in paths if os.access(path, os.R_OK) or os.access(path, os.W_OK)]
    return f"opens {found[:3]}" if found else REFUSED


def processes(pids: list[int]) -> str:
    """Try to send each process a signal, which only its own user may."""
    return f"may signal {found}" if (found := [pid for pid in pids if _may_signal(pid)]) else REFUSED


def _may_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _frames(answer: bytes) -> list[tuple[int, int, int]]:
    """Return type, flags and length of each whole frame."""
    found, at = [], 0
    while at + 9 <= len(answer):
        length = int.from_bytes(answer[at : at + 3], "big")
        found.append((answer[at + 3], answer[at + 4], length))
        at += 9 + length
    return found


def _ended(answer: bytes) -> bool:
    return any(kind in {0, 1} and flags & 1 for kind, flags, _ in _frames(answer))


def _holds_data(answer: bytes) -> bool:
    return any(kind == 0 for kind, _, _ in _frames(answer))


def _status(port: int, method: str, path: str) -> int:
    connection = http.client.HTTPConnection(HOST, port, timeout=SECONDS)
    try:
        connection.request(method, path, body=b"knock" if method == "PUT" else None)
        return connection.getresponse().status
    finally:
        connection.close()


WAYS: dict[str, Callable[..., str]] = {
    "http": over_http,
    "objects": objects,
    "certificate": certificate,
    "postgres": postgres,
    "grpc": grpc,
    "kafka": kafka,
    "files": files,
    "processes": processes,
}


def main() -> None:
    """Probe each place of the plan on standard input; print name and outcome as JSON."""
    outcomes = {}
    for name, place, way, *details in json.load(sys.stdin):
        try:
            outcomes[name] = WAYS[way](place, *details)
        except (OSError, http.client.HTTPException) as err:
            outcomes[name] = f"no answer: {type(err).__name__}: {err}"
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main()
