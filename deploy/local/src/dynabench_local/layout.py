"""Where things lie and which ports they use."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

DEFAULT_PORT_BASE = 8080
PORT_SPAN = 80

OFFSETS = {
    "edge": 0,
    "accounts": 1,
    "annotation": 2,
    "validation": 3,
    "leaderboard": 4,
    "gateway": 5,
    "registry": 6,
    "web": 7,
    "scoring": 8,
    "postgres": 10,
    "kafka": 11,
    "kafka_controller": 12,
    "s3": 13,
    "weed_master": 14,
    "weed_volume": 15,
    "weed_filer": 16,
    "weed_master_grpc": 17,
    "weed_volume_grpc": 18,
    "weed_filer_grpc": 19,
    "torchserve_inference": 20,
    "torchserve_management": 21,
    "weed_admin": 22,
    "s3_grpc": 23,
    "torchserve_grpc_inference": 24,
    "torchserve_grpc_management": 25,
    "weed_admin_grpc": 26,
    "torchserve_agent": 27,
    "torchserve_workers": 30,
}
WATCHED = (
    "accounts-http",
    "annotation-http",
    "validation-http",
    "leaderboard-http",
    "gateway-http",
    "registry-http",
    "web-http",
    "scoring-http",
    "torchserve-agent",
    "accounts-worker",
    "annotation-worker",
    "validation-worker",
    "leaderboard-worker",
    "registry-worker",
    "scoring-worker",
    "scoring-evaluator",
)
"""The parts that show metrics."""
OFFSETS.update({f"metrics {part}": 60 + number for number, part in enumerate(WATCHED)})


@dataclass(frozen=True)
class Layout:
    """The checkout, the data folder and the ports of one stack."""

    checkout: Path
    home: Path
    port_base: int

    def port(self, name: str) -> int:
        """Return the port of a part."""
        return self.port_base + OFFSETS[name]

    def url(self, name: str) -> str:
        """Return the HTTP address of a part."""
        return f"http://127.0.0.1:{self.port(name)}"

    @property
    def public_url(self) -> str:
        """Return the one origin that people use."""
        return self.url("edge")

    @property
    def logs(self) -> Path:
        """Return the folder of log files, one per part."""
        return self.home / "logs"

    @property
    def models_file(self) -> Path:
        """Return the list of served models: the data folder's own `models.yaml`, or the shipped one."""
        own = self.home / "models.yaml"
        return own if own.exists() else self.checkout / "model-archives" / "models.yaml"

    @property
    def run(self) -> Path:
        """Return the folder of what the supervisor needs."""
        return self.home / "run"

    @property
    def model_store(self) -> Path:
        """Return the folder of archives that TorchServe sees."""
        return self.home / "torchserve" / "store"

    @property
    def serving_python(self) -> Path:
        """Return the interpreter of the serving environment."""
        return self.checkout / ".venv-serving" / "bin" / "python"

    @property
    def scripts(self) -> Path:
        """Return the folder of console scripts of this environment."""
        return Path(sys.executable).parent


def default_home(port_base: int) -> Path:
    """Return the data folder used when DYNABENCH_HOME is not set.

    Root's lies outside root's home folder, since PostgreSQL runs as another user and must reach its part.
    """
    if os.getuid() == 0:
        return Path("/var/lib/dynabench") / str(port_base)
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "dynabench" / str(port_base)


def from_environment() -> Layout:
    """Return the layout that DYNABENCH_HOME and PORT_BASE ask for. Raises ValueError if PORT_BASE is no port."""
    given = os.environ.get("PORT_BASE") or str(DEFAULT_PORT_BASE)
    if not given.isdecimal() or not 1024 <= int(given) <= 65535 - PORT_SPAN:
        raise ValueError(f"PORT_BASE is {given!r}: give a number from 1024 to {65535 - PORT_SPAN}.")
    port_base = int(given)
    home = Path(os.environ.get("DYNABENCH_HOME") or default_home(port_base)).resolve()
    return Layout(checkout=checkout(), home=home, port_base=port_base)


def checkout() -> Path:
    """Return the root of the checkout this package is installed from."""
    return Path(__file__).resolve().parents[4]
