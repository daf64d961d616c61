"""Choice of notifications and of where they are sent."""

from web_fake_platform import FakePlatform
from web_visiting import Visitor

KINDS = [
    "example_resolved",
    "example_decided",
    "appeal_answered",
    "example_answered",
    "weekly_summary",
    "work_assigned",
    "validating",
    "round_opened",
    "round_released",
    "goal_reached",
    "model_checked",
    "task_answered",
]


def test_all_boxes_are_ticked_and_owners_kinds_left_out(ada: Visitor) -> None:
    page = ada.get("/account").text
    assert page.count('name="kind"') == len(KINDS)
    for kind in KINDS:
        for place in ("page", "mail_kind"):
            assert f'name="{place}" value="{kind}" checked' in page
    assert "Examples need my decision" not in page


def test_owners_choose_about_their_work_too(visitor: Visitor) -> None:
    visitor.sign_in("olga")
    assert "Examples need my decision" in visitor.get("/account").text


def test_choices_are_kept_and_those_not_shown_stay(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.notices.settings["not_by_mail"] = ["work_waits"]
    answer = ada.post(
        "/account/notices", mail="weekly", kind=KINDS, page=KINDS[1:], mail_kind=[KINDS[0], KINDS[2]]
    )
    assert (answer.status_code, answer.headers["Location"]) == (303, "/account?notice=notice-settings-saved")
    kept = fake.desk.notices.settings
    assert (kept["mail"], kept["not_on_page"]) == ("weekly", ["example_resolved"])
    assert kept["not_by_mail"] == [
        *(
            "example_answered",
            "example_decided",
            "goal_reached",
            "model_checked",
            "round_opened",
            "round_released",
        ),
        *("task_answered", "validating", "weekly_summary", "work_assigned", "work_waits"),
    ]
    page = ada.get("/account").text
    assert 'value="weekly" checked' in page


def test_a_pace_that_there_is_not_is_refused_on_the_page(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post("/account/notices", mail="hourly", kind=KINDS)
    assert answer.status_code == 422
    assert 'id="problem"' in answer.text
    assert fake.desk.notices.settings["mail"] == "daily"


def test_who_has_not_confirmed_their_address_is_sent_a_link(ada: Visitor, fake: FakePlatform) -> None:
    assert "Confirm your address to receive mail." in ada.get("/account").text
    page = ada.post("/account/email-confirmation").text
    assert "We sent you a link." in page
    assert fake.desk.notices.confirmations == 1
    fake.desk.notices.settings["is_email_confirmed"] = True
    assert "Confirm your address to receive mail." not in ada.get("/account").text


def test_choices_that_are_away_are_no_choices(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/me/notice-settings", 500, times=9)
    page = ada.get("/account")
    assert page.status_code == 200
    assert "choices can&#39;t be read just now" in page.text or "choices can't be read just now" in page.text
    assert 'action="/account/notices"' not in page.text
