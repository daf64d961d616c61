"""Datasets: the list, the page of one, its measurements, and exports passed on piece by piece."""

import http.client
from typing import Any
from urllib.parse import urlsplit

import pytest
from dynabench_client import UnreachableError
from web_fake_datasets import DATASET_ID, PIECE, dataset, many
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = f"/datasets/{DATASET_ID}"
MEASURED = f"{PAGE}/measurements"
ROUND_MEASURED = "/tasks/sentiment/rounds/3/measurements"
EXPORT = "/tasks/sentiment/rounds/3/export"
COMPUTING = {"state": "computing"}
HTMX = {"HX-Request": "true"}
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def test_the_list_leads_to_each_dataset(visitor: Visitor) -> None:
    page = visitor.get("/datasets").text
    assert f'href="{PAGE}"' in page
    for words in ("Sentiment, round 2", "1,204", "CC-BY-4.0", "9 Jan 2026"):
        assert words in page


def test_the_list_is_walked_page_by_page_within_a_task(visitor: Visitor, fake: FakePlatform) -> None:
    fake.archive.datasets = many(21)
    first = visitor.get("/datasets?task=sentiment").text
    assert first.count('class="box dataset-entry"') == 20
    assert "/datasets?task=sentiment&amp;cursor=20" in first
    second = visitor.get("/datasets?task=sentiment&cursor=20").text
    assert second.count('class="box dataset-entry"') == 1
    assert '<option value="sentiment" selected>' in second
    assert '<a href="/datasets?task=sentiment">First</a>' in second


def test_an_empty_list_says_how_a_dataset_comes_to_be(visitor: Visitor, fake: FakePlatform) -> None:
    assert "This task has no dataset yet" in visitor.get("/datasets?task=nli").text
    fake.archive.datasets = []
    page = visitor.get("/datasets").text
    assert "There is no dataset yet" in page
    assert "closes and releases it" in page


