"""Second factors and the list of sessions, as pages."""

import html
import re

import pytest
from web.account.signing import device
from web_fake_access import CODE, RECOVERY_CODES, SECRET
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import Visitor, pages_over

PAGE = "/account/second-factor"


def hidden_fields(page: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.partition("</main>")[0])
    return {name: html.unescape(value) for name, value in found}


def test_a_second_factor_is_set_up_with_a_drawing_and_a_code(ada: Visitor, fake: FakePlatform) -> None:
    assert "Set up a second factor" in ada.get("/account").text
    wrong = ada.post(PAGE, current_password="wrong")
    assert (wrong.status_code, "This is not your present password." in wrong.text) == (422, True)
    setup = ada.post(PAGE, current_password=PASSWORD)
    assert setup.headers["Cache-Control"] == "no-store"
    assert "<svg" in setup.text
    assert SECRET in setup.text
    fields = hidden_fields(setup.text)
    again = ada.post(f"{PAGE}/confirmation", **fields, code="000000")
    assert (again.status_code, hidden_fields(again.text) == fields, "<svg" in again.text) == (422, True, True)
    codes = ada.post(f"{PAGE}/confirmation", **fields, code=CODE)
    assert codes.headers["Cache-Control"] == "no-store"
    assert all(code in codes.text for code in RECOVERY_CODES)
    assert fake.desk.access.factors == {"ada"}
    assert "10 recovery codes are left." in ada.get(PAGE).text


def test_signing_in_asks_for_a_code_and_returns_to_the_page(visitor: Visitor, fake: FakePlatform) -> None:
    fake.desk.access.factors.add("ada")
    first = visitor.post("/sign-in", user_name="ada", password=PASSWORD, next="/tasks/sentiment")
    assert (first.status_code, "Set-Cookie" in first.headers) == (200, False)
    assert PASSWORD not in first.text
    fields = hidden_fields(first.text)
    wrong = visitor.post("/sign-in/code", **fields, code="000000")
    assert (wrong.status_code, "The code is wrong or was used before." in wrong.text) == (422, True)
    answer = visitor.post("/sign-in/code", **hidden_fields(wrong.text), code=CODE)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/tasks/sentiment")
    assert ">ada</a>" in visitor.get("/").text


def test_a_first_step_that_is_over_leads_back_to_the_password(visitor: Visitor) -> None:
    late = visitor.post("/sign-in/code", challenge="old", code=CODE)
    assert late.status_code == 401
    assert 'name="password"' in late.text


def test_recovery_codes_are_renewed_and_the_factor_turned_off(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.access.factors.add("ada")
    assert ada.post(f"{PAGE}/recovery-codes", code="1").status_code == 422
    assert RECOVERY_CODES[9] in ada.post(f"{PAGE}/recovery-codes", code=CODE).text
    wrong = ada.post(f"{PAGE}/removal", current_password=PASSWORD, code="1")
    assert (wrong.status_code, 'id="turn-off" open' in wrong.text) == (422, True)
    answer = ada.post(f"{PAGE}/removal", current_password=PASSWORD, code=CODE)
    assert "The second factor is off." in ada.get(answer.headers["Location"]).text
    assert not fake.desk.access.factors


def test_where_it_is_required_an_owner_is_led_to_it_and_does_nothing_before(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.desk.access.is_required = True
    answer = visitor.post("/sign-in", user_name="olga", password=PASSWORD, next="/rounds")
    assert answer.headers["Location"] == PAGE
    assert "Administrators and owners need a second factor here." in visitor.get(PAGE).text
    for path in ("/people", "/rounds"):
        assert visitor.get(path).headers["Location"] == PAGE, path
    ada = fake.people["ada"].person_id
    refused = visitor.post(f"/people/{ada}/state", state="disabled", reason="no")
    assert (refused.status_code, "Your roles count once" in refused.text) == (403, True)
    visitor.post(f"{PAGE}/confirmation", code=CODE)
    assert visitor.get("/people").status_code == 200


def test_an_administrator_resets_a_lost_factor(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    fake.desk.access.factors.add("ada")
    path = f"/people/{fake.people['ada'].person_id}"
    assert "Yes, reset the second factor" in visitor.get(path).text
    assert visitor.post(f"{path}/second-factor-reset", reason=" ").status_code == 422
    answer = visitor.post(f"{path}/second-factor-reset", reason="Phone in the lake")
    assert "The person gets a mail." in visitor.get(answer.headers["Location"]).text
    assert fake.desk.access.resets == ["Phone in the lake"]


def test_other_browsers_are_signed_out_one_by_one_or_all(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get("/account").text
    assert "Firefox, Linux" in page
    assert "this browser" in page
    other = fake.desk.access.sessions[1]["session_id"]
    answer = ada.post(f"/account/sessions/{other}/end")
    assert "The browser is signed out." in ada.get(answer.headers["Location"]).text
    assert len(fake.desk.access.sessions) == 2
    ada.post("/account/sessions/end")
    assert len(fake.desk.access.sessions) == 1
    assert "Sign out all other browsers" not in ada.get("/account").text


def test_the_account_page_does_without_both_while_they_cannot_be_read(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/me/(sessions|second-factor)$", 503, times=9)
    answer = ada.get("/account")
    assert answer.status_code == 200
    assert "Your sessions can't be read just now." in answer.text


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari, iOS"),
        ("python-requests/2", ""),
    ],
)
def test_browser_and_system_are_named(header: str, name: str, fake: FakePlatform) -> None:
    with pages_over(fake).test_request_context(headers={"User-Agent": header}):
        assert device() == name
