"""Changing and resetting a password, and changing the mail address, as pages."""

from dataclasses import replace

import pytest
from web.kit import dependencies
from web_fake_people import LINK
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import Visitor, pages_over

NEW = "seven purple kites"


def test_a_password_is_changed_on_the_account_page(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post("/account/password", current_password=PASSWORD, new_password=NEW)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/account?notice=password-changed")
    assert "Your password is changed." in ada.get(answer.headers["Location"]).text
    assert fake.people["ada"].password == NEW


@pytest.mark.parametrize(
    ("current", "new", "said"),
    [("wrong", NEW, "This is not your present password."), (PASSWORD, "short", "new_password has 5")],
)
def test_a_refused_password_is_said_where_it_was_typed_and_shown_nowhere(
    ada: Visitor, current: str, new: str, said: str
) -> None:
    answer = ada.post("/account/password", current_password=current, new_password=new)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'id="change-password" open' in answer.text
    assert f'value="{new}"' not in answer.text
    assert answer.text.count('id="problem"') == 1


def test_passwords_and_links_are_not_carried_through_signing_in(visitor: Visitor) -> None:
    form = {"current_password": PASSWORD, "new_password": NEW, "email": "ada@new.example"}
    answer = visitor.post("/account/password", **form)
    assert answer.status_code == 401
    assert NEW not in answer.text.replace("+", " ").replace("%20", " ")
    assert "your form was not saved" in answer.text


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_what_is_said_of_a_forgotten_password_does_not_hang_on_who_is_here(
    email: str, visitor: Visitor, fake: FakePlatform
) -> None:
    assert 'href="/forgotten-password"' in visitor.get("/sign-in").text
    answer = visitor.post("/forgotten-password", email=email)
    assert answer.status_code == 200
    assert f"If an account has the address <strong>{email}</strong>, we sent a link there." in answer.text
    assert fake.desk.mails == [("new_password", email)]
    assert "sends no mail" not in answer.text


def test_a_local_platform_names_the_folder_with_the_mails(fake: FakePlatform) -> None:
    app = pages_over(fake)
    given = app.extensions[dependencies.EXTENSION]
    local = given.settings.model_copy(update={"mail_folder": "/srv/dynabench/mail"})
    app.extensions[dependencies.EXTENSION] = replace(given, settings=local)
    answer = Visitor(app.test_client()).post("/forgotten-password", email="ada@example.org")
    assert "<code>/srv/dynabench/mail</code>" in answer.text
    fake.forgotten.clear()


def test_too_many_links_are_refused_with_the_wait(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/password-resets$", 429, slug="mails-closed", retry_after=60, field="email")
    answer = visitor.post("/forgotten-password", email="ada@example.org")
    assert answer.status_code == 429
    assert 'value="ada@example.org"' in answer.text


def test_a_new_password_is_chosen_by_the_link_and_live_tokens_are_named(
    visitor: Visitor, ada: Visitor, fake: FakePlatform
) -> None:
    ada.post("/account/tokens", name="notebook")
    form = visitor.get(f"/new-password?token={LINK}")
    assert form.headers["Cache-Control"] == "no-store"
    assert f'value="{LINK}"' in form.text
    short = visitor.post("/new-password", token=LINK, password="short")
    assert (short.status_code, f'value="{LINK}"' in short.text) == (422, True)
    chosen = visitor.post("/new-password", token=LINK, password=NEW)
    assert chosen.status_code == 200
    assert "1 API token still opens your account:" in chosen.text
    assert "notebook" in chosen.text
    assert LINK not in chosen.text


def test_a_link_that_has_ended_leads_to_a_new_one(visitor: Visitor) -> None:
    answer = visitor.post("/new-password", token="old", password=NEW)
    assert answer.status_code == 410
    assert 'href="/forgotten-password"' in answer.text
    assert "<form" not in answer.text.partition("<main")[2].partition("</main>")[0]
    assert visitor.post("/confirm-email", token="old").status_code == 410


def test_another_address_is_confirmed_by_a_click(ada: Visitor, visitor: Visitor, fake: FakePlatform) -> None:
    assert "ada@example.org" in ada.get("/account").text
    wrong = ada.post("/account/email", email="ada@new.example", current_password="wrong")
    assert (wrong.status_code, 'value="ada@new.example"' in wrong.text) == (422, True)
    answer = ada.post("/account/email", email="ada@new.example", current_password=PASSWORD)
    assert "We sent a link to <strong>ada@new.example</strong>." in answer.text
    assert fake.desk.mails == [("new_email", "ada@new.example")]
    assert "Yes, this is my address" in visitor.get(f"/confirm-email?token={LINK}").text
    assert "Your address is confirmed" in visitor.post("/confirm-email", token=LINK).text


def test_the_account_is_shown_without_the_address_while_it_cannot_be_read(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/me/email$", 503, times=9)
    answer = ada.get("/account")
    assert answer.status_code == 200
    assert "Your address can't be read just now." in answer.text
