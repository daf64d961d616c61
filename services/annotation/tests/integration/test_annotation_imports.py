"""Rounds collected elsewhere come in: an import is started, and its records become examples."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.domain.identifiers import RoundId
from annotation.service_layer.images import discard_abandoned
from dynabench.example.v1.example_pb2 import VERDICT_FOOLED
from dynabench.task.v1.task_pb2 import SegmentStarted
from dynabench_common.http.schemas import encode_cursor
from dynabench_common.testing import FixedClock
from dynabench_tasks.near_duplicates import shingles_of
from sqlalchemy import select

from services.annotation.tests.imported_records import (
    SOURCE,
    add,
    errors_of,
    events,
    every_row,
    examples,
    record,
    refused,
    taken,
)

from .conftest import MakePlatform, Platform

# Starting an import


def test_an_import_is_started_once_and_found_again(platform: Platform) -> None:
    path = f"/tasks/{platform.slug}/imports/{SOURCE}"
    body = {"title": "From elsewhere", "targets": ["bert-r1", "m.2"], "origin": "imported"}
    first = platform.call("PUT", path, body, person=uuid4(), roles=[f"owner:{platform.slug}"])
    again = platform.call("PUT", path, {**body, "title": ""}, person=uuid4(), roles=["admin"])

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    assert first.get_json() == {
        "round_id": first.get_json()["round_id"],
        "task_slug": platform.slug,
        "number": 1,
        "source": SOURCE,
        "origin": "imported",
        "targets": ["bert-r1", "m.2"],
        "state": "draft",
        "records": 0,
    }
    round_ = platform.call("GET", f"/rounds/{first.get_json()['round_id']}").get_json()
    assert (round_["title"], round_["origin"], round_["source"]) == ("From elsewhere", "imported", SOURCE)
    assert taken(add(platform, round_["round_id"], [record(targets={})])) == (1, 0, 0)
    [(created, version)] = events(platform, round_["round_id"])
    assert (created.origin, created.source, version) == ("imported", SOURCE, 1)


@pytest.mark.parametrize("origin", ["imported", "harvested"])
@pytest.mark.parametrize("content", [b"", b"{", b'{"id": "a"}\n', b'{"id": "a", "unknown": 1}\n'])
def test_a_collection_whose_first_lines_are_refused_leaves_no_draft(
    platform: Platform, origin: str, content: bytes
) -> None:
    round_id = platform.start_import(origin=origin)
    step = "records" if origin == "imported" else "harvest"

    assert platform.send_lines(f"/rounds/{round_id}/{step}", content).status_code == 422

    assert listed(platform) == []
    assert events(platform, round_id) == []


@pytest.mark.parametrize("origin", ["imported", "harvested"])
def test_the_round_of_a_collection_is_announced_with_its_first_record_or_its_end(
    platform: Platform, origin: str
) -> None:
    if origin == "imported":
        round_id = platform.start_import()
        taken(add(platform, round_id, [record()]))
    else:
        round_id = platform.start_import(origin=origin)
        platform.set_state(round_id, "closed")

    assert listed(platform) == [round_id]
    (created, version), *_ = events(platform, round_id)
    assert (created.source, version) == (SOURCE, 1)


def test_a_collection_can_name_other_targets_until_its_first_record(platform: Platform) -> None:
    platform.start_import(["alpha"])
    round_id = platform.start_import(["beta"])
    taken(add(platform, round_id, [record(targets={"beta": "positive"})]))
    round_ = platform.call("GET", f"/rounds/{round_id}").get_json()
    assert (listed(platform), round_["targets"], round_["number"]) == ([round_id], ["beta"], 1)


def test_an_import_without_records_is_forgotten_after_a_day(platform: Platform) -> None:
    empty, used = platform.start_import(source="empty"), platform.start_import(source="used")
    taken(add(platform, used, [record()]))
    for days, status in ((0, 200), (2, 404)):
        clock = FixedClock(platform.clock.now() + timedelta(days=days))
        discard_abandoned(replace(platform.dependencies, clock=clock))
        assert platform.call("GET", f"/rounds/{empty}").status_code == status
    assert listed(platform) == [used]


def listed(platform: Platform) -> list[str]:
    """Return the ids of the task's rounds, which three routes list alike."""
    path = f"/tasks/{platform.slug}"
    rounds = platform.call("GET", f"{path}/rounds").get_json()["items"]
    before = {"cursor": encode_cursor(platform.slug[:-1])}
    own, *_ = platform.call("GET", "/tasks", query_string=before).get_json()["items"]
    ids = [round_["round_id"] for round_ in rounds]
    for shown in (own, platform.call("GET", path).get_json()):
        assert [round_["round_id"] for round_ in shown["rounds"]] == ids
    return ids


