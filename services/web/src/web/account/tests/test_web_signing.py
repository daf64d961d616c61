"""Sessions: begun, renewed without being noticed, ended; and nothing typed is lost on the way."""

import base64
import html
import random
import re
import string
from io import BytesIO
from urllib.parse import quote

import pytest
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import SAME_ORIGIN, Visitor, pages_over
from werkzeug.test import TestResponse

EVIL = ["https://evil.example/", "//evil.example", "/\\evil.example", "/\tevil"]


def cookies_of(answer: TestResponse) -> dict[str, str]:
    return {header.partition("=")[0]: header for header in answer.headers.getlist("Set-Cookie")}


def hidden_fields(page: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.partition("</main>")[0])
    return {name: html.unescape(value) for name, value in found}


def test_signing_in_sets_cookies_that_scripts_and_other_sites_do_not_get(visitor: Visitor) -> None:
    answer = visitor.post("/sign-in", user_name="ada", password=PASSWORD, next="/tasks/sentiment")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/tasks/sentiment")
    cookies = cookies_of(answer)
    for name in ("dynabench_access", "dynabench_refresh"):
        assert "HttpOnly" in cookies[name]
        assert "SameSite=Lax" in cookies[name]
    assert "Secure" not in cookies["dynabench_access"]
    assert ">ada</a>" in visitor.get("/").text


def test_over_https_cookies_are_confined_to_it(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake, "https://dynabench.example").test_client())
    answer = visitor.post("/sign-in", user_name="ada", password=PASSWORD)
    assert "Secure" in cookies_of(answer)["dynabench_access"]
    assert answer.headers["Strict-Transport-Security"]


def test_a_wrong_password_says_so_and_keeps_the_name(visitor: Visitor) -> None:
    answer = visitor.post("/sign-in", user_name="ada", password="wrong")
    assert answer.status_code == 401
    assert "Wrong user name or password" in answer.text
    assert 'value="ada"' in answer.text
    assert "wrong" not in hidden_fields(answer.text).values()


@pytest.mark.parametrize("address", EVIL)
def test_signing_in_never_leads_off_the_platform(address: str, visitor: Visitor) -> None:
    answer = visitor.post("/sign-in", user_name="ada", password=PASSWORD, next=address)
    assert answer.headers["Location"] == "/"
    assert visitor.get("/sign-in?next=" + quote(address)).headers["Location"] == "/"


def test_signing_up_signs_in(visitor: Visitor) -> None:
    form = {"user_name": "grace", "email": "grace@example.org", "password": "long enough password"}
    answer = visitor.post("/sign-up", **form, next="/tasks/sentiment")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/tasks/sentiment")
    assert ">grace</a>" in visitor.get("/").text


def test_a_taken_name_is_told_at_its_field(visitor: Visitor) -> None:
    answer = visitor.post("/sign-up", user_name="ada", email="a@example.org", password="long enough password")
    assert answer.status_code == 409
    assert 'value="ada"' in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert "long enough password" not in answer.text


