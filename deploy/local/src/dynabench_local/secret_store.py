"""Passwords and tokens of one stack: made once, readable by its user alone."""

import json
import os
import secrets
from pathlib import Path

from dynabench_common.service_tokens import CALLERS, digest_of

from dynabench_local.postgres import OWNERS, running_role

FILE = "secrets.json"
NAMES = [
    "postgres",
    *OWNERS,
    *map(running_role, OWNERS),
    *(f"service_token_{service}" for service in CALLERS),
    "metrics_token",
    "s3_access_key",
    "s3_secret_key",
    "kafka_cluster_id",
    "kafka",
    *(f"kafka_{service}" for service in OWNERS),
]


def load(home: Path) -> dict[str, str]:
    """Return the stack's secrets, making what is missing."""
    path = home / FILE
    known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    missing = [name for name in NAMES if name not in known]
    if missing:
        known.update({name: _new(name) for name in missing})
        temporary = path.with_suffix(".tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(known, file, indent=1)
        temporary.replace(path)
    return known


def service_token_digests(known: dict[str, str]) -> str:
    """Return the digests by which services recognise each other, in their setting's form."""
    return ";".join(f"{service}={digest_of(known[f'service_token_{service}'])}" for service in CALLERS)


def _new(name: str) -> str:
    if name != "kafka_cluster_id":
        return secrets.token_hex(20)
    identifier = secrets.token_urlsafe(16)
    return _new(name) if identifier.startswith("-") else identifier
