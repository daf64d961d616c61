"""The chart as it is rendered with each file of helm/dynabench/ci, once for all tests."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.chart.manifests import Manifests

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "helm" / "dynabench"
TOOLS = ROOT / ".venv-chart" / "bin"
CASES = tuple(sorted(path.stem for path in (CHART / "ci").glob("*.yaml")))


@pytest.fixture(scope="session")
def tools() -> Path:
    if not (TOOLS / "python").exists():
        pytest.skip("the chart's tools are not installed: make chart")
    return TOOLS


@pytest.fixture(scope="session")
def rendered(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("chart")
    files = [str(CHART / "ci" / f"{case}.yaml") for case in CASES]
    script = Path(__file__).with_name("render.py")
    result = subprocess.run(
        [str(tools / "python"), str(script), str(CHART), *files, str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    return target


@pytest.fixture(scope="session")
def all_manifests(rendered: Path) -> Mapping[str, Manifests]:
    return {case: Manifests((rendered / f"{case}.yaml").read_text()) for case in CASES}


@pytest.fixture(params=CASES)
def manifests(request: pytest.FixtureRequest, all_manifests: Mapping[str, Manifests]) -> Manifests:
    return all_manifests[request.param]
