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
    assert page.count("50 steps · convergence delta +0.021. The weights leave 2\u00a0% unexplained") == 2
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
    assert 'name="target" value="sentiment-minilm" disabled>' in page
    assert 'name="target" value="sentiment-cnn" checked>' in page
    assert 'name="context.passage"' in page
    assert 'name="input.answer"' not in page
    written = {"context.passage": PASSAGE, "input.question": "Where?", "target": "sentiment-cnn"}
    page = ada.post("/tasks/qa/sandbox", **written, action="inspect", n_steps="100").text
    assert "Answers of models</h2>" in page
    assert "100 steps" in page
    assert not fake.loop.examples


def test_the_sandbox_shows_answers_and_explanations_of_several_models_side_by_side(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.loop.add("qa", contexts=[{"passage": PASSAGE}])
    fake.models.add("published", model="second")
    written = {"context.passage": PASSAGE, "input.question": "Where?"}
    page = ada.post(
        "/tasks/qa/sandbox", **written, target=["sentiment-cnn", "second-v1"], action="inspect"
    ).text
    answers = page.partition("Answers of models</h2>")[2]
    assert answers.count('<li class="answer">') == 2
    assert answers.count('<article class="inspected"') == 2
    assert 'value="sentiment-cnn" checked>' in page


def test_a_model_that_does_not_answer_leaves_the_others_answers(ada: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("qa", contexts=[{"passage": PASSAGE}])
    fake.fail("POST", "/sandbox$", 503, detail="It is starting.")
    written = {"context.passage": PASSAGE, "input.question": "Where?"}
    answer = ada.post("/tasks/qa/sandbox", **written, target=["sentiment-cnn", "second-v1"])
    assert answer.status_code == 200
    assert answer.text.count('<li class="answer">') == 2
    assert "It is starting." in answer.text


def test_without_a_model_the_sandbox_asks_for_one(ada: Visitor) -> None:
    answer = ada.post("/tasks/sentiment/sandbox", **{"input.text": "A fine day."})
    assert answer.status_code == 422
    assert "No model is chosen.</p>" in answer.text
    assert "Choose at least one model." in answer.text
    assert 'value="sentiment-cnn">' in answer.text


def test_a_context_that_no_model_reads_is_not_asked_for(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get("/tasks/sentiment/sandbox").text
    assert 'name="input.text"' in page
    assert 'name="context.prompt"' not in page
    fake.loop.add("nli")
    assert 'name="context.premise"' in ada.get("/tasks/nli/sandbox").text
