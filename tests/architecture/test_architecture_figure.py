"""The examples of docs/extend/figure.md: the edits from the formula to the page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dynabench_local.layout import checkout

PARTS = ("api/src", "leaderboard/src", "leaderboard/migrations", "web/src")
ADDITIONS = Path(__file__).parent / "additions"


def edited(edits: Path, folder: Path) -> str:
    """Apply edits to copies of the packages in a folder; return the path to import them from."""
    for part in PARTS:
        source = Path("services", part)
        ignored = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(checkout() / source, folder / source, ignore=ignored)
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    command = ["git", "apply", str(edits)]
    applied = subprocess.run(command, cwd=folder, env=outside, capture_output=True, text=True, check=False)
    assert applied.returncode == 0, f"the edits fit no more: {applied.stderr}"
    return os.pathsep.join(str(folder / "services" / part) for part in PARTS if part.endswith("src"))


@pytest.mark.parametrize("edits", ["retraction.diff", "error_minutes.diff"])
def test_the_edits_fit_the_sources(edits: str, tmp_path: Path) -> None:
    assert edited(ADDITIONS / edits, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edits", "tests"),
    [
        ("retraction.diff", "services/web/tests/additions/figure_on_page.py"),
        ("error_minutes.diff", "services/leaderboard/tests/additions/error_minutes.py"),
        ("error_minutes.diff", "services/leaderboard/tests/integration/test_leaderboard_migrations.py"),
        ("error_minutes.diff", "services/web/tests/additions/histogram_on_page.py"),
    ],
)
def test_the_edits_pass_their_tests(edits: str, tests: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests],
        cwd=checkout(),
        env={**os.environ, "PYTHONPATH": edited(ADDITIONS / edits, tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout
