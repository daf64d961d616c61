"""API tokens: shown once, listed without their text, revoked."""

from web_fake_platform import FakePlatform
from web_visiting import Visitor


def test_a_token_is_shown_once(ada: Visitor) -> None:
    answer = ada.post("/account/tokens", name="notebook")
    assert "dbt_shown_only_once" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    page = ada.get("/account").text
    assert "notebook" in page
    assert "dbt_shown_only_once" not in page


def test_a_token_is_revoked_after_confirming(ada: Visitor, fake: FakePlatform) -> None:
    ada.post("/account/tokens", name="notebook")
    token_id = next(iter(fake.tokens))
    assert "Yes, revoke notebook" in ada.get("/account").text
    answer = ada.post(f"/account/tokens/{token_id}/revocation")
    page = ada.get(answer.headers["Location"]).text
    assert "Revoked: notebook" in page
    assert "Yes, revoke" not in page


def test_a_refused_name_is_kept_with_the_reason(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/tokens$", 422, field="name", detail="The name is too long.")
    answer = ada.post("/account/tokens", name="a name that is too long")
    assert answer.status_code == 422
    assert "The name is too long." in answer.text
    assert 'value="a name that is too long"' in answer.text