@pytest.mark.parametrize("changes", [{"targets": ["beta"]}, {"targets": []}, {"origin": "harvested"}])
def test_another_import_under_the_same_name_is_refused(platform: Platform, changes: dict[str, Any]) -> None:
    taken(add(platform, platform.start_import(["alpha"]), [record()]))
    body = {"targets": ["alpha"], "origin": "imported", **changes}
    response = platform.call(
        "PUT", f"/tasks/{platform.slug}/imports/{SOURCE}", body, person=uuid4(), roles=["admin"]
    )
    assert refused(response) == (409, "import-differs")


def test_equal_texts_of_a_collection_count_as_they_were_collected(platform: Platform) -> None:
    round_id = platform.start_import(["alpha"])
    fooling = {"label": "negative", "targets": {"alpha": "positive"}, "input": {"text": "What a queue."}}

    taken(add(platform, round_id, [record(1, **fooling), record(2, **fooling)]))

    assert [row["duplicate_of"] for row in examples(platform, round_id)] == [None, None]
    assert platform.counts(round_id)["fooled"] == 2


def test_two_starts_at_once_make_one_round(platform: Platform) -> None:
    rounds = platform.at_once(*[platform.start_import] * 4)
    assert len(set(rounds)) == 1


def test_every_task_has_its_own_collections_and_a_name_may_hold_slashes(make_platform: MakePlatform) -> None:
    one, other = make_platform(), make_platform()
    assert one.start_import(source="a/b c.jsonl") != other.start_import(source="a/b c.jsonl")
    assert one.start_import(source="a/b c.jsonl") != one.start_import(source="b.jsonl")


@pytest.mark.parametrize(
    ("source", "body", "field"),
    [
        ("x" * 201, {"targets": [], "origin": "imported"}, "source"),
        ("a%09b", {"targets": [], "origin": "imported"}, "source"),
        ("a", {"targets": [], "origin": "harvested"}, "targets"),
        ("a", {"targets": [], "origin": "written"}, "origin"),
        ("a", {"targets": ["a", "a"], "origin": "imported"}, "targets[1]"),
        ("a", {"targets": ["a b"], "origin": "imported"}, "targets.0"),
        ("a", {"targets": [f"t{n}" for n in range(9)], "origin": "imported"}, "targets"),
        ("a", {"targets": [], "origin": "imported", "title": "\x07"}, "title"),
    ],
)
def test_an_import_that_cant_be_started_says_why(
    platform: Platform, source: str, body: dict[str, Any], field: str
) -> None:
    response = platform.call(
        "PUT", f"/tasks/{platform.slug}/imports/{source}", body, person=uuid4(), roles=["admin"]
    )
    assert (response.status_code, response.get_json()["field"]) == (422, field)
    assert platform.call("GET", f"/tasks/{platform.slug}").get_json()["rounds"] == []


def test_too_few_targets_for_the_tasks_rule_are_refused(make_platform: MakePlatform) -> None:
    platform = make_platform(ensemble={"at_least": 2})
    path = f"/tasks/{platform.slug}/imports/a"
    body = {"targets": ["m"], "origin": "imported"}
    response = platform.call("PUT", path, body, person=uuid4(), roles=["admin"])
    assert refused(response) == (409, "ensemble-too-small")


