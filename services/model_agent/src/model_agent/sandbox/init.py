"""First program inside a sandbox: starts TorchServe, and forwards connections from two sockets or ports to it.

Behind bubblewrap the two sockets listen outside, where nothing in the sandbox can write. So a client reaches this
sandbox and nothing else. The standard input is a lifeline: when the process that started the sandbox ends, it closes.
Then everything in the sandbox ends too.

In a pod there are two ports instead. A third port takes one connection, from a caller that knows the key. Over it the
archive arrives, once a probe has found that no outside address can be reached. From then on that connection is the
lifeline. The probe is repeated while the pod lives. This program installs the filter of system calls before any code of
the archive runs. It forwards the output no faster than the node's logs are rotated.

Run by the serving environment's Python; it uses the standard library only.
"""

import base64
import ctypes
import errno
import hmac
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

CHUNK_BYTES = 65_536
CONNECTIONS = 32
CONNECT_SECONDS = 5.0
CALLER_SECONDS = 300.0
TRY_SECONDS, BETWEEN_TRIES_SECONDS, AGAIN_SECONDS = 2.0, 1.0, 15.0
SHUT_ROUNDS = 2
OPEN = 3
"""Exit status of this program when the network is open."""
KUBELET = 10250
FREELY_PRINTED_BYTES, PAUSE_SECONDS, LAST_WORDS_SECONDS = 4 << 20, 0.1, 2.0
LONGEST_LINE = 200
NO_NEW_PRIVILEGES, NOT_DUMPABLE, SET_FILTER, FILTER = 38, 4, 22, 2
STEP_BYTES = 8
MEASURED = re.compile(r"^(VmHWM|Threads):\s+(\d+)", re.MULTILINE)
KILLED = re.compile(r"^oom_kill (\d+)", re.MULTILINE)
KILLED_IN = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


def main(settings: dict[str, Any]) -> int:
    """Run until TorchServe ends; return its exit status."""
    own = {
        0,
        1,
        2,
        *(endpoint["descriptor"] for endpoint in settings["endpoints"] if "descriptor" in endpoint),
    }
    for descriptor in {int(name) for name in os.listdir("/proc/self/fd")} - own:  # noqa: PTH208
        with suppress(OSError):
            os.close(descriptor)
    for name, value in settings["bounds"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    for folder in settings["folders"]:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    listeners = [(listening(endpoint), endpoint["socket"]) for endpoint in settings["endpoints"]]
    pod = settings.get("pod")
    if pod is None:
        threading.Thread(target=end_with_starter, daemon=True).start()
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one signal that process 1 would heed
        lifeline = receive(pod)
        confine(pod["filter"])
        threading.Thread(target=answer, args=(lifeline,), daemon=True).start()
        threading.Thread(target=keep_trying, args=(pod["forbidden"],), daemon=True).start()
    for listener, path in listeners:
        threading.Thread(target=accept, args=(listener, path), daemon=True).start()
    started = subprocess.Popen(
        settings["command"],
        cwd=settings["folders"][0],
        stdin=subprocess.DEVNULL,
        stdout=None if pod is None else subprocess.PIPE,
        stderr=None if pod is None else subprocess.STDOUT,
        env=settings.get("environment"),
    )
    if started.stdout is None:
        return wait_for(started.pid)
    ended = threading.Event()
    printing = threading.Thread(target=pass_on, args=(started.stdout.fileno(), ended), daemon=True)
    printing.start()
    status = wait_for(started.pid)
    ended.set()
    printing.join(LAST_WORDS_SECONDS)
    return min(status, 1)  # how the archive ends must not look like OPEN


def listening(endpoint: dict[str, Any]) -> socket.socket:
    """Return the listening socket of an interface."""
    if "descriptor" in endpoint:
        return socket.socket(fileno=endpoint["descriptor"])
    return server(endpoint["port"])


def server(port: int) -> socket.socket:
    """Return a socket that listens at a port of every address there is."""
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=64)
    return socket.create_server(("", port), backlog=64)


def pass_on(source: int, ended: threading.Event) -> None:
    """Pass on the program's output; after the first megabytes at a limited rate, so that the program must wait."""
    printed = 0
    while data := os.read(source, CHUNK_BYTES):
        printed += len(data)
        os.write(1, data)
        if printed > FREELY_PRINTED_BYTES:
            ended.wait(PAUSE_SECONDS)


def wait_for(process: int) -> int:
    """Wait for the end of a process, and of every other that is left to the first of a pod."""
    while True:
        ended, status = os.wait()
        if ended == process:
            return os.waitstatus_to_exitcode(status)


def end_with_starter() -> None:
    """Wait for the end of the lifeline, and end: the first program's end is the end of all others in here."""
    while os.read(0, CHUNK_BYTES):
        pass
    os._exit(1)


