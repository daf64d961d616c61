"""Command line of bubblewrap: the files that a sandbox sees, which are all that it can reach.

Nothing of the host is writable inside; writable files are in memory and count there. If run as root there are two
stages. The first, still root, puts the visible files where everybody may read them. So the second can run as a user who
owns nothing and could not enter the folders on the way there. No descriptor of a folder is passed on, since one would
be a way out.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from model_agent.sandbox.control_groups import ControlGroup
from model_agent.sandbox.limits import SandboxLimits

TEMPORARY = "/tmp"  # noqa: S108 (inside, where it is the sandbox's own)
# Joins the groups, still as the present user, and executes the following program.
JOIN = 'for entrance in $0; do echo 0 > "$entrance" || exit 125; done; unset IFS; exec "$@"'
USER_INSIDE = "1000"
SHARED_MEMORY_BYTES = 16 << 20
LINKS = ("bin", "lib", "lib64", "sbin")


@dataclass(frozen=True)
class Interpreter:
    """The serving environment's Python, and the folders that it needs at their own places."""

    executable: Path
    folders: tuple[Path, ...]


@dataclass
class Enclosure:
    """Isolation of one sandbox. `user_id` None: it runs as the user of this process."""

    bubblewrap: str
    limits: SandboxLimits
    user_id: int | None
    shown: list[tuple[str, str]] = field(default_factory=lambda: [("/usr", "/usr")])

    def show(self, source: Path, inside: str | None = None) -> None:
        """Let it see a file or folder, to be read only, at its own place or another."""
        self.shown.append((str(source), inside or str(source)))

    def command(
        self,
        program: Sequence[str],
        environment: Mapping[str, str],
        group: ControlGroup,
        filter_descriptor: int | None = None,
    ) -> list[str]:
        """Return the command line that runs a program isolated in the group."""
        entrances = "\n".join(map(str, group.entrances))
        shown = (
            self.shown if self.user_id is None else [(_stage(i), to) for i, (_, to) in enumerate(self.shown)]
        )
        settings = [part for name, value in environment.items() for part in ("--setenv", name, value)]
        filtered = [] if filter_descriptor is None else ["--seccomp", str(filter_descriptor)]
        isolation = [*_isolation_arguments(self.limits, shown), *settings, *filtered]
        return [
            "/bin/sh",
            "-c",
            f"IFS='\n'; {JOIN}",
            entrances,
            *self._staging(),
            self.bubblewrap,
            *isolation,
            "--",
            *program,
        ]

    def _staging(self) -> list[str]:
        if self.user_id is None:
            return []
        stage = [self.bubblewrap, "--dev-bind", "/", "/", "--die-with-parent", "--tmpfs", TEMPORARY]
        for position, (source, _) in enumerate(self.shown):
            stage += ["--ro-bind", source, _stage(position)]
        user = str(self.user_id)
        return [*stage, "--", "setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--"]


def _stage(position: int) -> str:
    return f"{TEMPORARY}/{position}"


def _isolation_arguments(limits: SandboxLimits, shown: Sequence[tuple[str, str]]) -> list[str]:
    links = [
        part
        for name in LINKS
        if Path("/", name).exists()
        for part in ("--symlink", f"usr/{name}", f"/{name}")
    ]
    binds = [part for source, inside in shown for part in ("--ro-bind", source, inside)]
    return [
        *("--unshare-user", "--disable-userns", "--unshare-all", "--die-with-parent", "--new-session"),
        *(
            "--uid",
            USER_INSIDE,
            "--gid",
            USER_INSIDE,
            "--hostname",
            "sandbox",
            "--cap-drop",
            "ALL",
            "--clearenv",
        ),
        *links,
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
        *("--size", str(limits.disk_bytes), "--tmpfs", TEMPORARY),
        *binds,
        *("--remount-ro", "/", "--chdir", TEMPORARY),
    ]


def own_user_id(first: int, position: int) -> int | None:
    """Return the user id of the sandbox at a position; None where this process can't become another user."""
    return first + position if os.geteuid() == 0 else None
