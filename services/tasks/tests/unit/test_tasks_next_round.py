"""The plan for a task's next round in a configuration."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.next_round import NextRound
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration

SENTIMENT = Path(__file__).parents[3] / "annotation" / "tasks" / "sentiment.yaml"


def document(**changes: Any) -> dict[str, Any]:
    return {**yaml.safe_load(SENTIMENT.read_text(encoding="utf-8")), **changes}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, NextRound()),
        ({}, NextRound()),
        ({"drafted": "by_owner"}, NextRound()),
        ({"drafted": "by_itself"}, NextRound(None, drafts_itself=True)),
        ({"drafted": "by_itself", "targets": 2}, NextRound(2, drafts_itself=True)),
        ({"targets": 3}, NextRound(3)),
    ],
)
def test_it_survives_a_round_trip(given: dict[str, Any] | None, meant: NextRound) -> None:
    changes = {} if given is None else {"next_round": given}
    configuration = read_task_configuration(document(**changes))
    assert configuration.next_round == meant
    written = configuration.document()
    assert ("next_round" in written) == (meant != NextRound())
    assert read_task_configuration(written).next_round == meant


@pytest.mark.parametrize(
    "given", [{"targets": 0}, {"targets": 9}, {"drafted": "now"}, {"opens": True}, "soon"]
)
def test_what_means_nothing_is_refused(given: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read_task_configuration(document(next_round=given))
    assert "next_round" in str(refused.value)
