"""The maps in docs/ name existing files."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAPS = sorted((ROOT / "docs").glob("the-way-of-*.md"))
STEP = re.compile(r"^\| (\d+) \| `([^`]+)` \| (.+) \|$", re.MULTILINE)


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_each_step_of_a_map_is_a_file_that_exists(path: Path) -> None:
    steps = STEP.findall(path.read_text())
    assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert steps
    assert len({file for _, file, _ in steps}) == len(steps)
    assert [file for _, file, _ in steps if not (ROOT / file).is_file()] == []
