"""Configurations over HTTP: the schema, checks that store nothing, dry runs, versions with what they changed."""

from typing import Any
from uuid import uuid4

import pytest

from .conftest import Platform


def change(platform: Platform, old: str, new: str) -> str:
    return platform.configuration.replace(old, new, 1)


OWNER = ("annotator", "owner:some-task")


def put(platform: Platform, configuration: str, **more: Any) -> Any:
    body = {"configuration": configuration, **more}
    return platform.owner("PUT", f"/tasks/{platform.slug}/configuration", body)


def check(platform: Platform, configuration: str) -> Any:
    response = platform.call(
        "POST", "/configuration-checks", {"configuration": configuration}, person=uuid4(), roles=OWNER
    )
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def test_the_schema_is_published_where_it_says(platform: Platform) -> None:
    schema = platform.call("GET", "/task-configuration.schema.json").get_json()

    assert schema["$id"].endswith("/api/annotation/v1/task-configuration.schema.json")
    assert "wrong_when" in schema["required"]


def test_a_usable_configuration_comes_back_with_its_defaults(platform: Platform) -> None:
    answer = check(platform, platform.configuration)

    assert (answer["valid"], answer["problems"]) == (True, [])
    assert answer["configuration"]["margin_hint"] is False
    assert answer["configuration"]["metrics"]["primary"] == "accuracy"


def test_a_problem_comes_with_line_and_column(platform: Platform) -> None:
    answer = check(platform, change(platform, "ensemble: any", "ensemble: nay"))

    assert answer["configuration"] is None
    [problem] = answer["problems"]
    line = platform.configuration.splitlines().index("ensemble: any") + 1
    assert (problem["path"], problem["line"], problem["column"]) == ("ensemble", line, 1)
    assert problem["remedy"] == "Did you mean `any`?"


def test_every_problem_comes_at_once_in_the_order_of_the_text(platform: Platform) -> None:
    text = change(platform, "title: Sentiment", "title: 7")
    for old, new in [("ensemble: any", "ensemble: nay"), ("sample: 0.1", "sample: 10")]:
        text = text.replace(old, new, 1)

    problems = check(platform, text)["problems"]

    assert [problem["path"] for problem in problems] == ["title", "ensemble", "validation.sample"]
    assert [text.splitlines()[problem["line"] - 1].strip() for problem in problems] == [
        "title: 7",
        "ensemble: nay",
        "sample: 10",
    ]
    refused = platform.call(
        "PUT",
        f"/tasks/{platform.slug}/configuration",
        {"configuration": text},
        person=uuid4(),
        roles=[f"owner:{platform.slug}"],
    )
    answer = refused.get_json()
    assert (refused.status_code, answer["field"]) == (422, "title")
    assert answer["detail"] == "title is a whole number. 2 more problems were found."
    assert [error["field"] for error in answer["errors"]] == ["title", "ensemble", "validation.sample"]
    assert all(error["detail"] and error["remedy"] for error in answer["errors"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &a [x]\nb: [*a, *a]", "anchors and aliases"),
        ("title: x\n" * 2, "appears twice"),
        ("x" * 300_000, "256 kB"),
    ],
)
def test_yaml_that_cant_be_trusted_is_a_problem_and_no_error(
    platform: Platform, text: str, says: str
) -> None:
    [problem] = check(platform, text)["problems"]
    assert says in problem["reason"]


def test_ten_megabytes_are_refused_before_they_are_read(platform: Platform) -> None:
    response = platform.call(
        "POST", "/configuration-checks", {"configuration": "x" * 10_000_000}, person=uuid4(), roles=OWNER
    )
    assert response.status_code in (413, 422)


def test_checks_are_for_those_who_own_a_task(platform: Platform) -> None:
    body = {"configuration": "a: b"}
    assert platform.call("POST", "/configuration-checks", body).status_code == 401
    assert platform.call("POST", "/configuration-checks", body, person=uuid4()).status_code == 403


@pytest.mark.parametrize(
    "text", ['"\\ud800": 1', '"\\ud800": [{"\\udfff": 1}]', "a: \\ud800", "slug: \ud800"]
)
def test_half_a_surrogate_pair_is_a_problem_and_no_error(platform: Platform, text: str) -> None:
    body = {"configuration": text}
    answer = platform.call("POST", "/configuration-checks", body, person=uuid4(), roles=OWNER)
    assert answer.status_code in (200, 422)
    if answer.status_code == 200:
        assert answer.get_json()["problems"]


def test_a_dry_run_tells_what_would_change_and_stores_nothing(platform: Platform) -> None:
    answer = put(platform, change(platform, "title: Sentiment", "title: Feelings"), dry_run=True)

    assert answer == {
        "configuration_version": 2,
        "changes": [{"path": "title", "before": "Sentiment", "after": "Feelings"}],
    }
    assert platform.call("GET", f"/tasks/{platform.slug}").get_json()["configuration_version"] == 1


def test_a_dry_run_is_refused_as_the_change_itself_would_be(platform: Platform) -> None:
    response = platform.call(
        "PUT",
        f"/tasks/{platform.slug}/configuration",
        {"configuration": change(platform, f"slug: {platform.slug}", "slug: other"), "dry_run": True},
        person=uuid4(),
        roles=[f"owner:{platform.slug}"],
    )
    assert (response.status_code, response.get_json()["field"]) == (422, "slug")


def test_versions_are_listed_with_what_they_changed(platform: Platform) -> None:
    first = change(platform, "title: Sentiment", "title: Feelings")
    second = first.replace("margin_hint: false", "").replace("probes: counted", "probes: none")
    put(platform, first)
    put(platform, second)

    path = f"/tasks/{platform.slug}/versions"
    versions = platform.call("GET", path).get_json()["items"]
    assert [version["configuration_version"] for version in versions] == [3, 2, 1]
    assert versions[0]["changes"] == [{"path": "probes", "before": "counted", "after": "none"}]
    assert versions[2]["changes"] == []

    page = platform.call("GET", f"{path}?limit=1").get_json()
    assert page["items"] == versions[:1]
    rest = platform.call("GET", f"{path}?limit=2&cursor={page['next_cursor']}").get_json()
    assert (rest["items"], rest["next_cursor"]) == (versions[1:], None)


def test_a_version_keeps_the_words_of_its_owner(platform: Platform) -> None:
    version = platform.call("GET", f"/tasks/{platform.slug}/versions/1").get_json()
    assert version["yaml"] == platform.configuration
    assert version["configuration"]["slug"] == platform.slug

    put(platform, f"# a comment alone makes no version\n{platform.configuration}")
    version = platform.call("GET", f"/tasks/{platform.slug}/versions/1").get_json()
    assert version["yaml"].startswith("# a comment")
    assert platform.call("GET", f"/tasks/{platform.slug}/versions/2").status_code == 404
    assert platform.call("GET", "/tasks/no-such-task/versions").status_code == 404


def test_every_example_keeps_its_version(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    before = platform.example(round_id, person)
    put(platform, change(platform, "title: Sentiment", "title: Feelings"))
    after = platform.example(round_id, person)

    assert (before["configuration_version"], after["configuration_version"]) == (1, 2)
    assert before["segment_id"] != after["segment_id"]
