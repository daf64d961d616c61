"""Promises of our images: no root user, no build tools, a list of parts, and describing labels."""

import json
import subprocess

NOT_INSIDE = ("pip", "pip3", "uv", "gcc", "cc", "make", "git", "curl", "apt", "apt-get", "npm", "hatch")
LABELS = ("title", "description", "version", "revision", "created")
LISTS = "org.dynabench.sbom"


def broken_promises(docker: str, image: str) -> list[str]:
    """Return the broken promises of an image, each as one line."""
    inspected = subprocess.run(
        [docker, "image", "inspect", image], capture_output=True, text=True, check=True
    )
    configuration = json.loads(inspected.stdout)[0]["Config"]
    labels = configuration.get("Labels") or {}
    found = [
        f"label {name} is missing"
        for name in LABELS
        if labels.get(f"org.opencontainers.image.{name}", "unknown") == "unknown"
    ]
    if configuration["User"].partition(":")[0] in {"", "0", "root"}:
        found.append("runs as root")
    found += [f"holds {tool}" for tool in NOT_INSIDE if _runs(docker, image, f"command -v {tool}")]
    found += [
        f"{path} lists nothing"
        for path in labels.get(LISTS, "none").split()
        if not _runs(docker, image, f"test -s {path}")
    ]
    if not _runs(docker, image, "python -c 'import annotation, scoring, registry, web'"):
        found.append("its services can't be imported from a root that is read only")
    if not _runs(docker, image, "pg_dump --version && pg_restore --version && dynabench-operate --help"):
        found.append("can't take backups")
    return found


def _runs(docker: str, image: str, script: str) -> bool:
    closed = ["--rm", "--network=none", "--read-only", "--cap-drop=ALL", "--entrypoint=sh"]
    command = [docker, "run", *closed, image, "-c", script]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
