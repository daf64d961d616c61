"""Render the chart with each file of values and lint it: `python render.py CHART VALUES… TARGET`, in .venv-chart.

Writes TARGET/<name of the values>.yaml for each, and exits with 1 if the chart can't be rendered or lint prints a
warning or an error.
"""

import sys
from pathlib import Path

import helm_python as helm
import yaml

WARNING = 2
UPGRADE = "-upgrade"
"""End of the name of a values file that is rendered as for an upgrade; others are as for an installation."""


def main(chart: Path, files: list[Path], target: Path) -> int:
    """Render all; return the exit status."""
    target.mkdir(parents=True, exist_ok=True)
    status = 0
    with helm.Chart.load(chart) as loaded:
        for file in files:
            values = yaml.safe_load(file.read_text()) or {}
            try:
                rendered = loaded.render(
                    loaded.merge_values(values),
                    name="sample",
                    namespace="benchmarks",
                    revision=1,
                    is_upgrade=file.stem.endswith(UPGRADE),
                )
            except helm.HelmError as err:
                print(f"{file.name}: {err}")
                status = 1
                continue
            found = [
                text for path, text in sorted(rendered.items()) if path.endswith(".yaml") and text.strip()
            ]
            (target / file.name).write_text("\n---\n".join(found))
            report = helm.lint(chart, values, namespace="benchmarks", kube_version="v1.29.0")
            for message in report["messages"]:
                if message["severity"] >= WARNING:
                    print(f"{file.name}: {message['path']}: {message['error']}")
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:-1]], Path(sys.argv[-1])))
