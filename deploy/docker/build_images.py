"""Build the images: `python deploy/docker/build_images.py`, by `make images`.

Bases and infrastructure are pulled by default. An image that can't be pulled is replaced by one of Debian and PyPI
packages, with a message. The package indexes and certificates of this machine are passed as build secrets, which no
layer contains.
"""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = os.environ.get("IMAGE_REPOSITORY", "dynabench")
TAG = os.environ.get("IMAGE_TAG", "local")
OFFICIAL_BASE = "python:3.11-slim-bookworm"
STAND_IN_BASES = {
    "BASE": ("base", "essential", "python3,ca-certificates,libstdc++6"),
    "BUILD_BASE": ("build-base", "apt", "python3-venv,ca-certificates"),
}
INFRASTRUCTURE = {
    "postgres": "postgres:18",
    "kafka": "apache/kafka:4.3.0",
    "seaweedfs": "chrislusf/seaweedfs:4.48",
    "caddy": "caddy:2.11",
}
"""Names of the official images; deploy/compose and the chart's quickstart use the same."""
LEFT_OUT = ("doc", "man", "locale", "info")
OF_INDEXES = ("PIP_", "UV_", "NPM_CONFIG_")
PROXIES = {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"}
OF_THIS_MACHINE = {"PIP_CERT", "PIP_FIND_LINKS", "PIP_CONFIG_FILE", "UV_CONFIG_FILE", "NPM_CONFIG_USERCONFIG"}
LARGEST_SERVICES_BYTES = 270_000_000
"""47 MB of them are the typesetter and the East Asian font of link previews."""
ENGINE_HINT = (
    "An engine with BuildKit is needed, for example Debian's: apt-get install docker.io mmdebstrap iptables, then "
    "dockerd. DOCKER_HOST names an engine elsewhere."
)


class NoImages(Exception):
    """The images can't be built here; the message says what is missing."""


class Engine:
    """A Docker engine and a client that can build on it."""

    def __init__(self) -> None:
        self._docker = _client()
        if self._run("version", "--format", "{{.Server.Version}}", check=False).returncode != 0:
            raise NoImages(f"No Docker engine answers. {ENGINE_HINT}")

    def _run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self._docker, *arguments],
            check=check,
            text=True,
            capture_output=not check,
            env={**os.environ, "DOCKER_BUILDKIT": "1"},
            cwd=ROOT,
        )

    def has(self, image: str) -> bool:
        """Return whether the image exists; try to pull it first."""
        return (
            self._run("image", "inspect", image, check=False).returncode == 0
            or self._run("pull", "--quiet", image, check=False).returncode == 0
        )

    def take_in(self, archive: Path, image: str) -> None:
        """Make an image of a root file system."""
        self._run("import", str(archive), image)

    def build(
        self, file: str, image: str, arguments: Mapping[str, str], secrets: Sequence[str], target: str = ""
    ) -> None:
        """Build one image. Raises CalledProcessError."""
        options = ["--network", "host", "--file", f"deploy/docker/{file}", "--tag", image]
        options += ["--target", target] if target else []
        for name, value in arguments.items():
            options += ["--build-arg", f"{name}={value}"]
        for secret in secrets:
            options += ["--secret", secret]
        self._run("build", "--quiet", *options, ".")

    def compressed_bytes(self, image: str) -> int:
        """Return the image's transfer size, gzipped as one stream."""
        saved = subprocess.Popen([self._docker, "save", image], stdout=subprocess.PIPE)
        count = _Counter()
        with gzip.GzipFile(fileobj=count, mode="wb", compresslevel=6) as packed:
            shutil.copyfileobj(saved.stdout or sys.stdin.buffer, packed)
        saved.wait()
        return count.size


class _Counter:
    """A file that counts the bytes written to it."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: bytes) -> int:
        """Count the bytes."""
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing."""


def _client() -> str:
    """Return a Docker client that can build with BuildKit: one with buildx, or one of before version 23.

    Raises NoImages.
    """
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin"]
    found = [path for folder in folders if os.access(path := f"{folder}/docker", os.X_OK)]
    for docker in found:
        if subprocess.run([docker, "buildx", "version"], capture_output=True, check=False).returncode == 0:
            return docker
        output = subprocess.run([docker, "--version"], capture_output=True, text=True, check=False).stdout
        version = output.removeprefix("Docker version ").split(".")[0]
        if version.isdecimal() and int(version) < 23:
            return docker
    what = "The docker command lacks BuildKit (buildx)" if found else "There is no docker command"
    raise NoImages(f"{what}. {ENGINE_HINT}")


