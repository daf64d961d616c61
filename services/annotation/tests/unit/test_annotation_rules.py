"""Small rules: arms, quotas, text, tasks, contexts, explanations, and the circuit breaker."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
import yaml
from annotation.adapters.circuit_breaker import CircuitBreaker, CircuitOpen
from annotation.domain.assignment import Assignment, Place, QuotaReached, draw_condition
from annotation.domain.context import Context
from annotation.domain.example import Explanations
from annotation.domain.identifiers import AssignmentId, ContextId, PersonId, RoundId, TaskId
from annotation.domain.task import LabelInUse, Task
from dynabench_events.task import TaskCreated
from dynabench_tasks.configuration.conditions import Condition
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.task_configuration import Quotas
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.context_policies import CONTEXT_POLICIES
from dynabench_tasks.fields import FIELD_TYPES, InputRefused
from dynabench_tasks.registry import Registry
from dynabench_tasks.text import validate_text
from dynabench_tasks.wrong_when import WRONG_RULES

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SHIPPED = (Path(__file__).parents[1] / "sentiment.yaml").read_text()


@pytest.mark.parametrize(
    ("draw", "arm"), [(0.0, "prompt"), (0.74, "prompt"), (0.75, "no_prompt"), (0.999999, "no_prompt")]
)
def test_an_arm_is_drawn_by_its_weight(draw: float, arm: str) -> None:
    assert draw_condition([Condition("prompt", 3), Condition("no_prompt", 1)], draw) == arm


def an_assignment(attempts: int = 0) -> Assignment:
    return Assignment(
        AssignmentId(uuid4()),
        RoundId(uuid4()),
        ContextId(uuid4()),
        PersonId(uuid4()),
        "prompt",
        NOW,
        attempts,
    )


@pytest.mark.parametrize(
    ("quotas", "attempts", "in_round", "refused"),
    [
        (Quotas(), 99, 99, None),
        (Quotas(tries_per_context=2), 1, 99, None),
        (Quotas(tries_per_context=2), 2, 2, "context"),
        (Quotas(tries_per_person=5), 4, 4, None),
        (Quotas(tries_per_person=5), 0, 5, "round"),
    ],
)
def test_a_quota_ends_the_tries_on_a_context_or_in_a_round(
    quotas: Quotas, attempts: int, in_round: int, refused: str | None
) -> None:
    assignment = an_assignment(attempts)
    if refused is None:
        assert assignment.next_attempt(quotas, in_round) == attempts + 1
    else:
        with pytest.raises(QuotaReached) as caught:
            assignment.next_attempt(quotas, in_round)
        assert caught.value.scope == refused


@pytest.mark.parametrize(
    ("arms", "labels", "expected"),
    [
        # What the configuration has is kept, whatever the draw says.
        (["other", "prompt"], ["negative", "neutral", "positive"], ("prompt", "positive")),
        # What it no longer has is drawn.
        (["other"], ["negative", "neutral", "positive"], ("other", "positive")),
        (["other", "prompt"], ["negative", "neutral"], ("prompt", "negative")),
    ],
)
def test_an_arm_and_a_label_that_are_gone_are_drawn_anew(
    arms: list[str], labels: list[str], expected: tuple[str, str]
) -> None:
    text = SHIPPED.replace("[negative, neutral, positive]", str(labels))
    goal = {"message": "Write for the label.", "label": "assigned"}
    document = {**yaml.safe_load(text), "conditions": [{"name": arm} for arm in arms], "goal": goal}
    before = an_assignment()
    before.assigned_label = "positive"
    place = Place(before.round_id, before.person_id)

    assert place.arm_and_label(before, read_task_configuration(document), lambda: 0.0) == expected


def test_seconds_run_from_the_assignment_and_never_backwards() -> None:
    assert an_assignment().seconds_until(NOW + timedelta(seconds=2.5)) == 2.5
    assert an_assignment().seconds_until(NOW - timedelta(seconds=1)) == 0.0


@pytest.mark.parametrize(
    "text", ["a", " a ", "é", "e\u0301", "👩🏽‍🚀", "a\n\tb\r\n", "\u200ba", "𝕳", "مرحبا"]
)
def test_text_that_a_person_can_read_is_taken(text: str) -> None:
    assert validate_text(text, 100) is None


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "\ufeff", "\u2028", "a\x00", "a\x1b", "a\ud83d", "a" * 101]
)
def test_text_that_nobody_can_read_or_keep_is_refused(text: str) -> None:
    assert validate_text(text, 100) is not None


@pytest.mark.parametrize("text", ["", " "])
def test_an_optional_text_may_be_blank(text: str) -> None:
    assert validate_text(text, 100, may_be_blank=True) is None


def a_task() -> Task:
    return Task.create(TaskId(uuid4()), read_configuration(SHIPPED), SHIPPED, PersonId(uuid4()), NOW)


def test_a_changed_configuration_is_the_next_version() -> None:
    task = a_task()
    task.configure(
        read_configuration(SHIPPED.replace("title: Sentiment", "title: Feelings")), "", [], None, NOW
    )

    assert task.configuration_version == 2
    versions = [
        event.record.configuration_version
        for event in task.take_unsaved()
        if isinstance(event.record, TaskCreated)
    ]
    assert versions == [1, 2]


def test_an_unchanged_configuration_is_no_version() -> None:
    task = a_task()
    task.configure(read_configuration(SHIPPED), "", [], None, NOW)
    assert task.configuration_version == 1


def test_a_label_in_use_cant_disappear() -> None:
    two = SHIPPED.replace("[negative, neutral, positive]", "[negative, positive]")
    a_task().configure(read_configuration(two), "", ["negative"], None, NOW)
    with pytest.raises(LabelInUse):
        a_task().configure(read_configuration(two), "", ["negative", "neutral"], None, NOW)


def test_a_task_keeps_its_slug() -> None:
    with pytest.raises(ConfigurationError):
        a_task().configure(
            read_configuration(SHIPPED.replace("slug: sentiment", "slug: other")), "", [], None, NOW
        )


def test_two_people_withdraw_a_context_and_one_person_counts_once() -> None:
    context = Context(context_id=ContextId(uuid4()), round_id=RoundId(uuid4()), fields={}, tags=())
    first = PersonId(uuid4())

    context.flag(first, "Unfit.", NOW)
    context.flag(first, "Unfit!", NOW)
    assert (context.is_withdrawn, context.version) == (False, 1)
    context.flag(PersonId(uuid4()), "Unfit.", NOW)

    assert (context.is_withdrawn, context.version) == (True, 2)


def test_explanations_change_one_at_a_time_and_may_be_taken_back() -> None:
    texts = Explanations("why", "how").changed(None, "how else")
    assert texts == Explanations("why", "how else")
    assert texts.changed("", None) == Explanations("", "how else")
    with pytest.raises(InputRefused):
        texts.changed("x" * 1_001, None)


def test_registries_hold_what_this_version_has_and_refuse_a_name_twice() -> None:
    assert FIELD_TYPES.names == ("image", "multiclass", "multilabel", "probabilities", "span", "string")
    assert WRONG_RULES.names == ("ask_annotator", "exact_match", "text_f1", "token_f1")
    assert CONTEXT_POLICIES.names == ("least_fooled", "least_used", "uniform", "validation_failed")
    registry = Registry[int]()
    registry.register("one")(1)
    with pytest.raises(ValueError, match="twice"):
        registry.register("one")(2)


def test_the_circuit_opens_after_failures_in_a_row_and_tries_one_call_after_the_pause() -> None:
    now = [0.0]
    breaker = CircuitBreaker(failures=3, pause_seconds=2, monotonic=lambda: now[0])

    def passes() -> bool:
        try:
            breaker.enter()
        except CircuitOpen:
            return False
        return True

    for _ in range(2):
        breaker.failed()
    assert passes()
    breaker.failed()
    assert not passes()
    now[0] = 2.0
    assert [passes(), passes()] == [True, False]
    breaker.succeeded()
    assert [passes(), passes()] == [True, True]


def test_a_round_under_way_must_be_able_to_follow_a_new_version() -> None:
    two_of_three = SHIPPED.replace("ensemble: any", "ensemble: {at_least: 2}")
    with pytest.raises(ConfigurationError) as refused:
        a_task().configure(read_configuration(two_of_three), "", [], 1, NOW)
    assert refused.value.path == "ensemble"
    a_task().configure(read_configuration(two_of_three), "", [], 2, NOW)
    fewer = SHIPPED.replace("[negative, neutral, positive]", "[negative, positive]")
    with pytest.raises(ConfigurationError) as refused:
        a_task().configure(read_configuration(fewer), "", [], 1, NOW)
    assert refused.value.path == "output"
