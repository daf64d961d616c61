"""Prometheus configuration for the stack's metrics: a port for each part, and one token."""

import os
from pathlib import Path

from dynabench_local.layout import Layout

SECONDS = 15
CONFIGURATION = """# Written at each start. Run: prometheus --config.file={file} --storage.tsdb.path=A_FOLDER
global:
  scrape_interval: {seconds}s
  evaluation_interval: {seconds}s
rule_files:
  - {rules}
scrape_configs:
  - job_name: dynabench
    authorization:
      credentials_file: {token}
    static_configs:
"""
TARGET = """      - targets: ["127.0.0.1:{port}"]
        labels: {{process: {part}}}
"""


def settings(layout: Layout, secrets: dict[str, str], part: str) -> dict[str, str]:
    """Return the environment variables for a part's metrics."""
    return {
        "METRICS_BIND": f"127.0.0.1:{layout.port(f'metrics {part}')}",
        "METRICS_TOKEN": secrets["metrics_token"],
    }


def write_configuration(layout: Layout, secrets: dict[str, str]) -> Path:
    """Write a configuration for Prometheus and the token that it sends, readable by the stack's user alone."""
    folder = layout.home / "prometheus"
    folder.mkdir(mode=0o700, exist_ok=True)
    token, file = folder / "token", folder / "prometheus.yml"
    with os.fdopen(os.open(token, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(secrets["metrics_token"])
    rules = layout.checkout / "deploy" / "observability" / "rules" / "*.yaml"
    targets = [TARGET.format(port=layout.port(f"metrics {part}"), part=part) for part in layout.watched]
    file.write_text(
        CONFIGURATION.format(file=file, seconds=SECONDS, rules=rules, token=token) + "".join(targets)
    )
    return file
