"""Temporary stacks of tests, benchmarks and fault drills, which end with the process that made them.

A killed process can't clean up, so the next one does. Each temporary data folder names its owner. Stacks whose owner
has ended are stopped and removed first.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from dynabench_local import launch
from dynabench_local.layout import Layout, checkout, span, wanted_replicas
from dynabench_local.preflight import free_port_base
from dynabench_local.stack import Say, Stack, silent

PREFIX = "dynabench-test-"
# Variables that a caller removes from its environment, so that no service of a temporary stack reaches another stack.
FOREIGN_SETTINGS = (
    "DATABASE_URL",
    "KAFKA_BOOTSTRAP_SERVERS",
    "S3_ENDPOINT_URL",
    "S3_PUBLIC_ENDPOINT_URL",
    "PUBLIC_URL",
    "PUBLIC_ORIGINS",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
)


@contextlib.contextmanager
def temporary_stack(say: Say = silent) -> Iterator[Stack]:
    """Give a stack on free ports with nothing started; stop it and remove its data at the end.

    It has as many replicas of each service as REPLICAS asks for.
    """
    replicas = wanted_replicas()
    remove_abandoned(Path(tempfile.gettempdir()))
    home = Path(tempfile.mkdtemp(prefix=PREFIX))
    claim(home, psutil.Process())
    stack = Stack(Layout(checkout(), home, free_port_base(span(replicas)), replicas), say)
    try:
        yield stack
    finally:
        stack.destroy()


def claim(home: Path, owner: psutil.Process) -> None:
    """Record the owner of this data folder."""
    (home / "owner").write_text(f"{owner.pid} {owner.create_time()}")


def remove_abandoned(folder: Path) -> None:
    """End and remove the temporary stacks of this user whose owner has ended."""
    for home in folder.glob(f"{PREFIX}*"):
        if home.stat().st_uid == os.getuid() and _is_abandoned(home):
            launch.end_left_over(f"{home}|", home)
            shutil.rmtree(home, ignore_errors=True)


def _is_abandoned(home: Path) -> bool:
    try:
        pid, began = (home / "owner").read_text().split()
        return psutil.Process(int(pid)).create_time() != float(began)
    except psutil.NoSuchProcess:
        return True
    except (OSError, ValueError):
        return False
