"""Settings that change a try: arms, assigned labels, metadata and mandatory explanations."""

from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import ExampleCreated, MetadataGiven, Verdict, VerdictDecided
from google.protobuf.message import Message
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import MakePlatform, Platform

ASK = {"wrong_when": "ask_annotator"}

AnyMessage = TypeVar("AnyMessage", bound=Message)


def events(platform: Platform, example_id: str, kind: type[AnyMessage]) -> list[AnyMessage]:
    statement = (
        select(tables.outbox.c.payload)
        .where(tables.outbox.c.aggregate_id == example_id, tables.outbox.c.type == kind.DESCRIPTOR.full_name)
        .order_by(tables.outbox.c.aggregate_version)
    )
    with platform.dependencies.engine.connect() as connection:
        return [kind.FromString(bytes(payload)) for payload in connection.execute(statement).scalars()]


def put(
    platform: Platform, example: dict[str, Any], what: str, body: object, person: UUID | None = None
) -> TestResponse:
    path = f"/examples/{example['example_id']}/{what}"
    return platform.call("PUT", path, body, person=person or example["author_id"])


def test_in_a_control_arm_no_target_is_asked_and_nothing_is_decided(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "control", "targets": "none"}])
    round_id, person = platform.open_round(), uuid4()

    given = platform.assign(round_id, person)
    example = platform.example(round_id, person)

    assert (given["condition"], given["has_targets"], given["context_shown"]) == ("control", False, True)
    assert (example["verdict"], example["answers"], example["segment_id"]) == ("undecided", [], None)
    assert example["condition"] == "control"
    assert platform.gateway.targets["alpha"].instances == []
    assert platform.counts(round_id) == {"tries": 1, "fooled": 0, "not_fooled": 0, "retracted": 0}


def test_in_an_arm_without_context_it_stays_on_the_server_and_targets_still_get_it(
    make_platform: MakePlatform,
) -> None:
    platform = make_platform(
        conditions=[{"name": "blind", "context": "hidden"}], instance={"prompt": "prompt", "text": "text"}
    )
    platform.gateway.targets["alpha"].fields = ["prompt", "text"]
    round_id, person = platform.open_round(contexts=1), uuid4()

    response = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=person)
    example = platform.example(round_id, person, text="Blind.")

    given = response.get_json()
    assert (given["context_shown"], given["context"]["fields"], given["context"]["tags"]) == (False, {}, [])
    assert "Prompt 0." not in response.get_data(as_text=True)
    assert platform.gateway.targets["alpha"].instances == [{"prompt": "Prompt 0.", "text": "Blind."}]
    assert example["context"] == {"prompt": "Prompt 0."}


def test_with_an_example_goes_no_prompt_that_its_author_never_saw(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "blind", "context": "hidden"}])
    round_id, person = platform.open_round(contexts=1), uuid4()
    platform.assign(round_id, person)
    example = platform.example(round_id, person, text="Blind.")
    assert example["context"] == {}
    (created,) = events(platform, example["example_id"], ExampleCreated)
    assert "prompt" not in created.context


def test_arms_are_drawn_by_weight_and_stay_with_the_assignment(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "shown"}, {"name": "blind", "context": "hidden"}])
    round_id = platform.open_round(contexts=1)
    people = [uuid4() for _ in range(40)]

    first = [platform.assign(round_id, person)["condition"] for person in people]

    assert set(first) == {"shown", "blind"}
    assert [platform.assign(round_id, person)["condition"] for person in people] == first


def test_passing_a_context_over_draws_no_other_arm(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "shown"}, {"name": "blind", "context": "hidden"}])
    round_id, person = platform.open_round(contexts=20), uuid4()

    given = [platform.assign(round_id, person)]
    for _ in range(14):
        given.append(platform.assign(round_id, person, given[-1]["context"]["context_id"]))
    reported = given[-1]["context"]["context_id"]
    platform.call("POST", f"/contexts/{reported}/flags", {"reason": "Rude."}, person=person)
    given.append(platform.assign(round_id, person))

    assert len({each["context"]["context_id"] for each in given}) == 16
    assert len({each["condition"] for each in given}) == 1


def test_after_a_try_the_next_contexts_arm_is_drawn(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "one"}, {"name": "other"}])
    round_id, person = platform.open_round(contexts=30), uuid4()

    arms, context_id = set(), None
    for _ in range(25):
        arms.add(platform.assign(round_id, person, context_id)["condition"])
        context_id = platform.example(round_id, person)["context_id"]

    assert arms == {"one", "other"}


