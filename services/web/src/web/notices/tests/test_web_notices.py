"""The list of notices, marking them as read, and the end of mails."""

import pytest
from dynabench_client.results.accounts import Notice
from web.kit.isolation import name
from web.kit.notification_text import notifications
from web_fake_notices import MAIL_TOKEN
from web_fake_platform import FakePlatform
from web_visiting import Visitor

SAID = {
    "example_resolved": (
        {"correct": 12, "disputed": 2},
        "Sentiment, round 3: people have checked 14 of your texts.",
    ),
    "example_decided": (
        {"incorrect": 1},
        "Sentiment, round 3: the task&#39;s owner decided about one of your texts.",
    ),
    "appeal_answered": ({"asked_anew": 1}, "Sentiment, round 3: your appeal is answered."),
    "round_opened": ({}, "Sentiment, round 3 is open."),
    "round_released": ({}, "Sentiment, round 3, where you took part, is released"),
    "goal_reached": ({"goal": 2000}, "Sentiment, round 3 has reached its goal of 2,000 confirmed errors."),
    "task_requested": ({"asked": 2}, "2 people ask for the right to start a task."),
    "task_answered": ({"granted": 1}, "Sentiment, round 3: you may now start this task."),
    "work_waits": ({"disputed": 1}, "Sentiment, round 3: one example waits for your decision."),
}


@pytest.mark.parametrize("kind", SAID)
def test_each_kind_says_what_happened_and_leads_there(kind: str, ada: Visitor, fake: FakePlatform) -> None:
    counts, words = SAID[kind]
    fake.desk.notices.tell(kind, fake.loop.round_id, counts=counts)
    page = ada.get("/notices").text
    assert words in page
    address = page.split('class="notification-item', 1)[1].split('href="', 1)[1].split('"', 1)[0]
    assert ada.get(address).status_code in {200, 403}


def test_what_came_out_is_said_in_words_with_its_number(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.notices.tell("example_resolved", fake.loop.round_id, counts={"correct": 12, "disputed": 2})
    page = ada.get("/notices").text
    assert "People agree with you</span> 12" in page
    assert "No agreement</span> 2" in page
    assert "People disagree with you" not in page


def test_a_kind_of_a_newer_platform_is_still_told() -> None:
    newer = Notice.blank(kind="of_tomorrow", task_slug="sentiment", counts={"x": 1})
    (view,) = notifications([newer])
    assert (view.sentence, view.address) == (
        f"There is news from {name('sentiment')}.",
        "/tasks/sentiment",
    )


@pytest.mark.parametrize(
    ("outcome", "words"), [("paused", "paused you as a checker"), ("resumed", "you can check")]
)
def test_a_pause_leads_to_the_task(outcome: str, words: str, ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.notices.tell("validating", None, counts={outcome: 1})
    page = ada.get("/notices").text
    assert words in page
    assert 'href="/tasks/sentiment"' in page


@pytest.mark.parametrize(
    ("kind", "outcome", "words", "link"),
    [
        ("model_checked", "model_deployed", "minilm-a v3 passed all checks", "See the checks"),
        ("model_checked", "model_refused", "minilm-a v3 did not pass a check", "See the checks"),
        ("model_checked", "model_failed", "failed on our side", "See the checks"),
        ("model_checked", "of_tomorrow", "There is news from Sentiment.", "See the checks"),
        ("model_waits", "code", "minilm-a v3 contains code and waits for your decision", "Decide"),
    ],
)
def test_news_of_a_model_leads_to_its_submission(
    kind: str, outcome: str, words: str, link: str, ada: Visitor, fake: FakePlatform
) -> None:
    submission_id = "0192f5a0-0000-7000-8000-00000000000c"
    fake.desk.notices.tell(kind, None, counts={outcome: 1}, submission_id=submission_id, model="minilm-a v3")
    page = ada.get("/notices").text
    assert words in page
    assert f'href="/submissions/{submission_id}"' in page
    assert link in page


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("target_removed", "minilm-a-v3 stopped answering and was removed"),
        ("round_paused", "The round needs it and is paused"),
        ("of_tomorrow", "There is news from"),
    ],
)
def test_news_of_a_lost_target_leads_to_the_round(
    outcome: str, words: str, ada: Visitor, fake: FakePlatform
) -> None:
    fake.desk.notices.tell("target_lost", fake.loop.round_id, counts={outcome: 1}, model="minilm-a-v3")
    page = ada.get("/notices").text
    assert words in page
    assert f'href="/rounds/{fake.loop.round_id}"' in page


