"""The author's view of a try."""

from dynabench_api.annotation import MissingTargetAnswer, UnaskedTargetAnswer
from dynabench_client.results.annotation import Example, Task
from dynabench_client.results.validation import ExampleResolution
from web.create.try_view import try_view
from web.kit.answers import answer_view
from web.kit.configuration import TaskRules, task_rules
from web_fake_loop import Loop

LABELS = ("negative", "neutral", "positive")


def rules(**changes: object) -> TaskRules:
    document = Loop().task("sentiment")
    document["configuration"].update(changes)
    return task_rules(Task.blank(**document))


def example(**changes: object) -> Example:
    loop = Loop()
    body = {"context_id": "c", "input": {"text": "Such a great choice.", "label": "negative"}}
    document, _ = loop.create(loop.round_id, "p", "k", body)
    return Example.blank(**{**document, **changes})


def test_a_try_with_its_answers_and_standing() -> None:
    view = try_view(example(), rules(), ExampleResolution.blank(resolution="correct", votes_counted=2))
    first, second = view.answers
    assert view.verdict.text == "Fooled"
    assert view.headline == "You fooled 1 of 2 models"
    assert view.rule == "You win if at least one of the 2 models is wrong."
    assert view.nearest_miss == second.target
    assert view.resolution
    assert (view.resolution.text, view.votes_so_far) == ("People agree with you", "2\u00a0votes")
    assert (first.outcome, second.outcome) == ("wrong", "right")
    assert [p.label.name for p in first.probabilities] == list(LABELS)
    assert first.top
    assert (first.top.meter, first.top.percent) == ("0.9100", "91\u00a0%")


def test_a_retracted_try_says_nothing_of_votes() -> None:
    view = try_view(
        example(retracted_at="2026-01-06T10:00:00Z"), rules(), ExampleResolution.blank(pending=True)
    )
    assert view.is_retracted
    assert view.votes_so_far == ""


def test_a_missing_answer_says_why() -> None:
    view = answer_view(MissingTargetAnswer.blank(target="n-gram-b", missing="deadline"), rules())
    assert (view.missing, view.value, view.outcome) == ("deadline", None, "no answer")


def test_a_target_that_was_not_asked_is_no_missing_answer() -> None:
    view = answer_view(UnaskedTargetAnswer.blank(target="large", not_asked=True), rules())
    assert (view.is_asked, view.outcome) == (False, "not asked")
    assert view.missing == "not asked: an earlier model was right"