@pytest.mark.parametrize("roles", [["annotator"], ["owner:another"]])
def test_only_owners_of_the_task_import(platform: Platform, roles: list[str]) -> None:
    round_id = platform.start_import()
    start = f"/tasks/{platform.slug}/imports/a"
    body = {"targets": [], "origin": "imported"}
    assert platform.call("PUT", start, body, person=uuid4(), roles=roles).status_code == 403
    for path in (
        f"/rounds/{round_id}/records",
        f"/rounds/{round_id}/harvest",
        f"/tasks/{platform.slug}/records/check",
    ):
        assert platform.send_lines(path, [record()], roles=roles).status_code == 403
    assert add(platform, str(uuid4()), [record()]).status_code == 404


# Records become examples


def test_a_record_becomes_an_example_with_an_event_that_tells_of_its_votes(platform: Platform) -> None:
    round_id = platform.start_import()
    whole = record(
        label="negative",
        author="Ann Author",
        cohort="crowd",
        condition="no_prompt",
        tags=["odd"],
        targets={"alpha": {"value": "positive", "probabilities": {"positive": 0.75, "negative": 0.25}}},
        votes=[
            {"label": "negative", "voter": "Vera Voter", "at": "2020-02-03T04:05:06Z"},
            {"label": "flag", "reason": "Odd."},
            {"label": "unsure", "voter": "Victor Voter"},
        ],
        explanations={"label": "It is.", "model": "It read lovely."},
    )

    assert taken(add(platform, round_id, [whole])) == (1, 0, 3)

    [example] = examples(platform, round_id)
    (created, version), (explained, next_version) = events(platform, example["example_id"])
    assert (version, next_version) == (1, 2)
    assert (created.source_id, created.author_id, created.cohort) == ("r1", example["author_id"], "crowd")
    assert (created.claimed, created.condition, list(created.context_tags)) == (
        "negative",
        "no_prompt",
        ["odd"],
    )
    assert dict(created.context) == whole["context"]
    assert dict(created.input) == whole["input"]
    assert created.verdict == VERDICT_FOOLED
    [answer] = created.answers
    assert (answer.value, answer.wrong, answer.model_digest, answer.confidence) == (
        "positive",
        True,
        "",
        0.75,
    )
    given, flag, unsure = created.imported_votes
    assert (given.kind, given.option, given.cast_at.ToJsonString()) == (
        "label",
        "negative",
        "2020-02-03T04:05:06Z",
    )
    assert (flag.kind, flag.option, flag.reason, flag.voter_id) == ("flag", "", "Odd.", "")
    assert not flag.HasField("cast_at")
    assert (unsure.kind, unsure.option) == ("unsure", "")
    assert len({UUID(given.voter_id), UUID(unsure.voter_id), UUID(created.author_id)}) == 3
    assert (explained.label_explanation, explained.model_explanation) == ("It is.", "It read lovely.")
    assert example["explanations"] == whole["explanations"]
    assert example["created_at"] == platform.clock.now().isoformat()
    assert (example["source_id"], example["verdict"], example["attempt"]) == ("r1", "fooled", 1)


def test_names_of_people_are_stored_nowhere(platform: Platform) -> None:
    round_id = platform.start_import()
    people = ["Quirina Quellwasser", "Xaverius Zweistein"]
    add(platform, round_id, [record(author=people[0], votes=[{"label": "positive", "voter": people[1]}])])
    held = every_row(platform)
    assert "What a lovely queue" in held
    assert not [word for name in people for word in name.split() if word in held]


def test_equal_names_are_one_person_in_a_task_and_strangers_in_two(make_platform: MakePlatform) -> None:
    one, other = make_platform(), make_platform()
    rounds = [(one, one.start_import(source="a")), (one, one.start_import(source="b"))]
    rounds.append((other, other.start_import(source="a")))
    for platform, round_id in rounds:
        add(platform, round_id, [record(author="Ann")])
    first, second, elsewhere = (examples(*each)[0]["author_id"] for each in rounds)
    assert first == second != elsewhere


