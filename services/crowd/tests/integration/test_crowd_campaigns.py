"""Campaigns from draft to end, and their studies on the platform."""

import threading
from typing import Any
from uuid import UUID, uuid4

import pytest
from crowd.domain.platforms import OutcomeUnknown, Refused, Unavailable
from crowd.service_layer.assignments import resume_launches
from crowd.service_layer.campaigns import SetState, set_state
from dynabench_api.words import CampaignState
from dynabench_common.identifiers import new_id

from .conftest import Crowd

STATE = "/campaigns/{}/state"
OTHER_TERMS = {
    "work": "create", "title": "Another", "platform": "fake", "units": 2, "places": 3, "reward_minor": 200,
    "currency": "GBP", "minutes": 30,
}  # fmt: skip


def test_a_campaign_runs_pauses_and_ends(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    found = crowd.campaign(campaign_id)
    assert (found["state"], found["reserved_minor"]) == ("running", 600)
    assert found["entry_url"] == f"https://bench.example.org/work/{campaign_id}"
    assert crowd.platform.studies[found["study_id"]].places == 3
    for state in ("paused", "running", "ended"):
        answer = crowd.send("PUT", STATE.format(campaign_id), {"state": state})
        assert answer.get_json()["state"] == state
        assert crowd.platform.states[found["study_id"]] == state
    assert crowd.campaign(campaign_id)["reserved_minor"] == 0
    again = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert (again.status_code, again.get_json()["type"]) == (409, "/problems/campaign-state")


def test_a_draft_is_changed_and_deleted_and_a_running_campaign_is_not(crowd: Crowd) -> None:
    draft = crowd.draft()
    names = (
        "work", "title", "platform", "units", "places", "reward_minor", "bonus_minor", "screen_out_minor", "currency",
        "minutes", "languages", "qualifications",
    )  # fmt: skip
    terms = {name: draft[name] for name in names}
    path = f"/campaigns/{draft['campaign_id']}"
    assert crowd.send("PUT", path, {**terms, "title": "Another"}).get_json()["title"] == "Another"
    assert crowd.send("DELETE", path).status_code == 204
    assert crowd.send("GET", path).status_code == 404
    running = f"/campaigns/{crowd.launched()}"
    assert crowd.send("PUT", running, terms).status_code == 409
    assert crowd.send("DELETE", running).status_code == 409


def test_a_repeated_key_drafts_once(crowd: Crowd) -> None:
    path = f"/rounds/{crowd.round_id}/campaigns"
    body = {
        "work": "validate", "title": "Check", "platform": "fake", "units": 5, "places": 2, "reward_minor": 100,
        "currency": "GBP", "minutes": 20,
    }  # fmt: skip
    key = str(uuid4())
    first, second = (crowd.send("POST", path, body, key=key).get_json() for _ in range(2))
    assert first["campaign_id"] == second["campaign_id"]
    assert len(crowd.send("GET", path).get_json()["items"]) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("units", 0), ("places", 10_001), ("minutes", 1_441), ("reward_minor", -1), ("reward_minor", 10_000_001),
        ("currency", "USD"), ("platform", "other"), ("screen_out_minor", 2**40), ("screen_out_minor", 150),
    ],
)  # fmt: skip
def test_terms_that_cant_be_used_are_named(crowd: Crowd, field: str, value: object) -> None:
    draft = {
        "work": "create", "title": "Write", "platform": "fake", "units": 2, "places": 3, "reward_minor": 150,
        "currency": "GBP", "minutes": 30, field: value,
    }  # fmt: skip
    answer = crowd.send("POST", f"/rounds/{crowd.round_id}/campaigns", draft)
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)
    assert answer.get_json()["remedy"]


def test_checkers_get_no_bonus_for_errors(crowd: Crowd) -> None:
    draft = crowd.send(
        "POST",
        f"/rounds/{crowd.round_id}/campaigns",
        {
            "work": "validate", "title": "Check", "platform": "fake", "units": 5, "places": 2, "reward_minor": 100,
            "bonus_minor": 10, "currency": "GBP", "minutes": 20,
        },
    )  # fmt: skip
    assert draft.get_json()["field"] == "bonus_minor"


