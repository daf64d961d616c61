"""Sets of labels, spans and metadata on their way from the event to the vote and out again."""

from typing import Any

import pytest
from dynabench.validation.v1 import validation_pb2 as pb
from dynabench_tasks.values import to_text

from .conftest import World

PASSAGE = "🙂 The old red lighthouse stands on a cliff by the sea."
QUESTION = {"name": "question", "type": "string"}
ANSWER = {"name": "answer", "type": "span", "of": "passage"}
QUESTIONS = {
    "context": [{"name": "passage", "type": "string"}],
    "input": [QUESTION, ANSWER],
    "output": [ANSWER],
}
TOPICS = {"name": "topics", "type": "multilabel", "labels": ["culture", "health", "sport"]}
TOPIC_TASK = {
    "context": [{"name": "prompt", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, TOPICS],
    "output": [TOPICS],
}


def span(text: str) -> dict[str, Any]:
    start = PASSAGE.index(text)
    return {"start": start, "end": start + len(text), "text": text}


def ask(world: World, claimed: str) -> Any:
    return world.example(
        context={"passage": PASSAGE}, input={"question": "What stands there?"}, claimed=to_text(span(claimed))
    )


def sent(world: World, message_type: Any) -> list[Any]:
    """Return the messages of a type that stand in the outbox."""
    name = message_type.DESCRIPTOR.full_name
    return [
        message_type.FromString(bytes(row["payload"]))
        for row in world.rows("outbox", "id")
        if row["type"] == name
    ]


def test_spans_go_from_vote_to_golds(world: World) -> None:
    world.begin(changes=QUESTIONS)
    example_id = ask(world, "The old red lighthouse")
    first, second = world.person(), world.person()
    lease = first.hold(world.round_id)
    assert (lease["answer_type"], lease["options"], lease["span_of"]) == ("span", [], "passage")
    assert lease["example"]["claim_to_judge"] is None
    assert "claimed" not in lease["example"]
    cast = first.vote(lease["lease_id"], kind="label", value=span("red lighthouse")).get_json()
    assert first.reveal(cast["vote_id"])["reveal"]["claimed"] == span("The old red lighthouse")
    second.answer(world.round_id, span("old red lighthouse"))
    assert world.resolution(example_id) == "correct"

    state = first.get(f"/examples/{example_id}").get_json()
    assert state["golds"] == [span("red lighthouse"), span("old red lighthouse")]
    assert state["agreed_option"] == to_text(span("red lighthouse"))
    [resolved] = sent(world, pb.ExampleResolved)
    assert list(resolved.golds) == [to_text(gold) for gold in state["golds"]]
    assert resolved.agreed_is_task_label
    own = first.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["agreement"], own["agreement_votes"]) == (1.0, 1)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({**span("lighthouse"), "text": "Lighthouse"}, "says"),
        ({"start": 50, "end": 80, "text": "sea."}, "from 50 to 80"),
        ("lighthouse", "not a span"),
        (None, "missing"),
    ],
)
def test_a_span_that_is_not_in_its_text_is_refused(world: World, value: Any, words: str) -> None:
    world.begin(changes=QUESTIONS)
    ask(world, "lighthouse")
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    refused = person.vote(lease_id, kind="label", value=value)
    assert (refused.status_code, refused.get_json()["field"]) == (422, "value")
    assert words in refused.get_json()["detail"]
    assert refused.get_json()["remedy"]
    assert world.rows("vote") == []
    assert person.vote(lease_id, kind="label", value=span("cliff")).status_code == 201


def test_a_claimed_span_can_be_judged(world: World) -> None:
    world.begin(changes=QUESTIONS, vote="judgement")
    ask(world, "a cliff")
    person = world.person()
    lease = person.hold(world.round_id)
    assert (lease["answer_type"], lease["span_of"]) == ("judgement", None)
    assert lease["example"]["claim_to_judge"] == span("a cliff")
    assert person.vote(lease["lease_id"], kind="judgement", value="correct").status_code == 201


def test_sets_agree_in_whichever_order_they_were_chosen(world: World) -> None:
    world.begin(changes=TOPIC_TASK)
    example_id = world.example(context={}, claimed='["health","sport"]')
    lease = world.person().hold(world.round_id)
    assert (lease["answer_type"], lease["options"]) == ("multilabel", TOPICS["labels"])
    world.clock.move(301)
    world.person().answer(world.round_id, ["sport", "health"])
    voter = world.person()
    vote = voter.answer(world.round_id, ["health", "sport"])
    assert voter.reveal(vote["vote_id"])["resolution"] == "correct"
    assert voter.get(f"/examples/{example_id}").get_json()["golds"] == [["health", "sport"]]
    assert {cast.option for cast in sent(world, pb.VoteCast)} == {'["health","sport"]'}


def test_metadata_is_asked_checked_stored_and_sent(world: World) -> None:
    groups = {
        "name": "groups",
        "type": "multilabel",
        "labels": ["age", "faith"],
        "when": {"vote": ["negative"], "from_round": 2},
    }
    later = {"name": "reason", "type": "string", "when": {"from_round": 3}}
    world.begin(number=2, changes={"metadata": {"create": [], "validate": [groups, later]}})
    example_id = world.example()
    person = world.person()
    lease = person.hold(world.round_id)
    assert lease["metadata_fields"] == [{**groups, "label": "groups", "optional": False}]

    refused = person.vote(lease["lease_id"], kind="label", value="negative")
    assert (refused.status_code, refused.get_json()["field"]) == (422, "metadata.groups")
    assert world.rows("vote") == []
    body = {"kind": "label", "value": "negative", "metadata": {"groups": ["faith", "age"]}}
    assert person.vote(lease["lease_id"], key="once", **body).status_code == 201
    assert person.vote(lease["lease_id"], key="once", **body).headers["Idempotency-Replayed"] == "true"
    other = {**body, "metadata": {"groups": ["age"]}}
    assert person.vote(lease["lease_id"], key="once", **other).get_json()["field"] == "Idempotency-Key"

    owner = world.person("annotator", "owner:sentiment")
    assert owner.send("PUT", f"/examples/{example_id}/abstention").status_code == 204
    [record] = owner.get(f"/examples/{example_id}/votes").get_json()["items"]
    assert record["metadata"] == {"groups": ["age", "faith"]}
    [cast] = sent(world, pb.VoteCast)
    assert dict(cast.metadata) == {"groups": '["age","faith"]'}


def test_a_picture_is_shown_as_a_value(world: World) -> None:
    changes = {"context": [{"name": "picture", "type": "image"}]}
    world.begin(changes=changes)
    picture = {"image_id": "0192f5a0-0000-7000-8000-000000000006", "alt": "A cat"}
    world.example(context={"picture": to_text(picture)})
    assert world.person().hold(world.round_id)["example"]["context"] == {"picture": picture}
