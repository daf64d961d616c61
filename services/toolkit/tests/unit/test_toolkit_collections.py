"""Published collections as records: what each format makes of its lines, and what files of lines are refused."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from dynabench_toolkit.collections.lines import MOST_PROBLEMS_NAMED, Batch, batches, survey
from dynabench_toolkit.collections.reader import UnusableLineError, formats, reader_of, register

DATA = os.environ.get("DYNABENCH_DATA", "")
HARVESTED = {
    "hit_ids": ["y1"],
    "sentence": "The soup was not bad at all.",
    "model_0_label": "neutral",
    "model_0_probs": {"negative": 0.2, "positive": 0.1, "neutral": 0.7},
    "text_id": "r1-0000001",
    "review_rating": 5,
    "label_distribution": {"positive": ["w1", "w2"], "negative": [], "neutral": ["w3"], "mixed": []},
    "gold_label": "positive",
}
HARVESTED_RECORD = {
    "id": "r1-0000001",
    "context": {},
    "input": {"sentence": "The soup was not bad at all."},
    "targets": {
        "model_0": {"value": "neutral", "probabilities": {"negative": 0.2, "positive": 0.1, "neutral": 0.7}}
    },
    "votes": [
        {"label": "positive", "voter": "w1"},
        {"label": "positive", "voter": "w2"},
        {"label": "neutral", "voter": "w3"},
    ],
}
WRITTEN = {
    "sentence": "The soup would have been great.",
    "sentence_author": "w9",
    "has_prompt": True,
    "prompt_data": {"prompt_sentence": "The soup was great.", "review_rating": 4},
    "model_1_label": "positive",
    "text_id": "r2-0000001",
    "label_distribution": {"mixed": ["w1"]},
}
WRITTEN_RECORD = {
    "id": "r2-0000001",
    "context": {"prompt": "The soup was great."},
    "input": {"sentence": "The soup would have been great."},
    "targets": {"model_1": "positive"},
    "votes": [{"label": "mixed", "voter": "w1"}],
    "author": "w9",
    "condition": "prompt",
}
UNPROMPTED = {key: value for key, value in WRITTEN.items() if key != "prompt_data"} | {"has_prompt": False}
VERIFIED = {
    "round": 1,
    "uid": "u1",
    "eid": "v1",
    "context": "Turin lies on the Po.",
    "statement": "Turin lies on a river.",
    "gold_label": "e",
    "adversary_pred": "n",
    "reason": "The Po is a river. The system may not know it.",
    "tags": "['Tricky', 'Facts', 'Tricky']",
    "verifier labels": ["e", "n", "e"],
    "preds-later-modelPredLabel": "e",
}
VERIFIED_RECORD = {
    "id": "u1",
    "context": {"context": "Turin lies on the Po."},
    "input": {"statement": "Turin lies on a river."},
    "label": "entailment",
    "tags": ["Tricky", "Facts"],
    "votes": [{"label": "entailment"}, {"label": "neutral"}, {"label": "entailment"}],
    "targets": {"adversary": "neutral"},
    "explanations": {"label": "The Po is a river. The system may not know it."},
}


def without(document: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in names}


@pytest.mark.parametrize(
    ("format", "line", "record", "targets"),
    [
        ("records", {"id": "a", "anything": 1}, {"id": "a", "anything": 1}, []),
        (
            "records",
            {"targets": {"a": "x", "b": None}},
            {"targets": {"a": "x", "b": None}},
            ["a"],
        ),
        ("records", {"targets": "x"}, {"targets": "x"}, []),
        ("dynasent", HARVESTED, HARVESTED_RECORD, ["model_0"]),
        ("dynasent", WRITTEN, WRITTEN_RECORD, ["model_1"]),
        ("dynasent", UNPROMPTED, {**WRITTEN_RECORD, "context": {}, "condition": "no_prompt"}, ["model_1"]),
        (
            "dynasent",
            {**WRITTEN, "model_0_label": "neutral", "model_2_label": None},
            {**WRITTEN_RECORD, "targets": {"model_1": "positive", "model_0": "neutral"}},
            ["model_1", "model_0"],
        ),
        ("anli", VERIFIED, VERIFIED_RECORD, ["adversary"]),
        ("anli", {**VERIFIED, "tags": ["Tricky", "Facts"]}, VERIFIED_RECORD, ["adversary"]),
        (
            "anli",
            without(VERIFIED, "reason", "tags", "verifier labels", "adversary_pred"),
            {**without(VERIFIED_RECORD, "explanations", "targets"), "tags": [], "votes": []},
            [],
        ),
    ],
)
def test_a_line_becomes_a_record(
    format: str, line: dict[str, Any], record: dict[str, Any], targets: list[str]
) -> None:
    reader = reader_of(format)
    assert reader.record(line) == record
    assert list(reader.targets(line)) == targets


@pytest.mark.parametrize(
    ("format", "line", "field"),
    [
        ("dynasent", without(HARVESTED, "text_id"), "text_id"),
        ("dynasent", {**HARVESTED, "sentence": 1}, "sentence"),
        ("dynasent", without(HARVESTED, "label_distribution"), "label_distribution"),
        ("dynasent", {**HARVESTED, "label_distribution": {"positive": 3}}, "label_distribution"),
        ("dynasent", without(WRITTEN, "prompt_data"), "prompt_data"),
        ("dynasent", {**WRITTEN, "prompt_data": {}}, "prompt_sentence"),
        ("anli", without(VERIFIED, "uid"), "uid"),
        ("anli", without(VERIFIED, "statement"), "statement"),
        ("anli", {**VERIFIED, "gold_label": "x"}, "gold_label"),
        ("anli", {**VERIFIED, "adversary_pred": ["e"]}, "adversary_pred"),
        ("anli", {**VERIFIED, "verifier labels": ["e", "?"]}, "verifier labels"),
        ("anli", {**VERIFIED, "verifier labels": "e"}, "verifier labels"),
        ("anli", {**VERIFIED, "tags": "['Tricky'"}, "tags"),
        ("anli", {**VERIFIED, "tags": "[1]"}, "tags"),
        ("anli", {**VERIFIED, "tags": "__import__('os')"}, "tags"),
    ],
)
def test_a_line_of_another_shape_names_its_field(format: str, line: dict[str, Any], field: str) -> None:
    with pytest.raises(UnusableLineError) as refusal:
        reader_of(format).record(line)
    assert refusal.value.field == field
    assert refusal.value.remedy


def test_formats_are_found_by_their_names_and_a_name_is_taken_once() -> None:
    assert formats() == ("anli", "dynasent", "export", "records")
    with pytest.raises(ValueError, match="registered twice"):
        register("anli")(type(reader_of("anli")))


def as_lines(*documents: Any) -> list[bytes]:
    return [one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in documents]


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        (b'{"id": "b"\n', "line", "is not JSON at column 11: Expecting ',' delimiter"),
        (b'{"id": "b",}', "line", "is not JSON at column 12"),
        (b"[]\n", "line", "is not a JSON object"),
        (b'{"id": NaN}\n', "line", "is not JSON: NaN"),
        (b'{"id": 1e999}\n', "line", "is not JSON: the number 1e999"),
        (b"[" * 100_000 + b"\n", "line", "is not JSON: "),
        (b'{"id": "a", "x": 2}\n', "id", "is that of line 1, which has other content"),
    ],
)
def test_a_line_that_can_not_be_read_is_named(line: bytes, field: str, reason: str) -> None:
    found = survey([*as_lines({"id": "a", "x": 1}, b"\n"), line], reader_of("records"))
    (problem,) = found.problems
    assert (problem.line, problem.field) == (3, field)
    assert problem.reason.startswith(reason)
    assert problem.remedy
    assert (found.lines, found.problem_count) == (2, 1)


def test_a_record_that_is_repeated_word_for_word_is_no_problem() -> None:
    lines = as_lines({"id": "a", "x": 1, "y": 2}, {"y": 2, "x": 1, "id": "a"}, {"no id": 1}, {"no id": 2})
    assert survey(lines, reader_of("records")).problem_count == 0


def test_targets_are_those_of_all_lines() -> None:
    lines = as_lines({"targets": {"b": "x"}}, {"targets": {"a": "x", "b": "y"}}, {})
    assert survey(lines, reader_of("records")).targets == {"a", "b"}


def test_problems_are_all_counted_and_the_first_are_named() -> None:
    found = survey([b"{\n"] * (MOST_PROBLEMS_NAMED + 5), reader_of("records"))
    assert (len(found.problems), found.problem_count) == (MOST_PROBLEMS_NAMED, MOST_PROBLEMS_NAMED + 5)


@pytest.mark.parametrize(
    ("lines", "most_lines", "most_bytes", "expected"),
    [
        ([b'{"n": 1}\n', b'{"n": 2}\n', b'{"n": 3}'], 2, 1_000, [(1, 2, 2), (3, 3, 1)]),
        ([b'{"n": 1}\n', b" \n", b'{"n": 2}\n', b"\n", b'{"n": 3}\n'], 2, 1_000, [(1, 3, 2), (4, 5, 1)]),
        ([b"\n", b'{"n": 1}\r\n', b"\n"], 2, 1_000, [(1, 3, 1)]),
        ([b'{"n": 1}\n', b'{"n": 2}\n', b'{"n": 3}\n'], 9, 18, [(1, 2, 2), (3, 3, 1)]),
        ([b'{"n": 1}\n', b'{"n": 2}\n'], 9, 3, [(1, 1, 1), (2, 2, 1)]),
        ([b"\n"], 9, 9, []),
    ],
)
def test_batches_are_stretches_of_the_file_within_their_limits(
    lines: list[bytes], most_lines: int, most_bytes: int, expected: list[tuple[int, int, int]]
) -> None:
    found = list(batches(lines, reader_of("records"), most_lines, most_bytes))
    assert [(batch.first_line, batch.last_line, batch.lines) for batch in found] == expected
    sent = b"".join(batch.content for batch in found).splitlines()
    assert [json.loads(line) for line in sent if line] == [json.loads(line) for line in lines if line.strip()]


def test_a_batch_goes_in_pieces_that_make_it_up() -> None:
    batch = Batch(1, 1, b"x" * 600_000)
    assert len(batch.pieces) == 3
    assert b"".join(batch.pieces) == batch.content


def test_an_export_is_read_without_what_was_retracted() -> None:
    voted = {"voter": "v1", "cast_at": "2026-01-05T12:00:00+00:00", "seconds": 9.0, "agrees": None}
    exported = {
        "id": "e1",
        "context": {"prompt": "A day at the sea"},
        "input": {"text": "Lovely."},
        "claimed": "negative",
        "targets": {"a": "positive", "b": None},
        "target_probabilities": {"a": [{"label": "positive", "probability": 1.0}], "b": None},
        "author": "p1",
        "cohort": None,
        "votes": [{**voted, "option": "negative"}, {**voted, "option": "flag", "reason": "no English"}],
    }
    lines = as_lines(exported, {"id": "e2", "retracted": True})
    found = survey(lines, reader_of("export"))
    assert (found.lines, found.targets, found.problem_count) == (1, {"a"}, 0)
    (batch,) = batches(lines, reader_of("export"), 9, 1_000)
    assert (batch.lines, batch.last_line) == (1, 2)
    assert json.loads(batch.content) == {
        "id": "e1",
        "context": {"prompt": "A day at the sea"},
        "input": {"text": "Lovely."},
        "label": "negative",
        "targets": {"a": {"value": "positive", "probabilities": {"positive": 1.0}}},
        "author": "p1",
        "votes": [
            {"label": "negative", "voter": "v1", "at": "2026-01-05T12:00:00+00:00"},
            {"label": "flag", "voter": "v1", "at": "2026-01-05T12:00:00+00:00", "reason": "no English"},
        ],
    }


@pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no folder with the collections")
@pytest.mark.parametrize(
    ("format", "name", "target"),
    [
        ("dynasent", "dynasent_r1_dev", "model_0"),
        ("dynasent", "dynasent_r2_dev", "model_1"),
        ("anli", "anli_r1_dev", "adversary"),
    ],
)
def test_the_published_files_are_read_as_they_are(format: str, name: str, target: str) -> None:
    oracle = json.loads((Path(DATA) / "oracle.json").read_text())[name]
    with gzip.open(Path(DATA) / f"replay_{name}.jsonl.gz") as file:
        lines = list(file)
    found = survey(lines, reader_of(format))
    assert (found.lines, found.targets, found.problem_count) == (oracle["n"], {target}, 0)
    records = [reader_of(format).record(json.loads(line)) or {} for line in lines]
    votes = [vote for record in records for vote in record["votes"]]
    assert len(votes) == oracle["votes"]
    if "validators" in oracle:
        assert len({vote["voter"] for vote in votes}) == oracle["validators"]
    if "authors" in oracle:
        assert len({record["author"] for record in records}) == oracle["authors"]
