"""The demo people's texts fit the shipped tasks and their contexts."""

import json
import sys

import pytest
from dynabench_local.layout import checkout
from dynabench_tasks.configuration.yaml_text import read_configuration

sys.path.insert(0, str(checkout() / "scripts"))
import demo_lines
import seed
from demo_people import Stage

SHIPPED = checkout() / "services" / "annotation" / "tasks"


@pytest.mark.parametrize("task", demo_lines.TASKS)
def test_every_line_is_a_usable_try(task: str) -> None:
    configuration = read_configuration((SHIPPED / f"{task}.yaml").read_text(encoding="utf-8"))
    uploads = (SHIPPED / f"{task}-contexts.jsonl").read_text(encoding="utf-8").splitlines()
    contexts = [json.loads(line)["fields"] for line in uploads]
    stage = Stage("", 2, len(contexts), configuration.document())
    written = demo_lines.lines(task)
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


def test_the_owner_may_create_every_task_of_the_examples() -> None:
    files = (checkout() / "examples").glob("*.yaml")
    slugs = {read_configuration(path.read_text(encoding="utf-8")).slug for path in files}
    roles = {user_name: roles for _, user_name, roles in seed.PEOPLE}
    assert {f"owner:{slug}" for slug in slugs} <= set(roles["olga"])
