"""A temporary TorchServe for a check: free local ports, its own folder, and a certain end.

Its management interface can load programs, so its tokens stay on. Only users who can read its folder may use it.
"""

import itertools
import json
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from dynabench_archives.serving_contract import LARGEST_ANSWER_BYTES

from dynabench_toolkit.local_models.local_processes import LocalProcess, environment_of
from dynabench_toolkit.local_models.serving_environment import ServingEnvironment

INFERENCE, MANAGEMENT = "inference", "management"
MODEL = "model"
LOOK_SECONDS = 0.2
QUESTION_SECONDS = 10.0
GRACE_SECONDS = 5.0
QUIET_SECONDS = 0.5
MOST_WAITING_SECONDS = 5.0
OK = 200
WORKER_DIED = 500
STARTS = 3
MOST_LOG_LINES = 40
MODEL_MARK = "| "
DIED = "worker process died"
TOO_LONG = "max_response_size"
ITS_END = "Backend worker process died."
ITS_OWN_WORDS = (
    *("s_name_part0=", "Listening on ", "Torch worker started", "Python runtime", "[PID]", "Connection acc"),
    *("Successfully loaded ", "model_name: ", "Backend received inference"),
)
UNPACKED = re.compile(r"/\S*/files/models/[0-9a-f]{32}/")
CONFIGURATION = """
inference_address=http://127.0.0.1:{inference}
management_address=http://127.0.0.1:{management}
metrics_address=http://127.0.0.1:{metrics}
grpc_inference_port={grpc}
grpc_management_port={grpc_management}
initial_worker_port={workers}
enable_model_api=true
enable_envvars_config=false
allowed_urls=file://{store}/.*
model_store={store}
install_py_dep_per_model=false
default_workers_per_model=1
number_of_netty_threads=1
netty_client_threads=1
max_request_size=1048576
max_response_size={answer}
metrics_mode=prometheus
disable_system_metrics=true
token_expiration_min=1000
vmargs=-Xmx256m -XX:+UseSerialGC
"""
LOGGING = """<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="warn">
  <Appenders>
    <Console name="console" target="SYSTEM_OUT"><PatternLayout pattern="%-5p %c - %m%n"/></Console>
    <Console name="model" target="SYSTEM_OUT"><PatternLayout pattern="{mark}%m%n"/></Console>
  </Appenders>
  <Loggers>
    <Logger name="MODEL_LOG" level="info" additivity="false"><AppenderRef ref="model"/></Logger>
    <Logger name="ACCESS_LOG" level="off"/>
    <Logger name="MODEL_METRICS" level="off"/>
    <Logger name="TS_METRICS" level="off"/>
    <Logger name="io.netty" level="error"/>
    <Root level="warn"><AppenderRef ref="console"/></Root>
  </Loggers>
</Configuration>
"""