def test_low_pay_is_given_in_money_and_leads_to_the_campaign(ada: Visitor, fake: FakePlatform) -> None:
    campaign_id = "0192f5a0-0000-7000-8000-000000000021"
    pay = {"hourly": 640, "floor": 900, "top_up": 60}
    fake.desk.notices.tell("pay_low", fake.loop.round_id, counts=pay, currency="GBP", campaign_id=campaign_id)
    page = ada.get("/notices").text
    assert "a campaign pays £6.40 an hour, less than the floor of £9.00" in page
    assert "add £0.60 to each assignment" in page
    assert f'href="/tasks/sentiment/campaigns/{campaign_id}"' in page


def test_an_appeal_of_a_paid_person_leads_to_the_decision(ada: Visitor, fake: FakePlatform) -> None:
    campaign_id = "0192f5a0-0000-7000-8000-000000000021"
    fake.desk.notices.tell("exclusion_appealed", fake.loop.round_id, counts={}, campaign_id=campaign_id)
    page = ada.get("/notices").text
    assert "a person appeals against being excluded from paid work" in page
    assert f'href="/tasks/sentiment/campaigns/{campaign_id}/fair-play"' in page


def test_a_notice_whose_names_are_not_known_yet_is_readable(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.notices.tell(
        "round_released", fake.loop.round_id, round_number=None, task_slug=None, task_title=None
    )
    assert "a round, where you took part" in ada.get("/notices").text


def test_an_empty_list_says_what_to_do(ada: Visitor) -> None:
    page = ada.get("/notices").text
    assert "No notices yet" in page
    assert "Mark all as read" not in page


def test_marking_as_read_leaves_what_came_meanwhile(ada: Visitor, fake: FakePlatform) -> None:
    seen = fake.desk.notices.tell("round_opened", fake.loop.round_id)
    assert "One is new." in ada.get("/notices").text
    late = fake.desk.notices.tell("round_released", fake.loop.round_id)
    answer = ada.post("/notices/read", up_to=str(seen["position"]), next="/notices")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/notices?notice=notices-read")
    assert seen["read_at"]
    assert late["read_at"] is None


@pytest.mark.parametrize("up_to", ["", "x", "-1", "٣", "9" * 30])
def test_a_forged_position_marks_nothing(up_to: str, ada: Visitor, fake: FakePlatform) -> None:
    told = fake.desk.notices.tell("round_opened", fake.loop.round_id)
    assert (
        ada.post("/notices/read", up_to=up_to, next="//elsewhere.example")
        .headers["Location"]
        .startswith("/?")
    )
    assert told["read_at"] is None


def test_long_lists_come_page_by_page(ada: Visitor, fake: FakePlatform) -> None:
    for _ in range(25):
        fake.desk.notices.tell("round_opened", fake.loop.round_id)
    first = ada.get("/notices").text
    assert first.count('class="notification-item') == 20
    older = first.split('href="/notices?cursor=', 1)[1].split('"', 1)[0]
    rest = ada.get(f"/notices?cursor={older}").text
    assert rest.count('class="notification-item') == 5
    assert 'href="/notices"' in rest
    assert "Mark all as read" not in rest


def test_strangers_sign_in_first(visitor: Visitor) -> None:
    assert "/sign-in" in visitor.get("/notices").headers.get("Location", "/sign-in")
    assert visitor.get("/notices").status_code in {302, 303, 401}


def test_looking_at_the_link_of_a_mail_ends_nothing(visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.get(f"/unsubscribe?token={MAIL_TOKEN}")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert f'value="{MAIL_TOKEN}"' in answer.text
    assert fake.desk.notices.settings["mail"] == "daily"


def test_one_click_ends_mails_without_signing_in(visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.post("/unsubscribe", token=MAIL_TOKEN)
    assert "These mails are switched off" in answer.text
    assert fake.desk.notices.settings["mail"] == "never"


def test_a_mail_program_ends_mails_by_itself(visitor: Visitor, fake: FakePlatform) -> None:
    form = {"List-Unsubscribe": "One-Click"}
    answer = visitor.client.post(f"/unsubscribe?token={MAIL_TOKEN}", data=form)
    assert answer.status_code == 200
    assert fake.desk.notices.settings["mail"] == "never"


def test_no_other_page_takes_writes_from_elsewhere(ada: Visitor, fake: FakePlatform) -> None:
    assert ada.client.post("/notices/read", data={"up_to": "9"}).status_code == 403
    assert ada.client.post("/account/notices", data={"mail": "never"}).status_code == 403


def test_a_forged_token_ends_nothing_and_says_so(visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.post("/unsubscribe", token="x")
    assert answer.status_code == 410
    assert "The link is not whole." in answer.text
    assert fake.desk.notices.settings["mail"] == "daily"
