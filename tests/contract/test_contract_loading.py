"""Released datasets and exports load with the code on pages, in each library that they name."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from dynabench_client.results.datasets import Dataset as Shown
from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.exports import parquet_pieces
from scoring.dataset.description import Dataset
from scoring.dataset.rows import ExampleRow, Explanations, Field, Fields, TargetAnswer, Vote
from scoring.dataset.splits import SplitSize
from web.datasets.loading import export_lines, folder_lines

PYTHONS = {"newest": sys.executable, "oldest": os.environ.get("DYNABENCH_OLDEST_LOADERS", "")}
"""The interpreters of environments with the newest and the oldest `datasets` that are supported."""
MOMENT = datetime(2026, 3, 2, 9, 0, 0, 123456, tzinfo=UTC)
SPAN = {"start": 4, "end": 7, "text": "sea"}
FIELDS = Fields(
    (Field("passage", "string"), Field("picture", "image")),
    (Field("question", "string"),),
    Field("answer", "span"),
    (Field("topics", "multilabel"),),
    has_free_text=True,
    has_tiers=True,
    has_stability=True,
    targets=("one", "two"),
)
EARLY = ExampleRow(
    example_id="", context={"passage": "x" * 6_000}, input={"question": "What?"}, label=None, golds=(), claimed=None,
    split="train", verdict="unknown", fooled=None, targets=(), resolution=None, votes=(), metadata={},
    explanations=None, condition="", cohort="imported", segment=None, tags=(), author=None, created_at=MOMENT,
)  # fmt: skip
"""A row with nearly all values missing. The rows before `LATE` fill more than a reader's first chunk."""
LATE = replace(
    EARLY, context={"passage": "The sea.", "picture": {"image_id": "7", "alt": "A sea."}}, label=SPAN, golds=(SPAN,),
    claimed=SPAN, verdict="fooled", fooled=True, resolution="correct", segment=1, tags=("sea",), author="p1",
    targets=(TargetAnswer("one", SPAN, True, 0.9, {"a": 0.9, "b": 0.1}, "sha256:00"), TargetAnswer("two", None, None)),
    votes=(Vote("flag", "p2", MOMENT, 3.5, True, "x", "Rude.", "Because."),), metadata={"topics": ["a", "b"]},
    explanations=Explanations("It says so.", ""), targets_not_asked=("two",), perturbation_of="1", source_id="r1",
    uncounted_votes=(Vote("unsure", "p3"),),
)  # fmt: skip
EARLY_ROWS = 2_500
COUNTS = {"train": EARLY_ROWS + 1, "disputed": 1}
SHOW = """
import json
print(json.dumps({
    "datasets": {name: len(data[name]) for name in data},
    "pandas": len(frame),
    "duckdb": len(table.fetchall()),
    "late": data["train"][-1]["source_id"],
}))
"""
SHOW_MORE = """
last = lines["train"][-1]
print(json.dumps({
    "lines": {name: len(lines[name]) for name in lines},
    "tags": last["tags"],
    "cast_at": last["votes"][0]["cast_at"].isoformat(),
    "created_at": frame["created_at"].iloc[0].isoformat(),
    "share": last["target_probabilities"]["one"][0]["probability"],
}))
"""
CROISSANT = """
found = list(records)
print(json.dumps([len(found), str(found[-1]["train/created_at"])]))
"""


def rows() -> Iterator[ExampleRow]:
    yield from (replace(EARLY, example_id=str(number)) for number in range(EARLY_ROWS))
    yield replace(LATE, example_id="late")
    yield replace(LATE, example_id="disputed", split="disputed", label=None, golds=())


def described(folder: Path) -> Shown:
    """Write a dataset without examples in dev and test, and return it as its page describes it."""
    files = DatasetFiles()
    data = files.write(folder, rows(), FIELDS)
    found = Dataset(
        name="sea-round-1", version=1, description="", licence="MIT", languages=("en",), task_slug="sea",
        task_title="Sea", content_warning="", round_number=1, round_title="", origin="", source="", targets=("one",),
        digests={}, segments=1, fields=FIELDS, labels=(), validation={}, seed=0,
        splits={"train": SplitSize(EARLY_ROWS + 1, 2)}, largest_author_share=0.5, excluded={"disputed": 1},
        counts={"verdicts": {}, "resolutions": {}, "cohorts": {}, "conditions": {}},
        collected={
            **dict.fromkeys(("tries", "fooled", "retracted", "votes"), 0),
            **dict.fromkeys(("validated_errors", "mer", "vmer")),
            "agreement": {"raw": None, "krippendorff_alpha": None, "reason": "no votes", "basis": "all", "examples": 0},
        },
        as_of=MOMENT, files=data,
    )  # fmt: skip
    _, listed = files.describe(folder, found)
    return Shown.blank(files=[asdict(file) for file in listed])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("released")


@pytest.fixture(scope="module")
def recipe(folder: Path) -> str:
    return folder_lines(described(folder))


def ran(python: str, code: str, folder: Path) -> list[object]:
    """Run lines in a folder as a reader does, and return their output."""
    if not python:
        pytest.skip("DYNABENCH_OLDEST_LOADERS names no interpreter: make loaders")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")}
    done = subprocess.run(
        [python, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "["))]


@pytest.mark.long
@pytest.mark.parametrize("age", PYTHONS)
def test_a_release_loads_with_the_lines_of_its_page(folder: Path, recipe: str, age: str) -> None:
    """Splits without examples and columns that are empty in the first rows fail in no library."""
    lines, croissant = recipe.split("\n\nfrom mlcroissant")
    code = lines + SHOW + SHOW_MORE
    if age == "newest":
        code += "\nfrom mlcroissant" + croissant + CROISSANT
    first, more, *records = ran(PYTHONS[age], code, folder)
    assert first == {"datasets": COUNTS, "pandas": EARLY_ROWS + 1, "duckdb": EARLY_ROWS + 1, "late": "r1"}
    assert more == {
        "lines": COUNTS,
        "tags": ["sea"],
        "cast_at": MOMENT.isoformat(),
        "created_at": MOMENT.isoformat(),
        "share": 0.9,
    }
    assert records in ([], [[EARLY_ROWS + 1, str(MOMENT)]])


@pytest.mark.parametrize("age", PYTHONS)
def test_an_export_loads_with_the_lines_of_its_page(tmp_path: Path, age: str) -> None:
    fields = replace(FIELDS, has_retracted=True, targets=())
    (tmp_path / "export.parquet").write_bytes(b"".join(parquet_pieces(rows(), fields)))
    (found,) = ran(PYTHONS[age], export_lines("export.parquet") + SHOW.replace("[-1]", "[-2]"), tmp_path)
    assert found == {
        "datasets": {"train": EARLY_ROWS + 2},
        "pandas": EARLY_ROWS + 2,
        "duckdb": EARLY_ROWS + 2,
        "late": "r1",
    }