@contextmanager
def build_secrets() -> Iterator[list[str]]:
    """Give the options that pass this machine's indexes and certificates, while the build runs."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        environment.write_text("".join(_exports(os.environ)))
        places = {
            "environment": environment,
            "certificates": _first(os.environ.get("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt"),
            "pip": _first(
                os.environ.get("PIP_CONFIG_FILE"),
                "~/.config/pip/pip.conf",
                "~/.pip/pip.conf",
                "/etc/pip.conf",
            ),
            "uv": _first(os.environ.get("UV_CONFIG_FILE"), "~/.config/uv/uv.toml", "/etc/uv/uv.toml"),
            "npm": _first(os.environ.get("NPM_CONFIG_USERCONFIG"), "~/.npmrc"),
        }
        yield [f"id={name},src={path}" for name, path in places.items() if path is not None]


def _exports(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        upper = name.upper()
        if (upper.startswith(OF_INDEXES) or upper in PROXIES) and upper not in OF_THIS_MACHINE:
            quoted = value.replace("'", "'\\''")
            yield f"export {name}='{quoted}'\n"


def _first(*places: str | None) -> Path | None:
    found = (Path(place).expanduser() for place in places if place)
    return next((path for path in found if path.is_file()), None)


def bases(engine: Engine) -> dict[str, str]:
    """Return the build arguments that name the bases: as given, the official ones, or stand-ins. Raises NoImages."""
    given = {name: value for name in STAND_IN_BASES if (value := os.environ.get(name))}
    digests = {
        f"{name}_DIGEST": value for name in STAND_IN_BASES if (value := os.environ.get(f"{name}_DIGEST"))
    }
    if given or engine.has(OFFICIAL_BASE):
        return {**dict.fromkeys(STAND_IN_BASES, OFFICIAL_BASE), **given, **digests}
    _say(f"{OFFICIAL_BASE} can't be pulled: the bases are made of Debian packages instead")
    return {argument: _debian(engine, *how) for argument, how in STAND_IN_BASES.items()}


def _debian(engine: Engine, name: str, variant: str, packages: str) -> str:
    image = f"{REPOSITORY}/{name}:{TAG}"
    if engine.has(image):
        return image
    if shutil.which("mmdebstrap") is None or os.getuid() != 0:
        raise NoImages(
            f"{OFFICIAL_BASE} can't be pulled, and a stand-in needs root and mmdebstrap: apt-get install mmdebstrap. "
            "BASE and BUILD_BASE may name other images that have Python 3.11."
        )
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "base.tar"
        command = ["mmdebstrap", "--quiet", f"--variant={variant}", f"--include={packages}"]
        command += [f"--dpkgopt=path-exclude=/usr/share/{left_out}/*" for left_out in LEFT_OUT]
        command += ["--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", "bookworm", str(archive)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        engine.take_in(archive, image)
    return image


def infrastructure(engine: Engine, wanted: Mapping[str, str], secrets: Sequence[str]) -> dict[str, str]:
    """Return the images of PostgreSQL, Kafka, SeaweedFS and Caddy: official ones, or stand-ins that are built."""
    found = {}
    for name, official in INFRASTRUCTURE.items():
        image = os.environ.get(f"{name.upper()}_IMAGE", official)
        if not engine.has(image):
            stand_in = f"{REPOSITORY}/{name}:{TAG}"
            _say(f"{image} can't be pulled: {stand_in} is built as its stand-in")
            arguments = {key: value for key, value in wanted.items() if not key.endswith("_DIGEST")}
            engine.build("standins.Dockerfile", stand_in, arguments, secrets, target=name)
            image = stand_in
        found[name] = image
    return found


def build_all() -> dict[str, str]:
    """Build everything; return images by name. Raises NoImages, CalledProcessError."""
    engine = Engine()
    wanted = bases(engine)
    labels = {
        "VERSION": TAG,
        "REVISION": _revision(),
        "CREATED": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    services, serving = (f"{REPOSITORY}/{name}:{TAG}" for name in ("services", "serving"))
    with build_secrets() as secrets:
        _say(f"building {services}")
        engine.build("services.Dockerfile", services, {**wanted, **labels}, secrets)
        accelerator = os.environ.get("ACCELERATOR", "cpu")
        _say(f"building {serving} ({accelerator}): PyTorch and the installation's models, some minutes")
        of_builder = {name: value for name, value in wanted.items() if name.startswith("BUILD_BASE")}
        arguments = {**of_builder, **labels, "SERVICES": services, "ACCELERATOR": accelerator}
        engine.build("serving.Dockerfile", serving, arguments, secrets)
        found = infrastructure(engine, wanted, secrets)
    size = engine.compressed_bytes(services)
    _say(f"{services}: {size / 1e6:.0f} MB compressed, at most {LARGEST_SERVICES_BYTES / 1e6:.0f}")
    if size > LARGEST_SERVICES_BYTES:
        raise NoImages(f"{services} is larger than it may be: what grew in services.txt?")
    return {"services": services, "serving": serving, **found}


def _revision() -> str:
    output = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return output.stdout.strip() or "unknown"


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    """Build, and write deploy/compose's file of images; return the exit status: 3 if nothing can be built."""
    try:
        images = build_all()
    except NoImages as err:
        _say(f"NO IMAGES WERE BUILT. {err}")
        return 3
    except subprocess.CalledProcessError as err:
        _say(
            f"An image could not be built: {' '.join(map(str, err.cmd[:2]))} ended with {err.returncode}, see above."
        )
        return 1
    target = ROOT / "build" / "images.env"
    target.parent.mkdir(exist_ok=True)
    target.write_text("".join(f"{name.upper()}_IMAGE={image}\n" for name, image in images.items()))
    _say(f"{target.relative_to(ROOT)} names them all, for deploy/compose")
    return 0


if __name__ == "__main__":
    sys.exit(main())
