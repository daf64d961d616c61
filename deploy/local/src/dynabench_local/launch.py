"""Start a part: end leftover processes of its previous run, then replace this process by its command.

A killed part may leave children (for example TorchServe's Java and its workers) that occupy its ports. Each process of
a part has a marker in its environment. Processes that still have it when the part starts again are ended. PostgreSQL's
children write their titles over their environment. So processes that run a program in the part's own folder are ended
too: its lock file may only be removed once no process of that server is left.

The plan is a file: secrets stay out of process lists, and nothing needs quoting. Only the standard library is imported,
since every part starts through here.
"""

import json
import os
import pwd
import shutil
import signal
import sys
import time
from pathlib import Path

MARKER = "DYNABENCH_PART"


def main(path: str) -> None:
    """Execute the command of the launch file at `path`."""
    plan = json.loads(Path(path).read_text())
    marker, folder = plan["environment"][MARKER], Path(plan["directory"])
    end_left_over(marker, folder)
    if left_over(marker, folder):
        sys.exit("processes of an earlier start do not end; trying again")
    for name in plan["remove_first"]:
        remove(Path(name))
    os.chdir(plan["directory"])
    if plan.get("user") and os.getuid() == 0:
        user = pwd.getpwnam(plan["user"])
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
    os.umask(0o077)
    os.execvpe(plan["command"][0], plan["command"], plan["environment"])  # noqa: S606


def remove(path: Path) -> None:
    """Remove a file, or empty a folder."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(exist_ok=True)
    else:
        path.unlink(missing_ok=True)


def end_left_over(marker: str, folder: Path, seconds: float = 5.0) -> int:
    """Kill every process whose marker begins with `marker` or whose program lies in `folder`; count them."""
    found = 0
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pids = left_over(marker, folder)
        if not pids:
            break
        found = max(found, len(pids))
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        time.sleep(0.05)
    return found


def left_over(marker: str, folder: Path) -> list[int]:
    """Return the processes whose marker begins with `marker` or whose program lies in `folder`."""
    wanted = f"\0{MARKER}={marker}".encode()
    return [pid for pid in _pids() if wanted in b"\0" + _environment(pid) or _runs_from(pid, folder)]


def _pids() -> list[int]:
    return [
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and int(path.name) != os.getpid()
    ]


def _runs_from(pid: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/exe").readlink().is_relative_to(folder)
    except OSError:
        return False


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    main(sys.argv[1])