def test_people_without_the_task_run_no_campaign(crowd: Crowd) -> None:
    campaign_id, stranger = crowd.launched(), new_id()
    for method, path in (
        ("GET", f"/campaigns/{campaign_id}"),
        ("GET", f"/rounds/{crowd.round_id}/campaigns"),
        ("GET", f"/campaigns/{campaign_id}/assignments"),
        ("POST", f"/campaigns/{campaign_id}/approvals"),
    ):
        assert crowd.send(method, path, by=stranger).status_code == 403


def test_a_round_that_takes_no_work_has_no_launch(crowd: Crowd) -> None:
    crowd.becomes("closed")
    campaign_id = crowd.draft()["campaign_id"]
    answer = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert answer.get_json()["type"] == "/problems/round-takes-no-work"
    assert not crowd.platform.studies


def test_a_refused_launch_shows_the_platforms_reason_and_can_be_tried_again(crowd: Crowd) -> None:
    campaign_id = crowd.draft()["campaign_id"]
    crowd.platform.faults["create_study"] = [Refused("the reward is below the minimum")]
    answer = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert answer.status_code == 409
    assert "below the minimum" in answer.get_json()["detail"]
    found = crowd.campaign(campaign_id)
    assert (found["state"], found["problem"]) == ("draft", "the reward is below the minimum")
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 200
    assert crowd.campaign(campaign_id)["problem"] is None


@pytest.mark.parametrize("step", ["create_study", "publish"])
def test_a_launch_whose_answer_is_lost_creates_one_study(crowd: Crowd, step: str) -> None:
    campaign_id = crowd.draft()["campaign_id"]
    crowd.platform.late_faults[step] = [OutcomeUnknown("no answer")]
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 503
    at_once = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert at_once.get_json()["type"] == "/problems/launch-under-way"
    crowd.wait(3)
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 200
    assert len(crowd.platform.studies) == 1
    assert crowd.campaign(campaign_id)["reserved_minor"] == 600


