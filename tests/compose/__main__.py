"""Play a sign-in and a try to its verdict on the platform in containers: `python -m tests.compose`.

Starts deploy/compose as a project of its own, on free ports, with one model, from the images that `make images` built;
prints a message and exits with 0 without a Docker engine or images. It removes everything that it started.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import yaml
from dynabench_local.layout import checkout

from tests.compose.images import broken_promises
from tests.played_try import MODEL, TRIES, administrator, make_task, opened_round, say, signed_in
from tests.played_try import play as play_tries

COMPOSE = checkout() / "deploy" / "compose"
IMAGES = checkout() / "build" / "images.env"
REMOVALS = 3


class Platform:
    """The project in Docker Compose."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        edge, s3 = _free_ports(2)
        self.url = f"http://127.0.0.1:{edge}"
        self._folder = folder
        self._command = [*command, "-p", f"dynabench-play-{edge}", "-f", str(COMPOSE / "compose.yaml")]
        self._environment = {
            **os.environ,
            **_settings(),
            "PUBLIC_URL": self.url,
            "EDGE_BIND": f"127.0.0.1:{edge}",
            "S3_BIND": f"127.0.0.1:{s3}",
            "S3_PUBLIC_ENDPOINT_URL": f"http://127.0.0.1:{s3}",
            "MODELS_FILE": str(folder / "models.yaml"),
        }

    def start(self) -> None:
        """Start all containers, with one model to serve."""
        models = yaml.safe_load((checkout() / "model-archives" / "models.yaml").read_text())["models"]
        served = [{**model, "explain": None} for model in models if model["name"] == MODEL]
        (self._folder / "models.yaml").write_text(
            yaml.safe_dump(
                {"models": [{key: value for key, value in served[0].items() if value is not None}]}
            )
        )
        self.run("up", "-d")

    def accounts(self, *arguments: str, given: str) -> None:
        """Run a command in the container of accounts. Raises CalledProcessError."""
        self.run("exec", "-T", "accounts", *arguments, given=given)

    def run(self, *arguments: str, given: str | None = None) -> str:
        """Run compose; return its output. Raises CalledProcessError."""
        result = subprocess.run(
            [*self._command, *arguments],
            input=given,
            text=True,
            capture_output=True,
            env=self._environment,
            check=False,
        )
        if result.returncode != 0:
            say(f"compose {arguments[0]}: {(result.stderr or result.stdout)[-2000:]}")
            result.check_returncode()
        return result.stdout


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in held]


def _settings() -> dict[str, str]:
    """Return secrets of this run alone, and the images."""
    sys.path.insert(0, str(COMPOSE))
    import prepare

    return dict(prepare.lines({}, prepare.read(IMAGES)))


def play(platform: Platform) -> None:
    """Sign in, open a round, submit tries."""
    admin = signed_in(platform.url, administrator(platform))
    make_task(admin)
    play_tries(admin, opened_round(admin))


@contextmanager
def running(platform: Platform) -> Iterator[None]:
    """Start the platform; in any case remove its containers, networks and volumes."""
    try:
        platform.start()
        yield
    except BaseException:
        say(platform.run("ps"))
        say(platform.run("logs", "--no-color", "--tail=5"))
        raise
    finally:
        _remove(platform)


def _remove(platform: Platform) -> None:
    """Remove all parts of the project; the engine may detach a container from its network late."""
    for attempt in range(REMOVALS):
        try:
            platform.run("down", "--volumes", "--remove-orphans", "--timeout=5")
        except subprocess.CalledProcessError:
            if attempt == REMOVALS - 1:
                raise
            time.sleep(2)
        else:
            return


def compose_command(environment: Mapping[str, str]) -> list[str] | None:
    """Return the command of compose; None without compose or without a running engine."""
    docker = shutil.which("docker", path=environment.get("PATH"))
    if (
        docker is None
        or subprocess.run([docker, "version"], capture_output=True, check=False).returncode != 0
    ):
        return None
    if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode == 0:
        return [docker, "compose"]
    old = shutil.which("docker-compose", path=environment.get("PATH"))
    return [old] if old else None


def main() -> int:
    """Play, and return the exit status."""
    command = compose_command(os.environ)
    if command is None:
        say(
            "SKIPPED: no Docker engine answers here, or there is no Docker Compose; nothing was played on containers."
        )
        return 0
    if not IMAGES.exists():
        say("SKIPPED: there are no images; make images builds them.")
        return 0
    images = _settings()
    for image in (images["SERVICES_IMAGE"], images["SERVING_IMAGE"]):
        if broken := broken_promises(command[0] if len(command) > 1 else "docker", image):
            say(f"{image}: {'; '.join(broken)}")
            return 1
    folder = checkout() / "build" / "compose"
    folder.mkdir(parents=True, exist_ok=True)
    platform = Platform(command, folder)
    began = time.monotonic()
    with running(platform):
        say(f"containers started after {time.monotonic() - began:.0f} s")
        play(platform)
    say(
        f"a sign-in and {len(TRIES)} tries to their verdicts, on containers: {time.monotonic() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
