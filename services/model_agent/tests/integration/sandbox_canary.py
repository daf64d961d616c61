"""A handler that tries to get out: it is put into an archive, and asked what it reached.

A request's first text is a plan as JSON: `do` names what to try, the other members say where. Run outside any
sandbox the same code reaches a lot, which the test checks first: a canary that can't sing proves nothing.
"""

import ctypes
import json
import os
import resource
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

DIGESTS = {"model_digest": "sha256:canary", "handler_digest": "sha256:canary"}
# Seizing does not stop its target, which outside the sandbox would be the tests.
PTRACE_SEIZE, NEW_USER, NEW_MOUNTS = 0x4206, 0x10000000, 0x00020000
# Numbers of x86-64: keyctl's family, bpf, perf_event_open, userfaultfd, io_uring_setup, open_by_handle_at.
ODD_CALLS = {248: "add_key", 321: "bpf", 298: "perf", 323: "userfaultfd", 425: "io_uring", 304: "handles"}
SHORT_SECONDS = 1.0
HIDDEN: list[str] = []
HELD: list[Any] = []


def handle(data: Any, context: Any) -> Any:
    if data is None:
        return None
    return [{"predictions": [answer(one) for one in row["body"]["instances"]], **DIGESTS} for row in data]


def answer(instance: dict[str, str]) -> dict[str, Any]:
    try:
        plan = json.loads(instance["text"])
    except ValueError:
        return {"label": "yes"}
    return {"label": "yes", "reached": DEEDS[plan["do"]](plan)}


def look(plan: dict[str, Any]) -> list[str]:
    """Return what of the plan's things could be reached, by looking at them all."""
    looks = (secrets, files, doors, families, written, processes, calls, descriptors)
    return [found for one in looks for found in one(plan)]


def secrets(plan: dict[str, Any]) -> Iterator[str]:
    for name, value in os.environ.items():
        if plan["secret"] in value:
            yield f"environment {name}"
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if plan["secret"].encode() in path.read_bytes():
                yield f"environment in {path}"


def files(plan: dict[str, Any]) -> Iterator[str]:
    for name in plan["files"]:
        for root in ("", "/proc/1/root", "/proc/1/cwd/../../../../../..", f"/proc/{os.getppid()}/root"):
            with suppress(OSError):
                Path(root + name).stat()
                yield f"file {root}{name}"


def doors(plan: dict[str, Any]) -> Iterator[str]:
    for host, port in [*((host, port) for port in plan["ports"] for host in plan["hosts"]), *plan["outside"]]:
        with suppress(OSError):
            socket.create_connection((host, port), SHORT_SECONDS).close()
            yield f"{host} port {port}"
    for path in plan["sockets"]:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as door:
            door.connect(path.replace("@", "\0", 1) if path.startswith("@") else path)
            yield f"socket {path}"
    with suppress(OSError):
        socket.getaddrinfo("example.com", 443)
        yield "names of the internet"


def families(plan: dict[str, Any]) -> Iterator[str]:
    """A vsock reaches the host whatever the network, a raw socket reads along, netlink asks the kernel."""
    for name, kind in (
        ("AF_VSOCK", socket.SOCK_STREAM),
        ("AF_PACKET", socket.SOCK_RAW),
        ("AF_NETLINK", socket.SOCK_RAW),
    ):
        with suppress(OSError):
            socket.socket(getattr(socket, name), kind).close()
            yield f"sockets of {name}"


def written(plan: dict[str, Any]) -> Iterator[str]:
    places = [
        "/",
        "/usr",
        "/etc",
        "/store",
        "/settings",
        "/java",
        "/dev",
        "/proc/sys/kernel",
        "/root",
        *plan["folders"],
    ]
    for place in places:
        with suppress(OSError):
            path = Path(place, "canary-was-here")
            path.write_text("canary")
            path.unlink()
            yield f"writing in {place}"
    for name in (
        "/proc/sys/kernel/hostname",
        "/proc/sysrq-trigger",
        "/store/model.mar",
        "/settings/init.py",
    ):
        with suppress(OSError):
            os.close(os.open(name, os.O_WRONLY))
            yield f"writing to {name}"


