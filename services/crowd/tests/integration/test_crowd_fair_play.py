"""Evidence for review, and what follows from an owner's decision: exclusion, appeal and answer."""

from typing import Any
from uuid import UUID

import pytest
from crowd.adapters.tables import entry_address, example
from crowd.bootstrap import ADDRESSES
from dynabench.crowd.v1 import crowd_pb2
from dynabench_common.database.pruning import Pruning
from dynabench_common.identifiers import new_id
from sqlalchemy import select, text

from .conftest import Crowd
from .working import hand_in, own

STORY = "My neighbour paints her fence in another colour each spring, and this year it is bright orange."
OTHER = "A week of rain has washed the colour away, so nobody will ever know how it would have looked."
WHY = "Several texts are those of another person."


def evidence(crowd: Crowd, campaign_id: str) -> Any:
    answer = crowd.send("GET", f"/campaigns/{campaign_id}/evidence")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def kinds(found: Any, person: UUID) -> list[str]:
    return [
        finding["kind"]
        for each in found["people"]
        if each["person_id"] == str(person)
        for finding in each["findings"]
    ]


def decide(crowd: Crowd, assignment_id: str, decision: str = "excluded", reason: str = WHY) -> Any:
    body = {"decision": decision, "reason": reason}
    return crowd.send("PUT", f"/assignments/{assignment_id}/fair-play", body)


def appeal(crowd: Crowd, assignment_id: str, person: UUID, words: str = "We share a flat.") -> Any:
    return crowd.send("POST", f"/assignments/{assignment_id}/appeal", {"text": words}, by=person)


def test_without_work_there_is_nothing_to_compare(crowd: Crowd) -> None:
    found = evidence(crowd, crowd.launched())
    assert found["people"] == []
    assert {each["kind"]: each["base_rate"] for each in found["comparisons"]} == dict.fromkeys(
        ("fast", "pasted", "alike", "device", "address")
    )
    checking = evidence(crowd, crowd.launched(work="validate", bonus_minor=0))
    assert [each["kind"] for each in checking["comparisons"]] == ["fast", "alone", "device", "address"]


