"""The list of models, the page of one, and the form that sends an archive."""

from typing import Any

import pytest
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_fake_submissions import WHOLE_CARD
from web_visiting import SAME_ORIGIN, Visitor, pages_over
from werkzeug.test import TestResponse

FORM = "/models/submit"
WISH = {"task": "sentiment", "model": "mini", "file_name": "mini.mar", "size": "2500"}


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def by_script(visitor: Visitor, path: str, **fields: str) -> TestResponse:
    headers = {**SAME_ORIGIN, "Accept": "application/json"}
    return visitor.client.post(path, data=fields, headers=headers)


def test_a_stranger_sees_published_models_and_no_submissions(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.add("deployed", model="unseen")
    text = visitor.get("/models?task=sentiment").text
    assert f'<a href="/models/{MODEL_NAME}">sentiment-mini, version 1</a>' in text
    assert "unseen" not in text.partition("<h1")[2].partition("</main>")[0]
    assert "Your submissions" not in text
    assert not any(path.endswith("/v1/submissions") for _, path, _ in fake.calls)


def test_who_is_signed_in_sees_their_submissions_with_their_states(ada: Visitor, fake: FakePlatform) -> None:
    waiting = fake.models.add("waiting", model="mine")
    fake.models.add("waiting", "olga", model="hers")
    text = ada.get("/models").text
    assert f'<a href="/submissions/{waiting}">mine, version 1</a>' in text
    assert "hers, version 1" not in text
    assert "Submissions to decide" not in text


@pytest.mark.parametrize(("query", "is_shown"), [("", True), ("?task=sentiment", True), ("?task=nli", False)])
def test_an_owner_sees_what_waits_for_their_decision(
    query: str, is_shown: bool, olga: Visitor, fake: FakePlatform
) -> None:
    waiting = fake.models.add("waiting")
    text = olga.get(f"/models{query}").text
    assert ("Submissions to decide" in text) == is_shown
    assert (f'href="/submissions/{waiting}"' in text) == is_shown


def test_an_administrator_without_tasks_sees_what_waits_in_all(visitor: Visitor, fake: FakePlatform) -> None:
    waiting = [fake.models.add("waiting", task=task, model=f"of-{task}") for task in ("sentiment", "nli")]
    fake.add_person("root", "admin")
    visitor.sign_in("root")
    text = visitor.get("/models").text
    assert all(f'href="/submissions/{each}"' in text for each in waiting)
    assert "Not all are shown" not in text
    text = visitor.get("/models?task=nli").text
    assert [f'href="/submissions/{each}"' in text for each in waiting] == [False, True]
    for number in range(20):
        fake.models.add("waiting", model=f"more-{number}")
    assert "Not all are shown" in visitor.get("/models").text


def test_an_owner_is_not_told_what_waits_in_tasks_of_others(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.add("waiting", task="nli")
    fake.add_person("otto", "owner:sentiment")
    visitor.sign_in("otto")
    assert "Submissions to decide" not in visitor.get("/models").text


def test_the_list_stands_without_what_cannot_be_had(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/v1/submissions$", 503, times=9)
    fake.fail("GET", "/v1/tasks$", 503, times=9)
    answer = ada.get("/models?task=sentiment")
    assert answer.status_code == 200
    assert "sentiment-mini, version 1" in answer.text
    assert "roberta-adv-v2" in ada.get("/models").text


def test_an_empty_list_says_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    text = visitor.get("/models?task=nobodys").text
    assert "No model for this task yet" in text
    assert 'href="/models/submit?task=nobodys"' in text
    assert "There are no more models" in visitor.get("/models?page=9").text


def test_a_long_list_is_turned_page_by_page_within_its_task(visitor: Visitor, fake: FakePlatform) -> None:
    for number in range(25):
        fake.models.add("published", model=f"model-{number}")
    first = visitor.get("/models?task=sentiment").text
    assert 'href="/models?task=sentiment&amp;page=2">Next</a>' in first
    second = visitor.get("/models?task=sentiment&page=2").text
    assert "model-0, version 1" in second
    assert 'href="/models?task=sentiment">First</a>' in second
    assert ">Next</a>" not in second


def test_a_model_says_what_its_card_says(visitor: Visitor) -> None:
    text = visitor.get(f"/models/{MODEL_NAME}").text
    for said in ("Apache-2.0", "English, German", "22,713,216", "82.6\u00a0MB", "<strong>irony</strong>"):
        assert said in text
    assert '<a href="https://example.org/paper" rel="nofollow noopener noreferrer">' in text
    assert f"/submissions/{SUBMISSION_ID}" not in text


@pytest.mark.parametrize("paper", ["javascript:alert(1)", "data:text/html,x", "my thesis"])
def test_only_addresses_of_pages_become_links(paper: str, visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.named(SUBMISSION_ID)["card"]["paper"] = paper
    text = visitor.get(f"/models/{MODEL_NAME}").text
    assert f"<dd>{paper}</dd>" in text


@pytest.mark.parametrize("user_name", ["ada", "olga"])
def test_its_submitter_and_owners_of_its_task_are_led_to_its_checks(user_name: str, visitor: Visitor) -> None:
    visitor.sign_in(user_name)
    assert f'href="/submissions/{SUBMISSION_ID}"' in visitor.get(f"/models/{MODEL_NAME}").text


def test_a_model_that_is_not_published_is_shown_to_its_submitter_alone(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.models.add("deployed", model="quiet")
    assert visitor.get("/models/quiet-v1").status_code == 404
    visitor.sign_in("ada")
    text = visitor.get("/models/quiet-v1").text
    assert "It is not published" in text
    assert "No card yet" in text


def test_an_anonymous_submitter_is_said_to_be_anonymous(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.named(SUBMISSION_ID)["anonymous"] = True
    assert "anonymous" in visitor.get(f"/models/{MODEL_NAME}").text
    assert str(fake.people["ada"].person_id) not in visitor.get(f"/models/{MODEL_NAME}").text


def test_the_form_says_how_much_of_the_quota_is_used(ada: Visitor, fake: FakePlatform) -> None:
    text = ada.get(f"{FORM}?task=sentiment").text
    assert "1 of your 5 submissions to Sentiment in 24 hours." in text
    assert "The next one is free" not in text
    fake.models.per_day = 1
    text = ada.get(f"{FORM}?task=sentiment").text
    assert 'The next one is free at <time datetime="2026-01-08T09:30:00+00:00">8 Jan 09:30</time>.' in text
    assert "in 24 hours" not in ada.get(FORM).text


def test_the_form_takes_task_and_name_from_its_address(ada: Visitor) -> None:
    text = ada.get(f"{FORM}?task=nli&model=mini").text
    assert '<option value="nli" selected>' in text
    assert 'name="model" value="mini"' in text


def test_the_form_alone_may_speak_to_the_store(ada: Visitor, fake: FakePlatform) -> None:
    policy = ada.get(FORM).headers["Content-Security-Policy"]
    assert f"connect-src 'self' {fake.url};" in policy
    assert fake.url not in ada.get("/models").headers["Content-Security-Policy"]
    assert "unsafe" not in policy


def test_without_a_store_for_browsers_the_policy_stays_as_it_is(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {name: value for name, value in fake.environment().items() if not name.startswith("S3_")}
    monkeypatch.setattr(fake, "environment", lambda: settings)
    visitor = Visitor(pages_over(fake).test_client())
    visitor.sign_in("ada")
    assert "connect-src 'self';" in visitor.get(FORM).headers["Content-Security-Policy"]


def test_a_browser_without_scripts_is_told_what_to_do_instead(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post(FORM, task="sentiment", model="mini", file="mini.mar")
    assert answer.status_code == 422
    assert "Without scripts, a browser can&#39;t upload an archive in parts." in answer.text
    assert "dynabench models submit" in answer.text
    assert 'value="mini"' in answer.text
    assert not any(method == "POST" and "/registry/" in path for method, path, _ in fake.calls)


def test_a_script_is_told_how_to_send_and_what_is_there(ada: Visitor, fake: FakePlatform) -> None:
    fake.models.part_bytes = 1000
    plan: dict[str, Any] = by_script(ada, FORM, **WISH).get_json()
    submission_id = plan["address"].rpartition("/")[2]
    assert plan == {
        "address": f"/submissions/{submission_id}",
        "is_draft": True,
        "part_bytes": 1000,
        "parts": 3,
        "held": [],
    }
    fake.models.store.held[submission_id] = {2: b"x" * 1000}
    again = by_script(ada, FORM, **WISH).get_json()
    assert again == {**plan, "held": [{"number": 2, "size": 1000}]}


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"size": "0"}, "file", "The file holds no bytes."),
        ({"size": "many"}, "file", "The file holds no bytes."),
        ({"size": "30000000"}, "file", "20000000 are the most."),
        ({"model": "hers"}, "model", "Choose another name."),
    ],
)
def test_a_script_is_told_beside_which_field_a_refusal_stands(
    changes: dict[str, str], field: str, said: str, ada: Visitor, fake: FakePlatform
) -> None:
    fake.models.add("published", "olga", model="hers", card=dict(WHOLE_CARD))
    answer = by_script(ada, FORM, **{**WISH, **changes})
    assert answer.status_code in {409, 422}
    told = answer.get_json()
    assert told["field"] == field
    assert said in told["problem"]


@pytest.mark.parametrize("numbers", ["", "x", "1,,2", "0", "1" * 5000, "1,-2"])
def test_numbers_of_parts_that_are_none_are_refused(numbers: str, ada: Visitor, fake: FakePlatform) -> None:
    fake.refuses_bad_input = True
    draft = fake.models.add("draft")
    answer = by_script(ada, f"/submissions/{draft}/parts", numbers=numbers)
    assert answer.status_code == 422
    assert answer.get_json()["problem"]


def test_an_upload_that_is_not_whole_names_its_problem(ada: Visitor, fake: FakePlatform) -> None:
    draft = fake.models.add("draft")
    answer = by_script(ada, f"/submissions/{draft}/completion")
    assert answer.status_code == 409
    assert answer.get_json()["slug"] == "parts-missing"


def test_a_script_without_a_session_is_told_so(visitor: Visitor) -> None:
    assert by_script(visitor, FORM, **WISH).status_code == 401


def test_writes_of_other_sites_begin_no_submission(ada: Visitor, fake: FakePlatform) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Accept": "application/json"}
    answer = ada.client.post(FORM, data=WISH, headers=headers)
    assert answer.status_code == 403
    assert not any(method == "POST" and "/registry/" in path for method, path, _ in fake.calls)
