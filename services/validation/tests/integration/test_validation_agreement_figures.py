"""Figures of agreement over HTTP: counted or not yet, they are those of the votes that stand."""

import random
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id
from dynabench_common.testing import wait_until
from dynabench_tasks.values import to_text
from sqlalchemy import text
from validation.adapters.agreement_sums import count_changes
from validation.bootstrap import build_counters

from .conftest import World

API = "/api/validation/v1"
FIXED: dict[str, Any] = {"policy": {"fixed": {"votes": 3, "agree": 2}}, "validate": "all"}
ADAPTIVE: dict[str, Any] = {"policy": {"adaptive": {"agree": 2, "max_votes": 3}}, "validate": "all"}
KEPT = {"agreement_share": "1", "agreement_sum": "1, 2, 3, 4, 5, 6", "agreement_voter": "1, 2, 3, 4"}
"""The tables that sums are kept in, with their keys by number of column."""
KINDS = ("segment", "target", "condition", "cohort", "tag", "week")


def imported_votes(
    words: Sequence[str], voters: Sequence[UUID | None] = ()
) -> list[example_pb2.ImportedVote]:
    known = [*voters, *(new_id() for _ in words[len(voters) :])]
    return [
        example_pb2.ImportedVote(
            voter_id=str(voter_id) if voter_id else "",
            kind="flag" if word == "flag" else "label",
            option="" if word == "flag" else word,
        )
        for word, voter_id in zip(words, known, strict=True)
    ]


def record(world: World, words: str, voters: Sequence[UUID | None] = (), **fields: Any) -> UUID:
    """Let an example come with votes."""
    votes = imported_votes(words.split(), voters)
    example_id: UUID = world.example(
        **{"author_id": "", "claimed": "", "verdict": "unknown", "imported_votes": votes, **fields}
    )
    return example_id


def count(world: World) -> None:
    """Count every noted change, as the worker does."""
    counted = 1
    while counted:
        with world.engine.begin() as connection:
            counted = count_changes(connection, world.clock.now())


def agreement(world: World, by: str = "") -> dict[str, Any]:
    """Return the figures, which must be the same before and after the worker has counted."""
    path = f"{API}/rounds/{world.round_id}/agreement" + (f"?by={by}" if by else "")
    before = world.http.get(path)
    assert before.status_code == 200, before.text
    count(world)
    assert world.http.get(path).get_json() == before.get_json()
    figures: dict[str, Any] = before.get_json()
    return figures


