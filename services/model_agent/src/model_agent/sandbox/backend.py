"""Interface of an isolation method to `Sandboxes`: processes of one machine, or pods."""

from collections.abc import Callable, Sequence
from typing import Protocol

from dynabench_archives.model_servers import Archive

from model_agent.sandbox.client import Place
from model_agent.sandbox.limits import SandboxLimits

INFERENCE, MANAGEMENT = "inference", "management"


class Obstacle(OSError):
    """The platform prevents a sandbox from running, which is no fault of its archive; the message gives the reason."""


class Run(Protocol):
    """One isolated run of an archive's TorchServe, from its start to its end."""

    number: int
    """Another one for each run."""

    def look(self) -> str | None:
        """Do what is next, and return why it ended or has to be ended; None while it may go on. Raises Obstacle."""

    def hint(self) -> str:
        """Return what of the platform its start waits for; empty if that is nothing, or nobody knows."""

    def peak_bytes(self) -> int | None:
        """Return the most memory that its largest process had at once; None where nobody can tell."""

    def end(self) -> None:
        """End it, or in another thread than its own at least begin to. May be called again."""


class SandboxBackend(Protocol):
    """An isolation method for archives; the names are those of `Sandboxes`, twelve letters or digits each."""

    limits: SandboxLimits
    end_seconds: float | None
    """Time to wait for the end of a run, in seconds; None waits without limit."""

    def problem(self) -> str | None:
        """Return why archives with code can't be isolated here; None where they can. Raises ArchiveOnItsWay."""

    def check(self, archive: Archive) -> None:
        """Raise ModelServerRefused for an archive that can't be isolated."""

    def start(self, name: str, archive: Archive, position: int) -> Run:
        """Begin a run. Raises OSError (of which Obstacle is one), NoControlGroups."""

    def place(self, name: str, endpoint: str) -> Place | None:
        """Return the address of a sandbox's `inference` or `management` interface; None while it has none."""

    def last_lines(self, name: str) -> Sequence[str]:
        """Return the last lines that the program printed."""

    def forget(self, name: str) -> Callable[[], Sequence[str]]:
        """Remove the remains of an ended sandbox; return a function that reads its program's last lines."""

    def close(self) -> None:
        """Leave the place to another process."""
