"""Configurations of events and databases: every version's are read, unknown keys are passed over, kinds are not."""

import json
from pathlib import Path

import pytest
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.yaml_text import read_configuration

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("v*/*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_version_goes_on_reading_to_an_equal_document(path):
    published = json.loads(path.read_text())
    passed = []
    assert read_published(published, note=passed.append).document() == published
    assert passed == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_people_wrote_goes_on_meaning_the_same(path):
    assert read_configuration(path.with_suffix(".yaml").read_text()).document() == json.loads(
        path.read_text()
    )
