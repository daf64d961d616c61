"""A round's life as its owner leads it: reopening, other targets, previews, what it has collected, its release."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.adapters.deleted_people import DeletedPeopleProjection
from annotation.adapters.releases import ReleaseProjection
from dynabench.audit.v1 import audit_pb2
from dynabench.dataset.v1.dataset_pb2 import DatasetReleased
from dynabench.task.v1.task_pb2 import RoundTargetsChanged
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.testing import FixedClock
from dynabench_events import encode
from dynabench_events.person import PersonDeleted
from sqlalchemy import select

from .conftest import Platform

OWNER = UUID("0195c1f0-0000-7000-8000-00000000000a")
ADA = UUID("0195c1f0-0000-7000-8000-0000000000a1")
STRANGER = UUID("0195c1f0-0000-7000-8000-0000000000a2")


def audit_of(platform: Platform, round_id: str) -> list[audit_pb2.ActionTaken]:
    """Return the entries about a round, oldest first."""
    outbox = tables.outbox.c
    statement = select(outbox.payload).where(outbox.topic == "dynabench.audit.v1").order_by(outbox.id)
    with platform.dependencies.engine.connect() as connection:
        entries = [audit_pb2.ActionTaken.FromString(row) for row in connection.execute(statement).scalars()]
    return [entry for entry in entries if entry.round_id == round_id]


def released(round_id: str, dataset_id: UUID | None = None) -> Event:
    message = DatasetReleased(
        dataset_id=str(dataset_id or uuid4()),
        task_id=str(uuid4()),
        round_id=round_id,
        released_by=str(uuid4()),
        released_at=datetime.now(UTC),
    )
    return Event(
        uuid4(),
        DatasetReleased.DESCRIPTOR.full_name,
        "/scoring",
        datetime.now(UTC),
        UUID(message.dataset_id),
        1,
        message,
        "dynabench.dataset.v1",
    )


def apply_release(platform: Platform, *events: Event) -> None:
    with platform.dependencies.engine.begin() as connection:
        ReleaseProjection(FixedClock()).apply(connection, events)


def test_a_closed_round_can_be_opened_again_and_each_move_is_audited(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.owner("PUT", f"/rounds/{round_id}/state", {"state": "closed", "reason": "The goal is reached."})
    reopened = platform.owner("PUT", f"/rounds/{round_id}/state", {"state": "open"})
    assert reopened["state"] == "open"
    assert platform.try_(round_id, ADA).status_code == 201
    entries = audit_of(platform, round_id)
    assert [entry.action for entry in entries] == ["round.opened", "round.closed", "round.reopened"]
    assert entries[1].reason == "The goal is reached."
    assert dict(entries[1].details) == {"from": "open", "to": "closed"}
    assert entries[1].task_slug == platform.slug


def test_a_move_that_changes_nothing_leaves_no_entry(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, "open")
    assert [entry.action for entry in audit_of(platform, round_id)] == ["round.opened"]


def test_other_targets_answer_the_next_try_in_a_segment_of_its_own(platform: Platform) -> None:
    round_id = platform.open_round(["alpha"])
    first = platform.example(round_id, ADA)
    answer = platform.owner(
        "PUT", f"/rounds/{round_id}/targets", {"targets": ["beta"], "reason": "Too easy."}
    )
    assert answer["targets"] == ["beta"]
    second = platform.example(round_id, ADA, text="Another queue, another hour.")
    assert [answer["target"] for answer in second["answers"]] == ["beta"]
    assert second["segment_id"] != first["segment_id"]
    outbox = tables.outbox.c
    kind = RoundTargetsChanged.DESCRIPTOR.full_name
    statement = select(outbox.payload).where(outbox.type == kind, outbox.aggregate_id == round_id)
    with platform.dependencies.engine.connect() as connection:
        event = RoundTargetsChanged.FromString(connection.execute(statement).scalar_one())
    assert (list(event.targets), event.reason) == (["beta"], "Too easy.")
    assert audit_of(platform, round_id)[-1].action == "round.targets_changed"


@pytest.mark.parametrize(
    ("targets", "reason", "status", "field"),
    [
        (["beta", "beta"], "Too easy.", 422, "targets[1]"),
        (["nobody"], "Too easy.", 409, "target"),
        (["beta"], "", 422, "reason"),
    ],
)
def test_targets_that_cannot_be_taken_change_nothing(
    platform: Platform, targets: list[str], reason: str, status: int, field: str
) -> None:
    round_id = platform.open_round(["alpha"])
    body = {"targets": targets, "reason": reason}
    path = f"/rounds/{round_id}/targets"
    answer = platform.call("PUT", path, body, person=OWNER, roles=[f"owner:{platform.slug}"])
    assert (answer.status_code, answer.get_json()["field"]) == (status, field)
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["targets"] == ["alpha"]


def test_a_preview_counts_who_is_at_work(platform: Platform) -> None:
    round_id = platform.open_round(contexts=3)
    platform.assign(round_id, ADA)
    found = platform.owner("GET", f"/rounds/{round_id}/state/preview?to=closed")
    counts = {each["text"]: each["count"] for each in found["consequences"]}
    assert (found["from"], found["to"], found["allowed"]) == ("open", "closed", True)
    assert counts["People who are writing right now."] == 1
    assert counts["Unused contexts."] == 2
    blocked = platform.owner("GET", f"/rounds/{platform.draft(contexts=0)}/state/preview?to=open")
    assert not blocked["allowed"]
    assert blocked["blockers"][0]["remedy"] == "Add contexts first."


def test_a_round_tells_what_it_has_collected(platform: Platform) -> None:
    round_id = platform.open_round(contexts=3)
    empty = platform.owner("GET", f"/rounds/{round_id}/collection")
    assert empty["near_duplicates"] == {"examples": 0, "share": None}
    text = "The soup was cold, the bread was old, and the waiter told us so with a smile."
    platform.example(round_id, ADA, text=text)
    platform.example(round_id, ADA, text=text.replace("smile", "grin"))
    platform.example(
        round_id, ADA, text="Nothing here resembles what was written before it, not even a word."
    )
    found = platform.owner("GET", f"/rounds/{round_id}/collection")
    assert (found["contexts"], found["contexts_used"], found["people"]) == (3, 1, 1)
    assert found["near_duplicates"]["examples"] == 3
    assert found["near_duplicates"]["share"] == pytest.approx(2 / 3)


def test_fooling_without_a_reason_is_counted(platform: Platform) -> None:
    round_id = platform.start_import()
    fooled = {"label": "negative", "targets": {"alpha": "positive"}}
    records = [
        {"id": "silent", **fooled},
        {"id": "label only", **fooled, "explanations": {"label": "It is bad."}},
        {"id": "explained", **fooled, "explanations": {"model": "It took irony for praise."}},
        {"id": "not fooled", "label": "positive", "targets": {"alpha": "positive"}},
    ]
    texts = [{"context": {"prompt": "A prompt."}, "input": {"text": each["id"]}, **each} for each in records]
    assert platform.send_lines(f"/rounds/{round_id}/records", texts).status_code == 200
    found = platform.owner("GET", f"/rounds/{round_id}/collection")
    assert (found["round_id"], found["tries"], found["unexplained_fooling"]) == (round_id, 4, 2)


@pytest.mark.parametrize("path", ["collection", "state/preview?to=closed"])
def test_only_owners_look_into_a_round(platform: Platform, path: str) -> None:
    round_id = platform.open_round()
    answer = platform.call("GET", f"/rounds/{round_id}/{path}", person=STRANGER, roles=["owner:another"])
    assert answer.status_code == 403


def test_a_release_freezes_a_closed_round_once(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, "closed")
    event = released(round_id)
    apply_release(platform, event)
    apply_release(platform, event)
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["state"] == "released"
    answer = platform.call(
        "PUT",
        f"/rounds/{round_id}/state",
        {"state": "open"},
        person=OWNER,
        roles=[f"owner:{platform.slug}"],
    )
    assert answer.status_code == 409


def test_a_round_that_was_opened_again_stays_open_under_a_release(platform: Platform) -> None:
    round_id = platform.open_round()
    apply_release(platform, released(round_id))
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["state"] == "open"


def test_a_release_of_no_round_of_ours_can_never_be_applied(platform: Platform) -> None:
    with pytest.raises(PermanentEventError):
        apply_release(platform, released(str(uuid4())))


def test_texts_of_a_deleted_person_are_withdrawn_where_nothing_is_released(platform: Platform) -> None:
    gone, other = uuid4(), uuid4()
    released_round, open_round = platform.open_round(), platform.open_round()
    stays = platform.example(released_round, gone)["example_id"]
    goes = platform.example(open_round, gone)["example_id"]
    platform.example(open_round, other)
    platform.set_state(released_round, "closed")
    apply_release(platform, released(released_round))
    for withdraws in (False, True, True):
        deleted = encode(
            PersonDeleted(person_id=gone, withdraws_texts=withdraws, deleted_at=datetime.now(UTC))
        )
        event = Event(
            id=uuid4(),
            type=deleted.DESCRIPTOR.full_name,
            source="/accounts",
            time=datetime.now(UTC),
            aggregate_id=gone,
            aggregate_version=3,
            message=deleted,
            topic="dynabench.person.v1",
        )
        with platform.dependencies.engine.begin() as connection:
            DeletedPeopleProjection(platform.clock).apply(connection, [event])
        assert retracted(platform) & {stays, goes} == ({goes} if withdraws else set())
    assert platform.counts(open_round)["retracted"] == 1


def retracted(platform: Platform) -> set[str]:
    example = tables.example.c
    with platform.dependencies.engine.connect() as connection:
        found = connection.execute(select(example.example_id).where(example.retracted_at.is_not(None)))
        return {str(row.example_id) for row in found}