def test_signing_out_ends_the_session_here_and_there(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post("/sign-out")
    assert answer.headers["Location"] == "/?notice=signed-out"
    assert not fake.sessions
    assert "Sign in</a>" in ada.get("/").text


def test_an_expired_access_token_is_renewed_without_being_noticed(ada: Visitor, fake: FakePlatform) -> None:
    ada.client.delete_cookie("dynabench_access")
    answer = ada.get("/account")
    assert answer.status_code == 200
    assert {"dynabench_access", "dynabench_refresh"} <= cookies_of(answer).keys()
    assert sum(path.endswith("/sessions/refresh") for _, path, _ in fake.calls) == 1
    ada.get("/account")
    assert sum(path.endswith("/sessions/refresh") for _, path, _ in fake.calls) == 1


def test_a_forged_access_token_is_no_session(visitor: Visitor) -> None:
    visitor.client.set_cookie("dynabench_access", "eyJhbGciOiJub25lIn0.e30.")
    assert visitor.get("/account").status_code == 303


def test_a_services_token_is_no_session(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.client.set_cookie("dynabench_access", fake.environment()["SERVICE_TOKEN"])
    assert visitor.get("/account").status_code == 303


def test_an_ended_session_leads_to_signing_in_and_forgets_the_cookies(
    ada: Visitor, fake: FakePlatform
) -> None:
    ada.client.delete_cookie("dynabench_access")
    fake.end_sessions()
    answer = ada.get("/account")
    assert answer.headers["Location"] == "/sign-in?next=%2Faccount"
    assert "Max-Age=0" in cookies_of(answer)["dynabench_refresh"]


def test_accounts_being_away_does_not_end_the_session(ada: Visitor, fake: FakePlatform) -> None:
    ada.client.delete_cookie("dynabench_access")
    fake.fail("POST", "/sessions/refresh", 503, retry_after=3)
    answer = ada.get("/account")
    assert answer.status_code == 503
    assert "dynabench_refresh" not in cookies_of(answer)
    assert ada.get("/account").status_code == 200


def test_public_pages_are_shown_while_the_keys_cannot_be_read(ada: Visitor, fake: FakePlatform) -> None:
    token = ada.client.get_cookie("dynabench_access")
    assert token
    restarted = Visitor(pages_over(fake).test_client())
    restarted.client.set_cookie("dynabench_access", token.value)
    fake.fail("GET", "/jwks$", 503, times=2)
    assert restarted.get("/").status_code == 200
    assert restarted.get("/account").status_code == 503
    assert restarted.get("/account").status_code == 200


def test_a_text_sent_after_the_session_ended_is_carried_through_signing_in(
    ada: Visitor, fake: FakePlatform
) -> None:
    path = f"/rounds/{fake.loop.round_id}/create"
    text = 'A "quoted" <b>great</b> & long text'
    form = {
        "context_id": fake.loop.contexts[0]["context_id"],
        "key": "k-1",
        "input.text": text,
        "input.label": "negative",
    }
    ada.client.delete_cookie("dynabench_access")
    fake.end_sessions()

    refused = ada.post(path, **form)
    assert refused.status_code == 401
    assert "What you sent is kept" in refused.text
    kept = hidden_fields(refused.text)
    assert "great" not in refused.text

    wrong = ada.post("/sign-in", user_name="ada", password="wrong", **kept)
    assert hidden_fields(wrong.text)["resume"] == kept["resume"]

    resumed = ada.post("/sign-in", user_name="ada", password=PASSWORD, **kept)
    assert resumed.status_code == 200
    assert f'action="{path}"' in resumed.text
    offered = hidden_fields(resumed.text)
    assert offered["input.text"] == text
    assert not fake.loop.examples

    back = ada.post(path, **offered)
    assert back.status_code == 200
    assert html.escape(text, quote=False).replace('"', "&#34;") in back.text
    assert re.search(r'value="negative"[^>]* checked', back.text)
    assert not fake.loop.examples


def ended(visitor: Visitor, fake: FakePlatform, path: str, **form: str) -> TestResponse:
    """Send a form after the session ended."""
    visitor.client.delete_cookie("dynabench_access")
    fake.end_sessions()
    return visitor.post(path, **form)


@pytest.mark.parametrize("fields", [1, 118, 3000])
def test_a_carried_form_is_whole(fields: int, fake: FakePlatform, visitor: Visitor) -> None:
    visitor.sign_in("olga")
    form = {
        "configuration": "slug: mine\n" * 2000,
        **{f"form.field.{number}": "ü" for number in range(fields)},
    }
    refused = ended(visitor, fake, "/tasks/new?from=nli", **form)
    assert "What you sent is kept" in refused.text
    kept = hidden_fields(refused.text)
    resumed = visitor.post("/sign-in", user_name="olga", password=PASSWORD, **kept)
    assert 'action="/tasks/new?from=nli"' in resumed.text
    offered = hidden_fields(resumed.text)
    assert {name: offered[name].strip() for name in form} == {
        name: text.strip() for name, text in form.items()
    }


def test_what_can_not_be_carried_whole_is_refused_and_that_is_said(ada: Visitor, fake: FakePlatform) -> None:
    noise = "".join(random.Random(1).choices(string.ascii_letters, k=900_000))
    for path, form in (
        ("/account/password", {"current_password": "secret words", "new_password": "other words"}),
        (f"/rounds/{fake.loop.round_id}/create", {"input.text": noise}),
    ):
        ada.sign_in("ada")
        refused = ended(ada, fake, path, **form)
        assert "your form was not saved" in refused.text, path
        assert "resume" not in hidden_fields(refused.text)
        assert "secret" not in refused.text


def test_a_carried_form_that_is_not_ours_is_left_out(visitor: Visitor) -> None:
    header = base64.urlsafe_b64encode(b'{"alg":"dir","enc":"A256GCM","crit":5}').decode().rstrip("=")
    for resume in ("x", f"{header}..aWlp.Yw.dHQ", "[" * 10_000):
        answer = visitor.post("/sign-in", user_name="olga", password=PASSWORD, resume=resume)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/?notice=form-lost"), resume[:20]


@pytest.mark.parametrize(("file_name", "is_carried"), [("", True), ("contexts.jsonl", False)])
def test_a_form_is_carried_unless_a_file_was_chosen(
    file_name: str, is_carried: bool, visitor: Visitor, fake: FakePlatform
) -> None:
    visitor.sign_in("olga")
    form = {"file": (BytesIO(b""), file_name), "title": "Mine"}
    refused = ended(visitor, fake, "/tasks/new", **form)  # type: ignore[arg-type]
    assert ("resume" in hidden_fields(refused.text)) == is_carried


def test_a_carried_form_is_offered_to_its_owner_alone(ada: Visitor, fake: FakePlatform) -> None:
    kept = hidden_fields(
        ended(ada, fake, f"/rounds/{fake.loop.round_id}/create", **{"input.text": "Ada's"}).text
    )
    answer = ada.post("/sign-in", user_name="olga", password=PASSWORD, **kept)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?notice=form-of-another")
    assert "you can&#39;t see it" in ada.get("/?notice=form-of-another").text


@pytest.mark.parametrize("resume", ["text=hello", "e30.e30.e30.e30.e30", "ü" * 5000])
def test_a_carried_form_is_one_that_we_sealed(resume: str, visitor: Visitor) -> None:
    answer = visitor.post("/sign-in", user_name="ada", password=PASSWORD, resume=resume)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?notice=form-lost")


def test_passwords_are_never_carried(visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.post("/account/tokens", name="x", password="secret words")
    assert answer.status_code == 401
    assert "secret" not in answer.text


def test_htmx_is_sent_to_the_sign_in_page_and_back_to_the_page_it_came_from(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = f"/rounds/{fake.loop.round_id}/create?example=1"
    headers = {**SAME_ORIGIN, "HX-Request": "true", "HX-Current-URL": f"http://localhost{page}"}
    answer = visitor.client.post(f"/rounds/{fake.loop.round_id}/create", data={"text": "x"}, headers=headers)
    assert answer.status_code == 401
    target = answer.headers["HX-Redirect"]
    assert target.startswith("/sign-in?next=%2Frounds%2F")
    assert "example%3D1" in target


def test_a_page_is_asked_for_again_with_a_new_token_when_roles_changed(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/api/annotation/v1/tasks/sentiment$", 401, "token-expired")
    answer = ada.get("/tasks/sentiment?a=b")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/tasks/sentiment?a=b")
    assert ada.get(answer.headers["Location"]).status_code == 200
    fake.end_sessions()
    fake.fail("GET", "/api/annotation/v1/tasks/sentiment$", 401, "token-expired")
    assert ada.get("/tasks/sentiment").headers["Location"].startswith("/sign-in?")