class ServingFailed(Exception):
    """A model could not be served or asked, with the reason, a remedy and the last lines of its output."""

    def __init__(self, reason: str, remedy: str, log: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.remedy = remedy
        self.log = log


@dataclass(frozen=True)
class Answer:
    """An answer to a request; `body` is the JSON, None where it is none; `asked_at` is a line of the server's log."""

    status: int
    body: object
    asked_at: int = 0


class LocalTorchServe:
    """Started by `with`; serves one archive at a time, and is ended with everything that it started."""

    def __init__(self, serving: ServingEnvironment, start_seconds: float) -> None:
        self._serving = serving
        self._start_seconds = start_seconds
        self._folder = Path()
        self._ports: dict[str, int] = {}
        self._process: LocalProcess | None = None

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="dynabench-check-"))
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def serve(self, archive: Path, answer_seconds: float) -> None:
        """Serve an archive, and return when its worker is ready. Raises ServingFailed."""
        begin = len(self._lines())
        target = self._folder / "store" / f"{MODEL}.mar"
        target.unlink(missing_ok=True)
        shutil.copyfile(archive, target)
        options = {
            "url": target.name,
            "model_name": MODEL,
            "initial_workers": 1,
            "batch_size": 1,
            "response_timeout": max(1, round(answer_seconds)),
            "synchronous": "false",
        }
        try:
            answer = self._call(
                MANAGEMENT, "POST", f"/models?{urlencode(options)}", None, self._start_seconds
            )
        except TimeoutError:
            answer = Answer(0, {"message": f"it was not unpacked within {self._start_seconds:.0f} s"})
        if not 200 <= answer.status < 300:
            raise ServingFailed(
                f"TorchServe does not take it: {_message(answer)}",
                "Package it again with dynabench models package.",
            )
        until = time.monotonic() + self._start_seconds
        while time.monotonic() < until:
            if self._is_ready():
                return
            if any(DIED in line.lower() for line in self._lines()[begin:]):
                self._let_the_log_catch_up()
                raise ServingFailed(
                    "its worker ended while it loaded the model",
                    "What it printed says why; the model must load by itself, without a network.",
                    self.model_log(begin),
                )
            time.sleep(LOOK_SECONDS)
        raise ServingFailed(
            f"its worker was not ready within {self._start_seconds:.0f} s",
            "Load less at the start, or give it longer with --timeout.",
            self.model_log(begin),
        )

    def ask(self, request: Mapping[str, Any], seconds: float) -> Answer:
        """Return the answer to a request, whatever its status.

        Raises ServingFailed if the answer is late or too long, or if the worker ends.
        """
        begin, began = len(self._lines()), time.monotonic()
        try:
            answer = self._call(
                INFERENCE,
                "POST",
                f"/predictions/{MODEL}",
                json.dumps(request).encode(),
                seconds + GRACE_SECONDS,
            )
        except TimeoutError:
            answer = Answer(WORKER_DIED, None)
        if answer.status != OK:
            self._let_the_log_catch_up()
        log = self.model_log(begin)
        if any(TOO_LONG in line for line in self._lines()[begin:]):
            reason = f"the answer is longer than {LARGEST_ANSWER_BYTES:,} bytes"
            raise ServingFailed(reason, "Answer with less.", log)
        if answer.status == WORKER_DIED and time.monotonic() - began >= seconds:
            raise ServingFailed(f"no answer came within {seconds:.0f} s", "Answer sooner.", log)
        if answer.status == WORKER_DIED:
            raise ServingFailed(
                "the worker ended instead of answering", "Keep the handler from ending its process.", log
            )
        return Answer(answer.status, answer.body, begin)

    def printed_for(self, answer: Answer) -> tuple[str, ...]:
        """Return the model's output since the request, with its traceback."""
        self._let_the_log_catch_up()
        return self.model_log(answer.asked_at)

    def withdraw(self) -> None:
        """Serve it no longer."""
        self._call(MANAGEMENT, "DELETE", f"/models/{MODEL}", None, QUESTION_SECONDS)

    def model_log(self, begin: int = 0) -> tuple[str, ...]:
        """Return the last lines that the model printed, from a line of the log on."""
        own = [line.removeprefix(MODEL_MARK) for line in self._lines()[begin:] if line.startswith(MODEL_MARK)]
        until_its_end = itertools.takewhile(lambda line: line != ITS_END, own)
        printed = [line for line in until_its_end if line.strip() and not line.startswith(ITS_OWN_WORDS)]
        return tuple(UNPACKED.sub("", line) for line in printed[-MOST_LOG_LINES:])

    def _let_the_log_catch_up(self) -> None:
        """Wait for the end of the output: TorchServe answers before it has passed on a model's output."""
        until, length, since = time.monotonic() + MOST_WAITING_SECONDS, -1, time.monotonic()
        while time.monotonic() < until and time.monotonic() - since < QUIET_SECONDS:
            now = self._log.stat().st_size
            if now != length:
                length, since = now, time.monotonic()
            time.sleep(QUIET_SECONDS / 5)

    def _start(self) -> None:
        for _ in range(STARTS):
            self._launch()
            until = time.monotonic() + self._start_seconds
            while time.monotonic() < until and self._process is not None and self._process.status is None:
                if self._is_up():
                    return
                time.sleep(LOOK_SECONDS)
            self._stop()
            if not any("Address already in use" in line for line in self._lines()):
                break
        raise ServingFailed(
            "TorchServe does not start",
            "Try it by hand with the same Python: torchserve --start --foreground --ncs.",
            tuple(self._lines()[-MOST_LOG_LINES:]),
        )

    def _launch(self) -> None:
        names = (INFERENCE, MANAGEMENT, "metrics", "grpc", "grpc_management", "workers")
        self._ports = dict(zip(names, _free_ports(len(names)), strict=True))
        for name in ("store", "files", "work", "logs"):
            (self._folder / name).mkdir(exist_ok=True)
        store, settings, logging = (
            self._folder / name for name in ("store", "config.properties", "log4j2.xml")
        )
        settings.write_text(
            CONFIGURATION.format(**self._ports, store=store, answer=LARGEST_ANSWER_BYTES + 65_536)
        )
        logging.write_text(LOGGING.format(mark=MODEL_MARK))
        command = [str(self._serving.python), str(self._serving.torchserve)]
        command += ["--start", "--foreground", "--ncs", "--model-store", str(store)]
        command += ["--ts-config", str(settings), "--log-config", str(logging)]
        logs = str(self._folder / "logs")
        environment = environment_of(
            self._serving, self._folder / "files", LOG_LOCATION=logs, METRICS_LOCATION=logs
        )
        self._process = LocalProcess(command, self._folder / "work", environment, self._log)

    def _is_up(self) -> bool:
        try:
            return self._call(MANAGEMENT, "GET", "/models", None, QUESTION_SECONDS).status == 200
        except (ServingFailed, TimeoutError):
            return False

    def _is_ready(self) -> bool:
        try:
            described = self._call(MANAGEMENT, "GET", f"/models/{MODEL}", None, QUESTION_SECONDS).body
            workers = described[0]["workers"]  # type: ignore[index]
            return any(worker["status"] == "READY" for worker in workers)
        except (KeyError, IndexError, TypeError, TimeoutError):
            return False

    def _call(self, endpoint: str, method: str, path: str, body: bytes | None, seconds: float) -> Answer:
        connection = HTTPConnection("127.0.0.1", self._ports[endpoint], timeout=seconds)
        try:
            keys = json.loads((self._folder / "work" / "key_file.json").read_text())
            headers = {"Authorization": f"Bearer {keys[endpoint]['key']}"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            content = response.read(2 * LARGEST_ANSWER_BYTES)
        except TimeoutError:
            raise
        except (OSError, HTTPException, ValueError, KeyError) as err:
            raise ServingFailed(
                f"TorchServe does not answer: {type(err).__name__}", "Look at what the model printed."
            ) from err
        finally:
            connection.close()
        return Answer(response.status, _json(content))

    @property
    def _log(self) -> Path:
        return self._folder / "output.log"

    def _lines(self) -> list[str]:
        with suppress(OSError):
            return self._log.read_text("utf-8", "replace").splitlines()
        return []

    def _stop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def _end(self) -> None:
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def _free_ports(number: int) -> list[int]:
    opened = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    try:
        return [each.getsockname()[1] for each in opened]
    finally:
        for each in opened:
            each.close()


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _message(answer: Answer) -> str:
    message = answer.body.get("message") if isinstance(answer.body, dict) else None
    return str(message or f"status {answer.status}")[:300]
