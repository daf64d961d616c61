"""Assignment of contexts, with concurrent requests too, and reports that take a context out of use."""

import json
from collections import Counter
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.adapters.next_context import NextContext
from annotation.adapters.rows import to_configuration
from annotation.domain.identifiers import PersonId, RoundId
from dynabench.task.v1.task_pb2 import ContextFlagged
from dynabench_tasks.context_policies import CONTEXT_POLICIES
from sqlalchemy import select, text
from werkzeug.test import TestResponse

from conftest import analyse

from .conftest import Platform


def use_counts(platform: Platform, round_id: str) -> list[int]:
    contexts = platform.owner("GET", f"/rounds/{round_id}/contexts?limit=200")["items"]
    return [context["use_count"] for context in contexts]


def test_the_current_context_is_given_again(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()

    assert platform.assign(round_id, person) == platform.assign(round_id, person)
    assert sum(use_counts(platform, round_id)) == 1


def test_naming_the_current_context_gives_another_until_all_were_seen(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=3)

    seen = [platform.assign(round_id, person)["context"]["context_id"]]
    for _ in range(2):
        seen.append(platform.assign(round_id, person, seen[-1])["context"]["context_id"])
    fourth = platform.assign(round_id, person, seen[-1])["context"]["context_id"]

    assert len(set(seen)) == 3
    assert fourth in seen[:2]


def test_asking_twice_for_another_gives_the_same_other(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    first = platform.assign(round_id, person)["context"]["context_id"]

    second, third = (platform.assign(round_id, person, first) for _ in range(2))

    assert second == third


def test_coming_back_to_a_context_keeps_the_number_of_tries(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=2)
    first = platform.example(round_id, person)["context_id"]
    second = platform.assign(round_id, person, first)["context"]["context_id"]
    back = platform.assign(round_id, person, second)

    assert (back["context"]["context_id"], back["attempts"]) == (first, 1)
    assert platform.example(round_id, person)["attempt"] == 2


def test_fifty_people_at_once_use_every_context_equally(platform: Platform) -> None:
    round_id = platform.open_round(contexts=25)

    given = platform.at_once(*[lambda: platform.assign(round_id, uuid4()) for _ in range(50)])

    counts = Counter(assignment["context"]["context_id"] for assignment in given)
    assert sorted(counts.values()) == sorted(use_counts(platform, round_id))
    assert sum(counts.values()) == 50
    assert len(counts) == 25
    assert max(counts.values()) <= 3


def test_fifty_people_at_once_get_fifty_contexts_where_there_are_enough(platform: Platform) -> None:
    round_id = platform.open_round(contexts=60)

    given = platform.at_once(*[lambda: platform.assign(round_id, uuid4()) for _ in range(50)])

    assert len({assignment["context"]["context_id"] for assignment in given}) == 50


def test_one_person_asking_at_once_gets_one_context(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=10)

    given = platform.at_once(*[lambda: platform.assign(round_id, person) for _ in range(8)])

    assert len({assignment["assignment_id"] for assignment in given}) == 1
    assert sum(use_counts(platform, round_id)) == 1


@pytest.mark.parametrize("policy", CONTEXT_POLICIES.names)
def test_the_next_context_is_found_by_the_index_made_for_its_policy(platform: Platform, policy: str) -> None:
    round_id = platform.open_round(contexts=1000)
    with platform.dependencies.engine.connect() as connection:
        document = connection.execute(select(tables.task_configuration.c.document).limit(1)).scalar_one()
        document["contexts"] = {"policy": policy}
        configuration = to_configuration(uuid4(), 1, json.dumps(document))
        search = NextContext(RoundId(UUID(round_id)), PersonId(uuid4()), configuration, None)
        analyse(connection.engine, "context")
        statement = search.unchanged(seen=False, place=search.places()[0]).compile(
            connection.engine, compile_kwargs={"literal_binds": True}
        )
        plan = "\n".join(connection.execute(text(f"EXPLAIN {statement}")).scalars())

    assert f"ix_context_{policy}" in plan
    assert "Sort" not in plan


def test_a_round_without_another_context_says_so(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    only = platform.assign(round_id, person)["context"]["context_id"]

    response = platform.call(
        "POST", f"/rounds/{round_id}/assignments", {"not_context_id": only}, person=person
    )

    assert response.status_code == 409
    assert response.get_json()["type"] == "/problems/no-contexts"
    assert "add texts" in response.get_json()["remedy"]


@pytest.mark.long
def test_who_passes_contexts_over_without_a_try_is_held_for_the_rest_of_an_hour(platform: Platform) -> None:
    limit = platform.dependencies.passed_over_per_hour
    person, round_id = uuid4(), platform.open_round(contexts=limit + 3)
    current = platform.assign(round_id, person)["context"]["context_id"]

    def another(context_id: str) -> TestResponse:
        path = f"/rounds/{round_id}/assignments"
        return platform.call("POST", path, {"not_context_id": context_id}, person=person)

    for _ in range(limit):
        current = another(current).get_json()["context"]["context_id"]
    platform.clock.move(3000)
    refused = another(current)
    kept = platform.assign(round_id, person)["context"]["context_id"]
    flag(platform, current, person)
    reported = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=person)
    platform.clock.move(600)

    assert (refused.status_code, refused.get_json()["type"]) == (429, "/problems/too-many-passed-over")
    assert refused.headers["Retry-After"] == "600"
    assert kept == current
    assert reported.status_code == 429
    assert another(current).status_code == 200


def test_a_context_that_others_had_withdrawn_was_not_passed_over(platform: Platform) -> None:
    limit = platform.dependencies.passed_over_per_hour
    person, round_id = uuid4(), platform.open_round(contexts=limit + 4)
    current = platform.assign(round_id, person)["context"]["context_id"]
    for _ in range(limit):
        given = platform.call(
            "POST", f"/rounds/{round_id}/assignments", {"not_context_id": current}, person=person
        )
        current = given.get_json()["context"]["context_id"]
    with platform.dependencies.engine.begin() as connection:
        of_context = tables.context.c.context_id == current
        connection.execute(tables.context.update().where(of_context).values(is_withdrawn=True))

    given = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=person)

    assert given.status_code == 200
    assert given.get_json()["context"]["context_id"] != current


@pytest.mark.long
def test_contexts_with_a_try_are_left_as_often_as_one_likes(platform: Platform) -> None:
    limit = platform.dependencies.passed_over_per_hour
    person, round_id = uuid4(), platform.open_round(contexts=limit + 3)

    for _ in range(limit + 1):
        platform.assign(round_id, person, platform.example(round_id, person)["context_id"])

    assert platform.assign(round_id, person)["attempts"] == 0


def test_a_context_is_used_up_after_the_tries_that_the_task_allows(platform: Platform) -> None:
    limited = platform.configuration + "quotas: {tries_per_context: 1, tries_per_person: 2}\n"
    platform.owner("PUT", f"/tasks/{platform.slug}/configuration", {"configuration": limited})
    person, round_id = uuid4(), platform.open_round(contexts=3)

    first = platform.example(round_id, person)
    again = platform.try_(round_id, person, first["context_id"])
    second = platform.example(round_id, person)
    third = platform.try_(round_id, person)

    assert again.get_json()["type"] == "/problems/context-quota-reached"
    assert second["context_id"] != first["context_id"]
    assert third.get_json()["type"] == "/problems/round-quota-reached"
    assert platform.counts(round_id)["tries"] == 2


def test_a_paused_round_gives_no_contexts(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, "paused")

    response = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=uuid4())

    assert response.status_code == 409
    assert response.get_json()["type"] == "/problems/round-paused"


