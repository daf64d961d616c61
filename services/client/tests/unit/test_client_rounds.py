"""Rounds: their life, imports, where they stand, and who did what to them."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_client.transport import Transport

from services.client.tests.client_answers import FIGURES, RATE, ROUND
from services.client.tests.client_owner_answers import page
from services.client.tests.client_rows import Row, addresses, check, unnamed
from services.client.tests.conftest import StubPlatform, Told

LINES = b'{"id": "a"}\n{"id": "b"}\n'
NOON = "2026-11-21T12:00:00Z"
MEASURE = {"value": 3.2, "n": 40, "reason": None}
STORED = {"stored": 1, "repeated": 1, "votes": 5}
DRAFT = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "number": 1,
    "source": "dynasent r1",
    "origin": "imported",
    "targets": ["model_0"],
    "state": "draft",
    "records": 3,
}
COLLECTION = {
    "round_id": "r1",
    "contexts": 10,
    "contexts_used": 7,
    "contexts_withdrawn": 1,
    "contexts_flagged": 2,
    "people": 4,
    "near_duplicates": {"examples": 3, "share": 0.1},
    "tries": 30,
    "unexplained_fooling": 2,
}
PREVIEW = {
    "from": "open",
    "to": "closed",
    "allowed": False,
    "consequences": [{"text": "contexts stay unused", "count": 3}, {"text": "votes go on"}],
    "blockers": [{"text": "It is released.", "remedy": "Open another round."}],
}
EFFORT = {
    "target": "minilm-a",
    "tries_per_fooling": RATE,
    "minutes_per_validated_error": MEASURE,
    "survival": [{"tries": 1, "share": 0.7, "at_risk": 10, "low": 0.5, "high": 0.8}],
}
STANDING = {
    "round_id": "r1",
    "task_slug": "sentiment",
    "number": 3,
    "title": "Autumn",
    "state": "open",
    "origin": "",
    "opened_at": NOON,
    "funnel": {
        "tries": 100,
        "fooled": 40,
        "resolved": 30,
        "correct": 20,
        "incorrect": 5,
        "flagged": 2,
        "disputed": 2,
        "no_claim": 1,
        "retracted": 3,
        "pending": 7,
    },
    "burn_up": {
        "goal": 500,
        "points": [{"at": NOON, "validated": 20}],
        "per_day": 4.5,
        "forecast": {"low": "2027-01-10", "expected": "2027-02-01", "high": "2027-03-01"},
        "reason": None,
    },
    "authors": {"people": 4, "top5_share": 1.0, "top1_share": 0.4, "hhi": 0.3},
    "labels": {"claimed": {"negative": 3}, "gold": {"negative": 2}},
    "cohorts": {"volunteer": 90, "expert": 10},
    "as_of": NOON,
}
STANDING_HEADLINE = {
    key: FIGURES[key]
    for key in (
        "round_id",
        "task_slug",
        "tries",
        "fooled",
        "validated_errors",
        "pending",
        "mer",
        "vmer",
        "as_of",
    )
}
EVIDENCE = {"name": "goal", "says": "now", "text": "It is reached.", "value": 510, "threshold": 500}
ENTRY = {
    "entry_id": "a1",
    "actor_id": "p1",
    "actor_name": "ada",
    "action": "round.closed",
    "object_kind": "round",
    "object_id": "r1",
    "task_slug": "sentiment",
    "round_id": "r1",
    "reason": "It is done.",
    "details": {"from": "open"},
    "taken_at": NOON,
}
LETTERS = {
    "topic": "dynabench.example.v1",
    "consumer": "validation",
    "count": 2,
    "newest_at": NOON,
    "newest_reason": "can't be read",
}
ROWS: list[Row] = [
    (
        lambda c: c.annotation.start_import("sentiment", "dynasent r1/dev", ["model_0"], title="R1"),
        "PUT /annotation/v1/tasks/sentiment/imports/dynasent%20r1%2Fdev",
        DRAFT,
        {"targets": ["model_0"], "origin": "imported", "title": "R1"},
        lambda made: (made.round_id, made.records, made.origin) == ("r1", 3, "imported"),
    ),
    (
        lambda c: c.annotation.add_records("r1", LINES, 1001),
        "POST /annotation/v1/rounds/r1/records?first_line=1001",
        STORED,
        LINES,
        lambda made: (made.stored, made.repeated, made.votes) == (1, 1, 5),
    ),
    (
        lambda c: c.annotation.check_records("sentiment", ["a", "b"], [LINES[:5], LINES[5:]]),
        "POST /annotation/v1/tasks/sentiment/records/check?target=a&target=b&first_line=1",
        STORED,
        LINES,
        lambda made: made.stored == 1,
    ),
    (
        lambda c: c.annotation.record_schema("sentiment"),
        "GET /annotation/v1/tasks/sentiment/records/schema",
        {"type": "object"},
        None,
        lambda made: made == {"type": "object"},
    ),
    (
        lambda c: c.annotation.harvest("r1", LINES, margin_below=0.2),
        "POST /annotation/v1/rounds/r1/harvest?margin_below=0.2&first_line=1",
        {"seen": 2, "stored": 1, "repeated": 1, "wrong": 1, "unsure": 0},
        LINES,
        lambda made: (made.seen, made.wrong) == (2, 1),
    ),
    (
        lambda c: c.annotation.set_round_state("r1", "open", "Votes are missing."),
        "PUT /annotation/v1/rounds/r1/state",
        {**ROUND, "origin": "imported", "source": "dynasent", "contexts": 3, "created_at": NOON},
        {"state": "open", "reason": "Votes are missing."},
        lambda made: (made.is_open, made.origin, made.source) == (True, "imported", "dynasent"),
    ),
    (
        lambda c: c.annotation.set_targets("r1", ["n-gram-b"], "The other is saturated."),
        "PUT /annotation/v1/rounds/r1/targets",
        ROUND,
        {"targets": ["n-gram-b"], "reason": "The other is saturated."},
        lambda made: made.segments == 2,
    ),
    (
        lambda c: c.annotation.collection("r1"),
        "GET /annotation/v1/rounds/r1/collection",
        COLLECTION,
        None,
        lambda made: (made.near_duplicates.share, made.people) == (0.1, 4),
    ),
    (
        lambda c: c.annotation.preview_state("r1", "closed"),
        "GET /annotation/v1/rounds/r1/state/preview?to=closed",
        PREVIEW,
        None,
        lambda made: made.from_state == "open" and made.document()["from"] == "open" and not made.allowed,
    ),
    (
        lambda c: c.leaderboard.breakdown("r1", "cohort"),
        "GET /leaderboard/v1/rounds/r1/breakdown?by=cohort",
        {"round_id": "r1", "by": "cohort", "items": [{"name": "expert", "no_target": 2, "vmer": RATE}]},
        None,
        lambda made: (made.items[0].name, made.items[0].vmer.value) == ("expert", 0.4),
    ),
    (
        lambda c: c.leaderboard.effort("r1"),
        "GET /leaderboard/v1/rounds/r1/effort",
        {"items": [EFFORT, {**EFFORT, "target": None}]},
        None,
        lambda made: [one.target for one in made] == ["minilm-a", None] and made[0].survival[0].at_risk == 10,
    ),
    (
        lambda c: c.leaderboard.standing("r1"),
        "GET /leaderboard/v1/rounds/r1/standing",
        STANDING,
        None,
        lambda made: made.funnel.pending == 7 and str(made.burn_up.forecast.expected) == "2027-02-01",
    ),
    (
        lambda c: c.leaderboard.standings(limit=2, cursor="x"),
        "GET /leaderboard/v1/standings?limit=2&cursor=x",
        page({**STANDING_HEADLINE, "number": 3, "title": "", "state": "open", "origin": "imported"}),
        None,
        lambda made: made.items[0].validated_errors == 200,
    ),
    (
        lambda c: c.leaderboard.next_round("r1"),
        "GET /leaderboard/v1/rounds/r1/next-round",
        {"advice": "soon", "evidence": [EVIDENCE]},
        None,
        lambda made: (made.advice, made.evidence[0].threshold) == ("soon", 500),
    ),
    (
        lambda c: c.accounts.audit(task="sentiment", round_id="r1", limit=1),
        "GET /accounts/v1/audit?task=sentiment&round_id=r1&limit=1",
        page(ENTRY),
        None,
        lambda made: made.items[0].action == "round.closed",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=addresses(ROWS))
def test_a_method_sends_its_request_and_reads_its_answer(stub: StubPlatform, row: Row) -> None:
    check(stub, row)


@pytest.mark.parametrize(
    ("area", "service"),
    [
        ("accounts", "accounts"),
        ("annotation", "annotation"),
        ("validation", "validation"),
        ("leaderboard", "leaderboard"),
        ("datasets", "scoring"),
    ],
)
def test_each_service_that_reads_events_counts_its_dead_letters(
    stub: StubPlatform, area: str, service: str
) -> None:
    stub.tell("GET", f"/{service}/v1/dead-letters", {"items": [LETTERS]})
    (letters,) = getattr(Dynabench(stub.url), area).dead_letters()
    assert (letters.count, letters.newest_reason) == (2, "can't be read")
    assert list(unnamed(letters)) == []


@pytest.mark.parametrize(
    ("make", "times"), [(bytes, 2), (lambda lines: [lines], 2), (lambda lines: iter([lines]), 1)]
)
@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("add_records", "/annotation/v1/rounds/r1/records"),
        ("harvest", "/annotation/v1/rounds/r1/harvest"),
    ],
)
def test_a_batch_whose_answer_was_lost_is_sent_again_if_anything_is_left_to_send(
    stub: StubPlatform,
    tell_problem: Callable[..., Told],
    verb: str,
    path: str,
    make: Callable[[bytes], Any],
    times: int,
) -> None:
    stub.tell("POST", path, tell_problem(502, "lost"), STORED)
    send = getattr(Dynabench(stub.url, transport=Transport(sleep=lambda _: None)).annotation, verb)
    if times == 1:
        with pytest.raises(ProblemError):
            send("r1", make(LINES))
    else:
        assert send("r1", make(LINES)).stored == 1
    assert [request.data for request in stub.seen("POST", path)] == [LINES] * times


def test_a_line_at_fault_is_named_by_its_number_in_the_whole_file(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    errors = [{"line": 1002, "field": "label", "reason": "is missing", "remedy": "Add it."}]
    refusal = tell_problem(422, "records-unusable", errors=errors, error_count=1)
    stub.tell("POST", "/annotation/v1/rounds/r1/records", refusal)
    with pytest.raises(ProblemError) as caught:
        Dynabench(stub.url).annotation.add_records("r1", LINES, first_line=1001)
    assert (caught.value.slug, caught.value.document["errors"]) == ("records-unusable", errors)
