"""Requirements of a Kubernetes of one node, and those that this machine lacks."""

import os
import platform
import shutil
import subprocess
from pathlib import Path

PROGRAMS = {
    "containerd": "containerd",
    "ctr": "containerd",
    "runc": "runc",
    "iptables": "iptables",
    "ip": "iproute2",
    "unshare": "util-linux",
    "setpriv": "util-linux",
}
PLUGIN_FOLDERS = (Path("/usr/lib/cni"), Path("/opt/cni/bin"))
PLUGINS = ("ptp", "host-local", "portmap", "loopback")
KERNEL = (
    ("namespaces of network, mounts and processes", "true"),
    ("veth devices", "ip link add name probe0 type veth peer name probe1"),
    (
        "NAT by iptables",
        "iptables -t nat -A OUTPUT -p tcp -m statistic --mode random --probability 0.5 -j REDIRECT --to-ports 1",
    ),
    ("connection tracking", "iptables -A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT"),
)
ALONE = ("unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc")


class Missing(Exception):
    """The cluster can't run here; the message says what is missing."""


def plugin_folder() -> Path | None:
    """Return where the network plugins are."""
    return next((each for each in PLUGIN_FOLDERS if all((each / name).exists() for name in PLUGINS)), None)


def lacks() -> list[str]:
    """Return what is missing here, each with a remedy."""
    if platform.system() != "Linux":
        return ["Linux"]
    if os.getuid() != 0:
        return ["root: namespaces and containers of its own need it"]
    packages = sorted({package for name, package in PROGRAMS.items() if shutil.which(name) is None})
    packages += [] if plugin_folder() else ["containernetworking-plugins"]
    if packages:
        return [f"programs: apt-get install --no-install-recommends {' '.join(packages)}"]
    return [f"a feature of the kernel: {what}" for what, script in KERNEL if not _works(script)]


def _works(script: str) -> bool:
    return subprocess.run([*ALONE, "sh", "-c", script], capture_output=True, check=False).returncode == 0