def test_arm_and_label_stay_with_a_context_that_comes_back(make_platform: MakePlatform) -> None:
    platform = make_platform(
        conditions=[{"name": "one"}, {"name": "other"}],
        goal={"message": "Write for the label.", "label": "assigned"},
    )
    round_id, person = platform.open_round(contexts=2), uuid4()

    def work(not_context_id: str | None = None) -> tuple[str, str, str]:
        given = platform.assign(round_id, person, not_context_id)
        return given["context"]["context_id"], given["condition"], given["assigned_label"]

    first = work()
    platform.example(round_id, person, label=first[2])
    second = work(first[0])
    platform.example(round_id, person, label=second[2])

    for _ in range(12):
        assert work(second[0]) == first
        assert work(first[0]) == second


@pytest.fixture
def assigning(make_platform: MakePlatform) -> Platform:
    return make_platform(goal={"message": "Write for the label.", "label": "assigned"})


def test_a_label_is_assigned_and_must_be_claimed(assigning: Platform) -> None:
    round_id, person = assigning.open_round(), uuid4()
    given = assigning.assign(round_id, person)
    label = given["assigned_label"]
    other = next(each for each in ("negative", "neutral", "positive") if each != label)

    refused = assigning.try_(round_id, person, label=other)
    example = assigning.example(round_id, person, label=label)

    assert (refused.status_code, refused.get_json()["field"]) == (422, "input.label")
    assert (example["assigned_label"], example["claimed"]) == (label, label)
    [event] = events(assigning, example["example_id"], ExampleCreated)
    assert event.assigned_label == label
    assert assigning.counts(round_id)["tries"] == 1


def test_all_labels_are_assigned(assigning: Platform) -> None:
    round_id = assigning.open_round()
    labels = {assigning.assign(round_id, uuid4())["assigned_label"] for _ in range(40)}
    assert labels == {"negative", "neutral", "positive"}


def test_where_people_choose_no_label_is_assigned(platform: Platform) -> None:
    assert platform.assign(platform.open_round(), uuid4())["assigned_label"] is None


@pytest.fixture
def explaining(make_platform: MakePlatform) -> Platform:
    return make_platform(explanations="required_when_fooled")


def assignment(
    platform: Platform, round_id: str, person: UUID, not_context_id: str | None = None
) -> TestResponse:
    body = {} if not_context_id is None else {"not_context_id": not_context_id}
    return platform.call("POST", f"/rounds/{round_id}/assignments", body, person=person)


def test_after_fooling_a_target_one_must_say_why_before_going_on(explaining: Platform) -> None:
    round_id, person = explaining.open_round(), uuid4()
    example = explaining.example(round_id, person)

    here = assignment(explaining, round_id, person)
    refused = assignment(explaining, round_id, person, example["context_id"])
    put(explaining, example, "explanations", {"model": "Irony."})
    after = assignment(explaining, round_id, person, example["context_id"])

    assert here.status_code == 200
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/explanation-needed")
    assert example["example_id"] in refused.get_json()["detail"]
    assert after.status_code == 200
    assert after.get_json()["context"]["context_id"] != example["context_id"]


@pytest.mark.parametrize("explanations", [{"label": "It is."}, {"model": " "}])
def test_only_a_reason_why_the_model_was_fooled_will_do(
    explaining: Platform, explanations: dict[str, str]
) -> None:
    round_id, person = explaining.open_round(), uuid4()
    example = explaining.example(round_id, person, explanations=explanations)
    assert assignment(explaining, round_id, person, example["context_id"]).status_code == 409


def test_a_retracted_fooling_or_none_needs_no_reason(explaining: Platform) -> None:
    round_id, person = explaining.open_round(), uuid4()
    example = explaining.example(round_id, person)
    explaining.call("POST", f"/examples/{example['example_id']}/retraction", person=person)
    explaining.example(round_id, person, label="positive")
    assert assignment(explaining, round_id, person, example["context_id"]).status_code == 200


def test_where_the_annotator_is_asked_a_try_waits_for_the_decision(make_platform: MakePlatform) -> None:
    platform = make_platform(**ASK)
    round_id, person = platform.open_round(["alpha", "beta"]), uuid4()
    example = platform.example(round_id, person)
    waiting = platform.counts(round_id)

    response = put(platform, example, "decision", {"wrong_targets": ["beta"]})

    assert example["verdict"] == "undecided"
    assert [answer["wrong"] for answer in example["answers"]] == [None, None]
    assert waiting == {"tries": 1, "fooled": 0, "not_fooled": 0, "retracted": 0}
    decided = response.get_json()
    assert (response.status_code, decided["verdict"]) == (200, "fooled")
    assert [answer["wrong"] for answer in decided["answers"]] == [False, True]
    assert platform.counts(round_id)["fooled"] == 1
    [event] = events(platform, example["example_id"], VerdictDecided)
    assert (event.verdict, list(event.wrong_targets)) == (Verdict.VERDICT_FOOLED, ["beta"])


