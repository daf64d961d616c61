"""Near duplicates in a round, listed before a text is submitted."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_tasks.near_duplicates import bands_of, shingles_of
from sqlalchemy import text
from werkzeug.test import TestResponse

from .conftest import Platform

SENTENCE = "The waiter was proud of the soup, which had been cold since the morning."
NEARLY = "The waiter was proud of the soup, which had been cold since this morning."
OTHERWISE = "Nobody who has seen the theatre empty will ever forget how loud it was."


def similar(
    platform: Platform, round_id: str, person: UUID, written: str = NEARLY, **more: Any
) -> TestResponse:
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    body = {"context_id": context_id, "input": {"text": written}, **more}
    return platform.call("POST", f"/rounds/{round_id}/similar", body, person=person)


def test_ones_own_near_duplicates_are_told_with_their_text(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    example = platform.example(round_id, person, text=SENTENCE)
    platform.example(round_id, person, text=OTHERWISE)

    answer = similar(platform, round_id, person).get_json()

    assert answer["others"] == 0
    [own] = answer["own"]
    assert (own["example_id"], own["text"]) == (example["example_id"], SENTENCE)
    assert 0.8 <= own["similarity"] < 1


def test_other_peoples_are_only_counted(platform: Platform) -> None:
    round_id = platform.open_round()
    for _ in range(3):
        platform.example(round_id, uuid4(), text=SENTENCE)

    person = uuid4()
    example = platform.example(round_id, person, text=NEARLY)
    answer = similar(platform, round_id, person).get_json()

    assert answer["others"] == 3
    assert [each["example_id"] for each in answer["own"]] == [example["example_id"]]


def test_nothing_is_told_of_a_text_that_one_has_not_submitted(platform: Platform) -> None:
    """Else whoever validates could tell an example of the round from an attention check."""
    round_id = platform.open_round()
    platform.example(round_id, uuid4(), text=SENTENCE)

    response = similar(platform, round_id, uuid4(), SENTENCE)

    assert response.get_json() == {"own": [], "others": 0}


def test_the_most_similar_comes_first(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    for written in (SENTENCE, NEARLY):
        platform.example(round_id, person, text=written)

    own = similar(platform, round_id, person).get_json()["own"]

    assert [each["text"] for each in own] == [NEARLY, SENTENCE]
    assert own[0]["similarity"] == 1.0


def test_retracted_examples_are_left_out(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    example_id = platform.example(round_id, person, text=SENTENCE)["example_id"]
    platform.call("POST", f"/examples/{example_id}/retraction", person=person)
    assert similar(platform, round_id, person).get_json() == {"own": [], "others": 0}


def test_only_the_round_itself_is_searched(platform: Platform) -> None:
    person = uuid4()
    platform.example(platform.open_round(), person, text=SENTENCE)
    assert similar(platform, platform.open_round(), person).get_json() == {"own": [], "others": 0}


def test_the_claim_does_not_matter(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    platform.example(round_id, person, text=SENTENCE, label="neutral")
    answer = similar(platform, round_id, person, input={"text": SENTENCE, "label": "negative"}).get_json()
    assert [each["similarity"] for each in answer["own"]] == [1.0]


def test_an_exact_repeat_is_warned_of_and_still_taken(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    platform.example(round_id, person, text=SENTENCE)
    assert similar(platform, round_id, person, SENTENCE).get_json()["own"][0]["similarity"] == 1.0
    assert platform.try_(round_id, person, text=SENTENCE).status_code == 201


def test_asking_stores_nothing(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    for _ in range(2):
        assert similar(platform, round_id, person).get_json() == {"own": [], "others": 0}
    assert platform.counts(round_id)["tries"] == 0


def test_a_context_that_one_was_not_given_is_refused(platform: Platform) -> None:
    round_id = platform.open_round(contexts=1)
    context_id = platform.assign(round_id, uuid4())["context"]["context_id"]
    body = {"context_id": context_id, "input": {"text": SENTENCE}}
    response = platform.call("POST", f"/rounds/{round_id}/similar", body, person=uuid4())
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/context-not-assigned")


@pytest.mark.parametrize("body", [{"text": ""}, {}, {"text": SENTENCE, "tone": "loud"}])
def test_unusable_input_is_refused(platform: Platform, body: dict[str, str]) -> None:
    response = similar(platform, platform.open_round(), uuid4(), input=body)
    assert response.status_code == 422


def test_a_search_walks_the_index_of_bands(platform: Platform) -> None:
    bands = bands_of(uuid4(), shingles_of(SENTENCE))
    query = "EXPLAIN SELECT example_id FROM example_signature WHERE bands && CAST(:bands AS bigint[])"
    with platform.dependencies.engine.connect() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = "\n".join(connection.execute(text(query), {"bands": bands}).scalars())
    assert "ix_example_signature_bands" in plan
