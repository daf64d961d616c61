"""Setting up a task: where it starts from, form and text without scripts, guidelines, and the way between the pages."""

import html
import re
from collections.abc import Mapping
from typing import Any

import pytest
from web_fake_platform import FakePlatform
from web_form_sent import sent_of
from web_visiting import Visitor
from web_yaml import said
from werkzeug.test import TestResponse

TASK = "/tasks/sentiment"
EDIT = f"{TASK}/edit"
TABS = (
    "manage",
    "edit",
    "members",
    "guidelines",
    "gold",
    "validators",
    "training",
    "reports",
    "audit",
)


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def area_of(page: str, name: str = "configuration") -> str:
    found = re.search(rf"<textarea[^>]* id=\"{name}\"[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


def filled(page: str, values: Mapping[str, str]) -> dict[str, Any]:
    """The editor's form with some controls filled in."""
    return {**sent_of(page), **values}


def test_a_new_task_starts_from_a_template(olga: Visitor) -> None:
    page = olga.get("/tasks/new").text
    assert page.count("/tasks/new?from=") == 6
    page = olga.get("/tasks/new?from=questions").text
    assert "type: span" in area_of(page)
    assert 'href="/tasks/new?from=questions" aria-current="true"' in page


def test_a_new_task_starts_from_a_copy_of_another_one(olga: Visitor) -> None:
    text = area_of(olga.get("/tasks/new?task=sentiment").text)
    assert said(text)["slug"] == "copy-of-sentiment"
    assert said(text)["title"] == "Copy of Sentiment"
    assert olga.get("/tasks/new?task=nothing").status_code == 404


def test_without_scripts_the_form_is_applied_to_the_text(olga: Visitor) -> None:
    before = olga.get("/tasks/new").text
    page = olga.post("/tasks/new", action="apply", **filled(before, {"at/title": "Irony"})).text
    renamed = (
        area_of(before).replace("title: My task", "title: Irony").replace("slug: my-task", "slug: irony")
    )
    assert area_of(page) == renamed
    page = olga.post("/tasks/new", change="add:at/conditions", **filled(page, {})).text
    assert "\n  - name: field_2\n" in area_of(page)


def test_what_was_changed_in_the_form_is_saved_with_the_text(olga: Visitor, fake: FakePlatform) -> None:
    before = olga.get(EDIT).text
    text = area_of(before)
    form = {
        **filled(before, {"at/title": "Moods"}),
        "configuration": text.replace("ensemble: any", "ensemble: all"),
    }
    assert olga.post(EDIT, action="save", **form).status_code == 303
    saved = fake.workshop.texts["sentiment"][-1]
    assert "ensemble: all" in saved
    assert "title: Moods" in saved


def test_a_form_whose_text_can_not_be_read_changes_nothing(olga: Visitor) -> None:
    before = olga.get(EDIT).text
    form = {**filled(before, {"at/title": "Moods"}), "configuration": "slug: [broken"}
    page = olga.post(EDIT, action="check", **form).text
    assert area_of(page) == "slug: [broken"
    assert "The YAML can&#39;t be read from line 1 on." in page


def test_a_mistake_stands_at_its_field(olga: Visitor) -> None:
    before = olga.get(EDIT).text
    form = filled(before, {})
    form["configuration"] = area_of(before).replace("ensemble: any", "ensemble: broken")
    page = olga.post(EDIT, action="check", **form).text
    slot = re.search(r'id="problem-at-ensemble"[^>]*>(.*?)</div>', page)
    assert slot
    assert "Did you mean &#39;any&#39;?" in slot.group(1)
    assert 'href="#at-ensemble"' in page


def test_answers_carry_the_number_of_the_change_they_answer(olga: Visitor) -> None:
    before = olga.get(EDIT).text
    form = {**filled(before, {"at/title": "Moods"}), "sequence": "7", "slug": "sentiment"}
    answer = olga.post("/tasks/configuration-preview", **form).text
    assert 'data-sequence="7"' in answer
    assert "<template data-text>" in answer
    assert "<template data-text>" not in olga.post("/tasks/configuration-preview", **filled(before, {})).text


@pytest.mark.parametrize("page", TABS)
def test_the_way_between_the_pages_never_vanishes(page: str, olga: Visitor) -> None:
    answer = olga.get(f"{TASK}/{page}")
    nav = answer.text.partition('aria-label="Manage the task"')[2].partition("</nav>")[0]
    assert re.findall(rf'href="{TASK}/(\w+)"', nav) == list(TABS)
    assert f'href="{TASK}/{page}" aria-current="page"' in nav


@pytest.mark.parametrize("page", ["versions", "versions/1"])
def test_versions_are_under_the_tab_of_the_configuration_which_links_them(page: str, olga: Visitor) -> None:
    assert f'href="{EDIT}" aria-current="true"' in olga.get(f"{TASK}/{page}").text
    assert f'href="{TASK}/versions"' in olga.get(EDIT).text


def test_a_task_without_a_round_says_how_it_comes_by_contexts(olga: Visitor, fake: FakePlatform) -> None:
    fake.loop.rounds.clear()
    page = olga.get(f"{TASK}/contexts").text
    assert "The task has no round yet" in page


def test_contexts_lead_to_those_of_the_other_rounds(olga: Visitor, fake: FakePlatform) -> None:
    address = olga.get(f"{TASK}/contexts").headers["Location"]
    others = re.findall(r'href="(/rounds/[\w-]+/contexts)"', olga.get(address).text)
    mine = [round_id for round_id, found in fake.loop.rounds.items() if found["task_slug"] == "sentiment"]
    assert {address, *others} == {f"/rounds/{round_id}/contexts" for round_id in mine}


def test_guidelines_are_shown_as_people_read_them_and_saved_alone(olga: Visitor, fake: FakePlatform) -> None:
    before = fake.workshop.texts["sentiment"][0]
    page = olga.post(
        f"{TASK}/guidelines", action="look", guidelines="## New\r\n\r\n**Bold** & <b>raw</b>"
    ).text
    assert "<strong>Bold</strong> &amp; &lt;b&gt;raw" in page
    assert fake.workshop.texts["sentiment"] == [before]
    answer = olga.post(f"{TASK}/guidelines", action="save", guidelines="## New\r\n\r\nWords\r\n")
    assert answer.headers["Location"] == f"{TASK}/versions?notice=version-saved"
    assert said(fake.workshop.texts["sentiment"][-1])["instructions"] == "## New\n\nWords\n"


def test_refused_guidelines_come_back(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"{TASK}/guidelines", action="save", guidelines="A broken one")
    assert answer.status_code == 422
    assert area_of(answer.text, "guidelines") == "A broken one"


@pytest.mark.parametrize("path", ["guidelines", "contexts"])
def test_others_set_nothing_up(path: str, ada: Visitor) -> None:
    assert ada.get(f"{TASK}/{path}").status_code == 403


def test_who_may_start_a_task_is_said_before_the_form(visitor: Visitor, fake: FakePlatform) -> None:
    fake.add_person("otto", "owner:sentiment")
    fake.add_person("ira", "owner:sentiment", "owner:irony")
    visitor.sign_in("otto")
    page = visitor.get("/tasks/new").text
    assert "The right to start a task</h1>" in page
    assert "Ask for the right to start a task</button>" in page
    assert "editor-form" not in page
    visitor.post("/sign-out")
    visitor.sign_in("ira")
    page = visitor.get("/tasks/new").text
    assert "You can create these tasks: irony." in page
    assert "slug: irony\n" in area_of(page)


def test_a_granted_address_stays_whatever_the_title(visitor: Visitor, fake: FakePlatform) -> None:
    fake.add_person("ira", "owner:sentiment", "owner:irony")
    visitor.sign_in("ira")
    page = visitor.get("/tasks/new").text
    for title in ("Irony", "Irony in reviews"):
        page = visitor.post("/tasks/new", action="apply", **filled(page, {"at/title": title})).text
        assert f"title: {title}\n" in area_of(page)
        assert "slug: irony\n" in area_of(page)


def ask(visitor: Visitor, slug: str = "irony", reason: str = "People write ironic reviews.") -> TestResponse:
    return visitor.post("/tasks/new/request", task_slug=slug, reason=reason)


def test_a_person_asks_for_the_right_and_starts_the_task_once_it_is_granted(
    visitor: Visitor, fake: FakePlatform
) -> None:
    ada = str(fake.people["ada"].person_id)
    visitor.sign_in("ada")
    assert "Your request is sent." in visitor.get(ask(visitor).headers["Location"]).text
    page = visitor.get("/tasks/new").text
    assert "Your request waits for an answer." in page
    assert "“People write ironic reviews.”" in page
    assert '<form method="post" action="/tasks/new/request"' not in page
    fake.desk.task_requests[ada] |= {"state": "granted", "answer": "Welcome."}
    fake.people["ada"].roles = ["annotator", "owner:irony"]
    page = visitor.get("/tasks/new").text
    assert "You can create these tasks: irony." in page
    assert "slug: irony\n" in area_of(page)


def test_a_granted_request_renews_the_session_once_though_its_task_was_made(
    visitor: Visitor, fake: FakePlatform
) -> None:
    visitor.sign_in("ada")
    asked = {"asked_at": "2026-01-08T09:00:00Z", "state": "granted", "answer": "", "reason": "For a course."}
    fake.desk.task_requests[str(fake.people["ada"].person_id)] = {"task_slug": "nli", **asked}
    fake.people["ada"].roles = ["annotator", "owner:nli"]

    def renewals() -> int:
        fake.calls.clear()
        visitor.get("/tasks/new")
        return sum(path.endswith("/sessions/refresh") for _, path, _ in fake.calls)

    assert [renewals(), renewals()] == [1, 0]


def test_a_refusal_is_shown_with_its_sentence_and_one_can_ask_again(ada: Visitor, fake: FakePlatform) -> None:
    ask(ada)
    fake.desk.task_requests[str(fake.people["ada"].person_id)] |= {"state": "refused", "answer": "Too broad."}
    page = ada.get("/tasks/new").text
    assert "An administrator refused your request for the task irony." in page
    assert "“Too broad.”" in page
    assert ask(ada, "mild-irony").status_code == 303


def test_a_refused_request_keeps_what_was_typed(ada: Visitor, fake: FakePlatform) -> None:
    taken = ask(ada, "sentiment")
    assert (taken.status_code, "A task has the address sentiment" in taken.text) == (409, True)
    assert fake.desk.task_requests == {}
    empty = ask(ada, "irony", " ")
    assert (empty.status_code, 'name="task_slug" value="irony"' in empty.text) == (422, True)


def test_strangers_sign_in_before_they_ask(visitor: Visitor) -> None:
    assert visitor.get("/tasks/new").headers["Location"] == "/sign-in?next=%2Ftasks%2Fnew"
