"""The administrators' pages: console, people, models, dead letters."""

import re
from html import unescape
from uuid import uuid4

import pytest
from web_fake_people import set_aside
from web_fake_platform import FakePlatform
from web_visiting import Visitor


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def address(fake: FakePlatform, name: str = "ada") -> str:
    return f"/people/{fake.people[name].person_id}"


def test_the_menu_leads_administrators_to_the_console_and_nobody_else(visitor: Visitor) -> None:
    assert 'href="/admin"' not in visitor.get("/").text
    visitor.sign_in("ada")
    assert 'href="/admin"' not in visitor.get("/").text
    visitor.sign_in("olga")
    assert 'href="/admin"' in visitor.get("/").text


def test_the_console_counts_and_leads_to_everything(olga: Visitor, fake: FakePlatform) -> None:
    letters = {"topic": "dynabench.example.v1", "consumer": "leaderboard", "count": 3}
    letters |= {"newest_at": "2026-01-08T08:00:00Z", "newest_reason": "It is of no known kind."}
    fake.owners.dead_letters["leaderboard"] = [letters]
    fake.desk.mail_counts |= {"waiting": 2, "oldest_at": "2026-01-08T08:00:00Z", "trouble": "Refused."}
    page = olga.get("/admin").text
    for said in ("8 of 8", "2 mails wait.", "events failed", "models are served", "1 is ready."):
        assert said in page
    assert '<strong class="console-figure">3</strong>' in page
    for link in ("/admin/dead-letters", "/admin/models", "/people", "/audit"):
        assert f'href="{link}"' in page


def test_the_console_draws_requests_queues_and_errors(olga: Visitor, fake: FakePlatform) -> None:
    def chart() -> str:
        found = olga.get("/admin").text.partition('id="chart-health"')[2].partition("</figure>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", found).split())

    assert "Nothing runs, nothing waits, and nothing failed." in chart()
    fake.desk.mail_counts |= {"waiting": 2, "oldest_at": "2026-01-08T08:00:00Z", "trouble": "Refused."}
    assert "Only one figure is not zero: Mails waiting, 2." in chart()
    letters = {"topic": "dynabench.example.v1", "consumer": "leaderboard", "count": 3}
    letters |= {"newest_at": "2026-01-08T08:00:00Z", "newest_reason": "It is of no known kind."}
    fake.owners.dead_letters["leaderboard"] = [letters]
    for words in ("Mails waiting 2", "Failed events: leaderboard 3"):
        assert words in chart()