def test_a_fast_person_who_pastes_stands_out_from_the_task(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    for number in range(12):
        volunteer = new_id()
        for _ in range(5):
            crowd.clock.move(40 + 6 * number)
            crowd.take(crowd.try_of(volunteer, cohort="volunteer", seconds_since_context=40 + 6 * number))
            crowd.take(crowd.try_of(new_id(), pasted_characters=0))
    for number in range(9):
        other = new_id()
        for _ in range(5):
            crowd.clock.move(60)
            crowd.take(crowd.try_of(other, pasted_characters=0, seconds_since_context=50 + number))
    for _ in range(5):
        crowd.take(crowd.try_of(person, pasted_characters=120, seconds_since_context=2))
    found = evidence(crowd, campaign_id)
    assert kinds(found, person) == ["fast", "pasted"]
    (listed,) = found["people"]
    pasted = listed["findings"][1]
    assert (pasted["figure"], pasted["units"], pasted["characters"], pasted["base_rate"]) == (1, 5, 600, 0)
    assert listed["fair_play"] is None


def test_tries_without_a_count_of_pasted_characters_are_not_compared(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    _, person = crowd.entered(campaign_id)
    crowd.take(*(crowd.try_of(person) for _ in range(6)))
    pasted = next(each for each in evidence(crowd, campaign_id)["comparisons"] if each["kind"] == "pasted")
    assert pasted["compared"] == 0


def test_people_with_the_same_texts_are_a_ring_across_campaigns_and_no_text_is_stored(crowd: Crowd) -> None:
    first, second = crowd.launched(), crowd.launched()
    _, one = crowd.entered(first, "w1")
    _, other = crowd.entered(second, "w2")
    volunteer = new_id()
    for author, end in ((one, ""), (other, " ;-)"), (volunteer, "")):
        cohort = "volunteer" if author == volunteer else "crowd"
        crowd.take(
            crowd.try_of(author, input={"text": STORY + end}, cohort=cohort),
            crowd.try_of(author, input={"text": OTHER + end}, cohort=cohort),
        )
    found = evidence(crowd, first)
    (listed,) = found["people"]
    assert (listed["person_id"], listed["findings"][0]["people"]) == (str(one), [str(other)])
    assert listed["findings"][0]["base_rate"] == 1
    with crowd.app.engine.connect() as connection:
        bands = connection.execute(select(example.c.bands).where(example.c.author_id == volunteer)).scalars()
        assert list(bands) == [None, None]
        assert STORY[:20] not in str(connection.execute(text("SELECT * FROM example")).all())


def test_votes_that_agree_with_nobody_count_on_resolved_examples_alone(crowd: Crowd) -> None:
    campaign_id = crowd.launched(work="validate", bonus_minor=0)
    _, person = crowd.entered(campaign_id)
    others = [new_id() for _ in range(10)]
    for number in range(15):
        example_id = new_id()
        crowd.take(crowd.try_of(new_id(), example_id))
        crowd.take(*(crowd.vote_of(each, example_id) for each in others))
        if number < 14:
            crowd.take(crowd.resolved(example_id))
        crowd.take(crowd.vote_of(person, example_id, "positive"))
    found = evidence(crowd, campaign_id)
    assert kinds(found, person) == ["alone"]
    (listed,) = found["people"]
    assert (listed["findings"][0]["figure"], listed["findings"][0]["units"]) == (1, 14)


def test_people_on_one_device_and_address_are_named_to_each_other(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    for worker, device, address in (
        ("w1", "d1", "203.0.113.7"),
        ("w2", "d1", "203.0.113.7"),
        ("w3", "d2", "203.0.113.8"),
        ("w4", None, None),
    ):
        assert crowd.enter(campaign_id, worker, device, address).status_code in {201, 409}
    found = evidence(crowd, campaign_id)
    assert len(found["people"]) == 2
    for each in found["people"]:
        assert [finding["kind"] for finding in each["findings"]] == ["device", "address"]
        assert [finding["figure"] for finding in each["findings"]] == [2, 2]
    with crowd.app.engine.connect() as connection:
        stored = connection.execute(select(entry_address.c.address)).scalars().all()
    assert {len(each) for each in stored} == {32}
    assert b"203" not in b"".join(stored)


def test_addresses_are_removed_after_a_month(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    for worker in ("w1", "w2"):
        crowd.enter(campaign_id, worker, address="203.0.113.7")
    with crowd.app.engine.begin() as connection:
        connection.execute(text("UPDATE entry_address SET seen_at = now() - interval '31 days'"))
    Pruning(crowd.app.engine, ADDRESSES).step()
    found = evidence(crowd, campaign_id)
    assert found["people"] == []


def test_an_excluded_person_gets_no_further_work_in_the_task_and_keeps_their_pay(crowd: Crowd) -> None:
    campaign_id, later = crowd.launched(), crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    crowd.send("PUT", f"/assignments/{assignment_id}/approval")
    owed = crowd.campaign(campaign_id)["owed_minor"]
    decided = decide(crowd, assignment_id)
    assert (decided.status_code, decided.get_json()["decision"]) == (200, "excluded")
    refused = crowd.enter(later)
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/person-excluded")
    assert crowd.enter(later, "w2").status_code == 201
    assert crowd.campaign(campaign_id)["owed_minor"] == owed > 0
    assert own(crowd, person)["fair_play"]["reason"] == WHY
    assert crowd.enter(campaign_id).status_code == 201
    decide(crowd, assignment_id, "no_concern", "I looked again.")
    assert crowd.enter(later).status_code == 201


def test_a_person_appeals_once_and_reads_the_answer(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    decide(crowd, assignment_id)
    assert appeal(crowd, assignment_id, new_id()).status_code == 404
    appealed = appeal(crowd, assignment_id, person, "نحن نعيش معا 🏠").get_json()
    assert appealed["fair_play"]["appeal"] == "نحن نعيش معا 🏠"
    assert appeal(crowd, assignment_id, person).get_json()["type"] == "/problems/appeal-refused"
    assert crowd.campaign(campaign_id)["open_appeals"] == 1
    (reported,) = crowd.published(crowd_pb2.ExclusionAppealed)
    assert (reported.assignment_id, reported.campaign_id) == (assignment_id, campaign_id)
    assert reported.task_slug == "sentiment"
    decide(crowd, assignment_id, "no_concern", "A flat explains it.")
    found = own(crowd, person)["fair_play"]
    assert (found["decision"], found["reason"], found["answer"]) == ("no_concern", WHY, "A flat explains it.")
    assert crowd.campaign(campaign_id)["open_appeals"] == 0
    (listed,) = evidence(crowd, campaign_id)["people"]
    assert listed["fair_play"]["answer"] == "A flat explains it."


def test_without_a_concern_the_person_sees_nothing_and_can_not_appeal(crowd: Crowd) -> None:
    assignment_id, person = hand_in(crowd, crowd.launched())
    assert appeal(crowd, assignment_id, person).status_code == 409
    decide(crowd, assignment_id, "no_concern")
    assert own(crowd, person)["fair_play"] is None
    assert appeal(crowd, assignment_id, person).status_code == 409


def test_a_rejected_person_who_is_excluded_comes_back_to_appeal(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    rejection = {"category": "low_effort", "reason": WHY * 4}
    assert crowd.send("PUT", f"/assignments/{assignment_id}/rejection", rejection).status_code == 200
    assert crowd.enter(campaign_id).status_code == 409
    decide(crowd, assignment_id)
    assert crowd.enter(campaign_id).status_code == 201
    assert appeal(crowd, assignment_id, person).status_code == 200


def test_an_entry_that_is_over_lets_an_excluded_person_in_to_appeal_and_nobody_else(crowd: Crowd) -> None:
    """The platform's submission is decided long ago, and the signature of its link has expired."""
    campaign_id = crowd.launched()
    assert crowd.enter(campaign_id, device="a browser").status_code == 201
    assignment_id, person = hand_in(crowd, campaign_id)
    for worker in ("w1", "w2"):
        refused = crowd.enter(campaign_id, worker, over="the submission is not open any more")
        assert refused.get_json()["type"] == "/problems/entry-invalid"
        assert "not open any more" in refused.get_json()["detail"]
    decide(crowd, assignment_id)
    stolen = crowd.enter(campaign_id, device="another browser", over="it has expired")
    assert stolen.get_json()["type"] == "/problems/entry-invalid"
    work = crowd.enter(campaign_id, device="a browser", over="it has expired").get_json()["work"]
    assert (work["assignment_id"], work["fair_play"]["reason"]) == (assignment_id, WHY)
    assert appeal(crowd, assignment_id, person).status_code == 200
    assert crowd.enter(campaign_id, "w2", over="it has expired").status_code == 403
    assert crowd.enter(campaign_id, "w2").status_code == 201


def test_decisions_and_appeals_are_in_the_audit_log(crowd: Crowd) -> None:
    assignment_id, person = hand_in(crowd, crowd.launched())
    decide(crowd, assignment_id)
    appeal(crowd, assignment_id, person)
    decide(crowd, assignment_id, "no_concern", "A flat explains it.")
    assert crowd.audited()[-3:] == [
        ("assignment.excluded", str(crowd.owner), WHY),
        ("assignment.appealed", str(person), ""),
        ("assignment.no_concern", str(crowd.owner), "A flat explains it."),
    ]


@pytest.mark.parametrize(
    "body", [{"decision": "banned", "reason": "x"}, {"decision": "excluded", "reason": " "}]
)
def test_a_decision_needs_a_known_word_and_a_reason(crowd: Crowd, body: dict[str, str]) -> None:
    assignment_id, _ = hand_in(crowd, crowd.launched())
    assert crowd.send("PUT", f"/assignments/{assignment_id}/fair-play", body).status_code == 422


def test_only_owners_see_evidence_and_decide(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assignment_id, person = hand_in(crowd, campaign_id)
    assert crowd.send("GET", f"/campaigns/{campaign_id}/evidence", by=person).status_code == 403
    body = {"decision": "no_concern", "reason": "I am honest."}
    assert crowd.send("PUT", f"/assignments/{assignment_id}/fair-play", body, by=person).status_code == 403
