"""A try, end to end: judged by the targets, stored once, or not at all."""

import threading
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import ExampleCreated, Verdict
from dynabench.task.v1.task_pb2 import SegmentStarted
from google.protobuf.message import Message
from sqlalchemy import select

from .conftest import Platform

AnyMessage = TypeVar("AnyMessage", bound=Message)


def stored_events(
    platform: Platform, kind: type[AnyMessage], aggregate_id: str | None = None
) -> list[tuple[int, AnyMessage]]:
    name = kind.DESCRIPTOR.full_name
    statement = select(tables.outbox).where(tables.outbox.c.type == name).order_by(tables.outbox.c.id)
    if aggregate_id is not None:
        statement = statement.where(tables.outbox.c.aggregate_id == aggregate_id)
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [(row.aggregate_version, kind.FromString(bytes(row.payload))) for row in rows]


def test_the_tries_of_a_demonstration_are_a_cohort_of_their_own(platform: Platform) -> None:
    body = {"targets": ["alpha"], "demonstration": True}
    drafted = platform.owner("POST", f"/tasks/{platform.slug}/rounds", body)
    round_id = drafted["round_id"]
    contexts = {"contexts": [{"fields": platform.context(0)}]}
    platform.owner("POST", f"/rounds/{round_id}/contexts", contexts)
    platform.set_state(round_id, "open")
    assert drafted["origin"] == "demonstration"
    assert platform.try_(round_id, uuid4()).get_json()["cohort"] == "demonstration"


def test_a_try_that_fools_the_target_is_stored_with_everything_about_it(platform: Platform) -> None:
    person = uuid4()
    round_id = platform.open_round()
    given = platform.assign(round_id, person)
    platform.clock.move(12.5)

    response = platform.try_(
        round_id,
        person,
        given["context"]["context_id"],
        hint_shown=True,
        pasted_characters=7,
        explanations={"label": "Nobody likes queues."},
    )

    assert response.status_code == 201
    example = response.get_json()
    answer = example["answers"][0]
    assert example["verdict"] == "fooled"
    assert example["context"] == given["context"]["fields"]
    assert example["input"] == {"text": "What a lovely queue."}
    assert example["claimed"] == "negative"
    assert (answer["target"], answer["value"], answer["wrong"]) == ("alpha", "positive", True)
    assert answer["model_digest"] == "sha256:model-1"
    assert (example["attempt"], example["seconds_since_context"]) == (1, 12.5)
    assert (example["condition"], example["cohort"], example["hint_shown"]) == ("prompt", "volunteer", True)
    assert (example["probes_before"], example["inspections_before"]) == (0, 0)
    assert example["explanations"] == {"label": "Nobody likes queues.", "model": ""}
    assert example["author_id"] == str(person)
    read = platform.call("GET", f"/examples/{example['example_id']}", person=person).get_json()
    assert read == example
    [(version, event)] = stored_events(platform, ExampleCreated, example["example_id"])
    assert version == 1
    assert (event.verdict, event.pasted_characters) == (Verdict.VERDICT_FOOLED, 7)
    assert "pasted_characters" not in example
    assert event.segment_id == example["segment_id"]
    assert dict(event.input) == {"text": "What a lovely queue."}


def test_the_claimed_label_is_never_sent_to_the_target(platform: Platform) -> None:
    platform.example(platform.open_round(), uuid4(), text="Only this.")

    assert platform.gateway.targets["alpha"].instances == [{"text": "Only this."}]


def test_a_target_that_agrees_with_the_author_is_not_fooled(platform: Platform) -> None:
    assert platform.example(platform.open_round(), uuid4(), label="positive")["verdict"] == "not_fooled"