def test_where_nothing_is_known_nothing_is_said(platform: Platform) -> None:
    round_id = platform.start_import()
    add(platform, round_id, [record()])

    [example] = examples(platform, round_id)
    [(created, _)] = events(platform, example["example_id"])
    assert (created.author_id, created.claimed, created.segment_id) == ("", "", "")
    for name in ("author_id", "claimed", "segment_id"):
        assert example[name] is None
    assert (example["verdict"], example["cohort"], example["condition"]) == ("unknown", "imported", "default")
    shown = platform.call("GET", f"/examples/{example['example_id']}", person=uuid4(), roles=["admin"])
    assert shown.get_json() == example
    own = platform.call("GET", f"/rounds/{round_id}/examples", person=uuid4())
    assert own.get_json()["items"] == []


def test_a_stranger_has_no_right_to_an_example_without_author(platform: Platform) -> None:
    round_id = platform.start_import()
    add(platform, round_id, [record(label="positive")])
    path = f"/examples/{examples(platform, round_id)[0]['example_id']}"
    assert platform.call("GET", path, person=uuid4()).status_code == 404
    assert platform.call("POST", f"{path}/retraction", person=uuid4()).status_code == 404
    assert platform.call("PUT", f"{path}/explanations", {"label": "x"}, person=uuid4()).status_code == 404


def test_records_on_equal_contexts_share_one_and_are_numbered(platform: Platform) -> None:
    round_id = platform.start_import()
    fooled = {"label": "negative", "targets": {"alpha": "positive"}}
    add(platform, round_id, [record(1, **fooled), record(2, tags=["b"]), record(3, author="Ann")])
    add(
        platform,
        round_id,
        [record(4, **fooled), record(5, author="Ann"), record(6, context={"prompt": "Other."})],
    )

    found = examples(platform, round_id)
    assert [example["attempt"] for example in found] == [1, 2, 1, 3, 2, 1]
    assert len({example["context_id"] for example in found[:5]}) == 1
    used = platform.owner("GET", f"/rounds/{round_id}/contexts")["items"]
    assert [(each["fields"]["prompt"], each["use_count"]) for each in used] == [
        ("A prompt.", 5),
        ("Other.", 1),
    ]
    with platform.dependencies.engine.connect() as connection:
        own = tables.context.c.round_id == UUID(round_id)
        foolings = connection.execute(select(tables.context.c.foolings).where(own)).scalars().all()
    assert sorted(foolings) == [0, 2]


def test_an_import_is_one_segment_whose_targets_have_no_digests(platform: Platform) -> None:
    round_id = platform.start_import(["alpha", "beta"])
    answered = {"label": "negative", "targets": {"alpha": "positive", "beta": "negative"}}
    add(platform, round_id, [record(1, **answered)])
    add(platform, round_id, [record(2, label="positive", targets={"alpha": "positive"})])

    [segment_id] = {example["segment_id"] for example in examples(platform, round_id)}
    [(started, _)] = [each for each in events(platform, round_id) if isinstance(each[0], SegmentStarted)]
    assert started.segment_id == segment_id
    assert [(target.name, target.model_digest, target.handler_digest) for target in started.targets] == [
        ("alpha", "", ""),
        ("beta", "", ""),
    ]


def test_near_duplicates_know_imported_text(platform: Platform) -> None:
    round_id = platform.start_import()
    text = "It took them an hour to find my coat, and then it was not even mine."
    add(platform, round_id, [record(input={"text": text})])
    with platform.dependencies.unit_of_work() as uow:
        [found] = uow.minhashes.find_candidates(RoundId(UUID(round_id)), shingles_of(text.upper()))
    assert found.input == {"text": text}


def test_a_batch_of_a_thousand_is_taken_and_one_more_line_refused(platform: Platform) -> None:
    round_id = platform.start_import()
    votes = [{"label": "positive", "voter": f"v{n}"} for n in range(5)]
    batch = [record(n, votes=votes) for n in range(1_000)]
    assert errors_of(add(platform, round_id, [*batch, record(1_000)])) == [
        (1_001, "file", "goes beyond the 1,000 lines that it may have")
    ]
    assert taken(add(platform, round_id, batch)) == (1_000, 0, 5_000)
    assert platform.counts(round_id)["tries"] == 1_000
