"""Paid work: the offer, entries, the bar on the pages of the round, and the result."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from web_fake_campaigns import decision
from web_fake_figures import my_round
from web_fake_platform import FakePlatform
from web_fake_work import BACK_URL, CODE, FORGED, TITLE, WORKER
from web_visiting import Visitor, pages_over
from werkzeug.test import TestResponse

TRY = {"input.text": "Such a great choice that my dog got most of it.", "input.label": "negative"}
GREETING = f"{WORKER}=5f0c1d2e&STUDY_ID=s%201&SESSION_ID=%F0%9F%99%82"


def enter(visitor: Visitor, campaign_id: str, worker: str = "w1") -> TestResponse:
    return visitor.post(f"/work/{campaign_id}?{WORKER}={worker}")


def start(visitor: Visitor, fake: FakePlatform, **offer: object) -> str:
    """Accept work in the sentiment round, and return the address of its page."""
    answer = enter(visitor, fake.work.offer(**offer))  # type: ignore[arg-type]
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def bar(page: str) -> str:
    found = re.search(r'<section class="work-bar".*?</section>', page, re.DOTALL)
    return re.sub(r"[ \n]+", " ", html.unescape(found.group())) if found else ""


def write(visitor: Visitor, fake: FakePlatform, number: int) -> TestResponse:
    context_id = fake.loop.contexts[fake.loop.position]["context_id"]
    create = f"/rounds/{fake.loop.round_id}/create"
    return visitor.post(create, context_id=context_id, key=f"key-{number}", **TRY)


def test_the_offer_says_what_is_done_paid_and_recorded(visitor: Visitor, fake: FakePlatform) -> None:
    page = html.unescape(visitor.get(f"/work/{fake.work.offer()}?{GREETING}").text)
    for said in (
        TITLE,
        "Write 2\u00a0texts that fool a model",
        "£1.50",
        "£0.30 for each text that fools a model and that other people confirm",
        "About 8\u00a0minutes. You have 60\u00a0minutes.",
        "English",
        "your answers, and their times",
        "count the pasted characters",
        "a random ID of this device",
        "network address is kept for 30 days",
        "You can appeal",
        "pseudonym",
        "published without anything that names you",
        'href="/contact"',
        "Start work",
    ):
        assert said in page, said
    assert "signed in as" not in page


def test_an_offer_to_check_has_no_bonus_and_one_without_a_measurement_only_a_limit(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = visitor.get(f"/work/{fake.work.offer('validate', typical_minutes=None)}").text
    assert "Check 2\u00a0texts of other people" in page
    assert "Bonus" not in page
    assert "<dd>You have 60\u00a0minutes.</dd>" in page


def test_all_parameters_go_on_unchanged_and_the_form_repeats_them(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = visitor.get(f"/work/{fake.work.offer()}?{GREETING}").text
    action = re.search(r'<form method="post" action="(/work/[^"]+)"', page)
    assert action
    assert visitor.post(html.unescape(action.group(1))).status_code == 303
    parameters = fake.work.entries[-1]["parameters"]
    assert parameters == {WORKER: "5f0c1d2e", "STUDY_ID": "s 1", "SESSION_ID": "🙂"}


def test_who_accepts_has_a_session_and_is_led_to_the_work(visitor: Visitor, fake: FakePlatform) -> None:
    answer = enter(visitor, fake.work.offer())
    assert answer.headers["Location"] == f"/rounds/{fake.loop.round_id}/create"
    for name in ("dynabench_access", "dynabench_refresh", "dynabench_device"):
        cookie = next(each for each in answer.headers.getlist("Set-Cookie") if each.startswith(name))
        assert "HttpOnly" in cookie
    assert visitor.get(answer.headers["Location"]).status_code == 200


@pytest.mark.parametrize("page", ["create", "tries"])
def test_confirmed_tries_of_paid_people_come_with_their_work(
    page: str, visitor: Visitor, fake: FakePlatform
) -> None:
    create = start(visitor, fake)
    fake.work.change(validated_errors_in_round=7)
    assert "confirmed 7" in visitor.get(create.replace("create", page)).text
    assert not any(path.endswith("/leaderboard/v1/people/me") for _, path, _ in fake.calls)


def test_without_paid_work_in_the_round_confirmed_tries_come_from_the_leaderboard(
    visitor: Visitor, fake: FakePlatform
) -> None:
    create = start(visitor, fake)
    fake.work.works.clear()
    assert "confirmed 1 " in visitor.get(create).text


def test_unreadable_paid_work_leaves_a_dash_and_no_second_wait(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    fake.fail("GET", "/api/crowd/v1/me/assignments", 503)
    assert "confirmed – " in visitor.get(create).text
    assert not any(path.endswith("/leaderboard/v1/people/me") for _, path, _ in fake.calls)


@pytest.mark.parametrize("kind", ["create", "validate"])
def test_practice_comes_first_once(kind: str, visitor: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("nli", has_practice=True)
    fake.my_rounds.append({**my_round(task.round_id), "task_slug": task.slug})
    campaign_id = fake.work.offer(kind, task.round_id)
    there = f"/rounds/{task.round_id}/{kind}"
    first = enter(visitor, campaign_id).headers["Location"]
    assert first == f"/tasks/nli/practice?next={there}"
    assert visitor.get(first).status_code == 200
    assert enter(visitor, campaign_id).headers["Location"] == there
    assert visitor.get(there).status_code == 200


def test_the_device_has_one_id_for_everybody_who_enters_on_it(visitor: Visitor, fake: FakePlatform) -> None:
    campaign_id = fake.work.offer()
    enter(visitor, campaign_id, "w1")
    enter(visitor, campaign_id, "w2")
    assert re.fullmatch(r"[\w-]{22}", fake.work.entries[0]["device"])
    assert fake.work.entries[0]["device"] == fake.work.entries[1]["device"]
    visitor.client.set_cookie("dynabench_device", "<script>")
    enter(visitor, campaign_id, "w1")
    assert "<" not in fake.work.entries[-1]["device"]


def test_who_comes_back_continues_the_same_work(visitor: Visitor, fake: FakePlatform) -> None:
    campaign_id = fake.work.offer()
    enter(visitor, campaign_id)
    visitor.client.delete_cookie("dynabench_access")
    visitor.client.delete_cookie("dynabench_refresh")
    assert enter(visitor, campaign_id).status_code == 303
    assert len(fake.work.works) == 1
    assert visitor.get("/work").headers["Location"] == f"/rounds/{fake.loop.round_id}/create"


def test_a_volunteer_is_warned_and_gets_a_pseudonym(ada: Visitor, fake: FakePlatform) -> None:
    campaign_id = fake.work.offer()
    assert "You are signed in as ada. Paid work runs under a separate pseudonym." in (
        ada.get(f"/work/{campaign_id}").text
    )
    enter(ada, campaign_id)
    page = ada.get("/ranks").text
    assert ">ada</a>" not in page
    assert ">Paid work</a>" in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"state": "ended"}, "This work has ended"),
        ({"state": "paused"}, "This work is paused"),
        ({"state": "running"}, "All places are taken just now"),
        ({"state": "draft"}, "This work has not begun yet"),
    ],
)
def test_a_closed_offer_says_why_and_lets_people_continue(
    changes: dict[str, str], words: str, visitor: Visitor, fake: FakePlatform
) -> None:
    page = visitor.get(f"/work/{fake.work.offer(is_open=False, **changes)}").text
    assert words in page
    assert "Continue work" in page


def test_a_refused_entry_says_why_and_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    for campaign_id, worker, words in (
        (fake.work.offer(), FORGED, "The platform did not send this entry."),
        (fake.work.offer(is_open=False), "w1", "Other people have taken all places."),
    ):
        answer = enter(visitor, campaign_id, worker)
        assert answer.status_code in {403, 409}
        assert words in answer.text
        assert "See the offer again" in answer.text
        assert "Set-Cookie" not in answer.headers
    assert visitor.get(f"/rounds/{fake.loop.round_id}/create").status_code == 303


@pytest.mark.parametrize("path", ["/api/crowd/v1/entries", "/api/accounts/v1/sessions/refresh"])
def test_an_entry_that_a_service_did_not_answer_can_be_sent_again(
    path: str, visitor: Visitor, fake: FakePlatform
) -> None:
    campaign_id = fake.work.offer()
    fake.fail("POST", path, 503, times=1, retry_after=5)
    answer = enter(visitor, campaign_id)
    assert answer.status_code == 503
    assert "Start work" in answer.text
    assert enter(visitor, campaign_id).status_code == 303


def test_an_unknown_campaign_is_not_found(visitor: Visitor, fake: FakePlatform) -> None:
    assert visitor.get(f"/work/{fake.loop.round_id}").status_code == 404
    assert enter(visitor, fake.loop.round_id).status_code == 404


def test_other_sites_can_not_accept_for_somebody(visitor: Visitor, fake: FakePlatform) -> None:
    headers = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    answer = visitor.client.post(f"/work/{fake.work.offer()}?{WORKER}=w1", headers=headers)
    assert answer.status_code == 403
    assert not fake.work.entries


def test_the_bar_counts_tries_and_offers_to_hand_in(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    first = bar(visitor.get(create).text)
    assert "0 of 2\u00a0texts" in first
    assert "60\u00a0minutes left" in first
    assert "Hand in the work" not in first
    assert "Give the work back" in first
    after = bar(visitor.get(write(visitor, fake, 1).headers["Location"]).text)
    assert "1 of 2\u00a0texts" in after
    assert "All done" in bar(visitor.get(write(visitor, fake, 2).headers["Location"]).text)


def test_the_bar_of_checking(visitor: Visitor, fake: FakePlatform) -> None:
    validate = start(visitor, fake, work="validate")
    assert "0 of 2\u00a0texts" in bar(visitor.get(validate).text)
    fake.loop.queue.clear()
    empty = visitor.get(validate).text
    assert "You can hand in what you have done, or wait for a new text." in bar(empty)
    assert "Hand in the work" in bar(empty)
    assert "Other tasks" not in empty
    assignment_id = fake.work.change()
    refused = visitor.post(f"/work/assignments/{assignment_id}/completion")
    assert refused.status_code == 409
    visitor.post(f"/work/assignments/{assignment_id}/completion", nothing_left="1")
    assert "There was no text left for you." in visitor.get(f"/work/done/{assignment_id}").text


def test_the_bar_says_why_less_work_is_enough(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    fake.work.change(done=1, can_finish=True, why="round_ended")
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    answer = visitor.get(create)
    assert answer.status_code == 409
    assert "The round has ended. You can hand in what you have done." in bar(answer.text)
    assert "Hand in the work" in bar(answer.text)


def test_the_open_page_asks_for_the_bar_and_gets_changes_alone(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    found = re.search(r'hx-get="(/work/rounds/[^"]+)"', visitor.get(create).text)
    assert found
    first = visitor.get(found.group(1))
    assert "0 of 2\u00a0texts" in first.text
    assert visitor.get(found.group(1), **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    write(visitor, fake, 1)
    assert "1 of 2\u00a0texts" in visitor.get(found.group(1)).text
    assert visitor.get(f"/work/rounds/{fake.loop.round_id}/validate").status_code == 204


def test_the_time_runs_out_and_ends(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    fake.work.change(deadline=(datetime.now(UTC) + timedelta(seconds=50)).isoformat())
    assert re.search(r"\d\d\u00a0s left", bar(visitor.get(create).text))
    fake.work.change(deadline="2026-01-01T00:00:00Z")
    assert "The time is over." in bar(visitor.get(create).text)
    done = fake.work.change(state="timed_out")
    assert f"/work/done/{done}" in bar(visitor.get(create).text)
    assert "The time for this work is over" in visitor.get(f"/work/done/{done}").text


def test_pages_work_while_crowd_is_away(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    fake.fail("GET", "/api/crowd/", 503, times=9)
    answer = visitor.get(create)
    assert answer.status_code == 200
    assert "Your progress can't be read just now." in html.unescape(bar(answer.text))


def test_handing_in_leads_to_the_code_and_what_is_paid(visitor: Visitor, fake: FakePlatform) -> None:
    start(visitor, fake)
    assignment_id = fake.work.change(done=2)
    for _again in range(2):
        answer = visitor.post(f"/work/assignments/{assignment_id}/completion")
        assert answer.headers["Location"] == f"/work/done/{assignment_id}"
    page = visitor.get(answer.headers["Location"]).text
    assert f'id="completion-code">{CODE}</code>' in page
    assert f'href="{BACK_URL}"' in page
    assert ">Go back to Prolific</a>" in page
    assert "£1.50, once the task's owner has approved your work." in html.unescape(page)
    assert "£0.30 for each text that fools a model" in page
    assert visitor.get("/work").headers["Location"] == f"/work/done/{assignment_id}"


def test_a_platform_without_an_address_gets_the_code_typed(visitor: Visitor, fake: FakePlatform) -> None:
    start(visitor, fake)
    for address in (None, "javascript:alert(1)"):
        done = fake.work.change(state="submitted", code=CODE, back_url=address)
        page = visitor.get(f"/work/done/{done}").text
        assert "Enter this code on the platform that sent you." in page
        assert "javascript:" not in page


def test_unfinished_work_is_not_handed_in_and_says_what_is_missing(
    visitor: Visitor, fake: FakePlatform
) -> None:
    create = start(visitor, fake)
    assignment_id = fake.work.change()
    answer = visitor.post(f"/work/assignments/{assignment_id}/completion")
    assert answer.status_code == 409
    assert "There are texts left to work on." in answer.text
    assert f'href="{create}">Continue work</a>' in answer.text
    assert "Your work is not handed in yet" in visitor.get(f"/work/done/{assignment_id}").text


def test_work_is_given_back(visitor: Visitor, fake: FakePlatform) -> None:
    start(visitor, fake)
    assignment_id = fake.work.change()
    answer = visitor.post(f"/work/assignments/{assignment_id}/return")
    page = visitor.get(answer.headers["Location"]).text
    assert "You gave the work back" in page
    assert "Return it on the platform too." in page
    assert "£" not in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("approved", "£1.50, which the platform pays soon."),
        ("rejected", "Reason:"),
        ("screened_out", "This work does not fit you"),
    ],
)
def test_the_result_in_each_state(state: str, words: str, visitor: Visitor, fake: FakePlatform) -> None:
    start(visitor, fake)
    done = fake.work.change(state=state, why="It repeats one text." if state == "rejected" else None)
    assert words in visitor.get(f"/work/done/{done}").text


def test_the_result_is_shown_without_the_offer_and_to_nobody_else(
    visitor: Visitor, ada: Visitor, fake: FakePlatform
) -> None:
    worker = Visitor(ada.client.application.test_client())
    start(worker, fake)
    done = fake.work.change(state="submitted", code=CODE, back_url=BACK_URL)
    fake.fail("GET", "/offer$", 503, times=3)
    assert "Go back to the platform" in worker.get(f"/work/done/{done}").text
    assert ada.get(f"/work/done/{done}").status_code == 404
    assert ada.get("/work").headers["Location"] == "/"
    assert Visitor(ada.client.application.test_client()).get("/work").status_code == 303


@pytest.mark.parametrize("path", ["/account", "/notices"])
def test_pages_of_accounts_are_not_for_workers(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    assert visitor.get(path).headers["Location"] == "/work"
    assert f'href="{path}' not in visitor.get(create).text
    assert fake.tokens == {}
    assert visitor.post("/account/tokens", name="mine").headers["Location"] == "/work"
    assert fake.tokens == {}


def test_an_ended_session_leads_back_to_the_platform_and_keeps_the_text(
    visitor: Visitor, fake: FakePlatform
) -> None:
    create = start(visitor, fake)
    visitor.client.delete_cookie("dynabench_access")
    fake.end_sessions()
    for _again in range(2):
        answer = visitor.get(create)
        assert answer.status_code == 401
        assert "Open the work again on the platform that sent you." in answer.text
    sent = visitor.post(create, key="k", **TRY)
    assert TRY["input.text"] in sent.text
    visitor.sign_in("ada")
    assert ">ada</a>" in visitor.get("/").text


def test_a_renewed_session_stays_one_of_paid_work(visitor: Visitor, fake: FakePlatform) -> None:
    create = start(visitor, fake)
    for _again in range(2):
        visitor.client.delete_cookie("dynabench_access")
        page = visitor.get(create).text
        assert ">Paid work</a>" in page
        assert "crowd-1" not in page


def test_without_crowd_there_is_no_paid_work_and_all_else_is_unchanged(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake, crowd_url=None).test_client())
    assert visitor.get(f"/work/{fake.loop.round_id}").status_code == 404
    visitor.sign_in("ada")
    for path in ("", "/create", "/validate"):
        assert visitor.get(f"/rounds/{fake.loop.round_id}{path}").status_code == 200
    assert not [path for _method, path, _body in fake.calls if "/crowd/" in path]


def test_volunteers_ask_crowd_for_nothing_on_their_pages(ada: Visitor, fake: FakePlatform) -> None:
    for path in ("/create", "/validate", "/tries"):
        assert bar(ada.get(f"/rounds/{fake.loop.round_id}{path}").text) == ""
    assert not [path for _method, path, _body in fake.calls if "/crowd/" in path]


def test_only_what_is_recorded_is_named(visitor: Visitor, fake: FakePlatform) -> None:
    assert "If you paste" not in visitor.get(f"/work/{fake.work.offer('validate')}").text


def test_the_address_goes_to_crowd_as_the_edge_saw_it(visitor: Visitor, fake: FakePlatform) -> None:
    enter(visitor, fake.work.offer())
    assert fake.work.entries[-1]["address"] == "127.0.0.1"


@pytest.mark.parametrize(("counted", "sent"), [("12", 12), ("", None), ("-1", None), ("1e9", None)])
def test_a_count_of_pasted_characters_never_stops_a_try(
    counted: str, sent: int | None, visitor: Visitor, fake: FakePlatform
) -> None:
    start(visitor, fake)
    create = f"/rounds/{fake.loop.round_id}/create"
    assert 'name="pasted_characters"' in visitor.get(create).text
    context_id = fake.loop.contexts[fake.loop.position]["context_id"]
    answer = visitor.post(create, context_id=context_id, key="k", pasted_characters=counted, **TRY)
    assert answer.status_code == 303
    ((body, _),) = fake.loop.keys.values()
    assert body.get("pasted_characters") == sent


def test_volunteers_pastes_are_not_counted(ada: Visitor, fake: FakePlatform) -> None:
    assert "pasted_characters" not in ada.get(f"/rounds/{fake.loop.round_id}/create").text


def test_an_excluded_person_reads_why_and_appeals_once(visitor: Visitor, fake: FakePlatform) -> None:
    start(visitor, fake)
    done = fake.work.change(state="approved", fair_play=decision("excluded", "Two texts are <b>copies</b>."))
    page = visitor.get(f"/work/done/{done}").text
    for shown in ("You get no further work in this task", "&lt;b&gt;copies", "what is owed to you is paid"):
        assert shown in page
    sent = visitor.post(f"/work/assignments/{done}/appeal", text=" I wrote them first. ")
    assert sent.headers["Location"] == f"/work/done/{done}?notice=appeal-sent"
    page = visitor.get(f"/work/done/{done}").text
    assert "“I wrote them first.”" in page
    assert "The owner has not answered yet." in page
    assert "Send the appeal" not in page
    again = visitor.post(f"/work/assignments/{done}/appeal", text="Once more.")
    assert again.status_code == 409
    fake.work.works[done]["fair_play"].update(decision="no_concern", answer="You are right.")
    page = visitor.get(f"/work/done/{done}").text
    assert "Your exclusion has ended" in page
    assert "“You are right.”" in page