@pytest.mark.parametrize(
    "path", ["/model-statuses", "/mails/counts", "/leaderboard/v1/dead"], ids=["gateway", "mails", "events"]
)
def test_the_chart_calls_nothing_zero_that_was_not_reported(
    path: str, olga: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", path, 503, times=9)
    page = olga.get("/admin").text
    assert "All known figures are zero. Some services do not report this." in page
    assert "nothing failed" not in page
    fake.desk.mail_counts |= {"waiting": 2}
    letters = {"topic": "dynabench.example.v1", "consumer": "scoring", "count": 3}
    letters |= {"newest_at": "2026-01-08T08:00:00Z", "newest_reason": "It is of no known kind."}
    fake.owners.dead_letters["scoring"] = [letters] if path == "/mails/counts" else []
    assert "Only one known figure is not zero" in olga.get("/admin").text


def test_the_console_says_what_does_not_answer(olga: Visitor, fake: FakePlatform) -> None:
    for path in ("/leaderboard/v1/dead", "/model-statuses", "/people/counts", "/mails/counts", "/audit"):
        fake.fail("GET", path, 503, times=9)
    answer = olga.get("/admin")
    assert answer.status_code == 200
    for said in (
        "6 of 8",
        "Does not answer",
        "Some services do not report this.",
        "The gateway does not answer.",
    ):
        assert said in answer.text


def test_people_are_found_page_by_page(olga: Visitor, fake: FakePlatform) -> None:
    for number in range(51):
        fake.add_person(f"person{number:02}")
    page = olga.get("/people?search=PERSON")
    assert "person00" in page.text
    assert "person50" not in page.text
    assert "?search=PERSON&amp;cursor=50" in page.text
    rest = olga.get("/people?search=PERSON&cursor=50").text
    assert "person50" in rest
    assert "ada@example.org" in olga.get("/people?search=ada%40").text
    assert "Nobody found" in olga.get("/people?search=zzz").text


def test_why_a_person_cannot_validate_stands_on_their_page(olga: Visitor, fake: FakePlatform) -> None:
    ada = fake.people["ada"]
    fake.desk.pause(ada)
    appeal = {"reason": "They are ambiguous.", "at": "2026-01-07T10:00:00Z"}
    fake.desk.pause(ada, "owner", reason="Too many differ.", appeal=appeal, task_slug="nli")
    page = olga.get(address(fake)).text
    for said in (
        "the attention checks",
        "failed 5 of the last 20 known answers",
        "the task&#39;s owner",
        "Too many differ.",
        "Appeal: “They are ambiguous.”",
        'href="/tasks/nli/validators"',
    ):
        assert said in page


def test_a_role_is_given_and_taken(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(address(fake)).text
    assert '<option value="owner:nli">owner of nli</option>' in page
    given = olga.post(f"{address(fake)}/roles", role="owner:nli", change="grant", reason="She asked.")
    assert "The roles are changed." in olga.get(given.headers["Location"]).text
    assert fake.desk.changes == [{"grant": ["owner:nli"], "revoke": [], "reason": "She asked."}]
    olga.post(f"{address(fake)}/roles", role="owner:nli", change="revoke", reason="")
    assert "owner:nli" not in fake.people["ada"].roles


def test_the_right_to_start_a_task_is_given_under_its_name(olga: Visitor, fake: FakePlatform) -> None:
    olga.post(f"{address(fake)}/roles", role="admin", new_task="irony", change="grant", reason="")
    assert fake.people["ada"].roles == ["annotator", "owner:irony"]


def test_a_request_to_start_a_task_is_answered_with_a_sentence(olga: Visitor, fake: FakePlatform) -> None:
    assert "Requests to start a task" not in olga.get("/people").text
    asked = {"asked_at": "2026-01-08T09:00:00Z", "state": "open", "answer": "", "reason": "For a course."}
    person_id = str(fake.people["ada"].person_id)
    fake.desk.task_requests[person_id] = {"task_slug": "irony", **asked}
    page = olga.get("/people").text
    assert "Requests to start a task" in page
    assert "“For a course.”" in page
    done = olga.post(f"{address(fake)}/task-request", task_slug="irony", state="granted", answer="Welcome.")
    assert "Your answer is sent to the person." in olga.get(done.headers["Location"]).text
    assert fake.desk.task_requests[person_id]["answer"] == "Welcome."
    assert "owner:irony" in fake.people["ada"].roles


def test_a_request_for_the_address_of_a_task_can_only_be_refused(olga: Visitor, fake: FakePlatform) -> None:
    asked = {"asked_at": "2026-01-08T09:00:00Z", "state": "open", "answer": "", "reason": "For a course."}
    person_id = str(fake.people["ada"].person_id)
    for slug, is_taken in (("irony", False), ("sentiment", True)):
        fake.desk.task_requests[person_id] = {"task_slug": slug, **asked}
        page = olga.get("/people").text
        assert ("A task with this address exists. Refuse the request." in page) is is_taken
        assert ("Grant the request</button>" in page) is not is_taken
        assert "Refuse the request</button>" in page


def test_every_hidden_nickname_is_on_a_page(olga: Visitor, fake: FakePlatform) -> None:
    fake.desk.hidden = {str(uuid4()): (f"Name {number:02}", "So.") for number in range(51)}
    first = olga.get("/people").text
    assert ("Name 00" in first, "Name 50" in first, 'href="/people?hidden=50"' in first) == (
        True,
        False,
        True,
    )
    rest = olga.get("/people?hidden=50").text
    assert ("Name 00" in rest, "Name 50" in rest, "Pages of hidden nicknames" in rest) == (False, True, True)


def test_enter_in_an_answer_to_a_request_grants_nothing(olga: Visitor, fake: FakePlatform) -> None:
    asked = {"asked_at": "2026-01-08T09:00:00Z", "state": "open", "answer": "", "reason": "For a course."}
    fake.desk.task_requests[str(fake.people["ada"].person_id)] = {"task_slug": "irony", **asked}
    form = olga.get("/people").text.partition('/task-request"')[2].partition("</form>")[0]
    assert '<textarea dir="auto" name="answer"' in form
    assert re.findall(r"<input [^>]*?(?:name|type)=\"(\w+)\"", form) == ["hidden"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/task-requests$", "The requests to start a task can't be read just now."),
        ("/nickname-reports$", "The reported nicknames can't be read just now."),
        ("/hidden-nicknames$", "The hidden nicknames can't be read just now."),
    ],
)
def test_people_are_listed_with_a_sentence_for_what_can_not_be_read(
    path: str, words: str, olga: Visitor, fake: FakePlatform
) -> None:
    assert "be read just now" not in unescape(olga.get("/people").text)
    fake.fail("GET", path, 503, times=9)
    page = olga.get("/people").text
    assert words in unescape(page)
    assert f'href="{address(fake)}"' in page


def test_a_refused_name_of_a_task_stays_in_the_form(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/role-changes$", 422, field="grant", detail="The role is none.")
    answer = olga.post(f"{address(fake)}/roles", role="admin", new_task="Not a name!", change="grant")
    assert (answer.status_code, 'name="new_task" value="Not a name!"' in answer.text) == (422, True)


def test_taking_ones_own_administration_is_refused_in_words(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"{address(fake, 'olga')}/roles", role="admin", change="revoke", reason="")
    assert answer.status_code == 409
    assert "Ask another administrator to do it." in answer.text
    assert "This is your account" in answer.text


def test_a_person_is_disabled_with_a_reason_and_let_in_again(olga: Visitor, fake: FakePlatform) -> None:
    done = olga.post(f"{address(fake)}/state", state="disabled", reason="Spam.")
    page = olga.get(done.headers["Location"]).text
    assert "<strong>Disabled</strong> by olga" in page
    assert "“Spam.”" in page
    assert "Disabled" in olga.get("/people?search=ada").text
    olga.post(f"{address(fake)}/state", state="active", reason="A mistake.")
    assert fake.desk.disabled == {}
    fake.fail("PUT", "/state$", 422, field="reason", detail="reason must have 1 to 500 characters.")
    refused = olga.post(f"{address(fake)}/state", state="disabled", reason="")
    assert (refused.status_code, 'id="disable" open' in refused.text) == (422, True)


def test_a_person_is_shown_without_what_does_not_answer(olga: Visitor, fake: FakePlatform) -> None:
    for path in ("/standings$", "/audit$", "/annotation/v1/tasks$"):
        fake.fail("GET", path, 503, times=9)
    answer = olga.get(address(fake))
    assert answer.status_code == 200
    assert "the service for checking does not answer" in answer.text
    assert olga.get("/people/00000000-0000-0000-0000-000000000000").status_code == 404


def test_dead_letters_are_sent_again_or_given_up(olga: Visitor, fake: FakePlatform) -> None:
    assert "No failed events" in olga.get("/admin/dead-letters").text
    one, asked, old = set_aside(), set_aside(is_requested=True), set_aside(is_kept=False)
    fake.desk.records["leaderboard"] = [one, asked, old]
    page = olga.get("/admin/dead-letters").text
    assert (page.count("Retry the event"), "retry requested" in page, "needs a rebuild" in page) == (
        1,
        True,
        True,
    )
    form = {"service": "leaderboard", "record_id": one["record_id"]}
    olga.post("/admin/dead-letters", **form, decision="redrive")
    olga.post("/admin/dead-letters", **form, decision="discard", reason="Nobody needs it.")
    assert fake.desk.decided == [
        ("leaderboard", one["record_id"], "requested"),
        ("leaderboard", one["record_id"], "Nobody needs it."),
    ]
    assert olga.post("/admin/dead-letters", service="web", decision="redrive").status_code == 404


def test_models_say_how_they_do(olga: Visitor) -> None:
    page = olga.get("/admin/models").text
    for said in ("sentiment-minilm", "Ready", "n-gram-b", "Failed", "Its worker died twice."):
        assert said in page
