"""The contexts of a round: the list, and adding a file of them with and without a script."""

import io
import json
from collections.abc import Callable

import pytest
from web.kit.line_files import FORM_BYTES, LARGEST_FILE_BYTES, PIECE
from web_fake_platform import FakePlatform
from web_visiting import SAME_ORIGIN, Visitor
from werkzeug.test import TestResponse

GOOD = "".join(
    json.dumps({"fields": {"prompt": f"Prompt {number}."}, "tags": ["new"]}) + "\n" for number in range(3)
)
BROKEN = '{"fields": {"prompt": "Fine."}}\n{"fields": {}}\nnonsense\n'


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/contexts"


def send_form(visitor: Visitor, path: str, content: str, name: str = "contexts.jsonl") -> TestResponse:
    """Send a file as a plain form does."""
    form = {"file": (io.BytesIO(content.encode()), name)}
    return visitor.client.post(path, data=form, headers=SAME_ORIGIN)


def send_body(visitor: Visitor, path: str, content: str) -> TestResponse:
    """Send a file as the script does."""
    return visitor.client.post(
        path, data=content.encode(), headers=SAME_ORIGIN, content_type="application/x-ndjson"
    )


Send = Callable[[Visitor, str, str], TestResponse]
SENDERS = pytest.mark.parametrize("send", [send_form, send_body], ids=["form", "script"])


