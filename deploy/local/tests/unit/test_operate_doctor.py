"""The operator's checks and their conclusions."""

import json
from typing import Any

import pytest
from dynabench_operate.databases import known_revisions, number_of
from dynabench_operate.doctor import databases, events, examination, money, objects
from dynabench_operate.doctor.finding import Finding, State, failed, graded, guarded, ok, warning
from dynabench_operate.stores import SERVICES, ObjectStore, Stores
from kafka import TopicPartition

FIRST, SECOND = TopicPartition("dynabench.task.v1", 0), TopicPartition("dynabench.task.v1", 1)
ORIGIN = "https://dynabench.example.org"
RULE = {"AllowedOrigins": [ORIGIN], "AllowedMethods": ["PUT"], "ExposeHeaders": ["ETag"]}


@pytest.mark.parametrize(
    ("revision", "state", "expected"),
    [
        (known_revisions("annotation")[-1], State.OK, "the newest"),
        ("9999", State.FAILED, "does not know"),
        ("0000", State.FAILED, "at the earliest"),
        ("another", State.FAILED, "at the earliest"),
    ],
)
def test_a_database_is_taken_from_migrations_that_this_version_knows_and_no_others(
    revision: str, state: State, expected: str
) -> None:
    found = databases.judged("annotation", [revision])
    assert found.state is state
    assert expected in found.found
    assert bool(found.remedy) is (state is not State.OK)


def test_a_database_without_a_revision_is_empty() -> None:
    assert databases.judged("annotation", []).state is State.OK


def test_migrations_are_counted_by_their_numbers() -> None:
    assert [number_of(name) for name in ("0014", "0014_lose_targets", "", "later")] == [14, 14, -1, -1]


@pytest.mark.parametrize(
    ("committed", "beginnings", "ends", "state", "expected"),
    [
        ({FIRST: 5, SECOND: 5}, {FIRST: 0, SECOND: 0}, {FIRST: 5, SECOND: 9}, State.OK, "4 records behind"),
        ({FIRST: 5}, {FIRST: 8}, {FIRST: 20}, State.FAILED, "3 records were removed"),
        ({FIRST: 9}, {FIRST: 0}, {FIRST: 4}, State.FAILED, "the topic was made anew"),
        ({FIRST: 0}, {FIRST: 0}, {FIRST: 10_000}, State.WARNING, "10000 records behind"),
        ({}, {}, {}, State.OK, "0 records behind"),
    ],
)
def test_a_group_is_judged_by_what_it_lost_and_what_waits(
    committed: dict[Any, int], beginnings: dict[Any, int], ends: dict[Any, int], state: State, expected: str
) -> None:
    found = events.judged("validation", committed, beginnings, ends)
    assert (found.state, expected in found.found) == (state, True)


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, State.OK),
        ({"AllowedOrigins": ["*"]}, State.OK),
        ({"ExposeHeaders": ["etag"]}, State.OK),
        ({"AllowedOrigins": ["https://other.example.org"]}, State.FAILED),
        ({"AllowedMethods": ["GET"]}, State.FAILED),
        ({"ExposeHeaders": []}, State.FAILED),
    ],
)
def test_pages_may_upload_where_a_rule_allows_it(change: dict[str, Any], state: State) -> None:
    assert objects.judged("bucket", [{**RULE, **change}], ORIGIN).state is state


@pytest.mark.parametrize(
    ("counts", "state", "expected"),
    [
        ({"accounts are below zero": 0}, State.OK, "agrees with the payments"),
        (
            {"accounts are below zero": 2, "bonuses were paid twice": 0},
            State.FAILED,
            "2 accounts are below zero",
        ),
    ],
)
def test_a_ledger_is_judged_by_its_faults(counts: dict[str, int], state: State, expected: str) -> None:
    found = money.judged(counts)
    assert (found.state, found.found) == (state, expected)


def test_limits_belong_to_the_worse_side() -> None:
    states = [graded("c", value, "f", "r", warn=2, fail=3).state for value in (1.9, 2.0, 2.9, 3.0)]
    assert states == [State.OK, State.WARNING, State.WARNING, State.FAILED]


def test_an_exception_of_a_check_is_reported_in_one_line() -> None:
    def check() -> list[Finding]:
        raise ValueError("one\ntwo")

    (found,) = guarded("broken", check, (ValueError,), "mend it")
    assert found == failed("broken", "ValueError: one two", "mend it")


def test_findings_are_printed_with_remedies_and_counted() -> None:
    found = [failed("b", "gone", "bring it"), ok("a", "there"), warning("c", "few", "more")]
    lines = list(examination.as_lines(found))
    assert [line.split()[0] for line in lines] == ["ok", "warning", "more", "FAILED", "bring", "3"]
    assert lines[-1] == "3 checks: 1 ok, 1 warnings, 1 failed"
    assert json.loads(examination.as_json(found))["counts"] == {"ok": 1, "warning": 1, "failed": 1}


def test_unavailable_stores_fail_their_own_checks_and_no_password_is_printed() -> None:
    nowhere = "postgresql://someone:hidden@127.0.0.1:9/none"
    store = ObjectStore("none", "http://127.0.0.1:9", access_key_id="a", secret_access_key="hidden")
    stores = Stores(dict.fromkeys(SERVICES, nowhere), store, "plain://admin:hidden@127.0.0.1:9")
    found = [each for each in examination.examine(stores) if each.state is State.FAILED]
    assert [each.check for each in found] == [
        *(f"database {service}" for service in SERVICES),
        "ledger of crowd",
        "kafka",
        "bucket none",
    ]
    assert all(each.remedy for each in found)
    assert "hidden" not in examination.as_json(found)