@pytest.mark.parametrize("step", ["create_study", "publish"])
def test_the_worker_carries_on_with_a_launch_that_was_cut_off(crowd: Crowd, step: str) -> None:
    campaign_id = str(crowd.draft()["campaign_id"])
    crowd.platform.late_faults[step] = [SystemExit()]  # type: ignore[list-item]
    with pytest.raises(SystemExit):
        set_state(SetState(UUID(campaign_id), crowd.owner, CampaignState.RUNNING), crowd.app)
    resume_launches(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "draft"
    crowd.wait(3)
    resume_launches(crowd.app)
    assert (crowd.campaign(campaign_id)["state"], len(crowd.platform.studies)) == ("running", 1)
    assert crowd.campaign(campaign_id)["reserved_minor"] == 600


def test_a_platform_that_is_silent_again_does_not_end_a_launch_that_was_cut_off(crowd: Crowd) -> None:
    campaign_id = str(crowd.draft()["campaign_id"])
    crowd.platform.late_faults["publish"] = [OutcomeUnknown("no answer")]
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 503
    crowd.wait(3)
    crowd.platform.faults["publish"] = [Unavailable("busy")]
    resume_launches(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "draft"
    crowd.wait(3)
    resume_launches(crowd.app)
    assert (crowd.campaign(campaign_id)["state"], len(crowd.platform.studies)) == ("running", 1)


def test_a_launch_that_is_refused_again_waits_for_the_owner(crowd: Crowd) -> None:
    campaign_id = str(crowd.draft()["campaign_id"])
    crowd.platform.late_faults["create_study"] = [OutcomeUnknown("no answer")]
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 503
    crowd.wait(3)
    crowd.platform.faults["publish"] = [Refused("the balance is too low")]
    for _ in range(2):
        resume_launches(crowd.app)
    assert crowd.campaign(campaign_id)["problem"] == "the balance is too low"
    assert crowd.campaign(campaign_id)["state"] == "draft"


def test_two_launches_at_once_create_one_study(crowd: Crowd) -> None:
    campaign_id = crowd.draft()["campaign_id"]
    is_called, may_answer = threading.Event(), threading.Event()
    answers: list[int] = []

    def hold(name: str) -> None:
        if name == "create_study":
            is_called.set()
            may_answer.wait(60)

    def launch() -> int:
        return crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code

    crowd.platform.on_call = hold
    first = threading.Thread(target=lambda: answers.append(launch()))
    first.start()
    assert is_called.wait(60)
    assert launch() == 503
    may_answer.set()
    first.join(60)
    assert answers == [200]
    assert len(crowd.platform.studies) == 1


def test_a_study_that_the_platform_does_not_publish_is_kept_for_the_next_launch(crowd: Crowd) -> None:
    campaign_id = crowd.draft()["campaign_id"]
    crowd.platform.faults["publish"] = [Refused("the balance is too low"), Unavailable("wait")]
    for status in (409, 503):
        assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == status
    changed = crowd.send("PUT", f"/campaigns/{campaign_id}", OTHER_TERMS)
    assert changed.get_json()["type"] == "/problems/study-exists"
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 200
    assert len(crowd.platform.studies) == 1


def test_a_paused_campaign_does_not_go_on_once_its_round_has_closed(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    crowd.send("PUT", STATE.format(campaign_id), {"state": "paused"})
    crowd.becomes("closed")
    answer = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert answer.get_json()["type"] == "/problems/round-takes-no-work"
    assert set(crowd.platform.states.values()) == {"paused"}


def test_places_only_grow_and_their_cost_is_reserved_once(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    path = f"/campaigns/{campaign_id}/places"
    assert crowd.send("PUT", path, {"places": 2}).get_json()["field"] == "places"
    crowd.platform.faults["set_places"] = [Unavailable("wait")]
    assert crowd.send("PUT", path, {"places": 6}).status_code == 503
    assert crowd.campaign(campaign_id)["places"] == 3
    for _ in range(2):
        more = crowd.send("PUT", path, {"places": 6}).get_json()
        assert (more["places"], more["reserved_minor"]) == (6, 1_200)


def test_more_places_open_no_study_of_a_paused_campaign(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    study_id = str(crowd.campaign(campaign_id)["study_id"])
    crowd.send("PUT", STATE.format(campaign_id), {"state": "paused"})

    def look(name: str) -> None:
        if name == "set_places":
            crowd.platform.states[study_id] = "running"  # as platforms do with a full study that grows

    crowd.platform.on_call = look
    assert crowd.send("PUT", f"/campaigns/{campaign_id}/places", {"places": 6}).status_code == 200
    assert crowd.platform.states[study_id] == "paused"


CHANGES = [
    ("publish", "state", {"state": "running"}),
    ("pause", "state", {"state": "paused"}),
    ("stop", "state", {"state": "ended"}),
    ("set_places", "places", {"places": 6}),
]


@pytest.mark.parametrize(("step", "path", "body"), CHANGES)
@pytest.mark.parametrize(("other_path", "other_body"), [each[1:] for each in CHANGES])
def test_owners_change_a_campaign_one_after_another(
    crowd: Crowd,
    step: str,
    path: str,
    body: dict[str, Any],
    other_path: str,
    other_body: dict[str, Any],
) -> None:
    """A second owner's change during the platform's call is refused, so campaign and study never differ."""
    campaign_id = crowd.launched()
    if step == "publish":
        crowd.send("PUT", STATE.format(campaign_id), {"state": "paused"})
    refused: list[str] = []

    def meanwhile(name: str) -> None:
        if name == step:
            crowd.platform.on_call = lambda _: None
            answer = crowd.send("PUT", f"/campaigns/{campaign_id}/{other_path}", other_body)
            refused.append(answer.get_json()["type"])
            assert answer.headers["Retry-After"]

    crowd.platform.on_call = meanwhile
    assert crowd.send("PUT", f"/campaigns/{campaign_id}/{path}", body).status_code == 200
    assert refused == ["/problems/change-under-way"]
    found = crowd.campaign(campaign_id)
    assert crowd.platform.states[found["study_id"]] == found["state"]
    assert crowd.platform.places[found["study_id"]] == found["places"]
    assert found["reserved_minor"] == (0 if found["state"] == "ended" else 200 * found["places"])


@pytest.mark.parametrize("step", ["create_study", "publish"])
@pytest.mark.parametrize("fault", [None, Unavailable("busy"), Refused("the token was revoked")])
def test_a_round_that_closes_during_a_launch_leaves_no_open_study(
    crowd: Crowd, step: str, fault: Exception | None
) -> None:
    """The launch was cut off. The draft can be launched or deleted once its study lets nobody in."""
    campaign_id = str(crowd.draft()["campaign_id"])
    crowd.platform.late_faults[step] = [OutcomeUnknown("no answer")]
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 503
    crowd.becomes("closed")
    crowd.wait(3)
    if fault is not None:
        crowd.platform.faults["pause"] = [fault]
        resume_launches(crowd.app)
        is_shown = crowd.campaign(campaign_id)["problem"] == "the token was revoked"
        assert is_shown == isinstance(fault, Refused)
        crowd.wait(3)
    resume_launches(crowd.app)
    assert set(crowd.platform.states.values()) == {"paused"}
    assert (crowd.campaign(campaign_id)["reserved_minor"], crowd.campaign(campaign_id)["problem"]) == (
        0,
        None,
    )
    refused = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert refused.get_json()["type"] == "/problems/round-takes-no-work"
    changed = crowd.send("PUT", f"/campaigns/{campaign_id}", OTHER_TERMS)
    assert changed.get_json()["type"] == "/problems/study-exists"
    crowd.becomes("open")
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": "running"}).status_code == 200
    assert list(crowd.platform.states.values()) == ["running"]


def test_the_study_of_a_draft_may_be_deleted_on_the_platform(crowd: Crowd) -> None:
    draft = crowd.draft()
    path = f"/campaigns/{draft['campaign_id']}"
    crowd.platform.faults["publish"] = [Refused("the balance is too low")]
    assert crowd.send("PUT", f"{path}/state", {"state": "running"}).status_code == 409
    assert crowd.send("PUT", path, OTHER_TERMS).get_json()["type"] == "/problems/study-exists"
    crowd.platform.studies.clear()
    answer = crowd.send("PUT", f"{path}/state", {"state": "running"}).get_json()
    assert (answer["type"], "no such study" in answer["detail"]) == ("/problems/platform-refused", True)
    assert crowd.send("PUT", path, OTHER_TERMS).status_code == 200
    assert crowd.send("PUT", f"{path}/state", {"state": "running"}).get_json()["state"] == "running"
    assert [each.reward_minor for each in crowd.platform.studies.values()] == [200]


def test_a_draft_whose_round_has_closed_needs_no_study(crowd: Crowd) -> None:
    draft = crowd.draft()
    path = f"/campaigns/{draft['campaign_id']}"
    crowd.platform.late_faults["publish"] = [OutcomeUnknown("no answer")]
    assert crowd.send("PUT", f"{path}/state", {"state": "running"}).status_code == 503
    crowd.platform.studies.clear()
    crowd.becomes("closed")
    crowd.wait(3)
    resume_launches(crowd.app)
    assert crowd.send("PUT", path, OTHER_TERMS).status_code == 200
    assert crowd.send("DELETE", path).status_code == 204


@pytest.mark.parametrize("state", ["paused", "ended"])
def test_a_campaign_ends_without_its_study(crowd: Crowd, state: str) -> None:
    campaign_id = crowd.launched()
    crowd.platform.studies.clear()
    assert crowd.send("PUT", STATE.format(campaign_id), {"state": state}).status_code == 200
    again = crowd.send("PUT", STATE.format(campaign_id), {"state": "running"})
    assert again.status_code == 409


def test_titles_in_any_script_are_kept(crowd: Crowd) -> None:
    title = "اكتب جملة تخدع النموذج 🎭\u200f"
    assert crowd.draft(title=title)["title"] == title
    answer = crowd.send(
        "POST",
        f"/rounds/{crowd.round_id}/campaigns",
        {
            "work": "create", "title": "x" * 5_000, "platform": "fake", "units": 2, "places": 3, "reward_minor": 150,
            "currency": "GBP", "minutes": 30,
        },
    )  # fmt: skip
    assert (answer.status_code, answer.get_json()["field"]) == (422, "title")