def test_saying_that_no_target_was_wrong_decides_too(make_platform: MakePlatform) -> None:
    platform = make_platform(**ASK)
    round_id = platform.open_round()
    example = platform.example(round_id, uuid4())
    decided = put(platform, example, "decision", {"wrong_targets": []}).get_json()
    assert decided["verdict"] == "not_fooled"
    assert platform.counts(round_id)["not_fooled"] == 1


def test_a_decision_is_made_once_also_when_sent_at_once(make_platform: MakePlatform) -> None:
    platform = make_platform(**ASK)
    example = platform.example(platform.open_round(), uuid4())

    decide = [
        lambda names=names: put(platform, example, "decision", {"wrong_targets": names})
        for names in ([], ["alpha"])
    ]
    replies = platform.at_once(*decide)

    assert sorted(reply.status_code for reply in replies) == [200, 409]
    refused = next(reply for reply in replies if reply.status_code == 409)
    assert refused.get_json()["type"] == "/problems/already-decided"
    assert len(events(platform, example["example_id"], VerdictDecided)) == 1


def test_only_the_author_decides_and_only_about_targets_that_answered(make_platform: MakePlatform) -> None:
    platform = make_platform(**ASK)
    example = platform.example(platform.open_round(), uuid4())
    unknown = put(platform, example, "decision", {"wrong_targets": ["gamma"]})
    assert (unknown.status_code, unknown.get_json()["type"]) == (409, "/problems/target-did-not-answer")
    assert put(platform, example, "decision", {"wrong_targets": []}, uuid4()).status_code == 404


def test_where_a_rule_decides_there_is_nothing_to_decide(platform: Platform) -> None:
    example = platform.example(platform.open_round(), uuid4())
    response = put(platform, example, "decision", {"wrong_targets": []})
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/already-decided")


def test_a_withdrawn_example_is_decided_no_more(make_platform: MakePlatform) -> None:
    platform = make_platform(**ASK)
    example = platform.example(platform.open_round(), uuid4())
    path = f"/examples/{example['example_id']}/retraction"
    assert platform.call("POST", path, person=UUID(example["author_id"])).status_code == 200
    response = put(platform, example, "decision", {"wrong_targets": []})
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/already-decided")


TONE = {"name": "tone", "type": "multiclass", "label": "Tone", "labels": ["dry", "loud"], "optional": True}
WHY = {
    "name": "why",
    "type": "string",
    "label": "Why?",
    "optional": True,
    "when": {"verdict": ["fooled"], "claimed": ["negative"]},
}
LATER = {"name": "later", "type": "string", "label": "Later", "optional": True, "when": {"from_round": 2}}


@pytest.fixture
def asking(make_platform: MakePlatform) -> Platform:
    return make_platform(metadata={"create": [TONE, WHY, LATER]})


def test_metadata_comes_with_the_try_or_later_and_replaces_what_was_there(asking: Platform) -> None:
    example = asking.example(asking.open_round(), uuid4(), metadata={"tone": "dry"})
    changed = put(asking, example, "metadata", {"metadata": {"tone": "loud", "why": "Irony."}})

    assert example["metadata"] == {"tone": "dry"}
    assert (changed.status_code, changed.get_json()["metadata"]) == (200, {"tone": "loud", "why": "Irony."})
    [created] = events(asking, example["example_id"], ExampleCreated)
    [given] = events(asking, example["example_id"], MetadataGiven)
    assert dict(created.metadata) == {"tone": "dry"}
    assert dict(given.metadata) == {"tone": "loud", "why": "Irony."}


@pytest.mark.parametrize(
    ("label", "metadata", "field"),
    [
        ("negative", {"why": "Irony."}, None),
        ("positive", {"why": "Irony."}, "metadata.why"),
        ("neutral", {"why": "Irony."}, "metadata.why"),
        ("negative", {"tone": "shrill"}, "metadata.tone"),
        ("negative", {"mood": "x"}, "metadata.mood"),
        ("negative", {"later": "x"}, "metadata.later"),
    ],
)
def test_metadata_is_taken_under_its_conditions_alone(
    asking: Platform, label: str, metadata: dict[str, str], field: str | None
) -> None:
    example = asking.example(asking.open_round(), uuid4(), label=label)
    response = put(asking, example, "metadata", {"metadata": metadata})
    if field is None:
        assert response.status_code == 200
    else:
        assert (response.status_code, response.get_json()["field"]) == (422, field)


def test_a_field_from_the_second_round_on_is_asked_there(asking: Platform) -> None:
    asking.open_round()
    example = asking.example(asking.open_round(), uuid4())
    assert put(asking, example, "metadata", {"metadata": {"later": "Now."}}).status_code == 200


def test_only_the_author_gives_metadata(asking: Platform) -> None:
    example = asking.example(asking.open_round(), uuid4())
    assert put(asking, example, "metadata", {"metadata": {"tone": "dry"}}, uuid4()).status_code == 404
