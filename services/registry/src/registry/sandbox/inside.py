"""The first program inside a sandbox: starts TorchServe, and passes its two doors on to it.

The doors are sockets that listen outside, where nothing in here can write, so that whoever connects to them reaches
this sandbox and nothing else. The standard input is a lifeline: it ends with whoever started the sandbox, and then
everything in here ends too. Run by the serving environment's Python; it uses the standard library only.
"""

import json
import os
import resource
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

CHUNK_BYTES = 65_536
CONNECTIONS = 32
CONNECT_SECONDS = 5.0


def main(settings: dict[str, Any]) -> int:
    """Run until TorchServe ends; return its exit status."""
    own = {0, 1, 2, *(door["descriptor"] for door in settings["doors"])}
    for descriptor in {int(name) for name in os.listdir("/proc/self/fd")} - own:  # noqa: PTH208
        with suppress(OSError):
            os.close(descriptor)
    for name, value in settings["bounds"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    for folder in settings["folders"]:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    for door in settings["doors"]:
        listener = socket.socket(fileno=door["descriptor"])
        threading.Thread(target=accept, args=(listener, door["socket"]), daemon=True).start()
    threading.Thread(target=end_with_starter, daemon=True).start()
    return subprocess.call(settings["command"], cwd=settings["folders"][0], stdin=subprocess.DEVNULL)


def end_with_starter() -> None:
    """Wait for the end of the lifeline, and end: the first program's end is the end of all others in here."""
    while os.read(0, CHUNK_BYTES):
        pass
    os._exit(1)


def accept(listener: socket.socket, path: str) -> None:
    """Pass connections on, a limited number at a time."""
    places = threading.BoundedSemaphore(CONNECTIONS)
    while True:
        places.acquire()
        outer, _ = listener.accept()
        threading.Thread(target=connect, args=(outer, path, places), daemon=True).start()


def connect(outer: socket.socket, path: str, places: threading.BoundedSemaphore) -> None:
    """Carry one connection's bytes both ways until both sides have ended."""
    try:
        with outer, socket.socket(socket.AF_UNIX) as inner:
            inner.settimeout(CONNECT_SECONDS)
            inner.connect(path)
            inner.settimeout(None)
            back = threading.Thread(target=carry, args=(inner, outer), daemon=True)
            back.start()
            carry(outer, inner)
            back.join()
    except OSError:
        pass  # whoever asked sees the connection closed
    finally:
        places.release()


def carry(source: socket.socket, target: socket.socket) -> None:
    """Carry bytes one way until their end, and pass that on."""
    with suppress(OSError):
        while data := source.recv(CHUNK_BYTES):
            target.sendall(data)
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        with suppress(OSError):
            end.shutdown(how)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
