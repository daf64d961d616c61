"""The example of docs/extend/figure.md: the edits from the formula to the page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dynabench_local.layout import checkout

EDITED = ("api", "leaderboard", "web")
EDITS = Path(__file__).parent / "additions" / "retraction.diff"
ON_PAGE = "services/web/tests/additions/figure_on_page.py"


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """Return copies of the packages with the edits applied."""
    for project in EDITED:
        source = Path("services", project, "src")
        shutil.copytree(
            checkout() / source, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__", "tests")
        )
    apply = ["git", "apply", str(EDITS)]
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    applied = subprocess.run(apply, cwd=tmp_path, env=outside, capture_output=True, text=True, check=False)
    assert applied.returncode == 0, f"the edits fit no more: {applied.stderr}"
    return tmp_path


def test_the_edits_show_the_figure_on_its_page(edited: Path) -> None:
    paths = os.pathsep.join(str(edited / "services" / project / "src") for project in EDITED)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ON_PAGE],
        cwd=checkout(),
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "1 passed" in ran.stdout
