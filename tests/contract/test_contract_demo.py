"""The demo people's texts fit the shipped tasks and their contexts."""

import json
import sys
from pathlib import Path

import pytest
from dynabench_client import Dynabench
from dynabench_client.results.annotation import Example
from dynabench_local.layout import checkout
from dynabench_tasks.configuration.yaml_text import read_configuration

sys.path.insert(0, str(checkout() / "scripts"))
import demo_lines
import demo_round
import seed
from demo_people import Stage

SHIPPED = checkout() / "services" / "annotation" / "tasks"


DEMONSTRATIONS = [f"{demo_round.FILES.name}/{task}" for task in demo_round.TASKS]


@pytest.mark.parametrize(
    ("name", "contexts_file"),
    [
        *((task, SHIPPED / f"{task}-contexts.jsonl") for task in demo_lines.TASKS),
        *((name, demo_lines.FOLDER / f"{name}-contexts.jsonl") for name in DEMONSTRATIONS),
    ],
)
def test_every_line_is_a_usable_try(name: str, contexts_file: Path) -> None:
    task = Path(name).name
    configuration = read_configuration((SHIPPED / f"{task}.yaml").read_text(encoding="utf-8"))
    uploads = contexts_file.read_text(encoding="utf-8").splitlines()
    contexts = [json.loads(line)["fields"] for line in uploads]
    stage = Stage("", 2, len(contexts), configuration.document())
    written = demo_lines.lines(name)
    assert len(demo_lines.texts(written)) == len(written) + sum(line.edit is not None for line in written)
    for line in written:
        fitting = [fields for fields in contexts if line.fits(next(iter(fields.values())), None)]
        assert len(fitting) == 1 or not line.beginning, f"{line.beginning!r} begins {len(fitting)} contexts"
        for one in filter(None, (line, line.edit)):
            values = stage.input(one, fitting[0])
            checked, claimed = configuration.check_input(values, fitting[0])
            assert {**checked, stage.claimed["name"]: claimed} == values
            asked = {entry["name"] for entry in stage.configuration["metadata"]["create"]}
            assert set(stage.metadata(one)) == (asked if one.claim == "hateful" else set())


@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_the_demonstration_leaves_the_texts_of_the_demo_free(name: str) -> None:
    """One text fools once in a task, so a text of both would not count where it comes second."""
    task = Path(name).name
    assert (
        not demo_lines.texts(demo_lines.lines(name)).keys() & demo_lines.texts(demo_lines.lines(task)).keys()
    )


def test_the_owner_may_create_every_task_of_the_examples() -> None:
    files = (checkout() / "examples").glob("*.yaml")
    slugs = {read_configuration(path.read_text(encoding="utf-8")).slug for path in files}
    roles = {user_name: roles for _, user_name, roles in seed.PEOPLE}
    assert {f"owner:{slug}" for slug in slugs} <= set(roles["olga"])


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_demonstration_is_released_only_without_texts_of_visitors(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = DEMONSTRATIONS[0]
    ours = demo_lines.lines(name)[0].text
    fields = [{"name": "text", "type": "string"}, {"name": "label", "type": "multiclass"}]
    stage = Stage("r", 2, 1, {"input": fields, "output": fields[1:]})
    second = ours if is_ours else "A visitor wrote this."
    said = [Example.blank(input={"text": each}) for each in (ours, second)]
    monkeypatch.setattr(demo_round, "examples", lambda *_: said)
    assert (
        demo_round.is_all_ours(Dynabench("http://nowhere.invalid"), stage, demo_lines.lines(name)) is is_ours
    )
