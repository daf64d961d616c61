"""Files of contexts: all of a file or nothing, with every line at fault named."""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.domain.identifiers import RoundId
from annotation.service_layer import context_upload
from annotation.service_layer.tries import ConfigurationChanged
from dynabench_tasks.json_lines import Line
from werkzeug.test import TestResponse

from .conftest import Platform


def upload(
    platform: Platform,
    round_id: str,
    lines: bytes | Sequence[str],
    roles: Sequence[str] | None = None,
    content_type: str | None = "application/x-ndjson",
    **more: Any,
) -> TestResponse:
    data = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()
    return platform.call(
        "POST",
        f"/rounds/{round_id}/contexts/upload",
        person=uuid4(),
        roles=roles or [f"owner:{platform.slug}"],
        data=data,
        content_type=content_type,
        **more,
    )


def line(prompt: str, **more: Any) -> str:
    return json.dumps({"fields": {"prompt": prompt}, **more}, ensure_ascii=False)


def contexts(platform: Platform, round_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = platform.owner("GET", f"/rounds/{round_id}/contexts?limit=200")["items"]
    return found


def errors_of(response: TestResponse) -> list[tuple[int, str, str]]:
    assert response.status_code == 422, response.get_data(as_text=True)
    problem = response.get_json()
    assert problem["type"] == "/problems/contexts-unusable"
    return [(error["line"], error["field"], error["reason"]) for error in problem["errors"]]


def test_every_line_becomes_a_context_in_the_order_of_the_file(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)

    response = upload(platform, round_id, [line("Eins.", tags=["a", "b"]), line("Zwei 🌍."), line("Drei.")])

    assert (response.status_code, response.get_json()) == (201, {"added": 3})
    found = contexts(platform, round_id)
    assert [each["fields"]["prompt"] for each in found] == ["Eins.", "Zwei 🌍.", "Drei."]
    assert [each["tags"] for each in found] == [["a", "b"], [], []]


def test_a_file_of_several_batches_and_megabytes_is_taken(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    response = upload(platform, round_id, [line(f"{n} " + "x" * 450) for n in range(2_500)])
    assert response.get_json() == {"added": 2_500}
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["contexts"] == 2_500


def test_a_body_without_a_length_is_read_too(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    unmeasured = {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    response = upload(platform, round_id, [line("One.")], environ_overrides=unmeasured)
    assert response.get_json() == {"added": 1}


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbf{"fields": {"prompt": "P"}}\n',
        b'{"fields": {"prompt": "P"}}',
        b'\n  \r\n{"fields": {"prompt": "P"}}\r\n\n',
        b'{"tags": [], "fields": {"prompt": "\\u0050"}}\n',
    ],
)
def test_byte_order_mark_blank_lines_and_a_missing_line_end_do_no_harm(
    platform: Platform, content: bytes
) -> None:
    round_id = platform.draft(contexts=0)
    assert upload(platform, round_id, content).get_json() == {"added": 1}
    assert contexts(platform, round_id)[0]["fields"] == {"prompt": "P"}


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        ('{"fields": {"prompt": "P"}', "line", "is not JSON at column 27: Expecting ',' delimiter"),
        ("prompt", "line", "is not JSON at column 1: Expecting value"),
        ('{"fields": {"prompt": NaN}}', "line", "is not JSON: NaN is not JSON"),
        ("[" * 100_000, "line", None),
        ("[]", "line", "is not a JSON object"),
        ('"text"', "line", "is not a JSON object"),
        ("{}", "fields", "is missing or not an object"),
        ('{"fields": ["P"]}', "fields", "is missing or not an object"),
        (line("P", tag="a"), "tag", "is not a key of a context"),
        (line("P", tags="a"), "tags", "is not a list of texts"),
        (line("P", tags=[1]), "tags", "is not a list of texts"),
        (line("P", tags=[""]), "tags[0]", "is blank"),
        (line(""), "fields.prompt", "is blank"),
        ('{"fields": {"prompt": "\\ud800"}}', "fields.prompt", None),
        ('{"fields": {"prompt": 3}}', "fields.prompt", "is not text"),
        ('{"fields": {}}', "fields.prompt", "is missing"),
        (line("x" * 501), "fields.prompt", "has 501 characters; at most 500 are allowed"),
        ('{"fields": {"prompt": "P", "tone": "x"}}', "fields.tone", "is not a field of this task"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_stored(
    platform: Platform, bad: str, field: str, reason: str | None
) -> None:
    round_id = platform.draft(contexts=0)

    response = upload(platform, round_id, [line("Good."), bad, line("Good too.")])

    [(number, named, why)] = errors_of(response)
    assert (number, named) == (2, field)
    assert reason is None or why == reason
    assert response.get_json()["errors"][0]["remedy"]
    assert response.get_json()["error_count"] == 1
    assert contexts(platform, round_id) == []


def test_bytes_that_are_not_utf8_are_named_by_line_and_byte(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    first = b'{"fields": {"prompt": "ok"}}\n'
    response = upload(platform, round_id, first + '{"fields": {"prompt": "Käse"}}\n'.encode("latin-1"))
    offset = len(b'{"fields": {"prompt": "K')
    assert errors_of(response) == [(2, "line", f"is not UTF-8 at byte {offset} of the line")]


def test_a_file_in_utf16_is_refused_at_its_first_byte(platform: Platform) -> None:
    response = upload(platform, platform.draft(contexts=0), line("P").encode("utf-16"))
    assert errors_of(response)[0] == (1, "line", "is not UTF-8 at byte 0 of the line")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(platform: Platform, content: bytes) -> None:
    response = upload(platform, platform.draft(contexts=0), content)
    assert errors_of(response) == [(1, "file", "holds no contexts")]


def test_the_same_context_twice_names_the_first_line(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    response = upload(platform, round_id, [line("A."), line("B."), line("A.", tags=["again"])])
    assert errors_of(response) == [(3, "line", "holds the same context as line 1")]


def test_contexts_that_are_in_the_round_are_named_and_nothing_is_stored(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    upload(platform, round_id, [line("A."), line("B.")])

    response = upload(platform, round_id, [line("C."), line("B."), line("A.")])

    there = "holds a context that is in the round already"
    assert errors_of(response) == [(2, "line", there), (3, "line", there)]
    assert [each["fields"]["prompt"] for each in contexts(platform, round_id)] == ["A.", "B."]


def test_only_the_first_hundred_errors_are_shown_and_all_are_counted(platform: Platform) -> None:
    response = upload(platform, platform.draft(contexts=0), ["no"] * 250)
    assert [number for number, _, _ in errors_of(response)] == list(range(1, 101))
    assert response.get_json()["error_count"] == 250


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", None])
def test_the_body_must_be_announced_as_json_lines(platform: Platform, content_type: str | None) -> None:
    response = upload(platform, platform.draft(contexts=0), [line("P")], content_type=content_type)
    assert (response.status_code, response.get_json()["field"]) == (422, "Content-Type")


def test_only_owners_of_the_task_may_upload(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    assert upload(platform, round_id, [line("P")], roles=["annotator"]).status_code == 403
    assert upload(platform, round_id, [line("P")], roles=["owner:other"]).status_code == 403
    assert upload(platform, str(uuid4()), [line("P")]).status_code == 404


def test_a_closed_round_takes_no_contexts(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, "closed")
    response = upload(platform, round_id, [line("P")])
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/round-closed")


def test_a_configuration_that_changes_meanwhile_stores_nothing(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    changed = platform.configuration.replace("title: Sentiment", "title: Feelings")

    def lines() -> Iterator[Line]:
        yield Line(1, {"fields": {"prompt": "P"}})
        platform.owner("PUT", f"/tasks/{platform.slug}/configuration", {"configuration": changed})

    with pytest.raises(ConfigurationChanged):
        context_upload.upload_contexts(RoundId(UUID(round_id)), lines(), platform.dependencies)
    assert contexts(platform, round_id) == []


def test_one_of_two_uploads_of_the_same_file_at_once_is_refused(platform: Platform) -> None:
    round_id = platform.draft(contexts=0)
    file = [line(f"{n}") for n in range(30)]

    statuses = platform.at_once(*[lambda: upload(platform, round_id, file).status_code for _ in range(2)])

    assert sorted(statuses) == [201, 422]
    assert len(contexts(platform, round_id)) == 30