def test_the_list_is_there_while_the_tasks_are_not(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/annotation/v1/tasks$", 503, times=2)
    page = visitor.get("/datasets?task=sentiment").text
    assert "Sentiment, round 2" in page
    assert '<option value="sentiment" selected>' in page


def test_the_page_of_a_dataset_says_what_it_holds(visitor: Visitor) -> None:
    page = visitor.get(PAGE).text
    for words in (
        "33.4\u00a0%",
        "410 of 1,227 tries fooled a model",
        "English",
        "fixed: ",
        "14 withdrawn by the author",
        "stable: 298, not stable: 9, not tried: 3",
    ):
        assert words in page
    limits = page.partition('id="limits-heading"')[2].partition("</section>")[0]
    assert "<strong>in English</strong>" in limits
    assert "sha256:5f3c" in page


def test_it_leads_to_its_files_in_the_public_interface(visitor: Visitor) -> None:
    page = visitor.get(PAGE).text
    base = f"http://localhost/api/scoring/v1{PAGE}"
    for place in ("/files/data/train.parquet", "/files/SHA256SUMS", "/croissant", "/card"):
        assert f'href="{base}{place}"' in page
    assert f"&#34;train&#34;: &#34;{base}/files/data/train.parquet&#34;," in page
    assert f"dynabench datasets download {DATASET_ID}" in page
    for copied in ("load-python", "load-terminal", "citation"):
        assert f'id="{copied}"' in page
        assert f'data-copy="{copied}"' in page


def test_it_is_there_while_its_card_is_not(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/card$", 503, times=2)
    answer = visitor.get(PAGE)
    assert answer.status_code == 200
    assert "The card is not available just now" in answer.text


@pytest.mark.parametrize("path", ["/datasets/0198c0de-0000-7000-8000-000000000000", "/datasets/none"])
def test_a_dataset_that_is_not_there_is_a_404(path: str, visitor: Visitor) -> None:
    assert visitor.get(path).status_code == 404
    assert visitor.get(f"{path}/measurements").status_code == 404


NOBODY = {"examples": 0, "authors": 0}


def test_hostile_words_of_a_dataset_stay_words(visitor: Visitor, fake: FakePlatform) -> None:
    about: dict[str, Any] = {
        "labels": [EVIL],
        "targets": [EVIL],
        "languages": [EVIL],
        "excluded": {EVIL: 1},
        "origin": EVIL,
        "source": EVIL,
        "content_warning": EVIL,
        "validation": {"policy": {EVIL: {EVIL: EVIL}}},
        "collected": {"mer": EVIL, "agreement": EVIL},
        "fields": EVIL,
        "seed": EVIL,
    }
    texts: dict[str, Any] = dict.fromkeys(("title", "name", "licence", "citation", "digest"), EVIL)
    counts = {"verdicts": {EVIL: 3}, "votes": EVIL}
    fake.archive.datasets = [
        dataset(
            fake.loop.round_id,
            **texts,
            about=about,
            counts=counts,
            splits=dict.fromkeys(("train", "dev", "test"), NOBODY),
        )
    ]
    fake.archive.card = f"# {EVIL}\n\n## Limits\n\n{EVIL}"
    for path in ("/datasets", PAGE, MEASURED):
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert EVIL not in answer.text
        assert "&lt;script&gt;" in answer.text


@pytest.mark.parametrize("path", [MEASURED, ROUND_MEASURED])
def test_measurements_are_shown_with_charts_tables_and_what_they_warn_of(path: str, olga: Visitor) -> None:
    page = olga.get(path).text
    assert page.count('<svg class="chart"') == page.count('class="chart-figure"') == 9
    for figure in page.split('class="chart-figure"')[1:]:
        assert "<table>" in figure.partition("</figure>")[0]
    assert "the text alone gives much away" in page
    assert "data-poll" not in page
    assert "9 Jan 10:00" in page


@pytest.mark.parametrize("path", [MEASURED, ROUND_MEASURED])
def test_what_is_computed_is_looked_at_again(path: str, olga: Visitor, fake: FakePlatform) -> None:
    result, fake.archive.measured = fake.archive.measured, COMPUTING
    page = olga.get(path).text
    assert f'hx-get="{path}/progress"' in page
    assert f'<a href="{path}">reload the page</a>' in page
    first = olga.get(f"{path}/progress", **HTMX)
    assert "A worker is reading every example" in first.text
    again = olga.get(f"{path}/progress", **HTMX, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    fake.archive.measured = result
    assert olga.get(f"{path}/progress", **HTMX).headers["HX-Refresh"] == "true"


def test_an_older_result_stands_while_it_is_measured_anew(olga: Visitor, fake: FakePlatform) -> None:
    fake.archive.measured["state"] = "computing"
    page = olga.get(ROUND_MEASURED).text
    assert "New measurement in progress" in page
    assert "the text alone gives much away" in page


def test_a_part_that_is_missing_says_why(visitor: Visitor, fake: FakePlatform) -> None:
    fake.archive.measured["overlap"] = None
    fake.archive.measured["input_only_baseline"] = {
        **dict.fromkeys(("accuracy", "low", "high", "majority")),
        "n": 9,
        "reason": "not measured: under 5 authors",
    }
    page = visitor.get(MEASURED).text
    assert "<strong>Not measured.</strong> The context has no text to compare with." in page
    assert "<strong>Not measured.</strong> Under 5 authors." in page


def test_what_failed_says_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    error = {
        "kind": "objects-unavailable",
        "detail": "The store did not answer.",
        "remedy": "Ask an operator.",
    }
    fake.archive.measured = {"state": "failed", "error": error}
    page = visitor.get(MEASURED).text
    for words in ("The measurement failed", error["detail"], error["remedy"]):
        assert words in page


@pytest.mark.parametrize(
    ("path", "of_owners"),
    [
        (ROUND_MEASURED, True),
        (f"{ROUND_MEASURED}/progress", True),
        (EXPORT, True),
        ("/account/export", False),
    ],
)
def test_rounds_in_progress_are_their_owners(
    path: str, of_owners: bool, visitor: Visitor, fake: FakePlatform
) -> None:
    fake.archive.may_finish.set()
    assert visitor.get(path).status_code == 303
    visitor.sign_in("ada")
    assert visitor.get(path).status_code == (403 if of_owners else 200)
    visitor.sign_in("olga")
    assert visitor.get(path).status_code == 200


@pytest.mark.parametrize(
    ("chosen", "name", "media_type"),
    [
        ("", "sentiment-round-3.jsonl", "application/jsonl"),
        ("?format=jsonl", "sentiment-round-3.jsonl", "application/jsonl"),
        ("?format=parquet", "sentiment-round-3.parquet", "application/x-parquet"),
    ],
)
def test_an_export_has_its_name_and_type(
    chosen: str, name: str, media_type: str, olga: Visitor, fake: FakePlatform
) -> None:
    fake.archive.may_finish.set()
    answer = olga.get(EXPORT + chosen)
    assert answer.headers["Content-Disposition"] == f"attachment; filename={name}"
    assert answer.headers["Content-Type"] == media_type
    assert answer.data == PIECE + b'{"id": "the last"}\n'


def test_a_format_that_is_not_there_is_refused_with_those_that_are(olga: Visitor) -> None:
    answer = olga.get(f"{EXPORT}?format=pdf")
    assert answer.status_code == 422
    assert "JSON lines, Parquet, CSV or XLSX" in answer.text


def test_a_refused_export_is_a_page(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/export$", 403, "not-allowed", detail="Only owners of the task may.")
    answer = olga.get(EXPORT)
    assert answer.status_code == 403
    assert "Only owners of the task may." in answer.text
    assert "Content-Disposition" not in answer.headers


def test_an_export_is_sent_while_it_is_read(olga: Visitor, site: str, fake: FakePlatform) -> None:
    cookies = "; ".join(
        f"{cookie.key}={cookie.value}"
        for name in ("dynabench_access", "dynabench_refresh")
        if (cookie := olga.client.get_cookie(name))
    )
    connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=60)
    connection.request("GET", EXPORT, headers={"Cookie": cookies})
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.read(len(PIECE) // 2) == PIECE[: len(PIECE) // 2]
    fake.archive.may_finish.set()
    assert answer.read().endswith(b'{"id": "the last"}\n')
    assert fake.archive.finished_when_told
    connection.close()


def test_an_export_that_breaks_off_does_not_end_as_if_it_were_whole(
    olga: Visitor, fake: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = fake.archive.pieces
    monkeypatch.setattr(fake.archive, "pieces", lambda: iter([next(pieces())]))
    monkeypatch.setattr(fake.archive, "stated_bytes", len(PIECE) + 1)
    answer = olga.client.get(EXPORT, buffered=False)
    with pytest.raises(UnreachableError):
        list(answer.response)


def test_ones_own_work_is_offered_on_the_account(ada: Visitor, fake: FakePlatform) -> None:
    assert 'href="/account/export"' in ada.get("/account").text
    answer = ada.get("/account/export")
    assert answer.headers["Content-Disposition"] == "attachment; filename=my-work.jsonl"
    assert answer.get_json(force=True) == {"kind": "example", "author": str(fake.people["ada"].person_id)}


def test_a_released_round_names_its_dataset(visitor: Visitor, fake: FakePlatform) -> None:
    assert "Released as" not in visitor.get("/tasks/sentiment").text
    round_id = fake.archive.release()
    link = f'Released as <a href="{PAGE}">sentiment-r2, version 1</a>'
    assert link in visitor.get("/tasks/sentiment").text
    assert link in visitor.get(f"/rounds/{round_id}").text
    assert "Released as" not in visitor.get(f"/rounds/{fake.loop.round_id}").text
    fake.fail("GET", "/scoring/v1/datasets$", 503, times=4)
    assert visitor.get(f"/rounds/{round_id}").status_code == 200


@pytest.mark.parametrize("query", ["task=%ff", "task=" + "x" * 500, "cursor=%00", "task=<script>"])
def test_no_query_breaks_the_list(query: str, visitor: Visitor) -> None:
    answer = visitor.get(f"/datasets?{query}")
    assert answer.status_code < 500
    assert "<script>" not in answer.text.replace('<script type="module"', "").replace("<script src", "")
