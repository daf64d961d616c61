"""Write .env with secrets of its own, once, and the images that `make images` built: `python prepare.py`."""

import base64
import hashlib
import os
import secrets
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "build" / "images.env"
OWNERS = ("ACCOUNTS", "ANNOTATION", "VALIDATION", "LEADERBOARD", "SCORING", "REGISTRY", "CROWD")
CALLERS = (
    "ANNOTATION",
    "VALIDATION",
    "LEADERBOARD",
    "SCORING",
    "GATEWAY",
    "REGISTRY",
    "AGENT",
    "WEB",
    "CROWD",
)
"""The services that call others as themselves, each with a token of its own; those called hold digests."""
DIGESTS = "SERVICE_TOKEN_DIGESTS"
NAMES = (
    *(f"{caller}_SERVICE_TOKEN" for caller in CALLERS),
    "METRICS_TOKEN",
    "POSTGRES_ADMIN_PASSWORD",
    "KAFKA_ADMIN_PASSWORD",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
    *(f"{owner}_{what}_PASSWORD" for owner in OWNERS for what in ("DATABASE", "DATABASE_APP", "KAFKA")),
)


def lines(known: dict[str, str], images: dict[str, str]) -> dict[str, str]:
    """Return all settings: known values stay, also digests; built images replace known ones."""
    fresh = {name: secrets.token_hex(20) for name in NAMES}
    fresh["KAFKA_CLUSTER_ID"] = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
    settings = {**fresh, **known, **images}
    return {**settings, DIGESTS: digests(settings)}


def digests(settings: dict[str, str]) -> str:
    """Return the digests by which services recognise each other: the known ones, and those of new tokens."""
    found = [entry for entry in settings.get(DIGESTS, "").split(";") if entry]
    for caller in CALLERS:
        digest = hashlib.sha256(settings[f"{caller}_SERVICE_TOKEN"].encode()).hexdigest()
        if not any(digest in entry for entry in found):
            found.append(f"{caller.lower()}={digest}")
    return ";".join(found)


def read(path: Path) -> dict[str, str]:
    """Return the settings of a file; none if it is not there."""
    if not path.exists():
        return {}
    pairs = [line.partition("=") for line in path.read_text(encoding="utf-8").splitlines()]
    return {name: value for name, separator, value in pairs if separator}


def main() -> int:
    """Write the file, readable by its owner alone."""
    target = HERE / ".env"
    settings = lines(read(target), read(BUILT))
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in settings.items())
    return 0


if __name__ == "__main__":
    sys.exit(main())
