"""The operator's guide names existing objects, values and commands."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.chart.conftest import CHART, ROOT
from tests.chart.manifests import Manifests
from tests.chart.test_chart_operate import FOLDER, production, rendered

PAGES = ("operators-guide.md", "README.md")
RELEASE, SAMPLE = "bench-dynabench-", "sample-dynabench-"
KINDS = {
    "deploy": "Deployment",
    "job": "Job",
    "cronjob": "CronJob",
    "svc": "Service",
    "statefulset": "StatefulSet",
}


def text_of(page: str) -> str:
    return (CHART / page).read_text(encoding="utf-8")


def known(all_manifests: Mapping[str, Manifests], restoring: Manifests) -> set[tuple[str, str]]:
    return {
        (each["kind"], each["metadata"]["name"].removeprefix(SAMPLE))
        for manifests in (*all_manifests.values(), restoring)
        for each in manifests.objects
    }


@pytest.mark.parametrize("page", PAGES)
def test_objects_are_those_that_the_chart_makes(
    page: str, all_manifests: Mapping[str, Manifests], tools: Path, tmp_path: Path
) -> None:
    restoring = rendered(tools, tmp_path, {**production(), "restore": {"folder": FOLDER}})
    there = known(all_manifests, restoring)
    text = text_of(page).replace("-REVISION", "-1")
    named = set(re.findall(rf"\b({'|'.join(KINDS)})/{RELEASE}([\w-]+)", text))
    assert named
    assert {(KINDS[kind], name) for kind, name in named} - there == set()
    names = set(re.findall(rf"{RELEASE}([\w-]+)", text))
    assert names - {name for _, name in there} == set()


def has(values: Any, path: list[str]) -> bool:
    return not path or (isinstance(values, dict) and path[0] in values and has(values[path[0]], path[1:]))


@pytest.mark.parametrize("page", PAGES)
def test_values_are_those_of_the_chart(page: str) -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    text = text_of(page).replace(".NAME", ".annotation-http")
    roots = "|".join(values)
    named = set(re.findall(rf"(?:`|--set |,)((?:{roots})\.[\w.-]+)", text))
    assert named
    assert [name for name in sorted(named) if not has(values, name.rstrip(".").split("."))] == []


def test_programs_verbs_and_targets_exist() -> None:
    text = text_of("operators-guide.md")
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    assert set(re.findall(r"(?:`|&& |=cuda )make ([a-z-]+)", text)) - targets == set()
    verbs = (ROOT / "services" / "cli" / "README.md").read_text(encoding="utf-8")
    for area, verb in re.findall(r"\.venv/bin/dynabench (\w+) ([a-z]+)", text):
        assert f"dynabench {area} {verb}" in verbs or f"dynabench {area} " in verbs, (area, verb)
    keys = (ROOT / "services" / "accounts" / "README.md").read_text(encoding="utf-8")
    for verb in re.findall(r"accounts signing-keys ([\w-]+)", text):
        assert f"`{verb}" in keys or f"signing-keys {verb}" in keys
