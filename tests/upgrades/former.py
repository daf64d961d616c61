"""A former version, installed from its own commit and run by its own commands."""

import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from dynabench_local.layout import checkout
from dynabench_local.temporary import FOREIGN_SETTINGS

from tests.upgrades.versions import Version

CHECKOUTS = checkout() / "build" / "versions"
SERVING = ".venv-serving"
SERVING_STAMP = f"{SERVING}/installed"
SERVING_LOCKS = ("deploy/requirements/torch.txt", "deploy/requirements/serving.txt")
KAFKA_LOCK = "deploy/kafka/jgo.lock.toml"
OF_THIS_MAKE = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "VIRTUAL_ENV", "PYTHONPATH", "REPLICAS"}
"""Variables of `make` or a tool that would change what the former version's `make` does."""
SETTINGS = """
import json, sys
from dynabench_local.layout import from_environment
from dynabench_local.stack import Stack
print(json.dumps(Stack(from_environment()).environment(sys.argv[1])))
"""
Say = Callable[[str], None]


class FormerVersionFailed(Exception):
    """A command of the former version failed; the message ends with its output."""


class FormerPlatform:
    """A platform of a former version over one data folder."""

    def __init__(self, version: Version, home: Path, port_base: int, say: Say) -> None:
        self.folder = CHECKOUTS / version.commit[:12]
        self.commit = version.commit
        self._say = say
        own = {name for name in os.environ if name.startswith("DYNABENCH_")}
        foreign = own | OF_THIS_MAKE | set(FOREIGN_SETTINGS)
        self._environment = {
            **{name: value for name, value in os.environ.items() if name not in foreign},
            "DYNABENCH_HOME": str(home),
            "PORT_BASE": str(port_base),
            "XDG_CONFIG_HOME": str(self.folder / "build" / "configuration"),
        }

    def install(self) -> None:
        """Check the commit's files out and install their dependencies. Raises FormerVersionFailed."""
        self._take_out()
        self._share_serving()
        self._share_kafka()
        self._make("install")

    def _take_out(self) -> None:
        if self.folder.exists():
            return
        archive = subprocess.run(
            ["git", "-C", str(checkout()), "archive", self.commit], capture_output=True, check=True
        ).stdout
        new = self.folder.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(new, filter="tar")
        new.rename(self.folder)

    def _share_serving(self) -> None:
        """Use this checkout's PyTorch and TorchServe if its lock files pin the same."""
        link = self.folder / SERVING
        if self._locks_alike(SERVING_LOCKS) and not link.exists():
            link.symlink_to(checkout() / SERVING)

    def _share_kafka(self) -> None:
        jars = self.folder / "build" / "kafka"
        if self._locks_alike((KAFKA_LOCK,)) and not jars.exists():
            shutil.copytree(checkout() / "build" / "kafka", jars)

    def _locks_alike(self, names: tuple[str, ...]) -> bool:
        return all((self.folder / name).read_bytes() == (checkout() / name).read_bytes() for name in names)

    def up(self) -> None:
        """Start it. Raises FormerVersionFailed."""
        self._make("up", "DETACH=1")

    def down(self) -> None:
        """Stop it; its data stay."""
        self._make("down")

    def run(self, *arguments: str) -> None:
        """Run a script of its own against it. Raises FormerVersionFailed."""
        scripts = self.folder / ".venv" / "bin"
        self._call(str(scripts / "dynabench-local"), "run", str(scripts / "python"), *arguments)

    def settings(self, service: str) -> dict[str, str]:
        """Return the settings that it gives a service of its own."""
        python = str(self.folder / ".venv" / "bin" / "python")
        settings: dict[str, str] = json.loads(self._call(python, "-c", SETTINGS, service))
        return settings

    def start_http(self, service: str, settings: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
        """Start its HTTP process of a service with these settings."""
        command = [str(self.folder / ".venv" / "bin" / service), "http"]
        environment = {**self._environment, **settings}
        with log.open("wb") as file:
            return subprocess.Popen(command, env=environment, cwd=log.parent, stdout=file, stderr=file)

    def _make(self, *arguments: str) -> None:
        # Linked files belong to this checkout: a former version never rebuilds them, whatever their time stamp.
        kept = ("-o", SERVING_STAMP) if (self.folder / SERVING).is_symlink() else ()
        self._call("make", *kept, *arguments)

    def _call(self, *command: str) -> str:
        keywords: dict[str, Any] = {"cwd": self.folder, "env": self._environment, "text": True}
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **keywords
        )
        if done.returncode != 0:
            raise FormerVersionFailed(
                f"{' '.join(command[-3:])} of {self.commit[:12]}: {done.stdout[-2000:]}"
            )
        return str(done.stdout)
