"""TorchServe with tokens, on the loopback interface, and the archives that it may serve.

Its metrics have no token, so they are on a socket in the data folder.
"""

import fcntl
import filecmp
import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

from dynabench_local.kafka import JAVA_HOME
from dynabench_local.layout import Layout
from dynabench_local.part import Part, answers

CONFIGURATION = """
inference_address=http://127.0.0.1:{inference}
management_address=http://127.0.0.1:{management}
metrics_address=unix:{metrics}
grpc_inference_port={grpc_inference}
grpc_management_port={grpc_management}
initial_worker_port={workers}
model_store={store}
allowed_urls=file://{store}/.*
enable_model_api=true
token_expiration_min=525600
enable_envvars_config=false
default_workers_per_model=1
job_queue_size=200
number_of_netty_threads=4
netty_client_threads=4
max_request_size=1048576
max_response_size=4194304
metrics_mode=prometheus
vmargs=-Xmx256m -XX:+UseSerialGC
"""

LOGGING = """<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="warn">
  <Appenders>
    <Console name="console" target="SYSTEM_OUT">
      <PatternLayout pattern="%d{ISO8601} [%-5p] %c - %m%n"/>
    </Console>
  </Appenders>
  <Loggers>
    <Logger name="MODEL_LOG" level="info"/>
    <Logger name="ACCESS_LOG" level="off"/>
    <Logger name="MODEL_METRICS" level="off"/>
    <Logger name="TS_METRICS" level="off"/>
    <Root level="warn"><AppenderRef ref="console"/></Root>
  </Loggers>
</Configuration>
"""


def key_file(layout: Layout) -> Path:
    """Return the file in which TorchServe leaves its tokens."""
    return layout.home / "torchserve" / "work" / "key_file.json"


def part(layout: Layout) -> Part:
    """Return TorchServe as a part of the stack."""
    folder = layout.home / "torchserve"
    executable = layout.checkout / ".venv-serving" / "bin" / "torchserve"
    options = ("--foreground", "--ncs", "--ts-config", str(folder / "config.properties"))
    logging = ("--log-config", str(folder / "log4j2.xml"))
    store = ("--model-store", str(layout.model_store))
    return Part(
        name="torchserve",
        command=(
            str(layout.serving_python),
            str(executable),
            "--start",
            *options,
            *logging,
            *store,
        ),
        directory=folder / "work",
        environment={
            "JAVA_HOME": str(JAVA_HOME),
            "PATH": f"{JAVA_HOME}/bin:{layout.serving_python.parent}:{os.environ.get('PATH', '')}",
            "TEMP": str(folder / "tmp"),
            "TMPDIR": str(folder / "tmp"),
            "LOG_LOCATION": str(layout.logs / "torchserve"),
            "METRICS_LOCATION": str(layout.logs / "torchserve"),
            "OMP_NUM_THREADS": "1",
            "HF_HUB_OFFLINE": "1",
        },
        prepare=partial(_prepare, layout, folder),
        is_ready=partial(_is_ready, layout),
        stop_seconds=15,
        remove_first=(folder / "tmp", key_file(layout)),
        remedy="Read its log; `make clean` and `make up` install the serving environment anew.",
    )


def _is_ready(layout: Layout) -> bool:
    """Return whether the inference interface accepts its token; the registry checks models."""
    try:
        token = json.loads(key_file(layout).read_text())["inference"]["key"]
    except (OSError, ValueError, KeyError):
        return False
    return answers(layout.url("torchserve_inference") + "/ping", token=token)


def _prepare(layout: Layout, folder: Path) -> None:
    for name in ("work", "tmp", "store"):
        (folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    (layout.logs / "torchserve").mkdir(parents=True, exist_ok=True)
    ports = {
        name: layout.port(f"torchserve_{name}")
        for name in ("inference", "management", "grpc_inference", "grpc_management", "workers")
    }
    (folder / "config.properties").write_text(
        CONFIGURATION.format(store=layout.model_store, metrics=folder / "tmp" / "metrics.sock", **ports)
    )
    (folder / "log4j2.xml").write_text(LOGGING)
    build_archives(layout)


def build_archives(layout: Layout) -> None:
    """Build the archives of the models file that are missing or out of date, once for all stacks of the checkout.

    Raises RuntimeError.
    """
    built = layout.checkout / "build" / "archives"
    built.mkdir(parents=True, exist_ok=True)
    with (built / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _build(layout, built)
        for path in [*built.glob("*.mar"), *built.glob("*.mar.json")]:
            bring(path, layout.model_store / path.name)


def bring(source: Path, target: Path) -> None:
    """Put a file under another name atomically: as a hard link if possible, else as a copy."""
    if target.exists() and target.samefile(source):
        return
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    try:
        os.link(source, partial)
    except OSError:
        if target.exists() and filecmp.cmp(source, target, shallow=False):
            return
        shutil.copyfile(source, partial)
    partial.replace(target)


def _build(layout: Layout, store: Path) -> None:
    sources = layout.checkout / "model-archives"
    command = [str(layout.serving_python), "-m", "model_archives", "build", "--store", str(store)]
    result = subprocess.run(
        [*command, "--models", str(layout.models_file)],
        env={**os.environ, "PYTHONPATH": str(sources / "src"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise RuntimeError(
            f"the model archives can't be built: {(result.stderr or result.stdout).strip()[-800:]}"
        )
