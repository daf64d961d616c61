"""The editor without scripts: checking, what saving changes, saving, and the versions that come of it."""

import html
import re

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

EDIT = "/tasks/sentiment/edit"
PREVIEW = "/tasks/configuration-preview"
VERSIONS = "/tasks/sentiment/versions"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


@pytest.fixture
def text(fake: FakePlatform) -> str:
    return fake.workshop.texts["sentiment"][0]


def area_of(page: str) -> str:
    found = re.search(r"<textarea id=\"configuration\"[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


def test_the_editor_opens_with_the_version_in_force(olga: Visitor, text: str) -> None:
    page = olga.get(EDIT).text
    assert area_of(page) == text
    assert "Save as version 2" in page
    assert "Write a sentence people would call" in page.partition("What annotators see")[2]


def test_a_check_tells_what_would_change_and_stores_nothing(
    olga: Visitor, text: str, fake: FakePlatform
) -> None:
    answer = olga.post(EDIT, action="check", configuration=text.replace("ensemble: any", "ensemble: all"))
    assert answer.status_code == 200
    assert "Changes in version 2" in answer.text
    assert "<del>any</del>" in answer.text
    assert "<ins>all</ins>" in answer.text
    assert len(fake.workshop.texts["sentiment"]) == 1


def test_a_problem_has_its_place_and_the_text_stays(olga: Visitor, text: str) -> None:
    broken = text.replace("ensemble: any", "ensemble: broken")
    line = broken[: broken.index("broken")].count("\n") + 1
    page = olga.post(EDIT, action="check", configuration=broken).text
    assert f'data-goto="{line}:11"' in page
    assert f"Line {line}, column 11" in page
    assert "Did you mean &#39;any&#39;?" in page
    assert area_of(page) == broken
    assert 'aria-invalid="true"' in page


def test_a_problem_of_the_whole_text_has_no_place(olga: Visitor) -> None:
    page = olga.post(EDIT, action="check", configuration="just words").text
    assert "In the whole configuration" in page
    assert "data-goto" not in page
    assert "No preview yet" in page


def test_line_ends_of_a_form_are_those_of_a_file(olga: Visitor, text: str, fake: FakePlatform) -> None:
    changed = text.replace("ensemble: any", "ensemble: all")
    answer = olga.post(EDIT, action="save", configuration=changed.replace("\n", "\r\n"))
    assert answer.headers["Location"] == f"{VERSIONS}?notice=version-saved"
    assert fake.workshop.texts["sentiment"][-1] == changed


def test_a_refused_save_shows_the_problem_and_keeps_the_text(
    olga: Visitor, text: str, fake: FakePlatform
) -> None:
    broken = text.replace("ensemble: any", "ensemble: broken")
    answer = olga.post(EDIT, action="save", configuration=broken)
    assert answer.status_code == 422
    assert "The configuration can&#39;t be used" in answer.text.replace("can't", "can&#39;t")
    assert area_of(answer.text) == broken
    assert len(fake.workshop.texts["sentiment"]) == 1


def test_the_live_preview_leaves_the_last_good_one_while_the_text_is_broken(olga: Visitor, text: str) -> None:
    good = olga.post(PREVIEW, slug="sentiment", configuration=text).text
    assert 'id="editor-preview" hx-swap-oob="innerHTML"' in good
    broken = olga.post(PREVIEW, slug="sentiment", configuration=text.replace("any", "broken")).text
    assert 'id="editor-preview"' not in broken
    assert "the preview shows the last configuration" in broken
    assert "1\u00a0problem" in broken


def test_a_check_that_fails_keeps_the_text(olga: Visitor, text: str, fake: FakePlatform) -> None:
    fake.fail("POST", "/configuration-checks$", 503, times=4)
    answer = olga.post(EDIT, action="check", configuration=text)
    assert answer.status_code == 503
    assert area_of(answer.text) == text


def test_a_long_configuration_fits_into_the_form(olga: Visitor, text: str) -> None:
    long = text + "description: " + "ü" * 120_000
    page = olga.post(EDIT, action="check", configuration=long).text
    assert area_of(page) == long


def test_a_new_task_starts_from_a_configuration_that_can_be_used(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get("/tasks/new").text
    assert "No problem found." in page
    answer = olga.post("/tasks/new", action="save", configuration=area_of(page))
    assert answer.headers["Location"] == "/tasks/my-task/manage?notice=task-created"
    assert "my-task" in fake.workshop.texts
    again = olga.post("/tasks/new", action="save", configuration=area_of(page))
    assert again.status_code == 409
    assert "There is a task my-task." in again.text


@pytest.mark.parametrize("path", [EDIT, "/tasks/new", PREVIEW])
def test_others_save_and_check_nothing(path: str, ada: Visitor, fake: FakePlatform) -> None:
    assert ada.post(path, action="save", configuration="slug: mine").status_code == 403
    assert list(fake.workshop.texts) == ["sentiment", "nli"]


def test_versions_tell_what_each_changed(visitor: Visitor, text: str, fake: FakePlatform) -> None:
    fake.workshop.save("sentiment", text.replace("ensemble: any", "ensemble: all"))
    page = visitor.get(VERSIONS).text
    assert page.index("Version 2</a>") < page.index("Version 1</a>")
    assert "<ins>all</ins>" in page
    assert "in force" in page
    assert "Edit</a>" not in page


def test_two_versions_are_compared_line_by_line(visitor: Visitor, text: str, fake: FakePlatform) -> None:
    fake.workshop.save("sentiment", text.replace("ensemble: any", "ensemble: all"))
    page = visitor.get(f"{VERSIONS}?from=1&to=2").text
    assert "Version 1 against version 2" in page
    assert "<code>ensemble: any</code>" in page
    assert "<code>ensemble: all</code>" in page
    assert "Both versions have the same text." in visitor.get(f"{VERSIONS}?from=2&to=2").text


@pytest.mark.parametrize("query", ["from=1", "from=0&to=1", "from=1&to=9", "from=x&to=1"])
def test_versions_that_are_not_there_are_not_compared(query: str, visitor: Visitor) -> None:
    answer = visitor.get(f"{VERSIONS}?{query}")
    assert answer.status_code == 200
    assert "against version" not in answer.text


def test_a_version_is_shown_as_it_was_written(visitor: Visitor) -> None:
    page = visitor.get(f"{VERSIONS}/1").text
    assert "<code>ensemble: any</code>" in page
    assert visitor.get(f"{VERSIONS}/9").status_code == 404