def test_attempts_on_a_context_count_up(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()

    numbers = [platform.example(round_id, person, text=f"Text {n}.")["attempt"] for n in range(3)]

    assert numbers == [1, 2, 3]


def test_attempts_sent_at_once_get_different_numbers(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]

    tries = platform.at_once(*[lambda: platform.try_(round_id, person, context_id) for _ in range(6)])

    assert sorted(response.get_json()["attempt"] for response in tries) == [1, 2, 3, 4, 5, 6]


def test_a_repeated_key_returns_the_same_example(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]

    first = platform.try_(round_id, person, context_id, key="once")
    again = platform.try_(round_id, person, context_id, key="once", pasted_characters=3)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_data() == first.get_data()
    assert platform.counts(round_id)["tries"] == 1


def test_a_repeated_key_returns_the_example_even_after_the_round_closed(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    first = platform.try_(round_id, person, context_id, key="late")
    platform.set_state(round_id, "closed")

    again = platform.try_(round_id, person, context_id, key="late")

    assert again.status_code == 200
    assert again.get_json() == first.get_json()


def test_the_same_key_at_once_makes_one_example_that_both_get(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    both_asked = threading.Barrier(2)
    platform.gateway.targets["alpha"].before_answer = lambda: both_asked.wait(10)

    replies = platform.at_once(
        *[lambda: platform.try_(round_id, person, context_id, key="twice") for _ in range(2)]
    )

    assert sorted(reply.status_code for reply in replies) == [200, 201]
    assert replies[0].get_json() == replies[1].get_json()
    assert platform.counts(round_id)["tries"] == 1


def test_a_key_with_another_body_is_refused(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    platform.example(round_id, person, key="mine", text="One.")

    response = platform.try_(round_id, person, key="mine", text="Two.")

    assert response.status_code == 422
    assert response.get_json()["type"] == "/problems/idempotency-key-reused"
    assert response.get_json()["field"] == "Idempotency-Key"
    assert platform.counts(round_id)["tries"] == 1


def test_two_people_may_use_the_same_key(platform: Platform) -> None:
    round_id = platform.open_round()

    first, second = (platform.example(round_id, uuid4(), key="shared") for _ in range(2))

    assert first["example_id"] != second["example_id"]


def test_a_round_closed_while_the_target_thinks_stores_nothing(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    platform.gateway.targets["alpha"].before_answer = lambda: platform.set_state(round_id, "closed")

    response = platform.try_(round_id, person, context_id)

    assert response.status_code == 409
    assert response.get_json()["type"] == "/problems/round-closed"
    assert platform.counts(round_id)["tries"] == 0
    assert stored_events(platform, SegmentStarted, round_id) == []


def test_a_configuration_changed_while_the_target_thinks_stores_nothing(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    changed = platform.configuration.replace("title: Sentiment", "title: Feelings")
    platform.gateway.targets["alpha"].before_answer = lambda: platform.owner(
        "PUT", f"/tasks/{platform.slug}/configuration", {"configuration": changed}
    )

    response = platform.try_(round_id, person, context_id)

    assert response.status_code == 503
    assert response.get_json()["type"] == "/problems/configuration-changed"
    assert platform.counts(round_id)["tries"] == 0


@pytest.mark.parametrize(
    ("failure", "retry_after"),
    [
        ({"status": 503, "retry_after": 7}, "7"),
        ({"status": 429, "retry_after": 3}, "3"),
        ({"status": 500}, "2"),
        ({"item_error": "out of memory"}, "2"),
        ({"label": "sarcastic"}, "2"),
    ],
)
def test_a_target_without_a_usable_answer_leaves_the_try_undecided_and_unstored(
    platform: Platform, failure: dict[str, Any], retry_after: str
) -> None:
    round_id = platform.open_round()
    for name, value in failure.items():
        setattr(platform.gateway.targets["alpha"], name, value)

    response = platform.try_(round_id, uuid4())

    assert response.status_code == 503
    assert response.headers["Retry-After"] == retry_after
    assert response.get_json()["type"] == "/problems/verdict-undecidable"
    assert platform.counts(round_id)["tries"] == 0


@pytest.mark.long
def test_a_late_target_is_missing_and_the_verdict_stands_without_it(platform: Platform) -> None:
    release = threading.Event()
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].wait_for = release

    example = platform.example(round_id, uuid4())
    release.set()

    assert example["verdict"] == "fooled"
    assert example["answers"][1] == {"target": "beta", "missing": "deadline"}


@pytest.mark.long
def test_a_late_target_that_could_change_the_verdict_makes_it_undecidable(platform: Platform) -> None:
    release = threading.Event()
    round_id = platform.open_round(("alpha", "beta"))
    platform.gateway.targets["beta"].wait_for = release

    response = platform.try_(round_id, uuid4(), label="positive")
    release.set()

    assert response.status_code == 503
    assert platform.counts(round_id)["tries"] == 0


def test_a_text_that_a_target_will_never_take_is_the_authors_to_change(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.gateway.targets["alpha"].status = 413

    response = platform.try_(round_id, uuid4())

    assert response.status_code == 422
    assert response.get_json()["type"] == "/problems/refused-by-target"


def test_a_control_arm_stores_undecided_tries_without_a_segment(platform: Platform) -> None:
    example = platform.example(platform.open_round(()), uuid4())

    assert (example["verdict"], example["answers"], example["segment_id"]) == ("undecided", [], None)


def test_the_same_targets_share_a_segment_and_another_digest_starts_one(platform: Platform) -> None:
    round_id = platform.open_round()
    first, second = (platform.example(round_id, uuid4())["segment_id"] for _ in range(2))
    platform.gateway.targets["alpha"].model_digest = "sha256:model-2"
    third = platform.example(round_id, uuid4())["segment_id"]

    assert first == second != third
    segments = stored_events(platform, SegmentStarted, round_id)
    assert [event.number for _, event in segments] == [1, 2]
    assert segments[1][1].targets[0].model_digest == "sha256:model-2"
    assert [version for version, _ in segments] == [3, 4]


def test_a_new_configuration_version_starts_a_segment(platform: Platform) -> None:
    round_id = platform.open_round()
    first = platform.example(round_id, uuid4())
    changed = platform.configuration.replace("title: Sentiment", "title: Feelings")
    platform.owner("PUT", f"/tasks/{platform.slug}/configuration", {"configuration": changed})

    second = platform.example(round_id, uuid4())

    assert (first["configuration_version"], second["configuration_version"]) == (1, 2)
    assert first["segment_id"] != second["segment_id"]


def test_first_tries_sent_at_once_start_one_segment(platform: Platform) -> None:
    round_id = platform.open_round(contexts=8)
    people = [uuid4() for _ in range(8)]
    for person in people:
        platform.assign(round_id, person)

    tries = platform.at_once(*[lambda p=person: platform.example(round_id, p) for person in people])

    assert len({example["segment_id"] for example in tries}) == 1
    assert len(stored_events(platform, SegmentStarted, round_id)) == 1


def test_a_missing_target_does_not_start_a_segment(platform: Platform) -> None:
    round_id = platform.open_round(("alpha", "beta"))
    first = platform.example(round_id, uuid4())
    platform.gateway.targets["beta"].status = 503

    second = platform.example(round_id, uuid4())

    assert first["segment_id"] == second["segment_id"]
