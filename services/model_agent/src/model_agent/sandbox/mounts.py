"""Files put into a sandbox with the archive: TorchServe's configuration, and a few that programs look for."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_archives.model_servers import Archive

from model_agent.sandbox.enclosure import TEMPORARY, Enclosure
from model_agent.sandbox.limits import SandboxLimits, SandboxPlaces

ARCHIVE = "model.mar"
SOCKETS = {"inference": f"{TEMPORARY}/inference.sock", "management": f"{TEMPORARY}/management.sock"}
FOLDERS = tuple(f"{TEMPORARY}/{name}" for name in ("work", "files", "logs"))
FIRST_PROGRAM = Path(__file__).with_name("init.py")
# Without tokens, since only the gateway and the agent can reach these interfaces.
CONFIGURATION = """
inference_address=unix:{inference}
management_address=unix:{management}
metrics_address=unix:{temporary}/metrics.sock
disable_token_authorization=true
enable_model_api=true
enable_envvars_config=false
allowed_urls=file://{store}/.*
model_store={store}
install_py_dep_per_model=false
default_workers_per_model=1
job_queue_size=64
number_of_netty_threads=1
netty_client_threads=1
max_request_size=1048576
max_response_size={answer}
metrics_mode=prometheus
disable_system_metrics=true
vmargs=-Xmx{heap}m -XX:+UseSerialGC -XX:MaxDirectMemorySize={heap}m -XX:ActiveProcessorCount=1
"""
LOGGING = """<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="warn">
  <Appenders>
    <Console name="console" target="SYSTEM_OUT"><PatternLayout pattern="%d{ISO8601} [%-5p] %c - %m%n"/></Console>
  </Appenders>
  <Loggers>
    <Logger name="MODEL_LOG" level="info"/>
    <Logger name="ACCESS_LOG" level="off"/>
    <Logger name="MODEL_METRICS" level="off"/>
    <Logger name="TS_METRICS" level="off"/>
    <Logger name="io.netty" level="error"/>
    <Root level="warn"><AppenderRef ref="console"/></Root>
  </Loggers>
</Configuration>
"""
ETC = {
    "passwd": "model:x:1000:1000::/tmp:/bin/false\n",
    "group": "model:x:1000:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
CONFIGURATION_FILE, LOGGING_FILE, PROGRAM_FILE = "config.properties", "log4j2.xml", "init.py"


@dataclass(frozen=True)
class Inside:
    """Paths inside a sandbox."""

    store: str
    settings: str
    java: str


OF_PROCESS = Inside("/store", "/settings", "/java")


def torchserve_files(limits: SandboxLimits, inside: Inside) -> dict[str, str]:
    """Return TorchServe's files by name."""
    configuration = CONFIGURATION.format(
        **SOCKETS,
        temporary=TEMPORARY,
        store=inside.store,
        answer=limits.answer_bytes,
        heap=limits.heap_bytes >> 20,
    )
    return {CONFIGURATION_FILE: configuration, LOGGING_FILE: LOGGING}


def write_contents(folder: Path, limits: SandboxLimits) -> None:
    """Write the files that a sandbox sees into a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "etc").mkdir(parents=True)
    files = {**torchserve_files(limits, OF_PROCESS), PROGRAM_FILE: FIRST_PROGRAM.read_text()}
    for name, text in {**files, **{f"etc/{name}": text for name, text in ETC.items()}}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o644)
    for each in (folder, folder / "etc"):
        each.chmod(0o755)


def show_contents(enclosure: Enclosure, folder: Path, places: SandboxPlaces, archive: Archive) -> None:
    """Let a sandbox see its files, the one archive, and Java."""
    enclosure.show(folder, OF_PROCESS.settings)
    enclosure.show(folder / "etc", "/etc")
    enclosure.show(places.store / archive.file, f"{OF_PROCESS.store}/{ARCHIVE}")
    enclosure.show(places.java_home, OF_PROCESS.java)


def environment(python: Path, inside: Inside = OF_PROCESS) -> dict[str, str]:
    """Return the whole environment of a sandbox: nothing of ours."""
    return {
        "PATH": f"{inside.java}/bin:{python.parent}:/usr/bin:/bin",
        "JAVA_HOME": inside.java,
        "HOME": TEMPORARY,
        "TEMP": FOLDERS[1],
        "TMPDIR": FOLDERS[1],
        "LOG_LOCATION": FOLDERS[2],
        "METRICS_LOCATION": FOLDERS[2],
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def torchserve_command(python: Path, inside: Inside) -> list[str]:
    """Return the command line of a sandbox's TorchServe."""
    options = ("--start", "--foreground", "--ncs", "--model-store", inside.store)
    files = [f"{inside.settings}/{name}" for name in (CONFIGURATION_FILE, LOGGING_FILE)]
    settings = ("--ts-config", files[0], "--log-config", files[1])
    return [str(python), str(python.with_name("torchserve")), *options, *settings]


def instructions(
    limits: SandboxLimits, command: Sequence[str], endpoints: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return the instructions for the first program of any sandbox."""
    return {
        "command": command,
        "folders": FOLDERS,
        "endpoints": endpoints,
        "bounds": {
            "RLIMIT_NOFILE": limits.open_files,
            "RLIMIT_FSIZE": limits.disk_bytes,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_MSGQUEUE": 0,
        },
    }


def first_program(
    python: Path, limits: SandboxLimits, endpoints: dict[str, int]
) -> tuple[list[str], dict[str, Any]]:
    """Return the program that begins behind bubblewrap, and its instructions; `endpoints` are descriptors by name."""
    opened = [{"descriptor": descriptor, "socket": SOCKETS[name]} for name, descriptor in endpoints.items()]
    program = [str(python), "-I", f"{OF_PROCESS.settings}/{PROGRAM_FILE}"]
    return program, instructions(limits, torchserve_command(python, OF_PROCESS), opened)
