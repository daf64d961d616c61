"""Signing in with an issuer, and linking one, as pages; the real protocol is in tests/e2e/test_e2e_issuers.py."""

from urllib.parse import urlsplit

import pytest
from web_fake_access import CODE
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import Visitor

CAMPUS = {"name": "campus", "title": "Example University"}
DONE = "/sign-in/with/campus/done?state=good&code=good&iss=https://login.example"


@pytest.fixture
def campus(fake: FakePlatform) -> None:
    fake.desk.access.issuers.append(CAMPUS)


@pytest.mark.usefixtures("campus")
def test_the_sign_in_page_leads_to_the_issuer_and_back_to_where_one_was(visitor: Visitor) -> None:
    assert "/sign-in/with/campus?next=/tasks/sentiment" in visitor.get("/sign-in?next=/tasks/sentiment").text
    start = visitor.get("/sign-in/with/campus?next=/tasks/sentiment")
    assert (start.status_code, urlsplit(start.headers["Location"]).path) == (303, "/issuer/campus")
    cookie = start.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert start.headers["Cache-Control"] == "no-store"
    done = visitor.get(DONE)
    assert (done.status_code, done.headers["Location"]) == (303, "/tasks/sentiment")
    assert ">ada</a>" in visitor.get("/").text
    assert visitor.client.get_cookie("dynabench_issuer") is None


@pytest.mark.usefixtures("campus")
@pytest.mark.parametrize(
    "cookie", ["", "{", "[]", '{"secret": "stolen", "following": "//evil.example", "links": 1}']
)
def test_an_answer_that_this_browser_did_not_ask_for_signs_nobody_in(cookie: str, visitor: Visitor) -> None:
    visitor.client.set_cookie("dynabench_issuer", cookie)
    answer = visitor.get(DONE)
    assert (answer.status_code, "does not count" in answer.text) == (401, True)
    assert "Sign in</a>" in visitor.get("/").text


@pytest.mark.usefixtures("campus")
def test_a_refusal_leads_back_to_the_sign_in_page(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/issuer-sign-ins$", 503, slug="issuer-unreachable", detail="Campus does not answer.")
    answer = visitor.get("/sign-in/with/campus")
    assert (answer.status_code, "Campus does not answer." in answer.text) == (503, True)


@pytest.mark.usefixtures("campus")
def test_a_code_is_asked_for_after_the_issuer_too(visitor: Visitor, fake: FakePlatform) -> None:
    fake.desk.access.factors.add("ada")
    visitor.get("/sign-in/with/campus?next=/tasks/sentiment")
    asked = visitor.get(DONE)
    assert 'name="challenge" value="ada"' in asked.text
    answer = visitor.post("/sign-in/code", challenge="ada", code=CODE, next="/tasks/sentiment")
    assert answer.headers["Location"] == "/tasks/sentiment"


@pytest.mark.usefixtures("campus")
def test_an_issuer_is_linked_with_the_password_and_removed(ada: Visitor, fake: FakePlatform) -> None:
    assert "Sign in with" in ada.get("/account").text
    wrong = ada.post("/account/issuers/campus", current_password="wrong")
    assert (wrong.status_code, 'id="link-campus" open' in wrong.text) == (422, True)
    start = ada.post("/account/issuers/campus", current_password=PASSWORD)
    assert "/issuer/campus" in start.text
    done = ada.get(DONE)
    assert "The accounts are linked." in ada.get(done.headers["Location"]).text
    assert fake.desk.access.linked == {"campus"}
    answer = ada.post("/account/issuers/campus/removal")
    assert "The link is removed." in ada.get(answer.headers["Location"]).text
    assert not fake.desk.access.linked


@pytest.mark.usefixtures("campus")
def test_nobody_is_asked_for_a_password_that_they_do_not_have(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.access.without_password.add("ada")
    fake.desk.access.linked.add("campus")
    page = ada.get("/account").text
    assert 'name="current_password"' not in page
    assert "Choose a password" in page
    assert "campus/removal" in page
    assert 'name="current_password"' not in ada.get("/account/second-factor").text
