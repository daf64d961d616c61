"""Rows of a dataset on its page, and its first text in the list."""

import re

import pytest
from dynabench_client.results.datasets import DatasetRows
from web.datasets.charts import size_bar
from web.datasets.rows_view import Choice, preview_line
from web_fake_datasets import COLUMNS, DATASET_ID, LABELS
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = f"/datasets/{DATASET_ID}"
COLD = "The soup was cold"
WARNING = "Hateful words."
AGREEMENT = "/tasks/sentiment/content-notice"


def rows_of(page: str) -> str:
    return page.partition('<section id="rows"')[2].partition("</section>")[0]


def test_the_page_shows_the_first_rows_of_a_split(visitor: Visitor) -> None:
    rows = rows_of(visitor.get(PAGE).text)
    assert rows.count("<tr>") == 51
    for words in (COLD, "Prompt", "Models answered", "Rows 1 to 50.", "sentiment-minilm"):
        assert words in rows
    assert 'aria-current="true">train' in rows
    assert f'href="{PAGE}?split=train&amp;offset=50#rows"' in rows
    assert "<script>alert" not in rows


def test_a_long_text_is_folded_and_whole(visitor: Visitor) -> None:
    folded = (
        rows_of(visitor.get(PAGE).text).partition('<details class="folded">')[2].partition("</details>")[0]
    )
    beginning, whole = folded.split("</summary>")
    assert beginning.count("We came back.") < 20
    assert whole.count("We came back.") == 60


def test_rows_are_chosen_by_split_and_label(visitor: Visitor) -> None:
    rows = rows_of(visitor.get(f"{PAGE}?split=dev&label=neutral").text)
    assert rows.count("<tr>") == 21
    assert '<option value="neutral" selected>' in rows
    assert 'name="split" value="dev"' in rows
    assert f'href="{PAGE}?split=test&amp;label=neutral#rows"' in rows
    assert "with the label" in rows


def test_the_next_rows_lead_back_to_the_first(visitor: Visitor) -> None:
    rows = rows_of(visitor.get(f"{PAGE}?split=train&offset=50").text)
    assert "Rows 51 to 60." in rows
    assert f'href="{PAGE}?split=train#rows">First rows</a>' in rows
    assert "Next rows" not in rows


def test_a_limited_search_says_so(visitor: Visitor, fake: FakePlatform) -> None:
    fake.archive.is_limit_reached = True
    assert "Only the first 50 rows were searched." in rows_of(visitor.get(PAGE).text)


def test_a_label_without_rows_says_so(visitor: Visitor, fake: FakePlatform) -> None:
    fake.archive.rows = []
    assert "No rows." in rows_of(visitor.get(f"{PAGE}?label=neutral").text)


def test_the_page_is_there_while_its_rows_are_not(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/rows$", 503, times=2)
    answer = visitor.get(PAGE)
    assert answer.status_code == 200
    assert "The rows can't be read just now" in answer.text.replace("&#39;", "'")


def test_an_unknown_split_leaves_the_rest_of_the_page(visitor: Visitor) -> None:
    answer = visitor.get(f"{PAGE}?split=none")
    assert answer.status_code == 200
    assert COLD not in answer.text


def test_rows_with_a_warning_are_held_back_until_a_click(visitor: Visitor, fake: FakePlatform) -> None:
    fake.archive.datasets[0]["content_warning"] = WARNING
    for path in (PAGE, "/datasets"):
        assert COLD not in visitor.get(path).text
    held_back = rows_of(visitor.get(PAGE).text)
    assert f'action="{AGREEMENT}"' in held_back
    (back,) = re.findall(r'name="next" value="([^"]*)"', held_back)
    answer = visitor.client.post(AGREEMENT, data={"next": back}, headers={"Origin": "http://localhost"})
    assert answer.headers["Location"] == back == f"{PAGE}?split=train#rows"
    for path in (PAGE, "/datasets"):
        assert COLD in visitor.get(path).text


def test_the_list_previews_a_text_sizes_and_labels(visitor: Visitor) -> None:
    page = visitor.get("/datasets").text
    for words in (COLD, "train 964 · dev 120 · test 120", *LABELS):
        assert words in page
    assert page.count('class="part-') == 3


def test_the_list_is_there_while_rows_are_not(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/rows$", 503, times=2)
    page = visitor.get("/datasets").text
    assert "Sentiment, round 2" in page
    assert COLD not in page


@pytest.mark.parametrize(
    ("asked", "choice"),
    [
        ({}, Choice("train", "", 0)),
        ({"split": "dev", "label": "a", "offset": "50"}, Choice("dev", "a", 50)),
        ({"offset": "-1"}, Choice("train", "", 0)),
        ({"offset": "1234567"}, Choice("train", "", 0)),
    ],
)
def test_what_an_address_cannot_say_has_a_default(asked: dict[str, str], choice: Choice) -> None:
    assert Choice.of(asked) == choice


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([], ""),
        ([{"input_text": None, "context_prompt": "A prompt"}], ""),
        ([{"input_text": " "}, {"input_text": "A text"}], "A text"),
        ([{"input_text": "word " * 100}], f"{('word ' * 32).strip()}…"),
    ],
)
def test_the_preview_is_the_first_written_text(rows: list[dict[str, str]], line: str) -> None:
    columns = [{"name": name, "type": kind} for name, kind in COLUMNS.items()]
    found = {"columns": columns, "rows": rows, "next_offset": None, "searched": 1, "is_limit_reached": False}
    assert preview_line(DatasetRows.model_validate(found)) == line


def test_parts_of_the_bar_are_as_wide_as_the_splits() -> None:
    widths = [float(each) for each in re.findall(r' width="([\d.]+)"', size_bar([90, 0, 30]))]
    assert widths == pytest.approx([178.5, 59.5])
    assert size_bar([0, 0, 0]) == ""
