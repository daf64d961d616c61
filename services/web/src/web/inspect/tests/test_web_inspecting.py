"""The sandbox, and inspections of targets side by side."""

from typing import Any

import pytest
from web_fake_arena import FakeTask
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PASSAGE = "🙂 Die Ma\u0308rchen of Orsa were printed in Orsa in 1871."


def create(task: FakeTask) -> str:
    return f"/rounds/{task.round_id}/create"


def form(task: FakeTask, **controls: Any) -> dict[str, Any]:
    return {"context_id": task.context["context_id"], "key": f"key-{len(controls)}", **controls}


def only(fake: FakePlatform) -> dict[str, Any]:
    return next(iter(fake.loop.examples.values()))


def verdict_of(visitor: Visitor, task: FakeTask, **controls: Any) -> str:
    answer = visitor.post(create(task), **form(task, **controls))
    assert answer.status_code == 303, answer.text
    return visitor.get(answer.headers["Location"]).text


@pytest.fixture
def qa(fake: FakePlatform) -> FakeTask:
    return fake.loop.add("qa", contexts=[{"passage": PASSAGE}])


def test_all_targets_are_compared_for_a_label_in_chosen_steps(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    verdict_of(ada, qa, **{"input.question": "What was printed?", "input.answer": "Orsa"})
    path = f"/examples/{only(fake)['example_id']}/inspections"
    page = ada.post(path, target=qa.targets, label="end", n_steps="50").text
    assert page.count('<article class="inspected"') == 2
    assert page.count("50 steps · convergence delta +0.021. The weights miss 2\u00a0%") == 2
    assert '<option value="end" selected>the end of the answer</option>' in page
    assert "Your question" in page
    assert next(body for _, place, body in fake.calls if place.endswith("inspections"))["n_steps"] == 50
    fake.fail("POST", "/inspections$", 503, detail="Workers are starting.", retry_after=4)
    late = ada.post(path, target=qa.targets)
    assert late.status_code == 200
    assert "Workers are starting." in late.text


def test_the_sandbox_asks_and_inspects_models_out_of_the_loop(ada: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("qa", contexts=[{"passage": PASSAGE}])
    page = ada.get("/tasks/qa/sandbox").text
    assert '<option value="sentiment-minilm" disabled>' in page
    assert 'name="context.passage"' in page
    assert 'name="input.answer"' not in page
    written = {"context.passage": PASSAGE, "input.question": "Where?", "target": "sentiment-cnn"}
    page = ada.post("/tasks/qa/sandbox", **written, action="inspect", n_steps="100").text
    assert "Its answer" in page
    assert "100 steps" in page
    assert not fake.loop.examples
