"""Notices of submitters and owners about models."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.identifiers import new_id
from dynabench_events.model import (
    ModelAwaitsApproval,
    ModelDeleted,
    ModelDeployed,
    ModelRefused,
    ModelWithdrawn,
)
from dynabench_events.task import RoundLostTarget

from .conftest import Api
from .notice_story import Story, listed, notices_of, of, owner


def waits(story: Story, submitter: UUID, submission_id: UUID | None = None) -> ModelAwaitsApproval:
    return ModelAwaitsApproval(
        submission_id=submission_id or new_id(),
        model_name="minilm-a",
        version=3,
        task_slug=story.slug,
        submitted_by=submitter,
        waits_since=story.now(),
    )


def refused(story: Story, submitter: UUID, fault: str, submission_id: UUID | None = None) -> ModelRefused:
    return ModelRefused(
        submission_id=submission_id or new_id(),
        model_name="minilm-a",
        version=3,
        task_slug=story.slug,
        submitted_by=submitter,
        step="scanned",
        fault=fault,
        reason="Nobody is told this in a notice.",
        refused_at=story.now(),
    )


def deployed(story: Story, submitter: UUID, submission_id: UUID) -> ModelDeployed:
    return ModelDeployed(
        submission_id=submission_id,
        model_name="minilm-a",
        version=3,
        serving_name="minilm-a-v3",
        task_slug=story.slug,
        submitted_by=submitter,
        task_type="text-classification",
        fields=("text",),
        labels=("no", "yes"),
        model_digest="sha256:ee",
        handler_digest="sha256:ff",
        pool="shared",
        deployed_at=story.now(),
    )


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("yours", "model_refused"), ("ours", "model_failed"), ("owner", "model_declined")],
)
def test_a_submitter_is_told_whose_fault_a_failure_is(
    api: Api, story: Story, fault: str, outcome: str
) -> None:
    ada, bob = api.new_person("ada"), api.new_person("bob")
    event = refused(story, of(ada), fault)
    story.tell(story.task(), event)
    [notice] = listed(ada)
    assert (notice["kind"], notice["counts"]) == ("model_checked", {outcome: 1})
    assert (notice["submission_id"], notice["model"]) == (str(event.submission_id), "minilm-a v3")
    assert notice["task_title"] == "Sentiment"
    assert "Nobody is told this" not in str(notice)
    assert notices_of(bob) == []


def test_owners_are_told_of_code_until_it_is_decided(api: Api, story: Story, administrator: Api) -> None:
    ada, olga, submission_id = api.new_person("ada"), owner(api, administrator), new_id()
    story.tell(story.task(), waits(story, of(ada), submission_id))
    assert notices_of(olga) == [("model_waits", {"code": 1})]
    assert notices_of(ada) == [("model_checked", {"model_waits": 1})]
    story.clock.move(60)
    story.tell(deployed(story, of(ada), submission_id))
    assert notices_of(olga) == []
    assert notices_of(ada) == [("model_checked", {"model_deployed": 1})]


def test_what_was_read_stays_beside_what_comes_later(api: Api, story: Story) -> None:
    ada, submission_id = api.new_person("ada"), new_id()
    story.tell(story.task(), refused(story, of(ada), "yours", submission_id))
    ada.call("POST", "/me/notices/read", {"up_to": listed(ada)[0]["position"]})
    story.clock.move(60)
    story.tell(deployed(story, of(ada), submission_id))
    assert notices_of(ada) == [
        ("model_checked", {"model_deployed": 1}),
        ("model_checked", {"model_refused": 1}),
    ]


@pytest.mark.parametrize("by_owner", [True, False])
def test_only_who_lost_a_model_to_an_owner_is_told(api: Api, story: Story, by_owner: bool) -> None:
    ada = api.new_person("ada")
    withdrawn = ModelWithdrawn(
        submission_id=new_id(),
        serving_name="minilm-a-v3",
        task_slug=story.slug,
        submitted_by=of(ada),
        withdrawn_by=uuid4() if by_owner else of(ada),
        reason="It is spam.",
        withdrawn_at=story.now(),
    )
    story.tell(story.task(), withdrawn)
    assert notices_of(ada) == ([("model_checked", {"model_retired": 1})] if by_owner else [])


@pytest.mark.long
@pytest.mark.parametrize("by_owner", [True, False])
def test_only_who_lost_a_submission_to_an_owner_is_told_and_once(
    api: Api, story: Story, administrator: Api, by_owner: bool
) -> None:
    ada, olga, submission_id = api.new_person("ada"), owner(api, administrator), new_id()
    story.tell(story.task(), waits(story, of(ada), submission_id))
    story.clock.move(60)
    deleted = ModelDeleted(
        submission_id=submission_id,
        model_name="minilm-a",
        version=3,
        serving_name="",
        task_slug=story.slug,
        submitted_by=of(ada),
        deleted_by=of(olga) if by_owner else of(ada),
        deleted_as="owner" if by_owner else "submitter",
        reason="It is spam.",
        deleted_at=story.now(),
    )
    story.tell(deleted)
    assert notices_of(ada) == ([("model_checked", {"model_retired": 1})] if by_owner else [])
    assert notices_of(olga) == []


def test_a_log_that_is_read_again_tells_nothing_anew(api: Api, story: Story, administrator: Api) -> None:
    ada, olga, submission_id = api.new_person("ada"), owner(api, administrator), new_id()
    story.tell(story.task(), waits(story, of(ada), submission_id))
    story.clock.move(60)
    story.tell(deployed(story, of(ada), submission_id))
    before: list[dict[str, Any]] = listed(ada)
    story.forget_inbox()
    story.take_in(story.log)
    assert listed(ada) == before
    assert notices_of(olga) == []


def test_an_old_event_and_a_stranger_are_passed_over(api: Api, story: Story) -> None:
    ada, submission_id = api.new_person("ada"), new_id()
    late = refused(story, of(ada), "yours", submission_id)
    story.clock.move(60)
    story.tell(story.task(), deployed(story, of(ada), submission_id))
    story.tell(late, replace(late, submission_id=new_id(), submitted_by=uuid4()))
    assert notices_of(ada) == [("model_checked", {"model_deployed": 1})]


def lost(story: Story, round_id: UUID, *, paused: bool = False) -> RoundLostTarget:
    return RoundLostTarget(
        round_id=round_id,
        target="minilm-a-v3",
        paused=paused,
        failing_since=story.now(),
        reason="Nobody is told this in a notice.",
        lost_at=story.now(),
    )


@pytest.mark.parametrize(("paused", "outcome"), [(False, "target_removed"), (True, "round_paused")])
def test_owners_are_told_that_a_round_lost_a_target(
    api: Api, story: Story, administrator: Api, paused: bool, outcome: str
) -> None:
    ada, olga = api.new_person("ada"), owner(api, administrator)
    round_id = story.open_round(2)
    story.tell(lost(story, round_id, paused=paused))
    [notice] = listed(olga)
    assert (notice["kind"], notice["counts"]) == ("target_lost", {outcome: 1})
    assert (notice["round_number"], notice["model"]) == (2, "minilm-a-v3")
    assert notices_of(ada) == []
    story.forget_inbox()
    story.take_in(story.log)
    assert len(listed(olga)) == 1
    story.clock.move(3_600)
    story.tell(lost(story, round_id, paused=paused))
    assert len(listed(olga)) == 2