def receive(pod: dict[str, Any]) -> socket.socket:
    """Write the files, receive the archive from a caller with the key, and return the caller's connection."""
    for path, text in pod["files"].items():
        Path(path).write_text(text, encoding="utf-8")
    with server(pod["port"]) as listener:
        listener.settimeout(CALLER_SECONDS)  # a pod that nobody knows of ends
        while True:
            caller, _ = listener.accept()
            caller.settimeout(CONNECT_SECONDS)
            try:
                if hmac.compare_digest(line_from(caller), pod["key"].encode()):
                    break
            except OSError:
                pass
            caller.close()
    for option, value in ((socket.TCP_KEEPIDLE, 10), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 3)):
        caller.setsockopt(socket.IPPROTO_TCP, option, value)
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    caller.settimeout(None)
    pod["forbidden"] += [[host, KUBELET] for host in (os.environ.get("HOST_IP"),) if host]
    reached = reached_in_spite(pod["forbidden"], pod["shut_seconds"])
    say(caller, {"reached": reached})
    if reached:
        sys.exit("the network is open")
    missing = int(line_from(caller))
    with Path(pod["archive"]).open("wb") as target:
        while missing:
            data = caller.recv(min(CHUNK_BYTES, missing))
            if not data:
                sys.exit("the archive did not come whole")
            target.write(data)
            missing -= len(data)
    return caller


def reached_in_spite(forbidden: list[list[Any]], seconds: float) -> list[str]:
    """Return the forbidden addresses that can be reached; none after some consecutive rounds without a connection.

    The enforcement of network policies may need a moment.
    """
    until = time.monotonic() + seconds
    shut = 0
    while True:
        reached = reached_of(forbidden)
        shut = 0 if reached else shut + 1
        if shut == SHUT_ROUNDS or (reached and time.monotonic() > until):
            return reached
        time.sleep(BETWEEN_TRIES_SECONDS)


def reached_of(forbidden: list[list[Any]]) -> list[str]:
    """Try every address at once, and return those that let us in."""
    reached = []

    def probe(host: str, port: int) -> None:
        try:
            socket.create_connection((host, port), TRY_SECONDS).close()
            reached.append(f"{host} port {port}")
        except OSError as err:
            if err.errno in (errno.EMFILE, errno.ENFILE):
                os._exit(1)

    threads = [threading.Thread(target=probe, args=each) for each in forbidden]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return reached


def keep_trying(forbidden: list[list[Any]]) -> None:
    """Try again and again, and end everything as soon as something is reached, or nothing can be tried any more."""
    while True:
        time.sleep(AGAIN_SECONDS)
        try:
            reached = reached_of(forbidden)
        except RuntimeError:  # no thread can be started: the archive has started as many as may be
            os._exit(1)
        if reached:
            os.write(2, f"the network is open: {', '.join(reached)}\n".encode())
            os._exit(OPEN)


def confine(program: str) -> None:
    """Filter system calls from here on, and let nobody look into this process. Raises OSError."""
    kernel = ctypes.CDLL(None, use_errno=True)
    steps = base64.b64decode(program)
    text = ctypes.create_string_buffer(steps, len(steps))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    whole = Program(len(steps) // STEP_BYTES, ctypes.addressof(text))
    for option, *values in (
        (NO_NEW_PRIVILEGES, 1, 0),
        (SET_FILTER, FILTER, ctypes.addressof(whole)),
        (NOT_DUMPABLE, 0, 0),
    ):
        if kernel.prctl(option, *map(ctypes.c_ulong, (*values, 0, 0))) != 0:
            raise OSError(ctypes.get_errno(), "the filter of system calls can't be put up")


def answer(lifeline: socket.socket) -> None:
    """Answer each line with measurements of this sandbox, until the lifeline ends, and everything with it."""
    try:
        while line_from(lifeline) == b"?":
            say(lifeline, {**processes(), "kills": kills()})
    finally:
        os._exit(1)


def processes() -> dict[str, int]:
    """Return the most bytes that one process in here had at once, this one left out, and how many threads there are."""
    peak = tasks = 0
    for path in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            found = dict(MEASURED.findall(path.read_text(errors="replace")))
            tasks += int(found["Threads"])
            if path.parent.name != str(os.getpid()):
                peak = max(peak, int(found.get("VmHWM", 0)) << 10)
    return {"peak_bytes": peak, "tasks": tasks}


def kills() -> int:
    """Return how many processes the kernel ended for lack of memory."""
    for name in KILLED_IN:
        with suppress(OSError):
            found = KILLED.search(Path(name).read_text())
            return int(found[1]) if found else 0
    return 0


def line_from(connection: socket.socket) -> bytes:
    """Return the next line. Raises OSError where there is none."""
    line = b""
    while len(line) <= LONGEST_LINE:
        one = connection.recv(1)
        if one == b"\n":
            return line
        if not one:
            break
        line += one
    raise OSError("no line came")


def say(connection: socket.socket, what: dict[str, Any]) -> None:
    """Send an object as a line."""
    connection.sendall(json.dumps(what).encode() + b"\n")


def accept(listener: socket.socket, path: str) -> None:
    """Pass connections on, a limited number at a time."""
    places = threading.BoundedSemaphore(CONNECTIONS)
    while True:
        places.acquire()
        outer, _ = listener.accept()
        try:
            threading.Thread(target=connect, args=(outer, path, places), daemon=True).start()
        except RuntimeError:  # the archive has started as many processes as may be
            outer.close()
            places.release()


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
    except (OSError, RuntimeError):
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