def test_contexts_stand_with_their_use(olga: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.contexts[1] = {**fake.loop.contexts[1], "flags": 2, "is_withdrawn": True}
    page = olga.get(path).text
    assert fake.loop.contexts[0]["fields"]["prompt"] in page
    assert page.count("withdrawn") >= 1
    assert "The least used ones come first." in page
    assert "&#34;prompt&#34;: &#34;the prompt sentence&#34;" in page


def test_a_round_without_contexts_says_what_to_do(olga: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.contexts.clear()
    assert "The round has no contexts yet" in olga.get(path).text


@pytest.mark.parametrize(("state", "leads_on"), [("draft", True), ("open", False)])
def test_a_draft_with_contexts_leads_to_its_opening(
    state: str, leads_on: bool, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    found = fake.loop.rounds[fake.loop.round_id]
    found["state"] = state
    assert ("Open the round</a>" in olga.get(path).text) is leads_on
    found["contexts"] = 0
    assert "Open the round</a>" not in olga.get(path).text


@SENDERS
def test_a_file_is_passed_on_whole(send: Send, olga: Visitor, path: str, fake: FakePlatform) -> None:
    answer = send(olga, path, GOOD)
    assert answer.headers["Location"] == f"{path}?added=3&notice=contexts-added"
    assert fake.workshop.uploaded_bytes == len(GOOD.encode())
    assert [each["tags"] for each in fake.workshop.uploads[0]] == [["new"]] * 3
    assert "3 contexts were added." in olga.get(answer.headers["Location"]).text


@SENDERS
def test_each_line_at_fault_is_told_and_none_is_added(
    send: Send, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    answer = send(olga, path, BROKEN)
    assert answer.status_code == 422
    assert "Nothing was added." in answer.text
    rows = answer.text.partition("line-problems")[2].partition("</table>")[0]
    assert '<th scope="row">2</th>' in rows
    assert "Give the prompt a text." in rows
    assert '<th scope="row">3</th>' in rows
    assert '<th scope="row">1</th>' not in rows
    assert fake.workshop.uploads == []


@pytest.mark.long
@SENDERS
def test_a_file_of_many_pieces_arrives_as_it_is(
    send: Send, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    long = GOOD * 20_000
    assert len(long) > 20 * PIECE
    assert send(olga, path, long).status_code == 303
    assert fake.workshop.uploaded_bytes == len(long.encode())


@pytest.mark.parametrize("content_type", ["application/x-ndjson", "multipart/form-data; boundary=b"])
def test_a_file_that_is_too_large_is_refused_with_the_limit(
    content_type: str, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    claimed = {"CONTENT_LENGTH": str(LARGEST_FILE_BYTES + FORM_BYTES + 1)}
    answer = olga.client.post(
        path, data=b"{}", headers=SAME_ORIGIN, content_type=content_type, environ_overrides=claimed
    )
    assert answer.status_code == 413
    assert "It has more than 256\u00a0MB, so nothing was stored." in answer.text
    assert fake.workshop.uploads == []


def test_a_form_without_a_file_says_so(olga: Visitor, path: str) -> None:
    answer = send_form(olga, path, "", name="")
    assert answer.status_code == 422
    assert "No file was chosen" in answer.text


def test_a_closed_round_is_told_above_the_form(olga: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("POST", "/contexts/upload$", 409, slug="round-closed", detail="The round is closed.")
    answer = send_body(olga, path, GOOD)
    assert answer.status_code == 409
    assert "The round is closed." in answer.text
    assert "line-problems" not in answer.text


@SENDERS
def test_others_add_nothing(send: Send, ada: Visitor, path: str, fake: FakePlatform) -> None:
    assert send(ada, path, GOOD).status_code == 403
    assert fake.workshop.uploads == []


@SENDERS
def test_a_session_that_has_ended_leads_to_signing_in(send: Send, visitor: Visitor, path: str) -> None:
    answer = send(visitor, path, GOOD)
    assert answer.status_code == 401
    assert "Sign in" in answer.text


def test_owners_of_another_task_see_nothing(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.add_person("nina", "owner:nli")
    visitor.sign_in("nina")
    assert visitor.get(path).status_code == 403
    assert send_body(visitor, path, GOOD).status_code == 403
    assert fake.workshop.uploads == []


def fields_of(fake: FakePlatform) -> list[dict[str, object]]:
    """Return the fields of the contexts of the last upload."""
    return [each["fields"] for each in fake.workshop.uploads[-1]]


def test_pasted_lines_are_contexts(olga: Visitor, path: str, fake: FakePlatform) -> None:
    answer = olga.post(
        path, pasted="The soup came quickly.\r\n\r\n  \u0645\u0631\u062d\u0628\u0627 🙂  \r\nThe end."
    )
    assert answer.headers["Location"] == f"{path}?added=3&notice=contexts-added"
    texts = [each["prompt"] for each in fields_of(fake)]
    assert texts == ["The soup came quickly.", "\u0645\u0631\u062d\u0628\u0627 🙂", "The end."]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["prompt", "Prompt sentence", "PROMPT"])
def test_rows_of_a_csv_file_are_contexts(
    delimiter: str, name: str, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    rows = [
        ("id", name, "tags"),
        ("1", '"One, two; ""three""\nlines"', "a"),
        ("", "", ""),
        ("2", "Plain.", ""),
    ]
    content = "\ufeff" + "\r\n".join(delimiter.join(row) for row in rows)
    answer = send_form(olga, path, content, "contexts.CSV")
    assert answer.status_code == 303, answer.text
    assert fields_of(fake) == [{"prompt": 'One, two; "three"\nlines'}, {"prompt": "Plain."}]
    assert [each["tags"] for each in fake.workshop.uploads[-1]] == [["a"], []]


def test_a_script_says_by_its_type_that_a_file_is_a_table(
    olga: Visitor, path: str, fake: FakePlatform
) -> None:
    answer = olga.client.post(path, data=b"prompt\nOne.\n", headers=SAME_ORIGIN, content_type="text/csv")
    assert answer.status_code == 303
    assert fields_of(fake) == [{"prompt": "One."}]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"text\nOne.\n", "The first row names no column"),
        (b"", "The first row names no column"),
        ("prompt\nCaf\u00e9\n".encode("latin-1"), "not in UTF-8"),
        (b"prompt\n" + b"x" * 300_000 + b"\n", "The row in line 2 can"),
        (b"prompt\nOne.\n" + b"x," * 600_000, "The row in line 3 is longer than 1,000,000 characters."),
        (b"prompt\n" + b'"x\n",' * 300_000, "The row in line 2 is longer than 1,000,000 characters."),
        (b"x," * 600_000, "The row in line 1 is longer than 1,000,000 characters."),
    ],
)
def test_a_table_that_can_not_be_read_is_refused_with_a_remedy(
    content: bytes, words: str, olga: Visitor, path: str, fake: FakePlatform
) -> None:
    answer = olga.client.post(path, data=content, headers=SAME_ORIGIN, content_type="text/csv")
    assert answer.status_code == 422
    assert words in answer.text
    assert fake.workshop.uploads == []


def test_rows_of_many_lines_are_each_as_long_as_they_may_be(
    olga: Visitor, path: str, fake: FakePlatform
) -> None:
    rows = "".join(f'"{number} {"x" * 150_000}\n"\n' for number in range(9))
    answer = olga.client.post(
        path, data=f"prompt\n{rows}".encode(), headers=SAME_ORIGIN, content_type="text/csv"
    )
    assert answer.status_code == 303, answer.text
    assert len(fields_of(fake)) == 9


def test_contexts_of_another_round_are_copied(olga: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.contexts[1] = {**fake.loop.contexts[1], "is_withdrawn": True}
    kept = [each["fields"] for each in fake.loop.contexts if not each.get("is_withdrawn")]
    answer = olga.post(f"{path}/copies", round_id=fake.loop.round_id)
    assert answer.status_code == 303
    assert fields_of(fake) == kept


def test_others_copy_nothing(ada: Visitor, path: str, fake: FakePlatform) -> None:
    assert ada.post(f"{path}/copies", round_id=fake.loop.round_id).status_code == 403
    assert fake.workshop.uploads == []