def flag(
    platform: Platform, context_id: str, person: UUID, reason: str = "It names a private person."
) -> TestResponse:
    return platform.call("POST", f"/contexts/{context_id}/flags", {"reason": reason}, person=person)


def test_two_peoples_reports_withdraw_a_context(platform: Platform) -> None:
    round_id = platform.open_round(contexts=1)
    people = [uuid4(), uuid4()]
    (context_id,) = {platform.assign(round_id, person)["context"]["context_id"] for person in people}

    first, second = (flag(platform, context_id, person).get_json() for person in people)
    response = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=uuid4())

    assert (first["is_withdrawn"], second["is_withdrawn"]) == (False, True)
    assert response.get_json()["type"] == "/problems/no-contexts"


def test_only_who_was_given_a_context_may_report_it(platform: Platform) -> None:
    round_id = platform.open_round(contexts=1)
    context_id = platform.assign(round_id, uuid4())["context"]["context_id"]

    response = flag(platform, context_id, uuid4())

    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/context-not-assigned")


def test_who_passed_a_context_over_may_not_report_it_any_more(platform: Platform) -> None:
    round_id, person, author = platform.open_round(contexts=2), uuid4(), uuid4()
    left = platform.assign(round_id, person)["context"]["context_id"]
    platform.assign(round_id, person, left)
    refused = flag(platform, left, person)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/context-not-assigned")
    written = platform.example(round_id, author)["context_id"]
    platform.assign(round_id, author, written)
    assert flag(platform, written, author).status_code == 201


def test_one_persons_reports_count_once_and_spare_only_them_the_context(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    context_id = platform.assign(round_id, person)["context"]["context_id"]

    answers = [flag(platform, context_id, person).get_json() for _ in range(2)]
    mine = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=person)
    others = platform.assign(round_id, uuid4())

    assert [answer["is_withdrawn"] for answer in answers] == [False, False]
    assert mine.get_json()["type"] == "/problems/no-contexts"
    assert others["context"]["context_id"] == context_id


def test_each_report_is_an_event_with_its_reason(platform: Platform) -> None:
    round_id = platform.open_round(contexts=1)
    person = uuid4()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    flag(platform, context_id, person, "Not a sentence.")

    statement = select(tables.outbox).where(tables.outbox.c.aggregate_id == context_id)
    with platform.dependencies.engine.connect() as connection:
        [row] = connection.execute(statement).all()
    event = ContextFlagged.FromString(bytes(row.payload))

    assert (row.aggregate_version, event.reason, event.person_id) == (1, "Not a sentence.", str(person))
