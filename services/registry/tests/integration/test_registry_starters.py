"""Starter models: made of a few examples for an owner of the task, and submitted as any archive is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_archives.scanning import ScanKind, ScanLimits, scan_archive
from registry.adapters.archive_objects import ArchiveObjects

from .submissions import Submitter

NewSubmitter = Callable[..., Submitter]
EXAMPLES = [
    {"texts": ["A lovely day."], "labels": ["positive"]},
    {"texts": ["It rained on us."], "labels": ["negative"]},
]


def make(owner: Submitter, examples: Any = EXAMPLES, model: str = "sentiment-starter") -> Any:
    return owner.post("/starter-models", {"task": "sentiment", "model": model, "examples": examples})


def test_a_starter_model_is_an_archive_of_data_with_a_card(
    new_submitter: NewSubmitter, objects: ArchiveObjects, tmp_path: Path
) -> None:
    answer = make(new_submitter("owner:sentiment"))
    assert answer.status_code == 201
    found = answer.get_json()
    assert (found["state"], found["step"], found["model"]) == ("checking", "checksum", "sentiment-starter")
    assert "weak on purpose" in found["card"]["text"]
    assert (found["card"]["missing"], found["card"]["languages"]) == ([], ["en"])
    sent = tmp_path / "sent.mar"
    sent.write_bytes(b"".join(objects.read(f"submissions/{found['submission_id']}.mar")))
    report = scan_archive(sent, ScanLimits())
    assert report.kind is ScanKind.DECLARATIVE
    assert report.description is not None
    assert (report.description.task_type, report.description.labels) == (
        *("text-classification", ("negative", "neutral", "positive")),
    )


def test_the_same_examples_again_are_the_same_submission(new_submitter: NewSubmitter) -> None:
    owner = new_submitter("owner:sentiment")
    first, second = (make(owner).get_json()["submission_id"] for _ in range(2))
    assert first == second
    assert make(owner, []).get_json()["submission_id"] != first


@pytest.mark.parametrize(
    "examples",
    [
        [{"texts": ["A lovely day."], "labels": ["joyful"]}],
        [{"texts": ["A lovely day.", "And another."], "labels": ["positive"]}],
        [{"texts": ["A lovely day."], "labels": ["positive", "neutral"]}],
    ],
)
def test_examples_that_do_not_fit_the_task_are_refused(examples: Any, new_submitter: NewSubmitter) -> None:
    answer = make(new_submitter("owner:sentiment"), examples)
    assert (answer.status_code, answer.get_json()["field"]) == (422, "examples")


def test_only_owners_of_the_task_make_one(new_submitter: NewSubmitter) -> None:
    assert make(new_submitter("owner:nli")).status_code == 403
    assert make(new_submitter()).status_code == 403
