"""Test of this machine's isolation of archives with code. Without isolation they are refused, never run."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from model_agent.sandbox.client import printable
from model_agent.sandbox.control_groups import ControlGroups, NoControlGroups
from model_agent.sandbox.enclosure import Enclosure, Interpreter, own_user_id
from model_agent.sandbox.limits import SandboxLimits, SandboxPlaces
from model_agent.sandbox.system_calls import filter_program

TRIAL = "trial"
TRIAL_SECONDS = 30.0
AGAIN_SECONDS = 30.0
PREFIXES = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix]))"


class Isolation:
    """Shared state of all sandboxes of this process. It tests the isolation before anything runs in it."""

    def __init__(self, places: SandboxPlaces, limits: SandboxLimits, group_name: str) -> None:
        self.places = places
        self.limits = limits
        self._group_name = group_name
        self._groups: ControlGroups | None = None
        self._interpreter: Interpreter | None = None
        self._problem: str | None = "not tried yet"
        self._tried_at: float | None = None

    @property
    def groups(self) -> ControlGroups:
        """Return the control groups. Raises NoControlGroups."""
        if self._groups is None:
            self._groups = ControlGroups(self._group_name, self.places.control_group)
        return self._groups

    @property
    def interpreter(self) -> Interpreter:
        """Return the serving environment's Python. Raises OSError, CalledProcessError."""
        if self._interpreter is None:
            self._interpreter = _interpreter(self.places.serving_python)
        return self._interpreter

    def problem(self) -> str | None:
        """Return why archives with code can't be isolated here; None where they can. A failure is tried again."""
        is_stale = self._tried_at is None or time.monotonic() - self._tried_at > AGAIN_SECONDS
        if self._problem is not None and is_stale:
            self._problem = self._try()
            self._tried_at = time.monotonic()
        return self._problem

    def enclosure(self, position: int) -> Enclosure:
        """Return an isolation that shows the serving environment, for the sandbox at a position."""
        user_id = own_user_id(self.places.first_user_id, position)
        enclosure = Enclosure(self.places.bubblewrap, self.limits, user_id)
        for folder in self.interpreter.folders:
            enclosure.show(folder)
        return enclosure

    def _try(self) -> str | None:
        for program in (self.places.bubblewrap, *(("setpriv",) if os.geteuid() == 0 else ())):
            if shutil.which(program) is None:
                package = "bubblewrap" if program == self.places.bubblewrap else "util-linux"
                return f"{program} is not installed; install the package {package}"
        if filter_program() is None:
            return "system calls can't be filtered on this processor; only x86-64 and 64-bit ARM are known"
        try:
            return self._try_isolation()
        except NoControlGroups as err:
            return str(err)
        except (OSError, ValueError, subprocess.SubprocessError) as err:
            return f"the serving environment's Python can't be used: {printable(err)}; install it with `make install`"

    def _try_isolation(self) -> str | None:
        """Run the serving environment's Python isolated in the same way, and let it do nothing."""
        group = self.groups.make(TRIAL, self.limits)
        try:
            program = [str(self.interpreter.executable), "-I", "-c", "import ts"]
            command = self.enclosure(self.limits.most_at_once).command(program, {}, group)
            result = subprocess.run(command, capture_output=True, timeout=TRIAL_SECONDS, check=False, env={})
        finally:
            group.end()
        if result.returncode == 0:
            return None
        said = printable(result.stderr.decode(errors="replace").strip()[-300:])
        return (
            f"no sandbox can be made ({said}); user namespaces must be allowed and bubblewrap be 0.8 or newer"
        )


def _interpreter(python: Path) -> Interpreter:
    said = subprocess.run(
        [str(python), "-I", "-c", PREFIXES], capture_output=True, timeout=TRIAL_SECONDS, check=True
    )
    prefix, base = (Path(folder).resolve() for folder in json.loads(said.stdout))
    needed = dict.fromkeys((prefix, base))
    folders = tuple(folder for folder in needed if not folder.is_relative_to("/usr"))
    return Interpreter(prefix / "bin" / python.name, folders)
