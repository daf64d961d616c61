"""Checks of this machine's disk for data or work."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dynabench_operate.doctor.finding import Finding, failed, ok, warning
from dynabench_operate.stores import Stores

GIB = 2**30
LEAST_GIB, FEW_GIB = 2, 10
LEAST_WORK_BYTES = 16 * 2**20
REMEDY = "Free some, or give the file system more: a store without room stops taking anything in."


def findings(stores: Stores) -> Iterator[Finding]:
    """Yield the findings on the disk: of the data folder on one machine, else of the working folder."""
    if stores.home is not None:
        yield of_data(stores.home)
        return
    work = Path(tempfile.gettempdir())
    free = shutil.disk_usage(work).free
    check, found = f"disk {work}", f"{free / 2**20:.0f} MiB free, for temporary files"
    yield ok(check, found) if free >= LEAST_WORK_BYTES else failed(check, found, REMEDY)


def of_data(home: Path) -> Finding:
    """Return the finding on the data folder's free space."""
    free = shutil.disk_usage(home).free / GIB
    check, found = f"disk {home}", f"{free:.1f} GiB free"
    if free < LEAST_GIB:
        return failed(check, f"{found}, {LEAST_GIB} are needed", REMEDY)
    return ok(check, found) if free >= FEW_GIB else warning(check, found, REMEDY)