def processes(plan: dict[str, Any]) -> Iterator[str]:
    with suppress(OSError):
        os.kill(plan["process"], 0)
        yield "a signal to the tests"
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"pytest" in path.read_bytes():
                yield f"a look at the tests as {path}"


def calls(plan: dict[str, Any]) -> Iterator[str]:
    kernel = ctypes.CDLL(None, use_errno=True)
    kernel.syscall.restype = ctypes.c_long
    parent = os.getppid()
    if kernel.ptrace(PTRACE_SEIZE, parent, None, None) == 0:
        yield "ptrace"
    for name, flags in (("users", NEW_USER), ("mounts", NEW_MOUNTS)):
        child = os.fork()
        if child == 0:
            os._exit(0 if kernel.unshare(flags) == 0 else 1)
        if os.waitpid(child, 0)[1] == 0:
            yield f"a namespace of {name}"
    place = tempfile.mkdtemp().encode()
    if kernel.mount(b"none", place, b"tmpfs", 0, None) == 0:
        kernel.umount(place)
        yield "mount"
    for number, name in ODD_CALLS.items():
        kernel.syscall(number, 0, 0, 0, 0, 0)
        if ctypes.get_errno() != 1:
            yield f"the call {name}"
    with suppress(OSError):
        resource.prlimit(parent, resource.RLIMIT_NOFILE)
        yield "limits of another process"
    with suppress(OSError):
        os.setuid(0)
        yield "another user"


def descriptors(plan: dict[str, Any]) -> Iterator[str]:
    """An open folder of the host would be a way out."""
    for path in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            leads_to = str(path.readlink())
            if path.is_dir() and not leads_to.startswith("/proc"):
                yield f"the folder {leads_to} as {path}"
            if any(name in leads_to for name in plan["folders"]):
                yield f"{leads_to} as {path}"


def hide(plan: dict[str, Any]) -> list[str]:
    """Leave a thread behind that goes on looking when the request is over."""

    def go_on() -> None:
        while True:
            HIDDEN.extend(look(plan))
            HIDDEN.append("")
            time.sleep(0.1)

    threading.Thread(target=go_on, daemon=True).start()
    return []


def tell(plan: dict[str, Any]) -> list[str]:
    """Return what the hidden thread reached, and `rounds` as soon as it has gone round once."""
    return [*(each for each in HIDDEN if each), *(["rounds"] if HIDDEN else [])]


def fork(plan: dict[str, Any]) -> list[str]:
    while True:
        with suppress(OSError):
            os.fork()


def hog(plan: dict[str, Any]) -> list[str]:
    while True:
        HELD.append(bytearray(os.urandom(1 << 20) * 64))


def fill(plan: dict[str, Any]) -> list[str]:
    """Fill every writable place, and return those that took as much as `most`, in bytes."""
    reached = []
    for place in ("/tmp", "/dev/shm"):
        taken, number = 0, 0
        with suppress(OSError):
            while taken < plan["most"]:
                with Path(place, f"fill-{number}").open("wb", buffering=0) as target:
                    taken += target.write(bytes(1 << 20))
                number += 1
        if taken >= plan["most"]:
            reached.append(f"{taken} bytes in {place}")
        for path in Path(place).glob("fill-*"):
            path.unlink()
    return reached


def flood(plan: dict[str, Any]) -> list[str]:
    """Print as much, in bytes."""
    for _ in range(plan["most"] >> 16):
        print("x" * 65_535)  # noqa: T201
    return []


def kill(plan: dict[str, Any]) -> list[str]:
    os.kill(-1, 9)
    return []


def swell(plan: dict[str, Any]) -> list[str]:
    """Answer with far more than an answer may have."""
    return ["x" * 100_000_000]


DEEDS = {deed.__name__: deed for deed in (look, hide, tell, fork, hog, fill, flood, kill, swell)}
