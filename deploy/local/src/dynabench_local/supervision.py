"""Supervisor: starts parts on request, restarts them when they end, keeps their logs."""

import json
import os
import subprocess
import sys
import time
import xmlrpc.client
from pathlib import Path
from typing import Any

from supervisor.xmlrpc import SupervisorTransport

from dynabench_local import launch
from dynabench_local.layout import Layout
from dynabench_local.part import Part

HEAD = """[supervisord]
nodaemon=true
logfile={run}/supervisord.log
logfile_maxbytes=5MB
logfile_backups=1
pidfile={run}/supervisord.pid
{user}
[unix_http_server]
file={run}/supervisor.sock
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""
PROGRAM = """
[program:{name}]
command={python} -I -S {launcher} {plan}
autostart=false
autorestart=true
startsecs=1
startretries=1000
stopsignal={stop_signal}
stopwaitsecs={stop_seconds}
stopasgroup=true
killasgroup=true
redirect_stderr=true
stdout_logfile={log}
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=3
"""
SOCKET = "supervisor.sock"
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "USER")


class SupervisorAway(Exception):
    """No supervisor answers for this data folder."""


def call(socket: Path, method: str, *arguments: Any) -> Any:
    """Call an RPC method. Raises SupervisorAway if nobody answers, xmlrpc.client.Fault for its errors."""
    transport = SupervisorTransport(None, None, f"unix://{socket}")
    proxy = xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport)
    try:
        return getattr(proxy.supervisor, method)(*arguments)
    except (OSError, xmlrpc.client.ProtocolError) as err:
        raise SupervisorAway(str(err)) from err
    finally:
        transport.close()


class Supervisor:
    """Talks to the supervisor of one data folder."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._socket = layout.run / SOCKET

    def is_running(self) -> bool:
        """Return whether the supervisor answers."""
        try:
            self.call("getState")
        except SupervisorAway:
            return False
        return True

    def call(self, method: str, *arguments: Any) -> Any:
        """Call an RPC method of this supervisor, as `call` does."""
        return call(self._socket, method, *arguments)

    def start(self, parts: list[Part]) -> None:
        """Start the supervisor itself, with every part known and none started."""
        self._layout.run.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._layout.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        configuration = self._layout.run / "supervisord.conf"
        configuration.write_text(self.configuration(parts))
        with (self._layout.run / "supervisord.out").open("w") as output:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "dynabench_local.supervising",
                    str(configuration),
                    str(self._layout.object_store),
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                cwd=self._layout.run,
                env={**os.environ, launch.MARKER: f"{self._layout.home}|supervisor"},
            )
        deadline = time.monotonic() + 15
        while not self.is_running():
            if process.poll() is not None or time.monotonic() > deadline:
                end = (self._layout.run / "supervisord.out").read_text()[-500:]
                raise RuntimeError(f"the supervisor did not start: {end}")
            time.sleep(0.05)

    def configuration(self, parts: list[Part]) -> str:
        """Return the supervisor's configuration, and write each part's plan to the run folder."""
        for part in parts:
            self.write_plan(part)
        user = "user=root\n" if os.getuid() == 0 else ""
        text = HEAD.format(run=self._layout.run, user=user)
        for part in parts:
            text += PROGRAM.format(
                name=part.name,
                python=sys.executable,
                launcher=launch.__file__,
                plan=self._plan(part.name),
                stop_signal=part.stop_signal,
                stop_seconds=part.stop_seconds,
                log=self._layout.logs / f"{part.name}.log",
            )
        return text.replace("%", "%%")

    def _plan(self, name: str) -> Path:
        return self._layout.run / f"{name}.json"

    def write_plan(self, part: Part) -> None:
        """Write a part's launch file."""
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        marker = {launch.MARKER: f"{self._layout.home}|{part.name}|"}
        plan = {
            "command": list(part.command),
            "directory": str(part.directory),
            "environment": {**inherited, **part.environment, **marker},
            "user": part.user,
            "remove_first": [str(path) for path in part.remove_first],
        }
        path = self._plan(part.name)
        path.touch(mode=0o600)
        path.write_text(json.dumps(plan, indent=1))

    def states(self) -> dict[str, dict[str, Any]]:
        """Return the supervisor's state of each part, by name."""
        return {info["name"]: info for info in self.call("getAllProcessInfo")}

    def start_part(self, name: str) -> None:
        """Start a part unless it runs."""
        try:
            self.call("startProcess", name, False)
        except xmlrpc.client.Fault as err:
            if "ALREADY_STARTED" not in err.faultString:
                raise

    def stop_part(self, name: str) -> None:
        """Stop a part and wait until it has ended."""
        try:
            self.call("stopProcess", name, True)
        except xmlrpc.client.Fault as err:
            if "NOT_RUNNING" not in err.faultString:
                raise

    def shutdown(self) -> None:
        """End the supervisor; its parts should be stopped before."""
        self.call("shutdown")
        deadline = time.monotonic() + 30
        while self.is_running() and time.monotonic() < deadline:
            time.sleep(0.1)