def estimate(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.http.get(f"{API}/rounds/{world.round_id}/human-estimate").get_json()
    return found


def kept(world: World) -> list[list[dict[str, Any]]]:
    return [world.rows(table, order) for table, order in KEPT.items()]


def test_a_round_without_votes(world: World) -> None:
    world.begin(**FIXED)
    world.example()
    figures = agreement(world, "week")
    assert (figures["examples"], figures["votes"], figures["voters"], figures["groups"]) == (0, 0, None, [])
    assert figures["raw"] == {"value": None, "reason": "undefined: no example has two votes", "n": 0}
    assert estimate(world)["agreement"]["reason"] == "there are no votes to compare yet"


def test_figures_of_votes_cast_here(world: World) -> None:
    world.begin(**FIXED)
    world.example(claimed="negative")
    for answer in ("negative", "negative", "positive"):
        world.person().answer(world.round_id, answer)
    figures = agreement(world)
    assert (figures["examples"], figures["votes"], figures["voters"]) == (1, 3, 3)
    assert figures["options"] == ["negative", "positive"]
    assert figures["basis"] == "all_votes"
    assert figures["raw"]["value"] == pytest.approx(1 / 3)
    assert figures["vote_histogram"] == {"2": 1}
    assert (figures["gold"], figures["votes_equal_gold"]) == ({"negative": 1}, 2)


def test_unsure_is_no_vote(world: World) -> None:
    world.begin(**FIXED)
    world.example()
    person = world.person()
    assert person.vote(person.hold(world.round_id)["lease_id"], kind="unsure").status_code == 201
    assert agreement(world)["votes"] == 0


def test_under_an_adaptive_policy_the_first_two_votes_are_compared(world: World) -> None:
    world.begin(**ADAPTIVE)
    for words in ("negative negative", "positive neutral neutral", "flag flag"):
        record(world, words)
    figures = agreement(world)
    assert (figures["basis"], figures["votes"]) == ("first_two_votes", 7)
    assert figures["raw"] == {"value": pytest.approx(2 / 3), "reason": None, "n": 3}
    assert figures["fleiss_kappa"]["value"] is not None
    assert figures["vote_histogram"] == {"2": 3}
    assert figures["options"] == ["flag", "negative", "neutral", "positive"]
    found = estimate(world)
    assert (found["n_votes"], found["n_examples"]) == (6, 3)
    assert found["agreement"]["value"] == pytest.approx(2 / 3)
    assert found["reason"].startswith("adaptive")


def test_one_option_is_undefined_and_unequal_numbers_have_no_kappa(world: World) -> None:
    world.begin(policy={"fixed": {"votes": 4, "agree": 2}}, validate="all")
    record(world, "negative negative")
    figures = agreement(world)
    assert (figures["raw"]["value"], figures["raw"]["reason"]) == (1.0, None)
    names = ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
    assert {figures[name]["reason"] for name in names} == {"undefined: one option used"}
    assert {figures[name]["value"] for name in names} == {None}
    record(world, "negative positive positive")
    figures = agreement(world)
    assert figures["fleiss_kappa"]["reason"] == "undefined: examples have unequal numbers of votes"
    assert figures["krippendorff_alpha"]["value"] is not None


def test_spans_agree_by_their_words(world: World) -> None:
    field = {"name": "answer", "type": "span", "of": "prompt"}
    changes = {"input": [field], "output": [field]}
    world.apply(
        world.events.task(world.task_id, 1, changes, **FIXED),
        world.events.round(world.round_id, world.task_id),
        world.events.round_state(world.round_id, "closed"),
    )
    marked = ["one two three four five", "one two three four", "lighthouse"]
    spans = [to_text({"start": 0, "end": len(words), "text": words}) for words in marked]
    votes = [
        example_pb2.ImportedVote(voter_id=str(new_id()), kind="label", option=option) for option in spans
    ]
    world.example(author_id="", claimed="", verdict="unknown", imported_votes=votes)
    figures = agreement(world)
    assert figures["raw"]["value"] == pytest.approx(1 / 3)
    assert figures["krippendorff_alpha"]["reason"].startswith("undefined: votes mark spans")
    assert (figures["options"], figures["gold"], figures["votes_equal_gold"]) == ([], {}, 2)


def test_groups_have_figures_of_their_own(world: World) -> None:
    world.begin(**FIXED)
    segment_id = new_id()
    voter = new_id()
    in_both = {"segment_id": str(segment_id), "condition": "prompt", "cohort": "crowd"}
    record(world, "negative negative negative", [voter], context_tags=["irony", "sea"], **in_both)
    later = {"created_at": datetime(2026, 1, 12, tzinfo=UTC), "cohort": "expert"}
    record(world, "negative positive positive", [voter], context_tags=["sea"], **later)
    groups = {by: agreement(world, by)["groups"] for by in KINDS}
    names = {by: [group["name"] for group in found] for by, found in groups.items()}
    assert names == {
        "segment": [str(segment_id)],
        "target": ["one"],
        "condition": ["prompt"],
        "cohort": ["crowd", "expert"],
        "tag": ["irony", "sea"],
        "week": ["2026-W02", "2026-W03"],
    }
    sea, expert = groups["tag"][1], groups["cohort"][1]
    assert (sea["examples"], sea["votes"], sea["voters"]) == (2, 6, 5)
    assert sea["raw"]["value"] == pytest.approx(2 / 3)
    assert (expert["gold"], expert["votes_equal_gold"]) == ({"positive": 1}, 2)
    assert groups["condition"][0]["gwet_ac1"]["reason"] == "undefined: one option used"


def test_a_retraction_shows_at_once(world: World) -> None:
    world.begin(**FIXED)
    record(world, "negative negative positive")
    example_id = record(world, "neutral neutral neutral")
    assert agreement(world)["gold"] == {"negative": 1, "neutral": 1}
    world.apply(world.events.retracted(example_id))
    figures = agreement(world, "week")
    assert (figures["examples"], figures["voters"], figures["gold"]) == (1, 3, {"negative": 1})
    assert "neutral" not in figures["options"]
    assert figures["groups"][0]["votes"] == 3


def test_an_adjudication_and_its_reversal_show_at_once(world: World) -> None:
    world.begin(**FIXED)
    example_id = record(world, "negative negative positive", claimed="positive")
    assert agreement(world)["gold"] == {"negative": 1}
    owner = world.person("owner:sentiment")
    path = f"{API}/examples/{example_id}/adjudication"
    decision = {"kind": "label", "value": "positive", "reason": "The last sentence turns it."}
    assert world.http.put(path, json=decision, headers=owner.headers).status_code == 200
    figures = agreement(world)
    assert (figures["gold"], figures["votes_equal_gold"], figures["votes"]) == ({"positive": 1}, 1, 3)
    assert world.http.delete(path, headers=owner.headers).status_code in {200, 204}
    figures = agreement(world)
    assert (figures["gold"], figures["votes_equal_gold"]) == ({"negative": 1}, 2)


def test_votes_set_aside_count_no_more(world: World) -> None:
    world.begin(**FIXED)
    example_id = record(world, "negative negative positive", claimed="positive")
    assert agreement(world)["votes"] == 3
    owner = world.person("owner:sentiment")
    body = {"example_ids": [str(example_id)], "reason": "The text was hard to read."}
    answer = world.http.post(f"{API}/rounds/{world.round_id}/requeue", json=body, headers=owner.headers)
    assert answer.status_code == 200, answer.text
    assert agreement(world)["votes"] == 0
    world.person().answer(world.round_id, "neutral")
    assert (agreement(world)["votes"], agreement(world)["options"]) == (1, ["neutral"])


def test_unknown_voters_are_not_counted_as_people(world: World) -> None:
    world.begin(**FIXED)
    for _ in range(6):
        record(world, "negative negative positive", [None, None, None])
    figures, found = agreement(world), estimate(world)
    assert (figures["votes"], figures["voters"]) == (18, None)
    assert found["agreement"]["value"] == pytest.approx(1 / 3)
    assert found["agreement"]["low"] is None
    assert found["reason"] == "no interval: voters unknown"


def test_the_human_estimate_leaves_the_own_vote_out(world: World) -> None:
    world.begin(policy={"fixed": {"votes": 5, "agree": 3}}, validate="all")
    people = [new_id() for _ in range(5)]
    for words in ["negative negative negative negative positive"] * 4 + ["neutral " * 5]:
        record(world, words.strip(), people)
    found = estimate(world)
    assert found["agreement"]["value"] == pytest.approx(21 / 25)
    assert found["agreement"]["low"] < 21 / 25 < found["agreement"]["high"]
    assert (found["n_votes"], found["n_examples"], found["reason"]) == (25, 5, None)
    count(world)
    assert estimate(world) == found


def test_sums_equal_a_recount_whatever_happened_and_however_it_was_cut(world: World) -> None:
    """Votes, retractions and corrected configurations at random, counted now and then; then all counted anew."""
    dice = random.Random(20260105)
    world.begin(**FIXED)
    voters = [new_id() for _ in range(6)]
    examples: list[UUID] = []
    for _ in range(120):
        step = dice.random()
        if step < 0.5 or not examples:
            words = [
                dice.choice(["negative", "neutral", "positive", "flag"]) for _ in range(dice.randint(1, 3))
            ]
            known: list[UUID | None] = [*dice.sample(voters, len(words))]
            tags = dice.sample(["irony", "sea", "hands"], dice.randint(0, 2))
            examples.append(record(world, " ".join(words), known, context_tags=tags))
        elif step < 0.7:
            world.apply(world.events.retracted(dice.choice(examples)))
        elif step < 0.85:
            person = world.person(person_id=dice.choice(voters))
            held = person.lease(world.round_id)
            if held.status_code == 201:
                person.vote(held.get_json()["lease_id"], kind="label", value="neutral")
        else:
            with world.engine.begin() as connection:
                count_changes(connection, world.clock.now())
    figures = [agreement(world, by) for by in KINDS]
    before = kept(world)
    assert before[1]
    with world.engine.begin() as connection:
        for table in KEPT:
            connection.execute(text(f"DELETE FROM {table}"))
        connection.execute(
            text(
                "INSERT INTO agreement_change (round_id, example_id) "
                "SELECT round_id, example_id FROM example_validation ORDER BY random()"
            )
        )
    count(world)
    assert kept(world) == before
    assert [agreement(world, by) for by in KINDS] == figures


def test_more_changes_than_a_read_looks_at_are_left_to_the_worker(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.begin(**FIXED)
    monkeypatch.setattr("validation.queries.agreement.MOST_CHANGES", 2)
    for _ in range(5):
        record(world, "negative positive")
    path = f"{API}/rounds/{world.round_id}/agreement"
    assert (world.http.get(path).get_json()["examples"], world.http.get(path).get_json()["behind"]) == (2, 3)
    count(world)
    assert (world.http.get(path).get_json()["examples"], world.http.get(path).get_json()["behind"]) == (5, 0)


def test_bad_questions(world: World) -> None:
    world.begin(**FIXED)
    unknown = world.http.get(f"{API}/rounds/{uuid4()}/agreement")
    assert (unknown.status_code, unknown.get_json()["field"]) == (404, "round_id")
    assert world.http.get(f"{API}/rounds/{uuid4()}/human-estimate").status_code == 404
    for by in ("colour", ""):
        answer = world.http.get(f"{API}/rounds/{world.round_id}/agreement?by={by}")
        assert answer.status_code == 422, answer.text


@pytest.fixture
def counters(world: World) -> Iterator[None]:
    """The worker's two components that follow from votes, running."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=component.run, args=(stop,))
        for component in build_counters(world.engine, world.clock)
    ]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join()


@pytest.mark.usefixtures("counters")
def test_the_worker_counts_by_itself(world: World) -> None:
    world.begin(**FIXED)
    for _ in range(3):
        record(world, "negative negative positive")
    wait_until(lambda: len(world.rows("posterior")) == 3, what="posteriors")
    wait_until(lambda: world.rows("agreement_change") == [], what="figures of agreement")
    sums = {(row["measure"], row["size"]): row["amount"] for row in world.rows("agreement_sum")}
    assert sums["examples", 3] == 3
