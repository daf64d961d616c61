"""Workers: entry, work, hand-in, and what the platform says of them."""

import threading
from typing import Any
from uuid import UUID

import pytest
from crowd.domain.platforms import OutcomeUnknown, SubmissionState, Unavailable
from crowd.service_layer.assignments import end_late, follow_platforms
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id

from .conftest import API, Crowd
from .paying import settle
from .working import complete, hand_in, own


def test_a_person_enters_works_and_hands_in(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    assert (own(crowd, person)["done"], own(crowd, person)["can_finish"]) == (0, False)
    early = complete(crowd, assignment_id, person)
    assert (early.status_code, early.get_json()["type"]) == (409, "/problems/units-missing")
    crowd.take(crowd.try_of(person), crowd.try_of(new_id()))
    assert own(crowd, person)["done"] == 1
    crowd.take(crowd.try_of(person))
    assert own(crowd, person)["can_finish"]
    for _ in range(2):
        done = complete(crowd, assignment_id, person).get_json()
        assert (done["state"], len(done["code"])) == ("submitted", 10)
        assert done["back_url"].endswith(done["code"])
    study = crowd.campaign(campaign_id)["study_id"]
    assert crowd.platform.action_of(study, done["code"]) == "review"
    assert crowd.states_published() == ["WORKING", "SUBMITTED"]


def test_a_duplicate_that_the_owner_overruled_is_a_unit(crowd: Crowd) -> None:
    _, person = crowd.entered(crowd.launched())
    example_id = new_id()
    crowd.take(crowd.try_of(person, example_id, duplicate_of=str(new_id())))
    overruled = example_pb2.DuplicateOverruled(
        example_id=str(example_id),
        round_id=str(crowd.round_id),
        overruled_by=str(crowd.owner),
        overruled_at=crowd.clock.now(),
    )
    crowd.take(crowd.event(overruled, example_id))
    assert own(crowd, person)["done"] == 1


def test_a_person_reads_how_many_of_their_tries_in_the_round_are_errors(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    examples = [new_id() for _ in range(4)]
    crowd.take(crowd.try_of(person, examples[0]), crowd.try_of(person, examples[1]))
    assert own(crowd, person)["validated_errors_in_round"] == 0
    assert complete(crowd, assignment_id, person).status_code == 200
    crowd.take(crowd.try_of(person, examples[2]), crowd.try_of(new_id(), examples[3]))
    crowd.take(*(crowd.resolved(each, is_correct=each != examples[1]) for each in examples))
    assert (own(crowd, person)["validated_errors_in_round"], own(crowd, person)["done"]) == (2, 2)
    crowd.take(crowd.resolved(examples[0], is_correct=False))
    assert own(crowd, person)["validated_errors_in_round"] == 1


def test_a_repeated_event_is_one_unit(crowd: Crowd) -> None:
    _, person = crowd.entered(crowd.launched())
    tried = crowd.try_of(person)
    for _ in range(2):
        crowd.take(tried)
    crowd.take(tried, tried)
    assert own(crowd, person)["done"] == 1


def test_votes_count_in_a_campaign_of_checking(crowd: Crowd) -> None:
    campaign_id = crowd.launched(work="validate", bonus_minor=0)
    assignment_id, person = crowd.entered(campaign_id)
    crowd.take(crowd.vote_of(person), crowd.try_of(person))
    assert own(crowd, person)["done"] == 1
    crowd.take(crowd.vote_of(person))
    assert complete(crowd, assignment_id, person).status_code == 200


def test_duplicates_and_withdrawn_tries_are_no_units(crowd: Crowd) -> None:
    _, person = crowd.entered(crowd.launched())
    withdrawn = new_id()
    crowd.take(
        crowd.try_of(person, duplicate_of=str(new_id())),
        crowd.try_of(person, withdrawn),
        crowd.event(
            example_pb2.ExampleRetracted(
                example_id=str(withdrawn), round_id=str(crowd.round_id), retracted_at=crowd.clock.now()
            ),
            withdrawn,
        ),
    )
    assert own(crowd, person)["done"] == 0


def test_who_comes_back_continues_the_same_assignment(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    first = crowd.entered(campaign_id)
    assert crowd.entered(campaign_id) == first
    assert crowd.states_published() == ["WORKING"]


def test_simultaneous_entries_of_one_person_are_one_assignment(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    study = str(crowd.campaign(campaign_id)["study_id"])
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(crowd.enter(campaign_id, study=study).status_code))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [201] * 6
    assert crowd.campaign(campaign_id)["counts"] == {"working": 1}


def test_the_last_place_is_taken_once(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    found: list[int] = []
    threads = [
        threading.Thread(
            target=lambda who=f"w{number}": found.append(crowd.enter(campaign_id, who).status_code)
        )
        for number in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(found) == [201, 409, 409, 409, 409]


@pytest.mark.parametrize(
    ("parameters", "slug"),
    [
        ({"sign": "wrong"}, "entry-invalid"),
        ({"study": "study-9"}, "entry-invalid"),
    ],
)
def test_forged_and_swapped_entries_are_refused(crowd: Crowd, parameters: dict[str, str], slug: str) -> None:
    answer = crowd.enter(crowd.launched(), **parameters)
    assert (answer.status_code, answer.get_json()["type"]) == (403, f"/problems/{slug}")
    assert not crowd.states_published()


def test_nobody_takes_over_work_that_a_weak_link_began_in_another_browser(crowd: Crowd) -> None:
    crowd.platform.proves_people = False
    campaign_id = crowd.launched()
    assert crowd.enter(campaign_id, device="one").status_code == 201
    assert crowd.enter(campaign_id, device="other").get_json()["type"] == "/problems/entry-invalid"
    assert crowd.enter(campaign_id, device="one").status_code == 201


def test_links_that_name_no_study_let_people_in(crowd: Crowd) -> None:
    assert crowd.enter(crowd.launched(), study="").status_code == 201


def test_a_link_that_names_no_study_lets_people_in(crowd: Crowd) -> None:
    assert crowd.enter(crowd.launched(), study="").status_code == 201


def test_people_do_one_study_of_a_round_at_a_time(crowd: Crowd) -> None:
    """The same tries would count for both."""
    first, second = crowd.launched(), crowd.launched()
    assignment_id, person = crowd.entered(first)
    assert crowd.enter(second).get_json()["type"] == "/problems/other-work-open"
    crowd.entered(crowd.launched(work="validate", bonus_minor=0))
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    assert complete(crowd, assignment_id, person).status_code == 200
    crowd.clock.move(1)
    crowd.entered(second)
    assert own(crowd, person)["done"] == 0


def test_two_studies_of_a_round_at_once_let_a_person_into_one(crowd: Crowd) -> None:
    found: list[int] = []

    def enter(campaign_id: str) -> None:
        found.append(crowd.enter(campaign_id).status_code)

    threads = [threading.Thread(target=enter, args=(crowd.launched(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == [201, 409, 409, 409]


def test_a_submission_lets_one_person_in(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    crowd.entered(campaign_id)
    answer = crowd.enter(campaign_id, "w2", submission="s-w1")
    assert answer.get_json()["type"] == "/problems/entry-invalid"


def test_only_the_pages_let_people_in(crowd: Crowd) -> None:
    body = {"campaign_id": crowd.launched(), "parameters": {"sign": "right"}}
    assert crowd.send("POST", "/entries", body).status_code == 403
    assert crowd.client.post(f"{API}/entries", json=body).status_code == 401


def test_a_paused_campaign_takes_nobody_in_and_keeps_who_works(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    crowd.entered(campaign_id)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "paused"})
    assert crowd.enter(campaign_id, "w2").get_json()["type"] == "/problems/campaign-not-open"
    assert crowd.enter(campaign_id).status_code == 201
    draft = crowd.draft()["campaign_id"]
    assert crowd.enter(draft).get_json()["type"] == "/problems/campaign-not-open"


def test_people_finish_when_the_round_closes(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    crowd.take(crowd.try_of(person))
    crowd.becomes("closed")
    assert crowd.enter(campaign_id, "w2").get_json()["type"] == "/problems/campaign-not-open"
    seen = own(crowd, person)
    assert (seen["can_finish"], seen["why"]) == (True, "round_ended")
    assert complete(crowd, assignment_id, person).get_json()["why"] == "round_ended"
    assert crowd.send("PUT", f"/assignments/{assignment_id}/approval").get_json()["owed_minor"] == 150


def test_who_has_nothing_left_to_do_hands_in_and_the_owner_sees_it(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    assert complete(crowd, assignment_id, person, nothing_left=True).status_code == 200
    (seen,) = crowd.send("GET", f"/campaigns/{campaign_id}/assignments").get_json()["items"]
    assert (seen["why"], seen["done"], seen["state"]) == ("nothing_left", 0, "submitted")


def test_a_returned_place_is_free_and_its_person_does_not_get_another(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    assignment_id, person = crowd.entered(campaign_id)
    back = crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person).get_json()
    assert back["state"] == "returned"
    study = crowd.campaign(campaign_id)["study_id"]
    assert crowd.platform.action_of(study, back["code"]) == "return"
    assert crowd.enter(campaign_id).get_json()["type"] == "/problems/assignment-ended"
    crowd.entered(campaign_id, "w2")


def test_other_peoples_assignments_are_unknown(crowd: Crowd) -> None:
    assignment_id, _ = crowd.entered(crowd.launched())
    for path in ("completion", "return"):
        body: Any = {} if path == "completion" else None
        assert crowd.send("PUT", f"/assignments/{assignment_id}/{path}", body, by=new_id()).status_code == 404


def test_late_work_times_out_after_the_grace(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    crowd.wait(33)
    assert not end_late(crowd.app)
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    crowd.wait(3)
    assert end_late(crowd.app)
    assert own(crowd, person)["state"] == "timed_out"
    assert complete(crowd, assignment_id, person).get_json()["type"] == "/problems/assignment-state"
    assert crowd.states_published() == ["WORKING", "TIMED_OUT"]


def test_what_a_person_does_after_the_end_of_their_work_is_not_part_of_it(crowd: Crowd) -> None:
    first = crowd.launched()
    assignment_id, person = crowd.entered(first)
    crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person)
    second = crowd.launched()
    _, same = crowd.entered(second)
    assert same == person
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    assert (crowd.campaign(first)["units_done"], crowd.campaign(second)["units_done"]) == (0, 2)


def test_people_who_cant_be_let_in_now_keep_their_place(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    crowd.people.is_away = True
    assert crowd.enter(campaign_id).status_code == 503
    crowd.people.is_away = False
    assert crowd.enter(campaign_id).status_code == 201


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (SubmissionState.RETURNED, "returned"),
        (SubmissionState.TIMED_OUT, "timed_out"),
        (SubmissionState.SCREENED_OUT, "screened_out"),
        (SubmissionState.SUBMITTED, "submitted"),
        (SubmissionState.APPROVED, "approved"),
        (SubmissionState.REJECTED, "rejected"),
        (SubmissionState.WORKING, "working"),
    ],
)
def test_assignments_follow_the_platform(crowd: Crowd, told: SubmissionState, state: str) -> None:
    _, person = crowd.entered(crowd.launched())
    crowd.platform.says("s-w1", told)
    for _ in range(2):
        follow_platforms(crowd.app)
    assert own(crowd, person)["state"] == state


@pytest.mark.parametrize(
    ("told", "state"), [(SubmissionState.SUBMITTED, "submitted"), (SubmissionState.APPROVED, "approved")]
)
def test_work_that_is_late_here_is_paid_if_the_platform_takes_it_in(
    crowd: Crowd, told: SubmissionState, state: str
) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    crowd.wait(36)
    assert end_late(crowd.app)
    crowd.platform.says("s-w1", told)
    follow_platforms(crowd.app)
    assert own(crowd, person)["state"] == state
    assert crowd.send("PUT", f"/assignments/{assignment_id}/approval").get_json()["owed_minor"] == 150


def test_a_person_whom_the_platform_calls_returned_has_no_place_and_no_second_one(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    assignment_id, person = crowd.entered(campaign_id)
    crowd.platform.says("s-w1", SubmissionState.RETURNED)
    follow_platforms(crowd.app)
    assert complete(crowd, assignment_id, person).get_json()["type"] == "/problems/assignment-state"
    assert crowd.enter(campaign_id).get_json()["type"] == "/problems/assignment-ended"
    crowd.entered(campaign_id, "w2")
    assert crowd.states_published() == ["WORKING", "RETURNED", "WORKING"]


def test_a_fault_of_one_campaign_does_not_stop_others(crowd: Crowd) -> None:
    crowd.entered(crowd.launched(), "w1")
    crowd.entered(crowd.launched(), "w2")
    for worker in ("w1", "w2"):
        crowd.platform.says(f"s-{worker}", SubmissionState.RETURNED)
    crowd.platform.faults["submissions"] = [RuntimeError("a fault of the adapter")]
    follow_platforms(crowd.app)
    assert crowd.states_published() == ["WORKING", "WORKING", "RETURNED"]


def test_a_campaign_pauses_when_its_round_closes(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    crowd.becomes("closed")
    follow_platforms(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "paused"
    assert set(crowd.platform.states.values()) == {"paused"}


def test_a_campaign_pauses_with_its_study(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    study_id = str(crowd.campaign(campaign_id)["study_id"])
    crowd.platform.pause(study_id)
    follow_platforms(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "paused"
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "running"})
    follow_platforms(crowd.app)
    assert (crowd.campaign(campaign_id)["state"], crowd.platform.states[study_id]) == ("running", "running")


@pytest.mark.parametrize("state", ["paused", "ended"])
def test_a_campaign_that_does_not_run_stays_as_it_is(crowd: Crowd, state: str) -> None:
    campaign_id = crowd.launched()
    crowd.entered(campaign_id)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": state})
    crowd.platform.publish(str(crowd.campaign(campaign_id)["study_id"]))
    follow_platforms(crowd.app)
    assert (crowd.campaign(campaign_id)["state"], *crowd.platform.states.values()) == (state, "running")


def test_a_campaign_runs_on_while_its_platform_does_not_answer(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    crowd.platform.faults["is_paused"] = [Unavailable("no answer")]
    follow_platforms(crowd.app)
    assert crowd.campaign(campaign_id)["state"] == "running"


def test_a_change_of_the_owner_stands_if_the_platform_is_asked_meanwhile(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    study_id = str(crowd.campaign(campaign_id)["study_id"])
    for name, state in (("pause", "paused"), ("publish", "running")):

        def look(call: str, name: str = name) -> None:
            if call == name:
                crowd.platform.on_call = lambda _: None
                getattr(crowd.platform, name)(study_id)  # as if it took effect before the platform's notice
                follow_platforms(crowd.app)

        crowd.platform.on_call = look
        crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": state})
        assert (crowd.campaign(campaign_id)["state"], crowd.platform.states[study_id]) == (state, state)


def test_a_silent_platform_is_asked_later(crowd: Crowd) -> None:
    _, person = crowd.entered(crowd.launched())
    crowd.platform.says("s-w1", SubmissionState.RETURNED)
    crowd.platform.faults["submissions"] = [OutcomeUnknown("no answer")]
    follow_platforms(crowd.app)
    assert own(crowd, person)["state"] == "working"
    follow_platforms(crowd.app)
    assert own(crowd, person)["state"] == "returned"


def test_a_webhook_makes_the_service_look_at_once(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    study = str(crowd.campaign(campaign_id)["study_id"])
    crowd.platform.says("s-w1", SubmissionState.RETURNED)

    def notify(body: str, signature: str) -> int:
        headers = {"X-Signature": signature}
        return int(crowd.client.post(f"{API}/webhooks/fake", data=body, headers=headers).status_code)

    assert notify(study, "wrong") == 401
    assert own(crowd, person)["state"] == "working"
    assert notify("study-of-others", "right") == 202
    assert crowd.client.post(f"{API}/webhooks/nobody", data=study).status_code == 404
    crowd.platform.faults["read_notice"] = [Unavailable("it asks to wait"), OutcomeUnknown("no answer")]
    assert [notify(study, "right") for _ in range(2)] == [503, 503]
    assert [notify(study, "right") for _ in range(3)] == [204, 204, 204]
    assert own(crowd, person)["state"] == "returned"


def test_who_comes_back_is_known_by_the_newest_session(crowd: Crowd) -> None:
    """Mechanical Turk gives a person who accepts a HIT again a new assignment, and takes only that one in."""
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    again = crowd.enter(campaign_id, submission="s-new", page="2")
    assert again.get_json()["work"]["assignment_id"] == assignment_id
    crowd.take(crowd.try_of(person), crowd.try_of(person))
    complete(crowd, assignment_id, person)
    assert crowd.enter(campaign_id, submission="s-newest").status_code == 201
    with crowd.app.unit_of_work() as uow:
        known = uow.assignments.by_submission(UUID(campaign_id))
    assert {key: each.parameters["submission"] for key, each in known.items()} == {"s-newest": "s-newest"}
    crowd.platform.says("s-newest", SubmissionState.APPROVED)
    follow_platforms(crowd.app)
    crowd.enter(campaign_id, submission="s-late")
    settle(crowd)
    assert crowd.platform.approved == ["s-newest"]
    crowd.entered(campaign_id, "w2")
    swapped = crowd.enter(campaign_id, "w2", submission="s-newest")
    assert swapped.get_json()["type"] == "/problems/entry-invalid"


def test_handed_in_work_is_not_given_back(crowd: Crowd) -> None:
    assignment_id, person = hand_in(crowd, crowd.launched())
    answer = crowd.send("PUT", f"/assignments/{assignment_id}/return", by=person)
    assert answer.get_json()["type"] == "/problems/assignment-state"


def test_no_answer_and_no_event_has_the_platforms_id_of_a_person(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    secret = "worker-5f3c"
    study = str(crowd.campaign(campaign_id)["study_id"])
    entered = crowd.enter(campaign_id, secret, study=study, submission="submission-1")
    person = UUID(entered.get_json()["session"]["access_token"].removeprefix("access-"))
    texts = [entered.text]
    for path, by in (
        (f"/campaigns/{campaign_id}", None),
        (f"/campaigns/{campaign_id}/assignments", None),
        (f"/campaigns/{campaign_id}/offer", None),
        ("/me/assignments", person),
    ):
        texts.append(crowd.send("GET", path, by=by).text)
    with crowd.app.engine.connect() as connection:
        texts += [str(row) for row in connection.exec_driver_sql("SELECT * FROM outbox")]
    assert not [text for text in texts if secret in text]
