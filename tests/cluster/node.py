"""A Kubernetes of one node in its own namespaces; it always ends with the process that started it."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.cluster.configuration import (
    API_PORT,
    CGROUP,
    HOST,
    NODE,
    PAUSE_IMAGE,
    ROUTES,
    Places,
    command_lines,
    write_all,
)
from tests.cluster.missing import ALONE, Missing, plugin_folder
from tests.cluster.programs import cache

INSIDE = Path(__file__).with_name("inside.py")
PATIENCE_SECONDS = 90
LOG_LINES = 6
CGROUPS = Path("/sys/fs/cgroup")
LISTENS = {"etcd": ("127.0.0.1", 2379), "kube-apiserver": (NODE, API_PORT)}
PROCESSOR_SHARES = {"cpu.shares": "16384", "cpu.weight": "1600"}
"""A group has, by default, the share of one process outside it; here forty processes are in one."""
KERNEL_SETTINGS = ("vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops", "vm/panic_on_oom")
"""Settings that a kubelet changes for the whole machine and that are restored afterwards."""


class Node:
    """The running node."""

    def __init__(self, places: Places, process: "subprocess.Popen[bytes]") -> None:
        self.places = places
        self._process = process

    def kubectl(self, *arguments: str, given: str | None = None, check: bool = True) -> str:
        """Run kubectl as the administrator; return its output. Raises CalledProcessError with its errors."""
        return self._tool("kubectl", arguments, given, check)

    def helm(self, *arguments: str, check: bool = True) -> str:
        """Run Helm as the administrator; return its output. Raises CalledProcessError."""
        return self._tool("helm", arguments, None, check)

    def _tool(self, name: str, arguments: tuple[str, ...], given: str | None, check: bool) -> str:
        result = subprocess.run(
            [self.places.programs / name, *arguments],
            env=self.environment,
            input=given,
            text=True,
            capture_output=True,
            check=False,
        )
        if check and result.returncode != 0:
            print(f"{name} {' '.join(arguments)}: {(result.stderr or result.stdout)[-3000:]}", flush=True)
            result.check_returncode()
        return result.stdout + ("" if check else result.stderr)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of Helm and kubectl."""
        own = self.places.state / "helm"
        folders = {f"HELM_{name}_HOME": str(own / name.lower()) for name in ("CACHE", "CONFIG", "DATA")}
        return {**os.environ, **folders, "KUBECONFIG": str(self.places.kubeconfig)}

    def inside(self, *command: str) -> list[str]:
        """Return the command as one that runs within the cluster's namespaces."""
        return ["nsenter", f"--target={self._first_process()}", "--net", "--mount", "--pid", *command]

    def _first_process(self) -> int:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return int(children[0])

    def take_in_images(self, docker: str, images: list[str]) -> None:
        """Copy images from the Docker engine, as one stream, so that layers they share go once."""
        saved = subprocess.Popen([docker, "save", *images], stdout=subprocess.PIPE)
        self._import(saved)

    def take_in_pause(self) -> None:
        """Make an image of the pause program."""
        script = Path(__file__).with_name("pause_image.py")
        packed = [sys.executable, "-P", str(script), str(self.places.programs / "pause"), PAUSE_IMAGE]
        self._import(subprocess.Popen(packed, stdout=subprocess.PIPE))

    def _import(self, stream: "subprocess.Popen[bytes]") -> None:
        command = self.inside("ctr", "-n", "k8s.io", "images", "import", "--all-platforms", "-")
        subprocess.run(command, stdin=stream.stdout, stdout=subprocess.DEVNULL, check=True)
        if stream.wait() != 0:
            raise subprocess.CalledProcessError(stream.returncode, stream.args)

    def tagged(self, image: str, other: str) -> None:
        """Give an image a second name."""
        command = ("ctr", "-n", "k8s.io", "images", "tag", f"docker.io/{image}", f"docker.io/{other}")
        subprocess.run(self.inside(*command), stdout=subprocess.DEVNULL, check=True)

    def wait_until_ready(self) -> float:
        """Wait for the node; return the seconds. Raises TimeoutError."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            if self._process.poll() is not None:
                raise TimeoutError(f"the node ended at its start; its logs: {self.places.state / 'logs'}")
            with suppress(subprocess.CalledProcessError):
                output = self.kubectl("get", "nodes", "--no-headers", check=False)
                if " Ready " in output:
                    return time.monotonic() - began
            time.sleep(0.5)
        raise TimeoutError(
            f"the node is not ready after {PATIENCE_SECONDS} s; its logs: {self.places.state / 'logs'}"
        )


@contextmanager
def running(programs: Path) -> Iterator[Node]:
    """Start a node; at the end only the programs are left. Raises Missing, TimeoutError."""
    plugins = plugin_folder()
    if plugins is None:
        raise Missing("the plugins of the network")
    state = cache() / "state"
    with _alone(cache() / "lock"):
        clear(state)
        state.mkdir(parents=True)
        places = Places(programs, plugins, state)
        (state / "kernel.json").write_text(json.dumps(_kernel_settings()))
        try:
            yield from _started(places)
        finally:
            clear(state)


def _started(places: Places) -> Iterator[Node]:
    write_all(places)
    _make_cgroup()
    plan = places.state / "plan.json"
    commands = [f"ip address add {NODE}/30 dev into-cluster", f"ip route add default via {HOST}"]
    document = {
        "commands": commands,
        "programs": command_lines(places),
        "listens": LISTENS,
        "logs": str(places.state / "logs"),
    }
    plan.write_text(json.dumps(document))
    command = [
        "setpriv",
        "--pdeathsig",
        "KILL",
        *ALONE,
        "--kill-child",
        sys.executable,
        str(INSIDE),
        str(plan),
    ]
    with (places.state / "logs" / "inside.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
    node = Node(places, process)
    try:
        _connect(process, node)
        yield node
    except BaseException:
        _print_logs(places.state / "logs")
        raise
    finally:
        process.kill()
        process.wait()


def _print_logs(folder: Path) -> None:
    for path in sorted(folder.glob("*.log")):
        lines = path.read_text(errors="replace").splitlines()[-LOG_LINES:]
        print(f"--- {path.name}", *lines, sep="\n", flush=True)


def _connect(process: "subprocess.Popen[bytes]", node: Node) -> None:
    """Lead a pair of devices into the cluster, then let it start."""
    began = time.monotonic()
    while not Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        if process.poll() is not None or time.monotonic() - began > PATIENCE_SECONDS:
            raise TimeoutError("no namespaces were made")
        time.sleep(0.02)
    first = node.inside()[1].partition("=")[2]
    lines = [
        f"ip link add name to-cluster type veth peer name into-cluster netns {first}",
        f"ip address add {HOST}/30 dev to-cluster",
        "ip link set to-cluster up",
        *(f"ip route add {route} via {NODE}" for route in ROUTES),
    ]
    for line in lines:
        subprocess.run(line.split(), check=True)
    if process.stdin is not None:
        process.stdin.write(b"go\n")
        process.stdin.flush()


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold the lock of clusters on this machine, once no other one runs."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("another cluster runs on this machine: waiting until it ends", flush=True)
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def clear(state: Path) -> None:
    """Remove what a cluster left: its device, its control groups, its state; set the kernel back."""
    subprocess.run(["ip", "link", "delete", "to-cluster"], capture_output=True, check=False)
    _remove_cgroups()
    with suppress(FileNotFoundError):
        for name, value in json.loads((state / "kernel.json").read_text()).items():
            Path("/proc/sys", name).write_text(value)
    shutil.rmtree(state, ignore_errors=True)


def _kernel_settings() -> dict[str, str]:
    return {name: Path("/proc/sys", name).read_text().strip() for name in KERNEL_SETTINGS}


def _controllers() -> list[Path]:
    """Return the roots of the control groups: one of version 2, or one for each controller of version 1."""
    if (CGROUPS / "cgroup.controllers").exists():
        return [CGROUPS]
    return [path for path in CGROUPS.iterdir() if path.is_dir()]


def _make_cgroup() -> None:
    for root in _controllers():
        group = root / CGROUP.strip("/")
        group.mkdir(exist_ok=True)
        for name in ("cpuset.cpus", "cpuset.mems"):
            if (root / name).exists() and not (group / name).read_text().strip():
                (group / name).write_text((root / name).read_text())
        for name, share in PROCESSOR_SHARES.items():
            if (group / name).exists():
                (group / name).write_text(share)


def _remove_cgroups() -> None:
    """Processes that were killed leave their groups within moments."""
    for root in _controllers():
        group = root / CGROUP.strip("/")
        for _ in range(50):
            if not group.exists():
                break
            for folder, _folders, _files in os.walk(group, topdown=False):
                with suppress(OSError):
                    Path(folder).rmdir()
            if group.exists():
                time.sleep(0.1)
